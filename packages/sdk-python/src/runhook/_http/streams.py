"""The two ways to move bytes: sockets that block, and asyncio. All of HTTP above them is written once."""

from __future__ import annotations

import asyncio
import selectors
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Protocol

_CHUNK_BYTES = 65_536


@dataclass(frozen=True)
class Origin:
    host: str
    port: int
    tls: ssl.SSLContext | None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        default = 80 if self.tls is None else 443
        return host if self.port == default else f"{host}:{self.port}"


class Stream(Protocol):
    """Bytes to and from one peer. Each step ends by its deadline, a moment of `time.monotonic`, with a `TimeoutError`."""

    async def read(self, deadline: float) -> bytes:
        """The next bytes; none when the peer has ended."""
        ...

    async def write(self, data: bytes, deadline: float) -> None: ...

    def is_stale(self) -> bool:
        """Whether the peer has ended, or said something that nobody asked for."""
        ...

    def close(self) -> None: ...


class Connect(Protocol):
    async def __call__(self, origin: Origin, deadline: float) -> Stream: ...


def _seconds_until(deadline: float) -> float | None:
    """For time limits: None is no limit."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return None if seconds > 1e6 else seconds


class SocketStream:
    """A socket that blocks. Its methods never suspend."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    async def read(self, deadline: float) -> bytes:
        self._socket.settimeout(_seconds_until(deadline))
        return self._socket.recv(_CHUNK_BYTES)

    async def write(self, data: bytes, deadline: float) -> None:
        self._socket.settimeout(_seconds_until(deadline))
        self._socket.sendall(data)

    def is_stale(self) -> bool:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return bool(selector.select(0))

    def close(self) -> None:
        self._socket.close()


async def connect_socket(origin: Origin, deadline: float) -> Stream:
    sock = socket.create_connection((origin.host, origin.port), timeout=_seconds_until(deadline))
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if origin.tls is None:
            return SocketStream(sock)
        sock.settimeout(_seconds_until(deadline))
        return SocketStream(origin.tls.wrap_socket(sock, server_hostname=origin.host))
    except BaseException:
        sock.close()
        raise


class AsyncioStream:
    """A connection of one event loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._is_late = False

    async def read(self, deadline: float) -> bytes:
        timer = self._expire_at(deadline)
        try:
            data = await self._reader.read(_CHUNK_BYTES)
        finally:
            timer.cancel()
        if self._is_late:
            raise TimeoutError
        return data

    async def write(self, data: bytes, deadline: float) -> None:
        timer = self._expire_at(deadline)
        try:
            self._writer.write(data)
            await self._writer.drain()
        except ConnectionError:
            if self._is_late:
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()

    def _expire_at(self, deadline: float) -> asyncio.TimerHandle:
        """Ends the connection at the deadline: unlike `wait_for`, that can swallow no cancellation."""
        seconds = _seconds_until(deadline)
        return self._loop.call_later(1e6 if seconds is None else seconds, self._expire)

    def _expire(self) -> None:
        self._is_late = True
        self._writer.transport.abort()

    def is_stale(self) -> bool:
        return (
            self._loop is not asyncio.get_running_loop() or self._reader.at_eof() or self._writer.is_closing()
        )

    def close(self) -> None:
        # Of a loop that has ended, nothing is left to close.
        if not self._loop.is_closed():
            self._writer.transport.abort()


async def connect_asyncio(origin: Origin, deadline: float) -> Stream:
    seconds = _seconds_until(deadline)
    opening = asyncio.open_connection(origin.host, origin.port, ssl=origin.tls)
    try:
        reader, writer = await asyncio.wait_for(opening, seconds)
    except asyncio.TimeoutError:
        raise TimeoutError from None
    return AsyncioStream(reader, writer)
