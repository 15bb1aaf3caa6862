"""The calls of the integration API, for asyncio. Generated from the contract by `npm run generate`: do not edit."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from .. import types
from .._call.request import (
    Batch,
    get,
    idempotent_post,
    page_of,
    part,
    patch,
    post,
    remove,
    with_keys,
)
from .._call.send import Sender
from .._generated import requests
from .._typing import Unpack
from .files import AsyncFiles
from .lists import AsyncListing
from .noun import AsyncNoun
from .waits import AsyncExecutionWaits, AsyncJobWaits, AsyncReplayWaits


class AsyncExecutions(AsyncExecutionWaits):
    """Queue executions, follow them, stop them."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.jobs = AsyncExecutionJobs(sender)

    def create(
        self, *, idempotency_key: str | UUID | None = None, **fields: Unpack[types.CreateExecution]
    ) -> Coroutine[Any, Any, types.ExecutionCreated | types.ExecutionReplayed]:
        """Queues an execution. A repeat under the same idempotency key makes no second one: it answers
        `idempotent_replay: true` and the same id. Each call has an idempotency key of its own unless one is given,
        and sends it with every attempt, so a retry does nothing twice.

            execution = await runhook.executions.create(
                agent_id=agent.id, task_id=task.id, params={"url": url}, idempotency_key=order.id
            )

        Raises `InvalidParamsError` when `params` break the task's schema, `IdempotencyConflictError` when the key
        was used with another body, and `ConcurrencyLimitReachedError` when too many executions are unfinished.
        """
        return self._call(requests.executions_create(idempotency_key=idempotency_key, **fields))

    def validate(
        self, **fields: Unpack[types.CreateExecution]
    ) -> Coroutine[Any, Any, types.WouldCreate]:
        """Checks a request without queuing anything. Fails as `create` would."""
        return self._call(
            replace(
                idempotent_post(types.WouldCreate, "/executions", fields),
                query={"validate_only": True},
            )
        )

    def create_batch(
        self, items: Sequence[types.BatchItem]
    ) -> Coroutine[Any, Any, types.ExecutionsCreated]:
        """Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of
        each answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes
        nothing twice. Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the
        time that they name. What is still refused at the end of the retries or the time is answered as it is.

            answered = await runhook.executions.create_batch([{"agent_id": agent.id, "task_id": task.id}])
        """
        return self._call(
            Batch(
                with_keys(items),
                lambda some: idempotent_post(
                    types.ExecutionsCreated, "/executions/batch", {"items": some}
                ),
            )
        )

    def list(self, **filter: Unpack[types.ExecutionFilter]) -> AsyncListing[types.Execution]:
        """The executions of the account, newest first, filtered by the query.

            async for execution in runhook.executions.list(status=["queued", "running"]):
                print(execution.id, execution.status)
        """
        return AsyncListing(self._sender, page_of(types.Execution, "/executions", filter))

    def get(
        self, id: str | UUID, *, wait: float | None = None
    ) -> Coroutine[Any, Any, types.ExecutionDetail]:
        """The execution and its files. With `wait`, in seconds up to 60, the answer comes as soon as it is finished
        or awaits input, and after that time at the latest.

        Raises `NotFoundError` when there is none of that id.
        """
        return self._call(requests.executions_get(id, wait=wait))

    def cancel(
        self, id: str | UUID, **fields: Unpack[types.CancelExecution]
    ) -> Coroutine[Any, Any, types.ExecutionCancelled]:
        """Stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says
        `already_finished`.
        """
        return self._call(
            idempotent_post(types.ExecutionCancelled, f"/executions/{part(id)}/cancel", fields)
        )

    def release(self, id: str | UUID) -> Coroutine[Any, Any, types.ExecutionMoved]:
        """Queues an execution that was created with `hold`. Any other stays as it is."""
        return self._call(idempotent_post(types.ExecutionMoved, f"/executions/{part(id)}/release"))

    def rerun(
        self,
        id: str | UUID,
        *,
        idempotency_key: str | UUID | None = None,
        **fields: Unpack[types.RerunExecution],
    ) -> Coroutine[Any, Any, types.ExecutionCreated | types.ExecutionReplayed]:
        """Queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its
        params unless others are given. Its `rerun_of` names the original, which stays as it is. Each call has an
        idempotency key of its own unless one is given, and sends it with every attempt, so a retry does nothing
        twice.
        """
        return self._call(requests.executions_rerun(id, idempotency_key=idempotency_key, **fields))

    def reschedule(
        self, id: str | UUID, **fields: Unpack[types.RescheduleExecution]
    ) -> Coroutine[Any, Any, types.ExecutionRescheduled]:
        """Changes when an execution starts, as long as it is pending or queued.

        Raises `InvalidRequestError` when a runner has it.
        """
        return self._call(patch(types.ExecutionRescheduled, f"/executions/{part(id)}", fields))

    def events(
        self, id: str | UUID, **query: Unpack[types.HistoryQuery]
    ) -> Coroutine[Any, Any, types.ExecutionHistory]:
        """Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the
        answer comes as soon as there is one, and at once for a finished execution.
        """
        return self._call(requests.executions_events(id, **query))

    def logs(
        self, id: str | UUID, **query: Unpack[types.HistoryQuery]
    ) -> Coroutine[Any, Any, types.ExecutionLog]:
        """The lines that the runner logged, after the number `after`, oldest first: the newest 1,000 lines of all
        attempts. `wait` is as for `events`.
        """
        return self._call(requests.executions_logs(id, **query))

    def explain(self, id: str | UUID) -> Coroutine[Any, Any, types.ExecutionExplained]:
        """Everything that stands in its way: a time, a pause, no runner, no free slot, others before it."""
        return self._call(get(types.ExecutionExplained, f"/executions/{part(id)}/explain"))

    def evidence(self, id: str | UUID) -> Coroutine[Any, Any, types.ExecutionEvidence]:
        """A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of
        its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by
        the public keys at `/.well-known/runhook/jwks.json`.

        Raises `InvalidRequestError` when it has not ended.
        """
        return self._call(get(types.ExecutionEvidence, f"/executions/{part(id)}/evidence"))

    def artifacts(self, id: str | UUID) -> Coroutine[Any, Any, types.ExecutionArtifacts]:
        """Everything the run has captured so far. Videos have signed URLs, which soon expire; files have stable
        links.
        """
        return self._call(get(types.ExecutionArtifacts, f"/executions/{part(id)}/artifacts"))

    def inputs(self, id: str | UUID) -> Coroutine[Any, Any, types.InputList]:
        """Every question that the work has asked, answered or not, oldest first."""
        return self._call(get(types.InputList, f"/executions/{part(id)}/inputs"))

    def answer(
        self, id: str | UUID, input_id: str | UUID, value: Any
    ) -> Coroutine[Any, Any, types.InputAnswered]:
        """Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer
        is harmless.

        Raises `InvalidParamsError` when the answer breaks the question's schema.
        """
        return self._call(
            idempotent_post(
                types.InputAnswered,
                f"/executions/{part(id)}/inputs/{part(input_id)}",
                {"value": value},
            )
        )


class AsyncExecutionJobs(AsyncJobWaits):
    """The jobs that `cancel_all` begins."""

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.CancelJob]:
        """The job, and how many executions it has cancelled so far."""
        return self._call(requests.execution_jobs_get(id))

    def cancel(self, id: str | UUID) -> Coroutine[Any, Any, types.CancelJob]:
        """Stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it
        is.
        """
        return self._call(idempotent_post(types.CancelJob, f"/executions/jobs/{part(id)}/cancel"))


class AsyncSchedules(AsyncNoun):
    """Executions that are created again and again."""

    def list(self, **filter: Unpack[types.PageQuery]) -> AsyncListing[types.Schedule]:
        """The schedules of the account, newest first."""
        return AsyncListing(self._sender, page_of(types.Schedule, "/schedules", filter))

    def create(
        self, **fields: Unpack[types.CreateSchedule]
    ) -> Coroutine[Any, Any, types.ScheduleDetail]:
        """Adds a schedule: by `cron` in a `time_zone`, or `every_seconds`. Each of its due times creates exactly one
        execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.
        """
        return self._call(post(types.ScheduleDetail, "/schedules", fields))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.ScheduleDetail]:
        """The schedule, its next due times, and what came of the last one."""
        return self._call(get(types.ScheduleDetail, f"/schedules/{part(id)}"))

    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateSchedule]
    ) -> Coroutine[Any, Any, types.ScheduleDetail]:
        """Changes the given fields; `enabled` pauses and resumes it. With other times, and after a pause, it goes on
        with the first due time from then. A key that gives an `execution`, or enables the schedule, creates its
        executions from then on.
        """
        return self._call(patch(types.ScheduleDetail, f"/schedules/{part(id)}", fields))

    def remove(self, id: str | UUID) -> Coroutine[Any, Any, None]:
        """Removes it: nothing more is created. Executions that it has created stay."""
        return self._call(remove(f"/schedules/{part(id)}"))

    def trigger(
        self, id: str | UUID, **fields: Unpack[types.TriggerSchedule]
    ) -> Coroutine[Any, Any, types.ScheduleTriggered]:
        """Creates an execution now, also during a pause. Its due times stay as they are."""
        return self._call(post(types.ScheduleTriggered, f"/schedules/{part(id)}/trigger", fields))


class AsyncTasks(AsyncNoun):
    """The tasks that the key may execute."""

    def list(self, **filter: Unpack[types.TaskFilter]) -> AsyncListing[types.Task]:
        """The tasks that the key may execute, newest first."""
        return AsyncListing(self._sender, page_of(types.Task, "/tasks", filter))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.TaskDetail]:
        """A task with its versions' tags, its policies, and where the JSON Schema of its params is."""
        return self._call(get(types.TaskDetail, f"/tasks/{part(id)}"))

    def params_schema(
        self, id: str | UUID, **query: Unpack[types.VersionQuery]
    ) -> Coroutine[Any, Any, types.ParamsSchema]:
        """The JSON Schema of the params of one version: of the current one unless the query names another."""
        return self._call(get(types.ParamsSchema, f"/tasks/{part(id)}/params-schema", query))


class AsyncAgents(AsyncNoun):
    """The agents that the key may use."""

    def list(self, **filter: Unpack[types.PageQuery]) -> AsyncListing[types.Agent]:
        """The agents that the key may use, and how busy they are."""
        return AsyncListing(self._sender, page_of(types.Agent, "/agents", filter))


class AsyncWebhooks(AsyncNoun):
    """Try out a webhook receiver, and keep endpoints. What a receiver itself needs is in `runhook.webhooks`."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.endpoints = AsyncWebhookEndpoints(sender)

    def test(
        self, **fields: Unpack[types.TestWebhook]
    ) -> Coroutine[Any, Any, types.TestWebhookQueued]:
        """Queues a signed `webhook.test` event for the URL, to try out a receiver. It is sent even while the breaker
        of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
        """
        return self._call(post(types.TestWebhookQueued, "/webhooks/test", fields))


class AsyncDeliveries(AsyncNoun):
    """Webhook deliveries, attempt by attempt."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.replays = AsyncDeliveryReplays(sender)

    def list(self, **filter: Unpack[types.DeliveryFilter]) -> AsyncListing[types.Delivery]:
        """The webhook deliveries of the key's executions, newest first, in any state."""
        return AsyncListing(self._sender, page_of(types.Delivery, "/webhooks/deliveries", filter))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.DeliveryDetail]:
        """A delivery with the exact body that is sent, and what each attempt sent and received."""
        return self._call(get(types.DeliveryDetail, f"/webhooks/deliveries/{part(id)}"))

    def replay(self, id: str | UUID) -> Coroutine[Any, Any, types.DeliveryReplayed]:
        """Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh
        signature.
        """
        return self._call(post(types.DeliveryReplayed, f"/webhooks/deliveries/{part(id)}/replay"))

    def replay_all(
        self, **fields: Unpack[types.ReplayDeliveries]
    ) -> Coroutine[Any, Any, types.Replay]:
        """Begins to send again every delivery that matches and is settled by now, all dead ones unless the filter
        chooses. `replays` follows how far that has come.
        """
        return self._call(post(types.Replay, "/webhooks/replays", fields))

    def would_replay(
        self, **fields: Unpack[types.ReplayDeliveries]
    ) -> Coroutine[Any, Any, types.WouldReplay]:
        """What `replay_all` would do: how many deliveries it would send again, to whom. Changes nothing."""
        return self._call(
            idempotent_post(types.WouldReplay, "/webhooks/replays", {**fields, "dry_run": True})
        )


class AsyncDeliveryReplays(AsyncReplayWaits):
    """The jobs that `replay_all` begins."""

    def list(self, **filter: Unpack[types.PageQuery]) -> AsyncListing[types.ReplayJob]:
        """The jobs of the key, newest first. A job is removed 30 days after its end."""
        return AsyncListing(self._sender, page_of(types.ReplayJob, "/webhooks/replays", filter))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.Replay]:
        """The job, and how many deliveries it has made due so far."""
        return self._call(requests.delivery_replays_get(id))

    def cancel(self, id: str | UUID) -> Coroutine[Any, Any, types.Replay]:
        """Stops a job. Deliveries that it has already made due are still sent."""
        return self._call(idempotent_post(types.Replay, f"/webhooks/replays/{part(id)}/cancel"))


class AsyncWebhookEndpoints(AsyncNoun):
    """Receivers of the events of many executions."""

    def list(self) -> Coroutine[Any, Any, types.WebhookEndpointList]:
        """The endpoints of the key: those that it has made, oldest first."""
        return self._call(get(types.WebhookEndpointList, "/webhooks/endpoints"))

    def create(
        self, **fields: Unpack[types.CreateWebhookEndpoint]
    ) -> Coroutine[Any, Any, types.WebhookEndpointCreated]:
        """Adds a receiver: every matching event from now on is delivered to it, beside the `callback_url` of its
        execution, under an event id of its own. Only this answer has the signing secret. An account has at most 20
        endpoints. It takes `executions:read` beside `endpoints:manage`, since events show results; a key that loses
        one of them is told nothing more.
        """
        return self._call(post(types.WebhookEndpointCreated, "/webhooks/endpoints", fields))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.WebhookEndpointDetail]:
        """An endpoint, without its signing secret."""
        return self._call(get(types.WebhookEndpointDetail, f"/webhooks/endpoints/{part(id)}"))

    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateWebhookEndpoint]
    ) -> Coroutine[Any, Any, types.WebhookEndpointDetail]:
        """Changes or pauses it, for events from now on."""
        return self._call(
            patch(types.WebhookEndpointDetail, f"/webhooks/endpoints/{part(id)}", fields)
        )

    def remove(self, id: str | UUID) -> Coroutine[Any, Any, None]:
        """Removes it: no further events are delivered to it. What waits for it becomes `cancelled`."""
        return self._call(remove(f"/webhooks/endpoints/{part(id)}"))

    def rotate(
        self, id: str | UUID, **fields: Unpack[types.RotateEndpointSecret]
    ) -> Coroutine[Any, Any, types.EndpointSecretRotated]:
        """Replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only
        this answer has the new one.
        """
        return self._call(
            post(types.EndpointSecretRotated, f"/webhooks/endpoints/{part(id)}/rotate", fields)
        )

    def test(self, id: str | UUID) -> Coroutine[Any, Any, types.EndpointTested]:
        """Queues a signed `webhook.test` event, also while the endpoint is not enabled. It is sent even while the
        breaker of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
        """
        return self._call(post(types.EndpointTested, f"/webhooks/endpoints/{part(id)}/test"))

    def fetch(
        self, id: str | UUID, **query: Unpack[types.FetchMessages]
    ) -> Coroutine[Any, Any, types.WebhookMessageList]:
        """Fetches messages, for receivers that cannot be called. They are leased for 60 seconds: those that are not
        acknowledged by then are given out again. With `wait`, the answer comes as soon as there is a message. Each is
        signed as it would be if it were sent; those of one execution come in the order of its changes. It takes
        `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is told
        nothing more.
        """
        return self._call(requests.webhook_endpoints_fetch(id, **query))

    def acknowledge(
        self, id: str | UUID, message_ids: Sequence[str]
    ) -> Coroutine[Any, Any, types.MessagesAcknowledged]:
        """Says that messages have arrived. Later events of their executions may follow."""
        return self._call(requests.webhook_endpoints_acknowledge(id, message_ids))


class AsyncAlerts(AsyncNoun):
    """What is wrong in the account, and who is told of it."""

    def __init__(self, sender: Sender) -> None:
        super().__init__(sender)
        self.targets = AsyncAlertTargets(sender)

    def list(self) -> Coroutine[Any, Any, types.AlertList]:
        """What is wrong in the account of the key, and what was in the last days."""
        return self._call(get(types.AlertList, "/alerts"))


class AsyncAlertTargets(AsyncNoun):
    """The webhooks and mailboxes that are told of alerts."""

    def list(self) -> Coroutine[Any, Any, types.AlertTargetList]:
        """The webhooks and mailboxes that are told of alerts in the account of the key, oldest first."""
        return self._call(get(types.AlertTargetList, "/alert-targets"))

    def create(
        self, **fields: Unpack[types.CreateAlertTarget]
    ) -> Coroutine[Any, Any, types.AlertTargetCreated]:
        """Adds a webhook or a mailbox that is told of alerts in the account of the key, at most 10. Only this answer
        has the signing secret.
        """
        return self._call(post(types.AlertTargetCreated, "/alert-targets", fields))

    def get(self, id: str | UUID) -> Coroutine[Any, Any, types.AlertTargetDetail]:
        """A target, and whether it took the last message."""
        return self._call(get(types.AlertTargetDetail, f"/alert-targets/{part(id)}"))

    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateAlertTarget]
    ) -> Coroutine[Any, Any, types.AlertTargetDetail]:
        """Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target
        and remove this one.
        """
        return self._call(patch(types.AlertTargetDetail, f"/alert-targets/{part(id)}", fields))

    def remove(self, id: str | UUID) -> Coroutine[Any, Any, None]:
        """Removes it: no further alerts are sent to it."""
        return self._call(remove(f"/alert-targets/{part(id)}"))

    def test(self, id: str | UUID) -> Coroutine[Any, Any, types.AlertTargetTested]:
        """Sends a message now, also during a pause, and answers whether it was taken: at most 20 in an hour, 5 to one
        mailbox.
        """
        return self._call(post(types.AlertTargetTested, f"/alert-targets/{part(id)}/test"))


class AsyncCalls(AsyncNoun):
    """The calls of the integration API, by noun."""

    def __init__(self, sender: Sender) -> None:
        self._begin(sender)

    def _begin(self, sender: Sender) -> None:
        super().__init__(sender)
        self.executions = AsyncExecutions(sender)
        self.schedules = AsyncSchedules(sender)
        self.tasks = AsyncTasks(sender)
        self.agents = AsyncAgents(sender)
        self.webhooks = AsyncWebhooks(sender)
        self.deliveries = AsyncDeliveries(sender)
        self.alerts = AsyncAlerts(sender)
        self.files = AsyncFiles(sender)

    def me(self) -> Coroutine[Any, Any, types.Me]:
        """The calling key: its account, its scope, and its limits as they hold, beside what it has of them. Any key
        may ask.
        """
        return self._call(get(types.Me, "/me"))
