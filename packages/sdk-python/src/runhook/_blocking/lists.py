"""Lists, for code that blocks.

Generated from _asyncio/lists.py by `npm run generate`: do not edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .._call.modes import run
from .._call.request import Page, Request, at_cursor
from .._call.send import Sender

Item = TypeVar("Item")


@dataclass(frozen=True, repr=False)
class Listing(Generic[Item]):
    """A list that is fetched page by page as it is read. Each reading starts from the beginning."""

    _sender: Sender
    _first: Request[Page[Item]]

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.data:
                yield item

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page."""
        page = self.page()
        yield page
        while page.next_cursor is not None:
            page = run(self._sender.send(at_cursor(self._first, page.next_cursor)))
            yield page

    def page(self) -> Page[Item]:
        """Only one page: the first, or the one of `cursor`."""
        return run(self._sender.send(self._first))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._first.path}>"
