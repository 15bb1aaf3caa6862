"""What a key may use: tasks and agents."""

from __future__ import annotations

from uuid import UUID

from .. import types
from .._call.request import Page, Request, get, page_of, part
from .._typing import Unpack
from .calls import Mode, Noun, call, listing


class Tasks(Noun[Mode]):
    """The tasks that the key may execute."""

    @listing
    def list(self, **filter: Unpack[types.TaskFilter]) -> Request[Page[types.Task]]:
        """Tasks that the key may execute."""
        return page_of(types.Task, "/tasks", filter)

    @call
    def get(self, id: str | UUID) -> Request[types.TaskDetail]:
        """One task with its policies."""
        return get(types.TaskDetail, f"/tasks/{part(id)}")

    @call
    def params_schema(self, id: str | UUID, **version: Unpack[types.VersionQuery]) -> Request[types.ParamsSchema]:
        """The JSON Schema of a version's params; of the current version unless given."""
        return get(types.ParamsSchema, f"/tasks/{part(id)}/params-schema", version)


class Agents(Noun[Mode]):
    """The agents that the key may use."""

    @listing
    def list(self, **filter: Unpack[types.PageQuery]) -> Request[Page[types.Agent]]:
        """Agents that the key may use."""
        return page_of(types.Agent, "/agents", filter)
