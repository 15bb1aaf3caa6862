"""What the calls about a thing are made of, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from .._call.follow import Follow
from .._call.modes import async_iterate, async_run
from .._call.request import Batch, MakeAndWait, Request, Wait
from .._call.send import Sender

A = TypeVar("A")
Item = TypeVar("Item")


class AsyncNoun:
    """The calls about one thing."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def _call(self, described: Request[A] | Wait[A] | MakeAndWait[A] | Batch[A]) -> Coroutine[Any, Any, A]:
        return async_run(self._sender.perform(described))

    def _follow(self, log: Follow[Item]) -> AsyncIterator[Item]:
        return async_iterate(log.items(self._sender))
