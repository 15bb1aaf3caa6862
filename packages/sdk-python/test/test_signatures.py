"""What editors and `help` show of the calls of both clients."""

from __future__ import annotations

import inspect
import re
import unittest
from collections.abc import Callable, Iterator
from typing import Any

from clients import KEY

from runhook import AsyncRunhook, Runhook
from runhook._asyncio.noun import AsyncNoun
from runhook._blocking.noun import Noun


def calls(noun: Any, path: str = "") -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, each in inspect.getmembers(noun):
        if name.startswith("_"):
            continue
        if isinstance(each, (Noun, AsyncNoun)):
            yield from calls(each, f"{path}{name}.")
        else:
            yield path + name, each


def calls_of(kind: type[Runhook] | type[AsyncRunhook]) -> dict[str, Callable[..., Any]]:
    return dict(calls(kind(base_url="http://localhost", api_key=KEY, proxy="")))


class Signatures(unittest.TestCase):
    blocking = calls_of(Runhook)
    awaited = calls_of(AsyncRunhook)

    def test_have_what_a_caller_gives_and_gets(self) -> None:
        shown = {name: str(inspect.signature(each)) for name, each in self.blocking.items()}
        self.assertEqual(
            shown["executions.get"],
            "(id: 'str | UUID', *, wait: 'float | None' = None) -> 'types.ExecutionDetail'",
        )
        self.assertEqual(shown["tasks.list"], "(**filter: 'Unpack[types.TaskFilter]') -> 'Listing[types.Task]'")
        self.assertEqual(shown["schedules.remove"], "(id: 'str | UUID') -> 'None'")

    def test_are_the_same_but_for_what_is_awaited(self) -> None:
        self.assertEqual(list(self.blocking), list(self.awaited))
        for name, call in self.blocking.items():
            with self.subTest(name):
                one, other = inspect.signature(call), inspect.signature(self.awaited[name])
                self.assertEqual(list(one.parameters.values()), list(other.parameters.values()))
                awaited = re.sub(r"^Coroutine\[Any, Any, (.*)\]$", r"\1", str(other.return_annotation))
                self.assertEqual(one.return_annotation, awaited.replace("Async", ""))

    def test_say_what_the_call_does_by_examples_of_their_own_client(self) -> None:
        for name, call in self.blocking.items():
            with self.subTest(name):
                says, other = inspect.getdoc(call) or "", inspect.getdoc(self.awaited[name]) or ""
                self.assertTrue(says)
                self.assertNotRegex(says, r"\basync |\bawait ")
                self.assertEqual(says, re.sub(r"\basync |\bawait ", "", other))
                for line in other.splitlines():
                    if re.search(r"[= ]runhook\.\w+", line):
                        self.assertRegex(line, r"\basync |\bawait ")


if __name__ == "__main__":
    unittest.main()
