"""What a runner makes of the intervals that a service says."""

from __future__ import annotations

import unittest
from typing import Any

from runhook.runner.intervals import lease_seconds, usable

SANE = {"poll_wait_ms": 25_000, "heartbeat_ms": 15_000, "cancel_grace_ms": 30_000, "finalize_ms": 300_000}


class Intervals(unittest.TestCase):
    def test_are_those_of_the_service(self) -> None:
        self.assertEqual(usable({"session_id": "s-1", "config": SANE}), {"session_id": "s-1", "config": SANE})
        self.assertEqual(lease_seconds(60_000), 60)

    def test_are_such_that_a_timer_can_keep_whatever_the_service_says(self) -> None:
        said: Any
        for said in (float("nan"), float("inf"), -float("inf"), 1e300, 10**400, -1, 0, "12", None, [], True):
            with self.subTest(said):
                config = usable({"config": dict.fromkeys(SANE, said)})["config"]
                self.assertGreaterEqual(config["heartbeat_ms"], 10)
                for each in config.values():
                    self.assertTrue(0 <= each <= 3_600_000, each)
                self.assertTrue(1 <= lease_seconds(said) <= 86_400)


if __name__ == "__main__":
    unittest.main()
