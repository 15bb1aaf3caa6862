"""Queue executions, follow them, stop them, see what they captured."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, Protocol
from uuid import UUID

from .. import types
from .._call.request import (
    Batch,
    MakeAndWait,
    Page,
    Request,
    Wait,
    get,
    idempotent_post,
    page_of,
    part,
    patch,
    post_once,
    waiting_get,
)
from .._call.send import Sender
from .._json import wire_fields
from .._generated.rules import FINISHED_STATUSES
from .._typing import Unpack
from .calls import Follow, Mode, Noun, call, following, listing

_WAIT_SECONDS = 25
"""How long the service is asked to wait each time: less than the usual time-out of proxies."""

_CREATED: Any = types.ExecutionCreated | types.ExecutionReplayed


_CANCELLING: Any = types.CancelRepeated | types.WouldCancel | types.CancelBegun


class _HasStatus(Protocol):
    @property
    def status(self) -> str: ...


def is_finished(execution: _HasStatus) -> bool:
    """Whether an execution is over. A status of a later version counts as unfinished."""
    return execution.status in FINISHED_STATUSES


def _wait_for(
    id: str | UUID, until: Literal["finished", "input"], timeout: float | None
) -> Wait[types.ExecutionDetail]:
    look = waiting_get(types.ExecutionDetail, f"/executions/{part(id)}", wait=_WAIT_SECONDS)
    return Wait(
        f"Execution {id}",
        replace(look, execution_id=str(id)),
        lambda seen: is_finished(seen) or (until == "input" and seen.status == "awaiting_input"),
        timeout,
    )


def _keyed(item: types.BatchItem) -> dict[str, Any]:
    key = item.get("idempotency_key")
    return {**item, "idempotency_key": str(uuid.uuid4()) if key is None else key}


class Executions(Noun[Mode]):
    """Queue executions, follow them, stop them."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.jobs: Jobs[Mode] = Jobs(sender, mode)

    @call
    def create(
        self, *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.CreateExecution]
    ) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
        """Queues an execution.

        Each call has an idempotency key of its own unless one is given, and sends it with every attempt: a retry makes
        no second execution, and gives an `ExecutionReplayed` with the same id.

            execution = runhook.executions.create(
                agent_id=agent.id, task_id=task.id, params={"url": url}, idempotency_key=order.id
            )

        Raises `InvalidParamsError` when `params` break the task's schema, `IdempotencyConflictError` when the key was
        used with another body, and `ConcurrencyLimitReachedError` when too many executions are unfinished.
        """
        return post_once(_CREATED, "/executions", fields, idempotency_key)

    @call
    def create_batch(self, items: Sequence[types.BatchItem]) -> Batch[types.ExecutionsCreated]:
        """Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of each
        answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes nothing twice.
        Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the time that they name.
        What is still refused at the end of the retries or the time is answered as it is.

            answered = runhook.executions.create_batch([{"agent_id": agent.id, "task_id": task.id}])
        """
        keyed = [_keyed(item) for item in items]
        return Batch(
            keyed,
            lambda some: idempotent_post(types.ExecutionsCreated, "/executions/batch", {"items": some}),
        )

    @call
    def validate(self, **fields: Unpack[types.CreateExecution]) -> Request[types.WouldCreate]:
        """Checks a request without queuing anything. Fails as `create` would."""
        checked = idempotent_post(types.WouldCreate, "/executions", fields)
        return replace(checked, query={"validate_only": True})

    @call
    def create_and_wait(
        self,
        *,
        idempotency_key: str | UUID | None = None,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
        **fields: Unpack[types.CreateExecution],
    ) -> MakeAndWait[types.ExecutionDetail]:
        """Queues an execution and waits until it is over, however it ended: look at its `status`.

        Takes what `create` and `wait_for` take, and fails as they do. An error after the create has the execution in
        its `execution_id`.
        """
        return MakeAndWait(
            post_once(_CREATED, "/executions", fields, idempotency_key),
            lambda created: _wait_for(created.execution_id, until, timeout),
        )

    @call
    def get(self, id: str | UUID, *, wait: float | None = None) -> Request[types.ExecutionDetail]:
        """One execution with its files.

        With `wait`, in seconds up to 60, the service answers as soon as it is finished or awaits input, and after that
        time at the latest.
        """
        return waiting_get(types.ExecutionDetail, f"/executions/{part(id)}", wait=wait)

    @call
    def wait_for(
        self,
        id: str | UUID,
        *,
        until: Literal["finished", "input"] = "finished",
        timeout: float | None = None,
    ) -> Wait[types.ExecutionDetail]:
        """Waits until the execution is over, however it ended: look at its `status`.

        With `until="input"` also until the work asks for input. The wait goes on while the service is away. After
        `timeout` seconds, if given, it raises a `TimeoutError`.
        """
        return _wait_for(id, until, timeout)

    @listing
    def list(self, **filter: Unpack[types.ExecutionFilter]) -> Request[Page[types.Execution]]:
        """Executions, newest first, fetched page by page as they are read.

        for execution in runhook.executions.list(status=["queued", "running"]):
            print(execution.id, execution.status)
        """
        return page_of(types.Execution, "/executions", filter)

    @call
    def cancel(self, id: str | UUID, **fields: Unpack[types.CancelExecution]) -> Request[types.ExecutionCancelled]:
        """Stops an execution. One that was finished before stays as it is, and says `already_finished`."""
        return idempotent_post(types.ExecutionCancelled, f"/executions/{part(id)}/cancel", fields)

    @call
    def cancel_all(
        self,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        idempotency_key: str | UUID | None = None,
        **filter: Unpack[types.CancelFilter],
    ) -> Request[types.CancelBegun | types.CancelRepeated | types.WouldCancel]:
        """Begins to stop every execution that matches, all that are not finished without a filter: those that were
        created by now. `jobs` follows how far that has come, waits for its end, and stops it.

        With `dry_run` it says how many match, and `job_id` is None. Has an idempotency key as `create` has.

            job = runhook.executions.cancel_all(status=["queued"], task_id=task.id, reason="Wrong list")
            print(runhook.executions.jobs.wait_for(job.job_id).cancelled)
        """
        body: dict[str, Any] = {"filter": wire_fields(filter)}
        if reason is not None:
            body["reason"] = reason
        if dry_run:
            body["dry_run"] = True
        return post_once(_CANCELLING, "/executions/cancel", body, idempotency_key)

    @call
    def release(self, id: str | UUID) -> Request[types.ExecutionMoved]:
        """Queues an execution that was created with `hold`."""
        return idempotent_post(types.ExecutionMoved, f"/executions/{part(id)}/release")

    @call
    def rerun(
        self, id: str | UUID, *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.RerunExecution]
    ) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
        """Runs an execution again: with the same agent, reference, metadata and callbacks, and its params unless others
        are given. Has an idempotency key as `create` has, and fails as that does.
        """
        return post_once(_CREATED, f"/executions/{part(id)}/rerun", fields, idempotency_key)

    @call
    def reschedule(
        self, id: str | UUID, **fields: Unpack[types.RescheduleExecution]
    ) -> Request[types.ExecutionRescheduled]:
        """Changes when an execution starts, as long as no runner has it."""
        return patch(types.ExecutionRescheduled, f"/executions/{part(id)}", fields)

    @call
    def events(self, id: str | UUID, **query: Unpack[types.HistoryQuery]) -> Request[types.ExecutionHistory]:
        """The history of an execution, oldest first.

        With `after`, only later changes; with `wait`, in seconds up to 60, the service answers as soon as there is one.
        """
        path = f"/executions/{part(id)}/events"
        return waiting_get(types.ExecutionHistory, path, query, wait=query.get("wait"))

    @following
    def follow(self, id: str | UUID, *, after: int = 0) -> Follow[types.ExecutionHistoryEvent]:
        """The events of an execution as they happen, until it is over.

        Goes on over lost connections and a restart of the service, without a gap. `after` skips those up to a
        `sequence`.

            for event in runhook.executions.follow(id):
                print(event.type, event.status)
        """
        path = f"/executions/{part(id)}/events"

        def look(position: int) -> Request[types.ExecutionHistory]:
            return waiting_get(types.ExecutionHistory, path, {"after": position}, wait=_WAIT_SECONDS)

        return Follow(look, after, is_finished)

    @call
    def logs(self, id: str | UUID, **query: Unpack[types.HistoryQuery]) -> Request[types.ExecutionLog]:
        """What the work logged, oldest first: the newest 1,000 lines. `after` and `wait` are as for `events`."""
        return waiting_get(types.ExecutionLog, f"/executions/{part(id)}/logs", query, wait=query.get("wait"))

    @following
    def follow_logs(self, id: str | UUID, *, after: int = 0) -> Follow[types.ExecutionLogLine]:
        """The lines of its log as the work writes them, until it is over; otherwise as `follow`.

            for line in runhook.executions.follow_logs(id):
                print(line.level, line.message)
        """
        path = f"/executions/{part(id)}"

        def look(position: int) -> Request[types.ExecutionLog]:
            return waiting_get(
                types.ExecutionLog, f"{path}/logs", {"after": position}, wait=_WAIT_SECONDS
            )

        return Follow(look, after, lambda _: False, owner=get(types.ExecutionDetail, path))

    @call
    def explain(self, id: str | UUID) -> Request[types.ExecutionExplained]:
        """Why an execution has not started: everything that is in its way."""
        return get(types.ExecutionExplained, f"/executions/{part(id)}/explain")

    @call
    def evidence(self, id: str | UUID) -> Request[types.ExecutionEvidence]:
        """Signed evidence of an execution that has ended: a JSON Web Signature of a `types.EvidenceManifest`."""
        return get(types.ExecutionEvidence, f"/executions/{part(id)}/evidence")

    @call
    def artifacts(self, id: str | UUID) -> Request[types.ExecutionArtifacts]:
        """The files and videos that the run captured, also while it goes on."""
        return get(types.ExecutionArtifacts, f"/executions/{part(id)}/artifacts")

    @call
    def inputs(self, id: str | UUID) -> Request[types.InputList]:
        """What the work asked for, with the answers."""
        return get(types.InputList, f"/executions/{part(id)}/inputs")

    @call
    def answer(self, id: str | UUID, input_id: str | UUID, value: Any) -> Request[types.InputAnswered]:
        """Answers a question of the work. Answering the same again changes nothing.

        Raises `InvalidParamsError` when the answer breaks the question's schema.
        """
        path = f"/executions/{part(id)}/inputs/{part(input_id)}"
        return idempotent_post(types.InputAnswered, path, {"value": value})


class Jobs(Noun[Mode]):
    """The jobs that `cancel_all` begins."""

    @call
    def get(self, id: str | UUID) -> Request[types.CancelJob]:
        """How far a job has come."""
        return get(types.CancelJob, f"/executions/jobs/{part(id)}")

    @call
    def cancel(self, id: str | UUID) -> Request[types.CancelJob]:
        """Stops a job; what it has cancelled stays cancelled. A finished one is unchanged."""
        return idempotent_post(types.CancelJob, f"/executions/jobs/{part(id)}/cancel")

    @call
    def wait_for(self, id: str | UUID, *, timeout: float | None = None) -> Wait[types.CancelJob]:
        """Waits until the job is completed or stopped. The wait goes on while the service is away."""
        look = get(types.CancelJob, f"/executions/jobs/{part(id)}")
        return Wait(f"Job {id}", look, lambda seen: seen.finished_at is not None, timeout)
