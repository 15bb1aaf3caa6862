"""The client, for code that blocks.

Generated from _asyncio/client.py by `npm run generate`: do not edit.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from .._call.clock import BlockingClock
from .._call.request import NOTHING, Request
from .._call.send import Sender
from .._call.settings import Limits, address_of
from .._http.connect import connect_socket
from .._http.origins import Proxies
from .._http.pool import Pool
from .._typing import Self
from .nouns import Calls


class Runhook(Calls):
    """A client of one key, which blocks. Safe to share between threads, and to keep over a fork.

        # RUNHOOK_BASE_URL and RUNHOOK_API_KEY; Runhook(base_url=..., api_key=...) takes others.
        with Runhook() as runhook:
            execution = runhook.executions.create_and_wait(agent_id=..., task_id=..., params={...})
            print(execution.status, execution.result)

    - `retries`: attempts after the first. Unless given, 10 after no answer, 502, 503 or 504, some half a minute, so that
      a call survives a restart of the service; 3 after anything else that may pass.
    - `attempt_timeout`: longest wait for the answer of one attempt, in seconds.
    - `timeout`: longest time for a call with all its attempts and the pauses between, in seconds.
    - `headers` are sent with every request.
    - `ssl_context`: the default one of Python unless given.
    - `proxy`: the URL of an HTTP proxy for all requests, `""` for none; as `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and
      `NO_PROXY` say unless given.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        retries: int | None = None,
        attempt_timeout: float = 30,
        timeout: float = 120,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        proxy: str | None = None,
    ) -> None:
        address = address_of(
            "integrations", base_url=base_url, api_key=api_key, key_variable="RUNHOOK_API_KEY"
        )
        limits = Limits(retries, attempt_timeout, timeout, headers or {})
        pool = Pool(connect_socket, ssl_context, Proxies(proxy))
        super().__init__(Sender(address, limits, pool, BlockingClock()))

    def with_options(
        self,
        *,
        retries: int | None = None,
        attempt_timeout: float | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """The same client with other limits, for one call or many; it shares the connections.

        runhook.with_options(timeout=5, retries=0).executions.get(id)
        """
        other = object.__new__(type(self))
        limits = self._sender.limits.with_changes(
            retries=retries, attempt_timeout=attempt_timeout, timeout=timeout, headers=headers
        )
        other._begin(replace(self._sender, limits=limits))
        return other

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = NOTHING,
        idempotency_key: str | UUID | None = None,
    ) -> Any:
        """Calls what has no method here, such as `GET /openapi.json`, with the same key, retries and errors.

        The answer is None where there is no body.
        """
        return self._call(
            Request(
                method, path, lambda value: value, query or {}, body, idempotency_key, may_be_empty=True
            )
        )

    def close(self) -> None:
        """Closes the connections that wait for more calls."""
        self._sender.pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._sender.address.api_root!r})"
