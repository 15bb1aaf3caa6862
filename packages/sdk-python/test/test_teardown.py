"""Programs that end while a runner works."""

from __future__ import annotations

import asyncio
import sys
import threading
import unittest
from typing import Any

import raw_server as raw
from clients import KEY
from raw_server import RawServer

from runhook.runner import AsyncContext, Context, Problem, Runner

CONFIG = {"poll_wait_ms": 1_000, "heartbeat_ms": 60_000, "cancel_grace_ms": 0, "finalize_ms": 0}

CLAIM = {
    "execution_id": "e-1",
    "epoch": 1,
    "lease_ms": 60_000,
    "status": "queued",
    "attempt": 1,
    "fencing_token": 1,
    "timeout_ms": None,
    "agent_id": "a-1",
    "params": {},
    "metadata": {},
    "reference": "r-1",
}


def service(slug: str) -> raw.Answering:
    """Gives out one execution."""
    claimed = threading.Event()

    def answer(asked: raw.Asked) -> None:
        body: dict[str, Any] = {}
        if asked.path.endswith("/sessions"):
            config = {**CONFIG, "max_artifact_bytes": 1}
            body = {"session_id": "s-1", "agents": [{"id": "a-1"}], "config": config, "recover": []}
        elif "/claims" in asked.path:
            claims = [] if claimed.is_set() else [{**CLAIM, "task": {"slug": slug, "id": "t-1"}}]
            if claimed.is_set():
                threading.Event().wait(1)
            claimed.set()
            body = {"claims": claims, "commands": [], "lost": []}
        elif asked.path.endswith("/start"):
            body = {"lease_ms": 60_000}
        elif asked.path.endswith("/complete"):
            body = {"status": "queued", "retry_in_ms": 0}
        raw.answer(200, body)(asked)

    return answer


class Teardown(unittest.TestCase):
    def test_reports_no_failure_of_the_work(self) -> None:
        for slug in ("blocks", "waits"):
            with self.subTest(slug), RawServer(service(slug)) as server:
                problems: list[Problem] = []
                begun, over = threading.Event(), threading.Event()
                runner = Runner(base_url=server.url, api_key=KEY, proxy="", on_problem=problems.append)

                @runner.task("blocks")
                def blocks(context: Context, begun: threading.Event = begun, over: threading.Event = over) -> None:
                    begun.set()
                    over.wait()

                @runner.task("waits")
                async def waits(context: AsyncContext, begun: threading.Event = begun) -> None:
                    begun.set()
                    await asyncio.Event().wait()

                async def main(runner: Runner = runner, begun: threading.Event = begun) -> None:
                    await runner.start()
                    await asyncio.to_thread(begun.wait)
                    sys.exit(7)

                with self.assertRaises(SystemExit):
                    asyncio.run(main())

                over.set()
                self.assertNotIn("attempt_failed", [problem.kind for problem in problems])
                # A report would be tried again until the service is there, and keep the program from its end.
                self.assertFalse([each.path for each in server.received if "/complete" in each.path])
                self.assertFalse([each.body for each in server.received if '"outcomes"' in each.body])


if __name__ == "__main__":
    unittest.main()
