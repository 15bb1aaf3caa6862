"""Options of a client, checked and completed."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from .._version import VERSION

BASE_URL_VARIABLE = "RUNHOOK_BASE_URL"
USER_AGENT = f"runhook-sdk/{VERSION} (python/{platform.python_version()})"


@dataclass(frozen=True)
class Limits:
    """Limits of a call, in seconds."""

    retries: float | None = None
    attempt_timeout: float = 30
    timeout: float = 120
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("retries", "attempt_timeout", "timeout"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"{name} must be a number that is not negative")

    def with_changes(
        self,
        *,
        retries: float | None = None,
        attempt_timeout: float | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Limits:
        """The same, except for what is given. Headers are added."""
        return replace(
            self,
            retries=self.retries if retries is None else retries,
            attempt_timeout=self.attempt_timeout if attempt_timeout is None else attempt_timeout,
            timeout=self.timeout if timeout is None else timeout,
            headers={**self.headers, **(headers or {})},
        )


UNLIMITED = Limits(retries=math.inf, timeout=math.inf)


@dataclass(frozen=True, repr=False)
class Address:
    """Where the service is, and the key for it."""

    api_root: str
    api_key: str

    def without_key(self, text: str) -> str:
        return text.replace(self.api_key, "[key]")

    @property
    def origin(self) -> str:
        parts = urlsplit(self.api_root)
        return f"{parts.scheme}://{parts.netloc}"


def given(option: str, value: str | None, variable: str) -> str:
    """An option, or else its environment variable."""
    found = value or os.environ.get(variable)
    if not found:
        raise ValueError(f"{option} is missing: pass it, or set {variable} in the environment")
    return found


def secret_of(name: str, text: str) -> str:
    """A secret as files have it: without the blanks, line ends and byte order mark around it. No error shows it."""
    secret = re.sub(r"^[\s\ufeff]+|[\s\ufeff]+$", "", text)
    if not re.fullmatch(r"[!-~]+", secret):
        raise ValueError(f"{name} must {'be of visible ASCII characters' if secret else 'not be empty'}")
    return secret


def address_of(api: str, *, base_url: str | None, api_key: str | None, key_variable: str) -> Address:
    """The address of an API, from options and environment."""
    url = given("base_url", base_url, BASE_URL_VARIABLE)
    # A key that no header can hold would be quoted in the message of some error.
    key = secret_of("api_key", given("api_key", api_key, key_variable))
    try:
        parts = urlsplit(url.strip())
        # With the API's own path every call would be of an endpoint that there is not.
        # A port is checked when it is read.
        is_root = (
            parts.scheme in ("http", "https")
            and parts.hostname
            and parts.port != 0
            and "@" not in parts.netloc
            and not re.search(r"/api/v1\b", parts.path)
        )
    except ValueError:
        is_root = False
    if not is_root:
        raise ValueError("base_url must be an http or https URL without user info or /api/v1")
    return Address(f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v1/{api}", key)
