"""JSON as it is read: as dataclasses."""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

Decode = Callable[[Any], Any]


def json_object(text: str) -> dict[str, Any] | None:
    """The object that the text is in JSON, or None."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _as_it_is(value: Any) -> Any:
    return value


def decoder(hint: Any) -> Decode:
    """Reads JSON as this type. What the service promises is not checked again: what is missing is None."""
    return _decoder(hint)


@cache
def _decoder(hint: Any) -> Decode:
    if is_dataclass(hint):
        return _object_decoder(hint)
    if get_origin(hint) is list:
        one = decoder(get_args(hint)[0])
        return (
            _as_it_is
            if one is _as_it_is
            else lambda value: None if value is None else [one(each) for each in value]
        )
    if get_origin(hint) in (Union, types.UnionType):
        classes = [part for part in get_args(hint) if is_dataclass(part)]
        if classes:
            return lambda value: None if value is None else decoder(_fitting(value, classes))(value)
    return _as_it_is


def _fitting(value: dict[str, Any], classes: list[Any]) -> Any:
    """The first class all of whose fields are there; the last otherwise."""
    for each in classes:
        if all(_wire_name(field.name) in value for field in fields(each) if field.default is MISSING):
            return each
    return classes[-1]


def _object_decoder(cls: Any) -> Decode:
    hints = get_type_hints(cls)
    plan = [(field.name, _wire_name(field.name), decoder(hints[field.name])) for field in fields(cls)]

    def decode(value: Any) -> Any:
        if value is None:
            return None
        return cls(**{name: read(value.get(wire)) for name, wire, read in plan})

    return decode


def _wire_name(name: str) -> str:
    """`from_` stands for `from`, which is a word of Python."""
    return name.rstrip("_")


def wire_fields(given: Any) -> dict[str, Any]:
    """Keyword arguments under their names in JSON."""
    return {_wire_name(name): value for name, value in given.items()}
