"""Files that a run captured."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import BinaryIO, Protocol

from .._call.request import Request
from .._call.send import finish
from .._generated.nouns import FILES_DOWNLOAD_LINK, files_download
from .._http.exchange import Response
from .calls import Async, Mode, Noun, Sync


class FileLink(Protocol):
    """A file of an execution, or anything else with its link."""

    @property
    def url(self) -> str: ...


class Download:
    """An open file. Iterate over its bytes as they arrive, or `read` them all."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type")

    def __iter__(self) -> Iterator[bytes]:
        while chunk := finish(_next(self._response)):
            yield chunk

    def read(self) -> bytes:
        return finish(self._response.read())

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncDownload:
    """An open file. Iterate over its bytes as they arrive, or `await read()` for all."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type")

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._response.chunks

    async def read(self) -> bytes:
        return await self._response.read()

    def close(self) -> None:
        self._response.close()

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


async def _next(response: Response) -> bytes:
    return await anext(response.chunks, b"")


def _request_for(file: FileLink) -> Request[None]:
    found = FILES_DOWNLOAD_LINK.search(file.url)
    if found is None:
        raise ValueError("file.url must be the link of a file, as executions show it")
    return Request("GET", found[1], None)


class _Files(Noun[Mode]):
    """Files that runs captured."""

    def url(self, execution_id: str, file_id: str) -> str:
        """The link of a file. It opens with the key only: see `download`."""
        root = self._sender.address.api_root
        return root + files_download(execution_id, file_id).path


class Files(_Files[Sync]):
    """Files that runs captured."""

    def download(self, file: FileLink) -> Download:
        """Opens a file. The key is sent to the service alone, never to the storage that it refers to.

        Time limits hold until the first byte, and what breaks off after it is not retried.

            with runhook.files.download(file) as download:
                data = download.read()
        """
        return Download(finish(self._sender.open(_request_for(file))))

    def save(self, file: FileLink, target: str | os.PathLike[str] | BinaryIO) -> None:
        """Saves a file under a path, or to something open for writing.

        A path holds the whole file or what was there before. `file_name` comes from the run: it may be the name of a
        file that you have.
        """
        with self.download(file) as download:
            if not isinstance(target, (str, os.PathLike)):
                for chunk in download:
                    target.write(chunk)
                return
            with _Saved(target) as output:
                for chunk in download:
                    output.write(chunk)


class AsyncFiles(_Files[Async]):
    """Files that runs captured."""

    async def download(self, file: FileLink) -> AsyncDownload:
        """Opens a file. The key is sent to the service alone, never to the storage that it refers to.

        Time limits hold until the first byte, and what breaks off after it is not retried.
        """
        return AsyncDownload(await self._sender.open(_request_for(file)))

    async def save(self, file: FileLink, target: str | os.PathLike[str] | BinaryIO) -> None:
        """Saves a file under a path, or to something open for writing.

        A path holds the whole file or what was there before. `file_name` comes from the run: it may be the name of a
        file that you have.
        """
        async with await self.download(file) as download:
            if not isinstance(target, (str, os.PathLike)):
                async for chunk in download:
                    target.write(chunk)
                return
            with _Saved(target) as output:
                async for chunk in download:
                    output.write(chunk)


class _Saved:
    """Bytes are gathered beside a path and renamed at the end, so that the path never holds half a file."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        if re.search(r"(^|[/\\])\.{0,2}$", os.fsdecode(self._path)) or "\0" in os.fsdecode(self._path):
            raise ValueError("target must be the path of a file, and not of a folder")
        self._unfinished = f"{self._path}.{uuid.uuid4().hex}.part"

    def __enter__(self) -> BinaryIO:
        self._output = open(self._unfinished, "xb")
        return self._output

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._output.close()
            if kind is None:
                os.replace(self._unfinished, self._path)
        finally:
            with suppress(OSError):
                os.remove(self._unfinished)
