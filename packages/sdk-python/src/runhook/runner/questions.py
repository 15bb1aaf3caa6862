"""The questions of one attempt, and their answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import requests
from .stopping import StoppedError

if TYPE_CHECKING:
    from .attempt import Attempt

NO_DEFAULT: Any = object()


class Questions:
    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._answers: dict[str, asyncio.Future[Any]] = {}
        """By the question's id. An answer may come before the question's own call has been answered."""

    async def ask(
        self,
        key: str,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        expires_in_s: int,
        on_timeout: str,
        default: Any,
        mode: str,
    ) -> Any:
        attempt = self._attempt
        attempt.work.check()
        known = attempt.claim.get("input_answer")
        if known is not None and known["input_key"] == key:
            return known["value"]
        fields = {
            "input_key": key,
            "prompt": prompt,
            "schema": schema,
            "expires_in_s": expires_in_s,
            "on_timeout": on_timeout,
            "mode": mode,
        }
        if default is not NO_DEFAULT:
            fields["default"] = default
        asking = attempt.work.ends(attempt.call(requests.ask(attempt.claim, fields)))
        if mode != "release":
            asked = await asking
        else:
            # Its answer ends the lease, and must not be taken for a loss.
            asked = await attempt.part(asking)
        if asked.get("input_answer") is not None:
            return asked["input_answer"]["value"]
        if mode == "release":
            attempt.stop(StoppedError("released", "the execution waits for an answer without a runner"))
            attempt.work.check()
        return await attempt.work.ends(_value(self._answer(asked["input_id"])))

    def answered(self, input_id: str, value: Any) -> None:
        """Repeated answers change nothing."""
        answer = self._answer(input_id)
        if not answer.done():
            answer.set_result(value)

    def _answer(self, input_id: str) -> asyncio.Future[Any]:
        return self._answers.setdefault(input_id, self._attempt.loop.create_future())


async def _value(answer: asyncio.Future[Any]) -> Any:
    # The same question may be asked by several.
    return await asyncio.shield(answer)
