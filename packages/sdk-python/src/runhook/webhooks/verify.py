"""Verifies that callbacks are genuine."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from .._call.settings import secret_of
from .._json import decoder, json_object
from ..types import ExecutionEvent, TestEvent

WebhookEvent: TypeAlias = ExecutionEvent | TestEvent
"""Every current event. Types of a later version are an `ExecutionEvent` too: look at its `type`."""

WebhookRejectedReason: TypeAlias = Literal[
    "body_already_read",
    "timestamp_malformed",
    "timestamp_out_of_tolerance",
    "signature_malformed",
    "signature_mismatch",
    "body_malformed",
    "event_id_mismatch",
]

Secrets: TypeAlias = str | Sequence[str]
"""The signing secret of the key, or both during a rotation."""

_TOLERANCE_SECONDS = 300
"""How far a timestamp may be from this clock, either way."""

_ADVICE = {"body_already_read": ": verify before a framework parses the body"}


class WebhookRejectedError(Exception):
    """A callback that must not be trusted.

    Answer 401; for `body_already_read`, which is the receiver's own fault, answer 500.
    """

    def __init__(self, reason: WebhookRejectedReason) -> None:
        super().__init__(f"The webhook was rejected: {reason}{_ADVICE.get(reason, '')}")
        self.reason = reason


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secrets: Secrets, *, now: float | None = None
) -> WebhookEvent:
    """The event of a callback, from its body as it was received, before any parser.

    Raises `WebhookRejectedError` unless it is signed by one of the secrets, recent, and about the event that its header
    names: that header is not signed. `now` is the receiver's time in seconds since 1970, that of its clock unless given.
    """
    known = [secret_of("secrets", each) for each in ([secrets] if isinstance(secrets, str) else secrets)]
    if not known:
        raise ValueError("secrets must not be empty")
    if not isinstance(body, (bytes, bytearray, memoryview, str)):
        raise WebhookRejectedError("body_already_read")
    data = body.encode() if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    timestamp = given.get("x-webhook-timestamp", "")
    if not re.fullmatch(r"[1-9][0-9]{9,10}", timestamp):
        raise WebhookRejectedError("timestamp_malformed")
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookRejectedError("timestamp_out_of_tolerance")
    signature = given.get("x-webhook-signature", "")
    if not re.fullmatch(r"[0-9a-f]{64}", signature):
        raise WebhookRejectedError("signature_malformed")
    # All are tried, so that the time tells nothing of which has signed.
    verdicts = [hmac.compare_digest(_sign(secret, data, timestamp), signature) for secret in known]
    if not any(verdicts):
        raise WebhookRejectedError("signature_mismatch")
    event = _event_of(data)
    # Two missing ids are equal, but prove nothing.
    id = given.get("x-webhook-event-id", "")
    if id == "" or event.event_id != id:
        raise WebhookRejectedError("event_id_mismatch")
    return event


def _event_of(data: bytes) -> WebhookEvent:
    """The object that the bytes are. It was signed by the service, whose promise its fields are."""
    try:
        value = json_object(data.decode())
    except UnicodeDecodeError:
        value = None
    if value is None:
        raise WebhookRejectedError("body_malformed")
    kind = TestEvent if value.get("type") == "webhook.test" else ExecutionEvent
    event: WebhookEvent = decoder(kind)(value)
    return event


def _sign(secret: str, body: bytes, timestamp: str) -> str:
    """HMAC-SHA256 over the body's bytes and, with nothing between, the text of the timestamp."""
    return hmac.new(secret.encode(), body + timestamp.encode(), hashlib.sha256).hexdigest()


def sign_test(
    event: Mapping[str, object], *, secret: str, now: float | None = None
) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a callback as the service would send it, for the tests of a receiver."""
    body = json.dumps(event).encode()
    timestamp = str(int(time.time() if now is None else now))
    return body, {
        "content-type": "application/json",
        "x-webhook-event-id": str(event["event_id"]),
        "x-webhook-timestamp": timestamp,
        "x-webhook-signature": _sign(secret_of("secret", secret), body, timestamp),
    }
