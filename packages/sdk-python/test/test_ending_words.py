"""What a runner's log says about the end of work: the runner for TypeScript is held to the same file."""

from __future__ import annotations

import json
import math
import unittest
from pathlib import Path

from runhook.runner.ending_words import again_in, end_of, stop_of
from runhook.runner.stopping import StoppedError

WORDS = json.loads((Path(__file__).parent / "ending_words.json").read_text("utf-8"))


class EndingWords(unittest.TestCase):
    def test_say_when_another_attempt_follows(self) -> None:
        for ending, words in WORDS["again_in"]:
            with self.subTest(ending):
                self.assertEqual(again_in(ending), words)

    def test_say_something_of_numbers_that_json_has_not(self) -> None:
        for number in (math.nan, math.inf, -math.inf, 10**400):
            with self.subTest(number):
                self.assertRegex(again_in({"retry_in_ms": number}), "^, again (at once|in 86,400 s)$")

    def test_say_how_it_ended(self) -> None:
        for outcome, ending, words in WORDS["end_of"]:
            with self.subTest(words):
                self.assertEqual(end_of(outcome, ending), words)
        for kind, message, words in WORDS["stop_of"]:
            with self.subTest(words):
                self.assertEqual(stop_of(StoppedError(kind, message)), words)
        self.assertEqual(stop_of(ValueError("no paper")), "ValueError: no paper")


if __name__ == "__main__":
    unittest.main()
