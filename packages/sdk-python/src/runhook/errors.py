"""The errors of calls. None of their messages, fields or causes ever contains the key."""

from __future__ import annotations

import builtins
from typing import Any


class RunhookError(Exception):
    """The base of every error of a call."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        attempts: int = 0,
        retry_after: float | None = None,
        execution_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status of the last answer; None when there was none."""
        self.request_id = request_id
        """Correlation id of the last answer. Quote it to the service's operator."""
        self.attempts = attempts
        """Requests that were sent."""
        self.retry_after = retry_after
        """How long the service asked to wait before a retry, in seconds; None when it did not."""
        self.execution_id = execution_id
        """The execution that was created or waited for, which goes on; None when there is none yet."""

    def __repr__(self) -> str:
        about = {"status": self.status, "request_id": self.request_id, "attempts": self.attempts}
        fields = ", ".join(f"{name}={value!r}" for name, value in about.items())
        return f"{type(self).__name__}({self.message!r}, {fields})"


class ConnectionError(RunhookError, builtins.ConnectionError):
    """The service could not be reached, or its answer broke off."""


class TimeoutError(RunhookError, builtins.TimeoutError):
    """No answer within the time limit of an attempt or of the whole call, or no end within that of a wait."""


class UnexpectedAnswerError(RunhookError):
    """The answer does not come from the service: a proxy's page, or a body that is not a JSON object."""

    def __init__(self, message: str, *, body: str, **about: Any) -> None:
        super().__init__(message, **about)
        self.body = body
        """The first 1,000 characters of the body."""


class ApiError(RunhookError):
    """The service refused the call. The subclass tells why; a code of a later version is a plain `ApiError`."""

    def __init__(self, message: str, *, code: str, details: Any = None, **about: Any) -> None:
        super().__init__(message, **about)
        self.code = code
        """For programs; stable over time."""
        self.details = details
        """What the code alone does not say; None when there is nothing more."""


def api_error(message: str, *, code: str, **about: Any) -> ApiError:
    """The error of a refusal."""
    return _BY_CODE.get(code, ApiError)(message, code=code, **about)


# Generated from the contract by `npm run generate`: do not edit.


class InvalidRequestError(ApiError):
    """The request breaks a rule, or contradicts the present state. `details` names the field or the reason."""


class UnauthorizedError(ApiError):
    """The key is missing, unknown, expired or revoked."""


class ForbiddenError(ApiError):
    """The key is not allowed to do this, or not with this task or agent."""


class NotFoundError(ApiError):
    """It does not exist, or belongs to another account."""


class RateLimitedError(ApiError):
    """Too many requests, still after every retry."""


class InvalidParamsError(ApiError):
    """`params`, or the answer to a question, violates its JSON Schema; `details` lists path, keyword and message."""


class IdempotencyConflictError(ApiError):
    """The idempotency key was used with another body."""


class ConcurrencyLimitReachedError(ApiError):
    """Too many unfinished executions of the key or account, still after every retry."""


class InternalError(ApiError):
    """The service failed or is unavailable, still after every retry. Its log has the reason under `request_id`."""


_BY_CODE: dict[str, type[ApiError]] = {
    "invalid_request": InvalidRequestError,
    "unauthorized": UnauthorizedError,
    "forbidden": ForbiddenError,
    "not_found": NotFoundError,
    "rate_limited": RateLimitedError,
    "invalid_params": InvalidParamsError,
    "idempotency_conflict": IdempotencyConflictError,
    "concurrency_limit_reached": ConcurrencyLimitReachedError,
    "internal_error": InternalError,
}

__all__ = [
    "ApiError",
    "ConcurrencyLimitReachedError",
    "ConnectionError",
    "ForbiddenError",
    "IdempotencyConflictError",
    "InternalError",
    "InvalidParamsError",
    "InvalidRequestError",
    "NotFoundError",
    "RateLimitedError",
    "RunhookError",
    "TimeoutError",
    "UnauthorizedError",
    "UnexpectedAnswerError",
]
