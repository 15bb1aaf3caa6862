"""Options of a runner, completed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .context import Handler


@dataclass(frozen=True)
class Settings:
    handlers: dict[str, Handler]
    capacity: int
    name: str
    version: str | None
    labels: dict[str, str] | None
    agent_ids: list[str] | None
    instance_id: str | None
    recover: Literal["fail", "resume"]

    @property
    def introduction(self) -> dict[str, Any]:
        """How a runner says who it is."""
        own = {
            "instance_id": self.instance_id,
            "runner_name": self.name,
            "capacity": self.capacity,
            "agent_ids": self.agent_ids,
            "labels": self.labels,
            "version": self.version,
        }
        return {name: value for name, value in own.items() if value is not None}
