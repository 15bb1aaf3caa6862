"""A call as a plain value. Nothing happens until a client performs it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode
from uuid import UUID

from .._json import decoder, wire_fields
from .values import header_text, query_text, text_of

A = TypeVar("A")
Item = TypeVar("Item")

NOTHING: Any = object()
"""No body, unlike None, which is null."""


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: list[Item]
    next_cursor: str | None
    """Where the next page begins; None on the last page."""
    request_id: str


@dataclass(frozen=True)
class Request(Generic[A]):
    """An API request with the reader of its answer."""

    method: str
    path: str
    read: Callable[[Any], A] | None
    """Reads the JSON of the answer; None where there is none."""
    may_be_empty: bool = field(default=False, kw_only=True)
    """Whether a 204 is an answer as well, as None. Of a call with a JSON answer of its own it is somebody else's."""
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = NOTHING
    idempotency_key: str | UUID | None = None
    repeatable: bool | None = None
    """Whether it may be sent again after an attempt whose outcome is unknown.

    Unless given: every method but POST and PATCH, and whatever has an idempotency key.
    """
    wait: float = 0
    """How long the service was asked to wait, in seconds, on top of an attempt's time-out."""
    headers: Mapping[str, str] = field(default_factory=dict)
    execution_id: str | None = None
    """The execution that its errors name, in case the caller does not know it."""

    def __post_init__(self) -> None:
        if self.idempotency_key is not None:
            object.__setattr__(self, "idempotency_key", header_text(self.idempotency_key, "idempotency_key"))

    @property
    def is_repeatable(self) -> bool:
        if self.repeatable is not None:
            return self.repeatable
        return self.idempotency_key is not None or self.method not in ("POST", "PATCH")

    def url(self, root: str) -> str:
        # `/../..` would carry the key out of the API.
        steps = re.split(r"[/\\]", re.sub(r"%2e", ".", self.path, flags=re.IGNORECASE))
        if not re.fullmatch(r"/[!-~]*", self.path) or ".." in steps or "." in steps:
            raise ValueError("path must stay below the API's root")
        pairs = [
            (name, query_text(each, name))
            for name, value in self.query.items()
            if value is not None
            for each in (value if isinstance(value, (list, tuple, set, frozenset)) else [value])
        ]
        return f"{root}{self.path}{'?' if pairs else ''}{urlencode(pairs)}"


@dataclass(frozen=True)
class Wait(Generic[A]):
    """Repeats a request until its answer is final.

    An unavailable service does not end the wait: only its limit or a refusal does.
    """

    name: str
    """The name of the awaited object in errors."""
    look: Request[A]
    is_over: Callable[[A], bool]
    timeout: float | None


@dataclass(frozen=True)
class MakeAndWait(Generic[A]):
    """A wait for what a first request makes."""

    make: Request[Any]
    wait_for: Callable[[Any], Wait[A]]


@dataclass(frozen=True)
class Batch(Generic[A]):
    """Items that one request brings, or several where some are refused for now. Each has a key, so none is done twice."""

    items: Sequence[Any]
    request_of: Callable[[Sequence[Any]], Request[A]]


def part(id: str | UUID) -> str:
    """Part of a path, encoded so that it cannot change the others."""
    text = text_of(id, "an id")
    if text in ("", ".", ".."):
        raise ValueError("an id must not be empty or made of dots")
    return quote(text, safe="")


def get(answer: type[A], path: str, query: Mapping[str, Any] | None = None) -> Request[A]:
    return Request("GET", path, decoder(answer), query=wire_fields(query or {}))


def waiting_get(
    answer: type[A], path: str, query: Mapping[str, Any] | None = None, *, wait: float | None
) -> Request[A]:
    """A GET that the service answers when there is news, or after so many seconds."""
    request = get(answer, path, {**(query or {}), "wait": wait})
    return replace(request, wait=wait or 0)


def post(answer: type[A], path: str, body: Any = NOTHING) -> Request[A]:
    """Creates something; a repeat would create another one."""
    return Request("POST", path, decoder(answer), body=body if body is NOTHING else wire_fields(body))


def post_once(answer: Any, path: str, body: Any, idempotency_key: str | UUID | None) -> Request[Any]:
    """Creates something once, however often it is sent: under the caller's idempotency key, or one of the call."""
    key = uuid.uuid4() if idempotency_key is None else idempotency_key
    return replace(post(answer, path, body), idempotency_key=key)


def idempotent_post(answer: type[A], path: str, body: Any = NOTHING) -> Request[A]:
    """A POST that changes nothing more when it is repeated."""
    return replace(post(answer, path, body), repeatable=True)


def patch(answer: type[A], path: str, body: Any) -> Request[A]:
    """Sets what the body names, so a repeat changes nothing more."""
    return replace(idempotent_post(answer, path, body), method="PATCH")


def remove(path: str) -> Request[None]:
    return Request("DELETE", path, None)


def page_of(item: type[Item], path: str, query: Mapping[str, Any]) -> Request[Page[Item]]:
    """A list, as the request for its first page."""
    one = decoder(item)

    def read(value: Any) -> Page[Item]:
        return Page(
            [one(each) for each in value["data"]], value.get("next_cursor"), value.get("request_id", "")
        )

    return Request("GET", path, read, query=wire_fields(query))


def with_keys(items: Sequence[Any]) -> list[Any]:
    """The items, each under an idempotency key, so that none is done twice."""
    return [
        {**item, "idempotency_key": str(uuid.uuid4())} if item.get("idempotency_key") is None else {**item}
        for item in items
    ]


def at_cursor(first: Request[A], cursor: str) -> Request[A]:
    """The page of a list at a cursor."""
    return replace(first, query={**first.query, "cursor": cursor})
