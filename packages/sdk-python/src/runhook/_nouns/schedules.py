"""Schedules: executions that are created again and again."""

from __future__ import annotations

from uuid import UUID

from .. import types
from .._call.request import Page, Request, get, page_of, part, patch, post, remove
from .._typing import Unpack
from .calls import Mode, Noun, call, listing


class Schedules(Noun[Mode]):
    """Executions that are created again and again."""

    @call
    def create(self, **fields: Unpack[types.CreateSchedule]) -> Request[types.ScheduleDetail]:
        """Creates executions again and again: by `cron` in a `time_zone`, or `every_seconds`."""
        return post(types.ScheduleDetail, "/schedules", fields)

    @listing
    def list(self, **page: Unpack[types.PageQuery]) -> Request[Page[types.Schedule]]:
        """All schedules, newest first."""
        return page_of(types.Schedule, "/schedules", page)

    @call
    def get(self, id: str | UUID) -> Request[types.ScheduleDetail]:
        """One schedule, its next due times, and what came of the last one."""
        return get(types.ScheduleDetail, f"/schedules/{part(id)}")

    @call
    def update(self, id: str | UUID, **fields: Unpack[types.UpdateSchedule]) -> Request[types.ScheduleDetail]:
        """Changes what is named; `enabled` pauses and resumes it."""
        return patch(types.ScheduleDetail, f"/schedules/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Removes it. Executions that it has created stay."""
        return remove(f"/schedules/{part(id)}")

    @call
    def trigger(self, id: str | UUID, **fields: Unpack[types.TriggerSchedule]) -> Request[types.ScheduleTriggered]:
        """Creates an execution of it now, also during a pause."""
        return post(types.ScheduleTriggered, f"/schedules/{part(id)}/trigger", fields)
