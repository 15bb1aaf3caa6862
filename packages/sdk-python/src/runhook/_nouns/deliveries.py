"""Webhook deliveries, attempt by attempt, and how to send them again."""

from __future__ import annotations

from uuid import UUID

from .. import types
from .._call.request import (
    Page,
    Request,
    Wait,
    get,
    idempotent_post,
    page_of,
    part,
    post,
)
from .._call.send import Sender
from .._typing import Unpack
from .calls import Mode, Noun, call, listing
from .endpoints import Endpoints


class Webhooks(Noun[Mode]):
    """Try out a webhook receiver, and keep endpoints. What a receiver itself needs is in `runhook.webhooks`."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.endpoints: Endpoints[Mode] = Endpoints(sender, mode)

    @call
    def test(self, **fields: Unpack[types.TestWebhook]) -> Request[types.TestWebhookQueued]:
        """Has a signed `webhook.test` event sent to a `callback_url`."""
        return post(types.TestWebhookQueued, "/webhooks/test", fields)


class Deliveries(Noun[Mode]):
    """Webhook deliveries, attempt by attempt."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.replays: Replays[Mode] = Replays(sender, mode)

    @listing
    def list(self, **filter: Unpack[types.DeliveryFilter]) -> Request[Page[types.Delivery]]:
        """Deliveries, newest first."""
        return page_of(types.Delivery, "/webhooks/deliveries", filter)

    @call
    def get(self, id: str | UUID) -> Request[types.DeliveryDetail]:
        """One delivery with its payload and its latest attempts."""
        return get(types.DeliveryDetail, f"/webhooks/deliveries/{part(id)}")

    @call
    def replay(self, id: str | UUID) -> Request[types.DeliveryReplayed]:
        """Sends a settled delivery again: same event id, same body, signed afresh."""
        return post(types.DeliveryReplayed, f"/webhooks/deliveries/{part(id)}/replay")

    @call
    def replay_all(self, **filter: Unpack[types.ReplayDeliveries]) -> Request[types.Replay]:
        """Begins to send again every delivery that matches and is settled by now, the dead ones unless told otherwise.

        `replays` follows how far that has come.
        """
        return post(types.Replay, "/webhooks/replays", filter)

    @call
    def would_replay(self, **filter: Unpack[types.ReplayDeliveries]) -> Request[types.WouldReplay]:
        """What `replay_all` would do: how many deliveries it would send again, to whom. Changes nothing."""
        return idempotent_post(types.WouldReplay, "/webhooks/replays", {**filter, "dry_run": True})


class Replays(Noun[Mode]):
    """The jobs that `replay_all` begins."""

    @listing
    def list(self, **page: Unpack[types.PageQuery]) -> Request[Page[types.ReplayJob]]:
        """Replays, newest first. Each is forgotten 30 days after its end."""
        return page_of(types.ReplayJob, "/webhooks/replays", page)

    @call
    def get(self, id: str | UUID) -> Request[types.Replay]:
        """The progress of a replay."""
        return get(types.Replay, f"/webhooks/replays/{part(id)}")

    @call
    def cancel(self, id: str | UUID) -> Request[types.Replay]:
        """Stops a replay; what it has replayed stays replayed. A finished one is unchanged."""
        return idempotent_post(types.Replay, f"/webhooks/replays/{part(id)}/cancel")

    @call
    def wait_for(self, id: str | UUID, *, timeout: float | None = None) -> Wait[types.Replay]:
        """Waits until the replay is completed or cancelled. The wait goes on while the service is away."""
        look = get(types.Replay, f"/webhooks/replays/{part(id)}")
        return Wait(f"Replay {id}", look, lambda seen: seen.finished_at is not None, timeout)
