"""HTTP/1.1: one request and its answer over a stream."""

from __future__ import annotations

import io
import math
import re
from collections.abc import AsyncIterator, Callable, Mapping
from http.client import HTTPMessage, parse_headers
from typing import BinaryIO

from .origins import Origin
from .streams import Stream

_HEAD_BYTES_MAX = 65_536
_FILE_CHUNK_BYTES = 65_536


class Response:
    """An answer whose body is still to come."""

    def __init__(self, status: int, headers: HTTPMessage, connection: Connection) -> None:
        self.status = status
        self.headers = headers
        self.chunks = connection.body(self)
        self.is_read = False
        self._connection = connection

    def take_time(self) -> None:
        """Lets the body take any time."""
        self._connection.deadline = math.inf

    def close(self) -> None:
        """Leaves the rest of the body unread."""
        # After its end the connection belongs to others.
        if not self.is_read:
            self._connection.close()

    @property
    def is_success(self) -> bool:
        return 200 <= self.status <= 299

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks])


class Connection:
    """A connection that carries one exchange after the other."""

    def __init__(self, origin: Origin, stream: Stream, give_back: Callable[[Connection], None]) -> None:
        self.origin = origin
        self._stream = stream
        self._give_back = give_back
        self._buffer = bytearray()
        self._is_kept = True
        self.deadline = math.inf
        """When the exchange must be over, a moment of `time.monotonic`."""

    @property
    def is_stale(self) -> bool:
        return bool(self._buffer) or self._stream.is_stale()

    def close(self) -> None:
        self._stream.close()

    async def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | BinaryIO,
        deadline: float,
    ) -> Response:
        """Sends a request and reads the head of its answer."""
        self.deadline = deadline
        try:
            lines = [f"{method} {target} HTTP/1.1", f"host: {self.origin}"]
            lines += [_header_line(name, value) for name, value in headers.items()]
            head = "\r\n".join([*lines, "", ""]).encode("latin-1")
            try:
                await self._send(head, body)
            except ConnectionError:
                # The peer may have answered before it had read everything.
                if not await self._fill():
                    raise
            return await self._answer()
        except BaseException:
            self.close()
            raise

    async def _send(self, head: bytes, body: bytes | BinaryIO) -> None:
        if isinstance(body, bytes):
            await self._stream.write(head + body, self.deadline)
            return
        await self._stream.write(head, self.deadline)
        while chunk := body.read(_FILE_CHUNK_BYTES):
            await self._stream.write(chunk, self.deadline)

    async def _answer(self) -> Response:
        while True:
            status_line, _, rest = (await self._until(b"\r\n\r\n")).partition(b"\r\n")
            version, _, after = status_line.decode("latin-1").partition(" ")
            headers = parse_headers(io.BytesIO(rest))
            if not version.startswith("HTTP/1.") or not re.match(r"[1-9][0-9]{2}(?![0-9])", after):
                raise _no_http()
            status = int(after[:3])
            # An interim answer, such as 100, comes before the real one.
            if status >= 200:
                break
        self._is_kept = version != "HTTP/1.0" and headers.get("connection", "").lower() != "close"
        return Response(status, headers, self)

    async def body(self, response: Response) -> AsyncIterator[bytes]:
        """The bytes after a head. At their end the connection is kept, if the peer keeps it."""
        try:
            encoding = response.headers.get("transfer-encoding")
            length = _length_of(response.headers)
            if response.status in (204, 304):
                pass
            elif encoding is not None:
                if encoding.strip().lower() != "chunked":
                    raise _no_http()
                async for chunk in self._chunked():
                    yield chunk
            elif length is not None:
                async for chunk in self._exactly(length):
                    yield chunk
            else:
                self._is_kept = False
                while self._buffer or await self._fill():
                    yield self._take(len(self._buffer))
            response.is_read = True
        finally:
            if response.is_read and self._is_kept:
                self._give_back(self)
            else:
                self.close()

    async def _chunked(self) -> AsyncIterator[bytes]:
        while size := await self._chunk_size():
            async for chunk in self._exactly(size):
                yield chunk
            await self._until(b"\r\n")
        # Trailers.
        while await self._until(b"\r\n") != b"\r\n":
            pass

    async def _chunk_size(self) -> int:
        size = (await self._until(b"\r\n")).split(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,15}", size):
            raise _no_http()
        return int(size, 16)

    async def _exactly(self, length: int) -> AsyncIterator[bytes]:
        while length > 0:
            if not self._buffer and not await self._fill():
                raise ConnectionError("the answer broke off")
            chunk = self._take(min(length, len(self._buffer)))
            length -= len(chunk)
            yield chunk

    async def _until(self, end: bytes) -> bytes:
        while (at := self._buffer.find(end)) < 0:
            if len(self._buffer) > _HEAD_BYTES_MAX:
                raise ConnectionError("the head of the answer is too long")
            if not await self._fill():
                raise ConnectionError("the connection ended before the answer")
        return self._take(at + len(end))

    async def _fill(self) -> bool:
        data = await self._stream.read(self.deadline)
        self._buffer += data
        return bool(data)

    def _take(self, length: int) -> bytes:
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken


def _length_of(headers: HTTPMessage) -> int | None:
    """The length that all of its headers agree on."""
    said = {each.strip() for line in headers.get_all("content-length", []) for each in line.split(",")}
    if not said:
        return None
    length = said.pop()
    if said or not re.fullmatch(r"[0-9]{1,15}", length):
        raise _no_http()
    return int(length)


def _no_http() -> ConnectionError:
    return ConnectionError("the peer does not speak HTTP")


def _header_line(name: str, value: str) -> str:
    """A caller's text must not become another header, or another request."""
    if not re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", name) or not re.fullmatch(r"[^\0\r\n\u0100-\U0010ffff]*", value):
        raise ValueError(f"the header {name!r} must be a name, and a value of Latin-1 without line breaks")
    return f"{name}: {value}"
