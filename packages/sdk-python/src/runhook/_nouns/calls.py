"""Turns what describes a call into a method, for clients that block and for clients of asyncio."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from .._call.request import Batch, MakeAndWait, Page, Request, Wait, at_cursor
from .._call.retry import LOOK_SECONDS
from .._call.send import Sender, finish
from .._generated.rules import FINISHED_STATUSES
from .._typing import Self

P = ParamSpec("P")
A = TypeVar("A")
D = TypeVar("D")
Item = TypeVar("Item")


class Sync:
    """A client that blocks."""


class Async:
    """A client of asyncio."""


Mode = TypeVar("Mode")
"""Sync or Async."""


class Noun(Generic[Mode]):
    """The calls about one thing."""

    _mode: type[Mode]

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        self._sender = sender
        self._mode = mode

    def _finish(self, coroutine: Coroutine[Any, Any, A]) -> Any:
        """Its result from a client that blocks, otherwise something to await."""
        return finish(coroutine) if self._mode is Sync else coroutine


class _Method(Generic[P, D]):
    """Makes a method of a function that describes what is to be done. Its arguments are checked at once."""

    def __init__(self, describe: Callable[Concatenate[Any, P], D]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    def _bound(self, noun: Noun[Any] | None, make: Callable[[Noun[Any], D], object]) -> Any:
        if noun is None:
            return self

        @wraps(self._describe)
        def method(*args: Any, **kwargs: Any) -> Any:
            return make(noun, self._describe(noun, *args, **kwargs))

        return method


class call(_Method[P, Request[A] | Wait[A] | MakeAndWait[A] | Batch[A]]):
    """A method that makes the call which its function describes."""

    @overload
    def __get__(self, noun: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, noun: Noun[Sync], owner: object = None) -> Callable[P, A]: ...
    @overload
    def __get__(self, noun: Noun[Async], owner: object = None) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, noun: Noun[Any] | None, owner: object = None) -> Any:
        return self._bound(noun, lambda noun, described: noun._finish(noun._sender.perform(described)))


class listing(_Method[P, Request[Page[Item]]]):
    """A method that gives the list whose first page its function describes."""

    @overload
    def __get__(self, noun: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, noun: Noun[Sync], owner: object = None) -> Callable[P, Listing[Item]]: ...
    @overload
    def __get__(self, noun: Noun[Async], owner: object = None) -> Callable[P, AsyncListing[Item]]: ...
    def __get__(self, noun: Noun[Any] | None, owner: object = None) -> Any:
        return self._bound(
            noun, lambda noun, first: (Listing if noun._mode is Sync else AsyncListing)(noun._sender, first)
        )


@dataclass(frozen=True)
class Follow(Generic[Item]):
    """A log that is read as it grows."""

    look: Callable[[int], Request[Any]]
    """What comes after a number, in its `data`; waits for it if there is nothing yet."""
    after: int
    is_last: Callable[[Item], bool]
    owner: Request[Any] | None = None
    """Whose log it is, where the items do not say that they are the last: once that is finished, nothing is added."""


class following(_Method[P, Follow[Item]]):
    """A method that gives the items of the log that its function describes, as they come."""

    @overload
    def __get__(self, noun: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, noun: Noun[Sync], owner: object = None) -> Callable[P, Iterator[Item]]: ...
    @overload
    def __get__(self, noun: Noun[Async], owner: object = None) -> Callable[P, AsyncIterator[Item]]: ...
    def __get__(self, noun: Noun[Any] | None, owner: object = None) -> Any:
        def make(noun: Noun[Any], log: Follow[Item]) -> object:
            items = _follow(noun._sender, log)
            return _in_turn(items) if noun._mode is Sync else items

        return self._bound(noun, make)


async def _follow(sender: Sender, log: Follow[Any]) -> AsyncIterator[Any]:
    """Goes on over lost connections and a restart of the service."""
    limits = sender.limits.with_changes(timeout=math.inf)
    if limits.retries is None:
        limits = limits.with_changes(retries=math.inf)
    patient = replace(sender, limits=limits)
    # From the item that the caller has, which may be the last.
    position = max(0, log.after - 1)
    is_final = False
    while True:
        looked_at = sender.clock.now()
        data = (await patient.send(log.look(position))).data
        for item in data:
            if item.sequence > log.after:
                yield item
        if log.is_last(data[-1]) if data else is_final:
            return
        if data:
            position = data[-1].sequence
            continue
        is_final = log.owner is not None and (await patient.send(log.owner)).status in FINISHED_STATUSES
        if not is_final:
            await sender.clock.sleep(max(0, looked_at + LOOK_SECONDS - sender.clock.now()))


def _in_turn(items: AsyncIterator[Item]) -> Iterator[Item]:
    """One after the other, where nothing suspends."""
    while (item := finish(_next(items))) is not None:
        yield item


async def _next(items: AsyncIterator[Item]) -> Item | None:
    return await anext(items, None)


@dataclass(frozen=True)
class _Pages(Generic[Item]):
    _sender: Sender
    _first: Request[Page[Item]]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._first.path}>"


class Listing(_Pages[Item]):
    """A list that is fetched page by page as it is read. Each reading starts from the beginning."""

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page."""
        page = self.page()
        yield page
        while page.next_cursor is not None:
            page = finish(self._sender.send(at_cursor(self._first, page.next_cursor)))
            yield page

    def page(self) -> Page[Item]:
        """Only one page: the first, or the one of `cursor`."""
        return finish(self._sender.send(self._first))


class AsyncListing(_Pages[Item]):
    """A list that is fetched page by page as it is read. Each reading starts from the beginning."""

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page after page."""
        page = await self.page()
        yield page
        while page.next_cursor is not None:
            page = await self._sender.send(at_cursor(self._first, page.next_cursor))
            yield page

    async def page(self) -> Page[Item]:
        """Only one page: the first, or the one of `cursor`."""
        return await self._sender.send(self._first)
