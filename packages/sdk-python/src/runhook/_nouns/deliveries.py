"""Webhook deliveries, attempt by attempt, and how to send them again."""

from __future__ import annotations

from uuid import UUID

from .. import types
from .._call.request import Wait
from .._call.send import Sender
from .._generated import nouns
from .calls import Mode, call


class Webhooks(nouns.Webhooks[Mode]):
    """Try out a webhook receiver, and keep endpoints. What a receiver itself needs is in `runhook.webhooks`."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.endpoints: nouns.WebhookEndpoints[Mode] = nouns.WebhookEndpoints(sender, mode)


class Deliveries(nouns.Deliveries[Mode]):
    """Webhook deliveries, attempt by attempt."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.replays: Replays[Mode] = Replays(sender, mode)


class Replays(nouns.DeliveryReplays[Mode]):
    """The jobs that `replay_all` begins."""

    @call
    def wait_for(self, id: str | UUID, *, timeout: float | None = None) -> Wait[types.Replay]:
        """Waits until the replay is completed or cancelled. The wait goes on while the service is away."""
        look = nouns.delivery_replays_get(id)
        return Wait(f"Replay {id}", look, lambda seen: seen.finished_at is not None, timeout)
