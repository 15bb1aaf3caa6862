"""Turns what describes a call into a method, for clients that block and for clients of asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from .._call.request import MakeAndWait, Page, Request, Wait, at_cursor
from .._call.send import Sender, finish
from .._typing import Self

P = ParamSpec("P")
A = TypeVar("A")
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


class call(Generic[P, A]):
    """A method that makes the call which its function describes. Its arguments are checked at once."""

    def __init__(
        self, describe: Callable[Concatenate[Any, P], Request[A] | Wait[A] | MakeAndWait[A]]
    ) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, noun: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, noun: Noun[Sync], owner: object = None) -> Callable[P, A]: ...
    @overload
    def __get__(self, noun: Noun[Async], owner: object = None) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, noun: Noun[Any] | None, owner: object = None) -> Any:
        if noun is None:
            return self

        @wraps(self._describe)
        def method(*args: Any, **kwargs: Any) -> Any:
            described = self._describe(noun, *args, **kwargs)
            return noun._finish(noun._sender.perform(described))

        return method


class listing(Generic[P, Item]):
    """A method that gives the list whose first page its function describes."""

    def __init__(self, describe: Callable[Concatenate[Any, P], Request[Page[Item]]]) -> None:
        self._describe = describe
        self.__doc__ = describe.__doc__

    @overload
    def __get__(self, noun: None, owner: object = None) -> Self: ...
    @overload
    def __get__(self, noun: Noun[Sync], owner: object = None) -> Callable[P, Listing[Item]]: ...
    @overload
    def __get__(self, noun: Noun[Async], owner: object = None) -> Callable[P, AsyncListing[Item]]: ...
    def __get__(self, noun: Noun[Any] | None, owner: object = None) -> Any:
        if noun is None:
            return self

        @wraps(self._describe)
        def method(*args: Any, **kwargs: Any) -> Any:
            first = self._describe(noun, *args, **kwargs)
            return (Listing if noun._mode is Sync else AsyncListing)(noun._sender, first)

        return method


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
