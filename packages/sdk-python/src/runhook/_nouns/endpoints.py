"""Standing endpoints, and the messages of those that are polled."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from .. import types
from .._call.request import Request, get, idempotent_post, part, patch, post, remove, waiting_get
from .._typing import Unpack
from .calls import Mode, Noun, call

_ROOT = "/webhooks/endpoints"


class Endpoints(Noun[Mode]):
    """Receivers of the events of many executions."""

    @call
    def create(self, **fields: Unpack[types.CreateWebhookEndpoint]) -> Request[types.WebhookEndpointCreated]:
        """Has every matching event delivered to it from now on. This answer alone has the signing secret."""
        return post(types.WebhookEndpointCreated, _ROOT, fields)

    @call
    def list(self) -> Request[types.WebhookEndpointList]:
        """All endpoints, oldest first."""
        return get(types.WebhookEndpointList, _ROOT)

    @call
    def get(self, id: str | UUID) -> Request[types.WebhookEndpointDetail]:
        """One endpoint."""
        return get(types.WebhookEndpointDetail, f"{_ROOT}/{part(id)}")

    @call
    def update(
        self, id: str | UUID, **fields: Unpack[types.UpdateWebhookEndpoint]
    ) -> Request[types.WebhookEndpointDetail]:
        """Changes or pauses it, for events from now on."""
        return patch(types.WebhookEndpointDetail, f"{_ROOT}/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Removes it: what waits for it is cancelled."""
        return remove(f"{_ROOT}/{part(id)}")

    @call
    def rotate(
        self, id: str | UUID, **fields: Unpack[types.RotateEndpointSecret]
    ) -> Request[types.EndpointSecretRotated]:
        """Replaces its signing secret; the old one signs beside it for a while."""
        return post(types.EndpointSecretRotated, f"{_ROOT}/{part(id)}/rotate", fields)

    @call
    def test(self, id: str | UUID) -> Request[types.EndpointTested]:
        """Has a signed `webhook.test` event delivered to it."""
        return post(types.EndpointTested, f"{_ROOT}/{part(id)}/test")

    @call
    def fetch(
        self, id: str | UUID, *, limit: int | None = None, wait: float | None = None
    ) -> Request[types.WebhookMessageList]:
        """Messages of a poll endpoint, leased for a minute: acknowledge them, or they are given out again.

        With `wait`, in seconds up to 60, the service answers as soon as there is one.
        """
        path = f"{_ROOT}/{part(id)}/messages"
        return waiting_get(types.WebhookMessageList, path, {"limit": limit}, wait=wait)

    @call
    def acknowledge(self, id: str | UUID, message_ids: Sequence[str]) -> Request[types.MessagesAcknowledged]:
        """Says that messages have arrived."""
        body = {"message_ids": [*message_ids]}
        return idempotent_post(types.MessagesAcknowledged, f"{_ROOT}/{part(id)}/messages/ack", body)
