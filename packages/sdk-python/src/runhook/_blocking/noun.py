"""What the calls about a thing are made of, for code that blocks.

Generated from _asyncio/noun.py by `npm run generate`: do not edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from .._call.follow import Follow
from .._call.modes import iterate, run
from .._call.request import Batch, MakeAndWait, Request, Wait
from .._call.send import Sender

A = TypeVar("A")
Item = TypeVar("Item")


class Noun:
    """The calls about one thing."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(self, described: Request[A] | Wait[A] | MakeAndWait[A] | Batch[A]) -> A:
        return run(self._sender.perform(described))

    def _follow(self, log: Follow[Item]) -> Iterator[Item]:
        return iterate(log.items(self._sender))
