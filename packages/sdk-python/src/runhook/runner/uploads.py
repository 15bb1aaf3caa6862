"""Uploads captured files to the service."""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from .._call.retry import pause_after, retry_after_of
from .._call.send import Sender
from .._call.settings import USER_AGENT
from .._generated.integration import ArtifactKind
from . import requests

_UPLOAD_SECONDS = 600.0
"""Longest time for the upload of one file."""

_ATTEMPTS_MAX = 5
_CHUNK_BYTES = 65_536
_SPOOLED_IN_MEMORY_MAX = 2**20

_DEFAULTS: dict[ArtifactKind, tuple[str, str]] = {
    "download": ("download.bin", "application/octet-stream"),
    "print": ("print.pdf", "application/pdf"),
    "screenshot": ("screenshot.png", "image/png"),
    "video": ("session.webm", "video/webm"),
}


@dataclass(frozen=True)
class SavedArtifact:
    artifact_id: str
    size_bytes: int
    sha256: str
    """Of the bytes, in lower-case hex."""


class Uploads:
    def __init__(self, sender: Sender, claim: Any, bytes_max: int) -> None:
        self._sender = sender
        self._claim = claim
        self._bytes_max = bytes_max

    async def save(
        self,
        kind: ArtifactKind,
        source: Any,
        *,
        file_name: str | None,
        content_type: str | None,
        **about: Any,
    ) -> SavedArtifact:
        name, media_type = _DEFAULTS[kind]
        if isinstance(source, (str, os.PathLike)):
            name = PurePath(source).name
        # Disks are slow: the event loop goes on meanwhile.
        file = await asyncio.to_thread(_opened, source, self._bytes_max)
        with file:
            size, digest = await asyncio.to_thread(_measured, file)
            fields = {
                **about,
                "kind": kind,
                "file_name": file_name or name,
                "content_type": content_type or media_type,
                "size_bytes": size,
                "sha256": digest,
            }
            artifact_id = await self._send(fields, file)
            await self._sender.send(requests.complete_artifact(self._claim, artifact_id))
            return SavedArtifact(artifact_id, size, digest)

    async def _send(self, fields: dict[str, Any], file: BinaryIO) -> str:
        """Registers the file again for each attempt, since the upload URL is short-lived: equal fields give the same."""
        attempt = 0
        while True:
            attempt += 1
            registered = await self._sender.send(requests.register_artifact(self._claim, fields))
            file.seek(0)
            refusal, retry_after = await self._put(registered["upload"], file, fields["size_bytes"])
            if refusal is None:
                return str(registered["artifact_id"])
            if attempt >= _ATTEMPTS_MAX:
                raise RuntimeError(f"{fields['file_name']} could not be sent: {refusal}")
            clock = self._sender.clock
            await clock.sleep(pause_after(attempt, retry_after, clock.random))

    async def _put(self, upload: Any, file: BinaryIO, size: int) -> tuple[str | None, float | None]:
        """Sends the bytes where the service says; None when they were taken."""
        try:
            response = await self._sender.pool.request(
                upload["method"],
                upload["url"],
                headers={"user-agent": USER_AGENT, **upload["headers"], "content-length": str(size)},
                body=file,
                deadline=time.monotonic() + _UPLOAD_SECONDS,
            )
            await response.read()
        except OSError:
            # The words of the failure may hold the signed URL.
            return "the storage could not be reached", None
        if response.is_success:
            return None, None
        return f"the storage answered {response.status}", retry_after_of(response.headers)


def _opened(source: Any, bytes_max: int) -> BinaryIO:
    """A source as a file that can be read more than once."""
    if isinstance(source, (str, os.PathLike)):
        return open(source, "rb")
    chunks: Iterable[bytes]
    if isinstance(source, (bytes, bytearray, memoryview)):
        chunks = [bytes(source)]
    elif hasattr(source, "read"):
        chunks = iter(lambda: source.read(_CHUNK_BYTES), b"")
    else:
        chunks = source
    spool = cast(BinaryIO, tempfile.SpooledTemporaryFile(_SPOOLED_IN_MEMORY_MAX, prefix="runhook-artifact-"))
    try:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            # An endless stream must not fill the disk before the service can refuse it.
            if size > bytes_max:
                raise ValueError(f"an artifact must have at most {bytes_max} bytes")
            spool.write(chunk)
        return spool
    except BaseException:
        spool.close()
        raise


def _measured(file: BinaryIO) -> tuple[int, str]:
    """Size and hash, as the service will check them."""
    file.seek(0)
    digest = hashlib.sha256()
    size = 0
    while chunk := file.read(_CHUNK_BYTES):
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()
