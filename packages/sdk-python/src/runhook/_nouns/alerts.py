"""Alerts, and who is told of them."""

from __future__ import annotations

from uuid import UUID

from .. import types
from .._call.request import Request, get, part, patch, post, remove
from .._call.send import Sender
from .._typing import Unpack
from .calls import Mode, Noun, call


class Alerts(Noun[Mode]):
    """What is wrong in the account, and who is told of it."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.targets: AlertTargets[Mode] = AlertTargets(sender, mode)

    @call
    def list(self) -> Request[types.AlertList]:
        """What is wrong now, then what was in the last days."""
        return get(types.AlertList, "/alerts")


class AlertTargets(Noun[Mode]):
    """Who is told of alerts."""

    @call
    def create(self, **fields: Unpack[types.CreateAlertTarget]) -> Request[types.AlertTargetCreated]:
        """Has a webhook or a mailbox told of alerts. This answer alone has the signing secret."""
        return post(types.AlertTargetCreated, "/alert-targets", fields)

    @call
    def list(self) -> Request[types.AlertTargetList]:
        """All targets, oldest first."""
        return get(types.AlertTargetList, "/alert-targets")

    @call
    def get(self, id: str | UUID) -> Request[types.AlertTargetDetail]:
        """One target, and whether it took the last message."""
        return get(types.AlertTargetDetail, f"/alert-targets/{part(id)}")

    @call
    def update(self, id: str | UUID, **fields: Unpack[types.UpdateAlertTarget]) -> Request[types.AlertTargetDetail]:
        """Chooses which alerts it gets, or pauses it."""
        return patch(types.AlertTargetDetail, f"/alert-targets/{part(id)}", fields)

    @call
    def remove(self, id: str | UUID) -> Request[None]:
        """Tells it nothing more."""
        return remove(f"/alert-targets/{part(id)}")

    @call
    def test(self, id: str | UUID) -> Request[types.AlertTargetTested]:
        """Sends a test now, and says whether it was taken."""
        return post(types.AlertTargetTested, f"/alert-targets/{part(id)}/test")
