"""The calls of the integration API. Generated from the contract by `npm run generate`: do not edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from .. import types
from .._call.request import (
    Batch,
    Page,
    Request,
    get,
    idempotent_post,
    page_of,
    part,
    patch,
    post,
    post_once,
    remove,
    waiting_get,
    with_keys,
)
from .._nouns.calls import Mode, Noun, call, listing
from .._typing import Unpack


FILES_DOWNLOAD_LINK = re.compile(r"/api/v1/integrations(/executions/[^/?#]+/files/[^/?#]+)$")
"""Its links, with their path below the API."""


def executions_create(
    *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.CreateExecution]
) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
    """Queue an execution."""
    return post_once(
        types.ExecutionCreated | types.ExecutionReplayed, "/executions", fields, idempotency_key
    )


def executions_get(id: str | UUID, *, wait: float | None = None) -> Request[types.ExecutionDetail]:
    """Get one execution."""
    return waiting_get(types.ExecutionDetail, f"/executions/{part(id)}", wait=wait)


def executions_cancel_all(
    *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.CancelExecutions]
) -> Request[types.CancelRepeated | types.WouldCancel | types.CancelBegun]:
    """Cancel all executions that match."""
    return post_once(
        types.CancelRepeated | types.WouldCancel | types.CancelBegun,
        "/executions/cancel",
        fields,
        idempotency_key,
    )


def execution_jobs_get(id: str | UUID) -> Request[types.CancelJob]:
    """See how far a cancel of many has come."""
    return get(types.CancelJob, f"/executions/jobs/{part(id)}")


def executions_events(
    id: str | UUID, **query: Unpack[types.HistoryQuery]
) -> Request[types.ExecutionHistory]:
    """What happened to an execution."""
    return waiting_get(
        types.ExecutionHistory, f"/executions/{part(id)}/events", query, wait=query.get("wait")
    )


def executions_logs(
    id: str | UUID, **query: Unpack[types.HistoryQuery]
) -> Request[types.ExecutionLog]:
    """What the work said."""
    return waiting_get(
        types.ExecutionLog, f"/executions/{part(id)}/logs", query, wait=query.get("wait")
    )


def files_download(execution_id: str | UUID, id: str | UUID) -> Request[None]:
    """Download one file."""
    return Request("GET", f"/executions/{part(execution_id)}/files/{part(id)}", None)


def delivery_replays_get(id: str | UUID) -> Request[types.Replay]:
    """See how far a replay has come."""
    return get(types.Replay, f"/webhooks/replays/{part(id)}")


def webhook_endpoints_fetch(
    id: str | UUID, **query: Unpack[types.FetchMessages]
) -> Request[types.WebhookMessageList]:
    """Fetch messages of a poll endpoint."""
    return waiting_get(
        types.WebhookMessageList,
        f"/webhooks/endpoints/{part(id)}/messages",
        query,
        wait=query.get("wait"),
    )


def webhook_endpoints_acknowledge(
    id: str | UUID, message_ids: Sequence[str]
) -> Request[types.MessagesAcknowledged]:
    """Acknowledge messages."""
    return idempotent_post(
        types.MessagesAcknowledged,
        f"/webhooks/endpoints/{part(id)}/messages/ack",
        {"message_ids": [*message_ids]},
    )


class Executions(Noun[Mode]):
    """Calls of the contract: `executions`."""

    @call
    def create(
        self, *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.CreateExecution]
    ) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
        """Queues an execution. A repeat under the same idempotency key makes no second one: it answers
        `idempotent_replay: true` and the same id. Each call has an idempotency key of its own unless one is given,
        and sends it with every attempt, so a retry does nothing twice.

            execution = runhook.executions.create(
                agent_id=agent.id, task_id=task.id, params={"url": url}, idempotency_key=order.id
            )

        Raises `InvalidParamsError` when `params` break the task's schema, `IdempotencyConflictError` when the key
        was used with another body, and `ConcurrencyLimitReachedError` when too many executions are unfinished.
        """
        return executions_create(idempotency_key=idempotency_key, **fields)

    @call
    def validate(self, **fields: Unpack[types.CreateExecution]) -> Request[types.WouldCreate]:
        """Checks a request without queuing anything. Fails as `create` would."""
        return replace(
            idempotent_post(types.WouldCreate, "/executions", fields), query={"validate_only": True}
        )

    @call
    def create_batch(self, items: Sequence[types.BatchItem]) -> Batch[types.ExecutionsCreated]:
        """Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of
        each answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes
        nothing twice. Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the
        time that they name. What is still refused at the end of the retries or the time is answered as it is.

            answered = runhook.executions.create_batch([{"agent_id": agent.id, "task_id": task.id}])
        """
        return Batch(
            with_keys(items),
            lambda some: idempotent_post(types.ExecutionsCreated, "/executions/batch", {"items": some}),
        )

    @listing
    def list(self, **filter: Unpack[types.ExecutionFilter]) -> Request[Page[types.Execution]]:
        """The executions of the account, newest first, filtered by the query.

            for execution in runhook.executions.list(status=["queued", "running"]):
                print(execution.id, execution.status)
        """
        return page_of(types.Execution, "/executions", filter)

    @call
    def get(self, id: str | UUID, *, wait: float | None = None) -> Request[types.ExecutionDetail]:
        """The execution and its files. With `wait`, in seconds up to 60, the answer comes as soon as it is finished
        or awaits input, and after that time at the latest.

        Raises `NotFoundError` when there is none of that id.
        """
        return executions_get(id, wait=wait)

    @call
    def cancel(
        self, id: str | UUID, **fields: Unpack[types.CancelExecution]
    ) -> Request[types.ExecutionCancelled]:
        """Stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says
        `already_finished`.
        """
        return idempotent_post(types.ExecutionCancelled, f"/executions/{part(id)}/cancel", fields)

    @call
    def release(self, id: str | UUID) -> Request[types.ExecutionMoved]:
        """Queues an execution that was created with `hold`. Any other stays as it is."""
        return idempotent_post(types.ExecutionMoved, f"/executions/{part(id)}/release")

    @call
    def rerun(
        self,
        id: str | UUID,
        *,
        idempotency_key: str | UUID | None = None,
        **fields: Unpack[types.RerunExecution],
    ) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
        """Queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its
        params unless others are given. Its `rerun_of` names the original, which stays as it is. Each call has an
        idempotency key of its own unless one is given, and sends it with every attempt, so a retry does nothing
        twice.
        """
        return post_once(
            types.ExecutionCreated | types.ExecutionReplayed,
            f"/executions/{part(id)}/rerun",
            fields,
            idempotency_key,
        )

    @call
    def reschedule(
        self, id: str | UUID, **fields: Unpack[types.RescheduleExecution]
    ) -> Request[types.ExecutionRescheduled]:
        """Changes when an execution starts, as long as it is pending or queued.

        Raises `InvalidRequestError` when a runner has it.
        """
        return patch(types.ExecutionRescheduled, f"/executions/{part(id)}", fields)

    @call
    def events(
        self, id: str | UUID, **query: Unpack[types.HistoryQuery]
    ) -> Request[types.ExecutionHistory]:
        """Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the
        answer comes as soon as there is one, and at once for a finished execution.
        """
        return executions_events(id, **query)

    @call
    def logs(
        self, id: str | UUID, **query: Unpack[types.HistoryQuery]
    ) -> Request[types.ExecutionLog]:
        """The lines that the runner logged, after the number `after`, oldest first: the newest 1,000 lines of all
        attempts. `wait` is as for `events`.
        """
        return executions_logs(id, **query)

    @call
    def explain(self, id: str | UUID) -> Request[types.ExecutionExplained]:
        """Everything that stands in its way: a time, a pause, no runner, no free slot, others before it."""
        return get(types.ExecutionExplained, f"/executions/{part(id)}/explain")

    @call
    def evidence(self, id: str | UUID) -> Request[types.ExecutionEvidence]:
        """A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of
        its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by
        the public keys at `/.well-known/runhook/jwks.json`.

        Raises `InvalidRequestError` when it has not ended.
        """
        return get(types.ExecutionEvidence, f"/executions/{part(id)}/evidence")

    @call
    def artifacts(self, id: str | UUID) -> Request[types.ExecutionArtifacts]:
        """Everything the run has captured so far. Videos have signed URLs, which soon expire; files have stable
        links.
        """
        return get(types.ExecutionArtifacts, f"/executions/{part(id)}/artifacts")

    @call
    def inputs(self, id: str | UUID) -> Request[types.InputList]:
        """Every question that the work has asked, answered or not, oldest first."""
        return get(types.InputList, f"/executions/{part(id)}/inputs")

    @call
    def answer(
        self, id: str | UUID, input_id: str | UUID, value: Any
    ) -> Request[types.InputAnswered]:
        """Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer
        is harmless.

        Raises `InvalidParamsError` when the answer breaks the question's schema.
        """
        return idempotent_post(
            types.InputAnswered, f"/executions/{part(id)}/inputs/{part(input_id)}", {"value": value}
        )


class ExecutionJobs(Noun[Mode]):
    """Calls of the contract: `executions.jobs`."""

    @call
    def get(self, id: str | UUID) -> Request[types.CancelJob]:
        """The job, and how many executions it has cancelled so far."""
        return execution_jobs_get(id)

    @call
    def cancel(self, id: str | UUID) -> Request[types.CancelJob]:
        """Stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it
        is.
        """
        return idempotent_post(types.CancelJob, f"/executions/jobs/{part(id)}/cancel")


class Schedules(Noun[Mode]):
    """Calls of the contract: `schedules`."""

    @listing
    def list(self, **filter: Unpack[types.PageQuery]) -> Request[Page[types.Schedule]]:
        """The schedules of the account, newest first."""
        return page_of(types.Schedule, "/schedules", filter)

    @call
    def create(self, **fields: Unpack[types.CreateSchedule]) -> Request[types.ScheduleDetail]:
        """Adds a schedule: by `cron` in a `time_zone`, or `every_seconds`. Each of its due times creates exactly one
        execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.
        """
        return post(types.ScheduleDetail, "/schedules", fields)

    @call
    def get(self, id: str | UUID) -> Request[types.ScheduleDetail]:
        """The schedule, its next due times, and what came of the last one."""
        return get(types.ScheduleDetail, f"/schedules/{part(id)}")

    @call
    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateSchedule]
    ) -> Request[types.ScheduleDetail]:
        """Changes the given fields; `enabled` pauses and resumes it. With other times, and after a pause, it goes on
        with the first due time from then. A key that gives an `execution`, or enables the schedule, creates its
        executions from then on.
        """
        return patch(types.ScheduleDetail, f"/schedules/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Removes it: nothing more is created. Executions that it has created stay."""
        return remove(f"/schedules/{part(id)}")

    @call
    def trigger(
        self, id: str | UUID, **fields: Unpack[types.TriggerSchedule]
    ) -> Request[types.ScheduleTriggered]:
        """Creates an execution now, also during a pause. Its due times stay as they are."""
        return post(types.ScheduleTriggered, f"/schedules/{part(id)}/trigger", fields)


class Tasks(Noun[Mode]):
    """Calls of the contract: `tasks`."""

    @listing
    def list(self, **filter: Unpack[types.TaskFilter]) -> Request[Page[types.Task]]:
        """The tasks that the key may execute, newest first."""
        return page_of(types.Task, "/tasks", filter)

    @call
    def get(self, id: str | UUID) -> Request[types.TaskDetail]:
        """A task with its versions' tags, its policies, and where the JSON Schema of its params is."""
        return get(types.TaskDetail, f"/tasks/{part(id)}")

    @call
    def params_schema(
        self, id: str | UUID, **query: Unpack[types.VersionQuery]
    ) -> Request[types.ParamsSchema]:
        """The JSON Schema of the params of one version: of the current one unless the query names another."""
        return get(types.ParamsSchema, f"/tasks/{part(id)}/params-schema", query)


class Agents(Noun[Mode]):
    """Calls of the contract: `agents`."""

    @listing
    def list(self, **filter: Unpack[types.PageQuery]) -> Request[Page[types.Agent]]:
        """The agents that the key may use, and how busy they are."""
        return page_of(types.Agent, "/agents", filter)


class Webhooks(Noun[Mode]):
    """Calls of the contract: `webhooks`."""

    @call
    def test(self, **fields: Unpack[types.TestWebhook]) -> Request[types.TestWebhookQueued]:
        """Queues a signed `webhook.test` event for the URL, to try out a receiver. It is sent even while the breaker
        of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
        """
        return post(types.TestWebhookQueued, "/webhooks/test", fields)


class Deliveries(Noun[Mode]):
    """Calls of the contract: `deliveries`."""

    @listing
    def list(self, **filter: Unpack[types.DeliveryFilter]) -> Request[Page[types.Delivery]]:
        """The webhook deliveries of the key's executions, newest first, in any state."""
        return page_of(types.Delivery, "/webhooks/deliveries", filter)

    @call
    def get(self, id: str | UUID) -> Request[types.DeliveryDetail]:
        """A delivery with the exact body that is sent, and what each attempt sent and received."""
        return get(types.DeliveryDetail, f"/webhooks/deliveries/{part(id)}")

    @call
    def replay(self, id: str | UUID) -> Request[types.DeliveryReplayed]:
        """Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh
        signature.
        """
        return post(types.DeliveryReplayed, f"/webhooks/deliveries/{part(id)}/replay")

    @call
    def replay_all(self, **fields: Unpack[types.ReplayDeliveries]) -> Request[types.Replay]:
        """Begins to send again every delivery that matches and is settled by now, all dead ones unless the filter
        chooses. `replays` follows how far that has come.
        """
        return post(types.Replay, "/webhooks/replays", fields)

    @call
    def would_replay(self, **fields: Unpack[types.ReplayDeliveries]) -> Request[types.WouldReplay]:
        """What `replay_all` would do: how many deliveries it would send again, to whom. Changes nothing."""
        return idempotent_post(types.WouldReplay, "/webhooks/replays", {**fields, "dry_run": True})


class DeliveryReplays(Noun[Mode]):
    """Calls of the contract: `deliveries.replays`."""

    @listing
    def list(self, **filter: Unpack[types.PageQuery]) -> Request[Page[types.ReplayJob]]:
        """The jobs of the key, newest first. A job is removed 30 days after its end."""
        return page_of(types.ReplayJob, "/webhooks/replays", filter)

    @call
    def get(self, id: str | UUID) -> Request[types.Replay]:
        """The job, and how many deliveries it has made due so far."""
        return delivery_replays_get(id)

    @call
    def cancel(self, id: str | UUID) -> Request[types.Replay]:
        """Stops a job. Deliveries that it has already made due are still sent."""
        return idempotent_post(types.Replay, f"/webhooks/replays/{part(id)}/cancel")


class WebhookEndpoints(Noun[Mode]):
    """Calls of the contract: `webhooks.endpoints`."""

    @call
    def list(self) -> Request[types.WebhookEndpointList]:
        """The endpoints of the key: those that it has made, oldest first."""
        return get(types.WebhookEndpointList, "/webhooks/endpoints")

    @call
    def create(
        self, **fields: Unpack[types.CreateWebhookEndpoint]
    ) -> Request[types.WebhookEndpointCreated]:
        """Adds a receiver: every matching event from now on is delivered to it, beside the `callback_url` of its
        execution, under an event id of its own. Only this answer has the signing secret. An account has at most 20
        endpoints. It takes `executions:read` beside `endpoints:manage`, since events show results; a key that loses
        one of them is told nothing more.
        """
        return post(types.WebhookEndpointCreated, "/webhooks/endpoints", fields)

    @call
    def get(self, id: str | UUID) -> Request[types.WebhookEndpointDetail]:
        """An endpoint, without its signing secret."""
        return get(types.WebhookEndpointDetail, f"/webhooks/endpoints/{part(id)}")

    @call
    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateWebhookEndpoint]
    ) -> Request[types.WebhookEndpointDetail]:
        """Changes or pauses it, for events from now on."""
        return patch(types.WebhookEndpointDetail, f"/webhooks/endpoints/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Removes it: no further events are delivered to it. What waits for it becomes `cancelled`."""
        return remove(f"/webhooks/endpoints/{part(id)}")

    @call
    def rotate(
        self, id: str | UUID, **fields: Unpack[types.RotateEndpointSecret]
    ) -> Request[types.EndpointSecretRotated]:
        """Replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only
        this answer has the new one.
        """
        return post(types.EndpointSecretRotated, f"/webhooks/endpoints/{part(id)}/rotate", fields)

    @call
    def test(self, id: str | UUID) -> Request[types.EndpointTested]:
        """Queues a signed `webhook.test` event, also while the endpoint is not enabled. It is sent even while the
        breaker of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
        """
        return post(types.EndpointTested, f"/webhooks/endpoints/{part(id)}/test")

    @call
    def fetch(
        self, id: str | UUID, **query: Unpack[types.FetchMessages]
    ) -> Request[types.WebhookMessageList]:
        """Fetches messages, for receivers that cannot be called. They are leased for 60 seconds: those that are not
        acknowledged by then are given out again. With `wait`, the answer comes as soon as there is a message. Each is
        signed as it would be if it were sent; those of one execution come in the order of its changes. It takes
        `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is told
        nothing more.
        """
        return webhook_endpoints_fetch(id, **query)

    @call
    def acknowledge(
        self, id: str | UUID, message_ids: Sequence[str]
    ) -> Request[types.MessagesAcknowledged]:
        """Says that messages have arrived. Later events of their executions may follow."""
        return webhook_endpoints_acknowledge(id, message_ids)


class Alerts(Noun[Mode]):
    """Calls of the contract: `alerts`."""

    @call
    def list(self) -> Request[types.AlertList]:
        """What is wrong in the account of the key, and what was in the last days."""
        return get(types.AlertList, "/alerts")


class AlertTargets(Noun[Mode]):
    """Calls of the contract: `alerts.targets`."""

    @call
    def list(self) -> Request[types.AlertTargetList]:
        """The webhooks and mailboxes that are told of alerts in the account of the key, oldest first."""
        return get(types.AlertTargetList, "/alert-targets")

    @call
    def create(
        self, **fields: Unpack[types.CreateAlertTarget]
    ) -> Request[types.AlertTargetCreated]:
        """Adds a webhook or a mailbox that is told of alerts in the account of the key, at most 10. Only this answer
        has the signing secret.
        """
        return post(types.AlertTargetCreated, "/alert-targets", fields)

    @call
    def get(self, id: str | UUID) -> Request[types.AlertTargetDetail]:
        """A target, and whether it took the last message."""
        return get(types.AlertTargetDetail, f"/alert-targets/{part(id)}")

    @call
    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateAlertTarget]
    ) -> Request[types.AlertTargetDetail]:
        """Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target
        and remove this one.
        """
        return patch(types.AlertTargetDetail, f"/alert-targets/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Removes it: no further alerts are sent to it."""
        return remove(f"/alert-targets/{part(id)}")

    @call
    def test(self, id: str | UUID) -> Request[types.AlertTargetTested]:
        """Sends a message now, also during a pause, and answers whether it was taken: at most 20 in an hour, 5 to one
        mailbox.
        """
        return post(types.AlertTargetTested, f"/alert-targets/{part(id)}/test")


class Calls(Noun[Mode]):
    """Calls of the contract: the client's own."""

    @call
    def me(self) -> Request[types.Me]:
        """The calling key: its account, its scope, and its limits as they hold, beside what it has of them. Any key
        may ask.
        """
        return get(types.Me, "/me")
