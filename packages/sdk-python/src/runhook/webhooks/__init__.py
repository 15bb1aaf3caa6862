"""What a receiver of callbacks needs."""

from ..types import EventExecution, ExecutionEvent, TestEvent
from .receiver import Dedupe, webhook_asgi, webhook_wsgi
from .verify import (
    Secrets,
    WebhookEvent,
    WebhookRejectedError,
    WebhookRejectedReason,
    sign_test,
    verify_webhook,
)

__all__ = [
    "Dedupe",
    "EventExecution",
    "ExecutionEvent",
    "Secrets",
    "TestEvent",
    "WebhookEvent",
    "WebhookRejectedError",
    "WebhookRejectedReason",
    "sign_test",
    "verify_webhook",
    "webhook_asgi",
    "webhook_wsgi",
]
