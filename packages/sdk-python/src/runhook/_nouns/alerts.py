"""Alerts, and who is told of them."""

from __future__ import annotations

from .._call.send import Sender
from .._generated import nouns
from .calls import Mode


class Alerts(nouns.Alerts[Mode]):
    """What is wrong in the account, and who is told of it."""

    def __init__(self, sender: Sender, mode: type[Mode]) -> None:
        super().__init__(sender, mode)
        self.targets: nouns.AlertTargets[Mode] = nouns.AlertTargets(sender, mode)
