"""Requests that stand apart from the calls. Generated from the contract by `npm run generate`: do not edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from .. import types
from .._call.request import Request, get, idempotent_post, part, post_once, waiting_get
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


def executions_rerun(
    id: str | UUID,
    *,
    idempotency_key: str | UUID | None = None,
    **fields: Unpack[types.RerunExecution],
) -> Request[types.ExecutionCreated | types.ExecutionReplayed]:
    """Run an execution again."""
    return post_once(
        types.ExecutionCreated | types.ExecutionReplayed,
        f"/executions/{part(id)}/rerun",
        fields,
        idempotency_key,
    )


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
