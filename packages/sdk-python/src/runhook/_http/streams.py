"""The two ways to move bytes: sockets that block, and asyncio. All of HTTP above them is written once."""

from __future__ import annotations

import asyncio
import selectors
import socket
import time
from typing import Protocol

from .fork import keep_from_children

_CHUNK_BYTES = 65_536


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


def seconds_until(deadline: float) -> float | None:
    """For time limits: None is no limit."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return None if seconds > 1e6 else seconds


class SocketStream:
    """A socket that blocks. Its methods never suspend."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self.is_inherited = False
        keep_from_children(self)

    def fileno(self) -> int:
        return self._socket.fileno()

    async def read(self, deadline: float) -> bytes:
        self._socket.settimeout(seconds_until(deadline))
        return self._socket.recv(_CHUNK_BYTES)

    async def write(self, data: bytes, deadline: float) -> None:
        self._socket.settimeout(seconds_until(deadline))
        self._socket.sendall(data)

    def is_stale(self) -> bool:
        if self.is_inherited:
            return True
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            return bool(selector.select(0))

    def close(self) -> None:
        self._socket.close()


class AsyncioStream:
    """A connection of one event loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._is_late = False
        self.is_inherited = False
        keep_from_children(self)

    def fileno(self) -> int:
        return int(self._writer.get_extra_info("socket").fileno())

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
        seconds = seconds_until(deadline)
        return self._loop.call_later(1e6 if seconds is None else seconds, self._expire)

    def _expire(self) -> None:
        self._is_late = True
        self._writer.transport.abort()

    def is_stale(self) -> bool:
        return (
            self.is_inherited
            or self._loop is not asyncio.get_running_loop()
            or self._reader.at_eof()
            or self._writer.is_closing()
        )

    def close(self) -> None:
        # Of a loop that has ended, nothing is left to close. The parent's loop is not ours to touch.
        if not self._loop.is_closed() and not self.is_inherited:
            self._writer.transport.abort()
