"""A client of the Runhook integration API. It depends on nothing but Python.

    from runhook import Runhook

    with Runhook() as runhook:
        execution = runhook.executions.create_and_wait(agent_id=..., task_id=..., params={...})

`runhook.webhooks` is for receivers of callbacks, `runhook.runner` for programs that do the work.
"""

from . import errors, types
from ._nouns.executions import is_finished
from ._version import VERSION as __version__
from .client import AsyncRunhook, Runhook
from .errors import (
    ApiError,
    ConcurrencyLimitReachedError,
    ConnectionError,
    ForbiddenError,
    IdempotencyConflictError,
    InternalError,
    InvalidParamsError,
    InvalidRequestError,
    NotFoundError,
    RateLimitedError,
    RunhookError,
    TimeoutError,
    UnauthorizedError,
    UnexpectedAnswerError,
)

__all__ = [
    "ApiError",
    "AsyncRunhook",
    "ConcurrencyLimitReachedError",
    "ConnectionError",
    "ForbiddenError",
    "IdempotencyConflictError",
    "InternalError",
    "InvalidParamsError",
    "InvalidRequestError",
    "NotFoundError",
    "RateLimitedError",
    "Runhook",
    "RunhookError",
    "TimeoutError",
    "UnauthorizedError",
    "UnexpectedAnswerError",
    "__version__",
    "errors",
    "is_finished",
    "types",
]
