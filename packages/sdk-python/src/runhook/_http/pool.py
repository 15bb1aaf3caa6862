"""Connections that are used again."""

from __future__ import annotations

import math
import ssl
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from .connect import Connect
from .exchange import Connection, Response
from .origins import Origin, Proxies

_IDLE_SECONDS_MAX = 3.0
"""Less than servers keep idle connections, so that few requests meet one that is being closed."""

_IDLE_MAX = 10


class Pool:
    """Sends requests over connections of one kind. Safe to share between threads and over a fork, as are its
    connections' users.
    """

    def __init__(self, connect: Connect, tls: ssl.SSLContext | None, proxies: Proxies) -> None:
        self._connect = connect
        self._tls = tls
        self._default_tls: ssl.SSLContext | None = None
        self._proxies = proxies
        self._idle: deque[tuple[float, Connection]] = deque()

    def __getstate__(self) -> dict[str, Any]:
        """A copy, such as one that is pickled for another process, opens connections of its own."""
        return {**self.__dict__, "_default_tls": None, "_idle": deque()}

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | BinaryIO = b"",
        deadline: float = math.inf,
    ) -> Response:
        """The head of the answer; its body is read by `Response.read` or `Response.chunks`, under the same deadline."""
        parts = urlsplit(url)
        origin = self._origin(parts.scheme, parts.hostname or "", parts.port)
        connection = self._idle_to(origin)
        if connection is None:
            stream = await self._connect(origin, deadline)
            connection = Connection(origin, stream, self._keep)
        target = parts.path or "/"
        if parts.query:
            target += f"?{parts.query}"
        if origin.proxy is not None and origin.tls is None:
            target = f"http://{origin}{target}"
            if origin.proxy.authorization is not None:
                headers = {**headers, "proxy-authorization": origin.proxy.authorization}
        return await connection.exchange(method, target, headers, body, deadline)

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[1].close()

    def _origin(self, scheme: str, host: str, port: int | None) -> Origin:
        if scheme == "http":
            port = port or 80
            return Origin(host, port, None, self._proxies.on_way_to(scheme, host, port))
        tls = self._tls or self._default_tls
        if tls is None:
            tls = self._default_tls = ssl.create_default_context()
        port = port or 443
        return Origin(host, port, tls, self._proxies.on_way_to("https", host, port))

    def _idle_to(self, origin: Origin) -> Connection | None:
        for _ in range(_IDLE_MAX):
            try:
                since, connection = self._idle.pop()
            except IndexError:
                return None
            is_fresh = time.monotonic() - since < _IDLE_SECONDS_MAX
            if is_fresh and connection.origin == origin and not connection.is_stale:
                return connection
            connection.close()
        return None

    def _keep(self, connection: Connection) -> None:
        if len(self._idle) >= _IDLE_MAX:
            connection.close()
        else:
            self._idle.append((time.monotonic(), connection))
