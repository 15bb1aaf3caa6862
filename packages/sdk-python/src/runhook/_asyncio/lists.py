"""Lists, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .._call.modes import async_run
from .._call.request import Page, Request, at_cursor
from .._call.send import Sender

Item = TypeVar("Item")


@dataclass(frozen=True, repr=False)
class AsyncListing(Generic[Item]):
    """A list that is fetched page by page as it is read. Each reading starts from the beginning."""

    _sender: Sender
    _first: Request[Page[Item]]

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page after page."""
        page = await self.page()
        yield page
        while page.next_cursor is not None:
            page = await async_run(self._sender.send(at_cursor(self._first, page.next_cursor)))
            yield page

    async def page(self) -> Page[Item]:
        """Only one page: the first, or the one of `cursor`."""
        return await async_run(self._sender.send(self._first))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._first.path}>"
