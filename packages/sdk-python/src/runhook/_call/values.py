"""Values of Python as the service gets them.

Sent are what JSON has (None, text, numbers, booleans, lists, tuples, and mappings with names of text), a UUID as its
text, a date and a time with a zone in ISO 8601, and an Enum as its value. Everything else is refused by its path: what is
meant by a Decimal, by bytes or by a time without a zone, only its owner knows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from typing import Any
from uuid import UUID


_INTEGER_BITS_MAX = 1_024
"""As many as the largest number has. The service takes fewer, and names those that are too many."""


def json_text(value: object) -> str:
    """The text of a body. Raises a `ValueError` that names what has no JSON."""
    try:
        plain = _plain(value, "")
    except RecursionError:
        raise ValueError("the body is nested too deeply, or contains itself") from None
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(value: Any, path: str) -> Any:
    if isinstance(value, Enum):
        return _plain(value.value, path)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > _INTEGER_BITS_MAX:
            raise ValueError(f"{_named(path)} is an integer of {value.bit_length()} bits, which has no JSON")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{_named(path)} is {value}, which has no JSON")
        return value
    if isinstance(value, (str, UUID, date)):
        return text_of(value, _named(path))
    if isinstance(value, Mapping):
        return {_name(name, path): _plain(each, _within(path, name)) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, f"{path}[{at}]") for at, each in enumerate(value)]
    raise ValueError(
        f"{_named(path)} is a {type(value).__name__}, which has no JSON: pass text, a number, a list or a dictionary"
    )


def text_of(value: Any, name: str) -> str:
    """The text that stands for a value, also in a path or a query."""
    if isinstance(value, Enum):
        return text_of(value.value, name)
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{name} is a datetime without a time zone, such as datetime.now(timezone.utc) has")
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, str):
        if re.search("[\ud800-\udfff]", value):
            raise ValueError(f"{name} has half of a character (a lone surrogate), which has no UTF-8")
        return value
    raise ValueError(f"{name} must be text, and not a {type(value).__name__}")


def query_text(value: Any, name: str) -> str:
    """The same for a parameter, which may also be a number."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)) and not isinstance(value, Enum):
        return str(value)
    return text_of(value, name)


def header_text(value: Any, name: str) -> str:
    """Such as an idempotency key, of which the service takes no other."""
    text = text_of(value, name)
    if not re.fullmatch(r"[!-~]{1,255}", text):
        raise ValueError(f"{name} must be 1 to 255 visible ASCII characters")
    return text


def cleaned(text: object, length_max: int) -> str:
    """For texts that are not worth failing for: without U+0000 and halves of characters, which the service does not keep."""
    return re.sub("[\0\ud800-\udfff]", "", str(text))[:length_max]


def _name(name: Any, path: str) -> str:
    if not isinstance(name, str):
        raise ValueError(f"{_named(path)} has the name {name!r}, which is a {type(name).__name__} and not text")
    return text_of(name, f"a name in {_named(path)}")


def _within(path: str, name: Any) -> str:
    return f"{path}.{name}" if path else str(name)


def _named(path: str) -> str:
    return path or "the body"
