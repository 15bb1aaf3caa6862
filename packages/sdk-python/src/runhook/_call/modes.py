"""How the two clients run what is written once as coroutines: one blocks, the other leaves it to asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar, cast

A = TypeVar("A")
Item = TypeVar("Item")


def run(coroutine: Coroutine[Any, Any, A]) -> A:
    """Runs a coroutine whose parts never suspend to its end."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return cast(A, end.value)
    raise RuntimeError("a blocking call was suspended")


def async_run(coroutine: Coroutine[Any, Any, A]) -> Coroutine[Any, Any, A]:
    """Leaves it to be awaited."""
    return coroutine


def iterate(items: AsyncIterator[Item]) -> Iterator[Item]:
    """One item after the other, where nothing suspends."""
    while (item := run(_next(items))) is not None:
        yield item


async def _next(items: AsyncIterator[Item]) -> Item | None:
    return await anext(items, None)


def async_iterate(items: AsyncIterator[Item]) -> AsyncIterator[Item]:
    """Leaves them to be read by `async for`."""
    return items
