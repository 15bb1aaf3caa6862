"""How often and how long, as the service says it to a runner, in milliseconds."""

from __future__ import annotations

from typing import Any

from .._call.bounds import Bounds

_MINUTE = 60_000

_BOUNDS = {
    "heartbeat_ms": Bounds(10, 5 * _MINUTE, 15_000),
    "poll_wait_ms": Bounds(0, _MINUTE, 25_000),
    "cancel_grace_ms": Bounds(0, 60 * _MINUTE, 30_000),
    "finalize_ms": Bounds(0, 60 * _MINUTE, 5 * _MINUTE),
}

_DAY = 24 * 60 * _MINUTE

_LEASE = Bounds(1_000, _DAY, _MINUTE)

_RETRY = Bounds(0, _DAY, 0)


def usable(session: dict[str, Any]) -> dict[str, Any]:
    """The same session, with intervals that timers can keep."""
    config = session["config"]
    return {
        **session,
        "config": {**config, **{name: each.of(config.get(name)) for name, each in _BOUNDS.items()}},
    }


def lease_seconds(lease_ms: Any) -> float:
    """How long a lease lives."""
    return _LEASE.of(lease_ms) / 1_000


def retry_ms(retry_in_ms: Any) -> float:
    """How long it is until the next attempt."""
    return _RETRY.of(retry_in_ms)
