"""Files that a run captured, for asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import BinaryIO

from .._call.files import FileLink, SavedFile, download_of
from .._call.modes import async_iterate, async_run
from .._generated import requests
from .._http.exchange import Response
from .noun import AsyncNoun


class AsyncDownload:
    """An open file. Iterate over its bytes as they arrive, or `await read()` for all."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type")

    def __aiter__(self) -> AsyncIterator[bytes]:
        return async_iterate(self._response.chunks)

    async def read(self) -> bytes:
        return await async_run(self._response.read())

    def close(self) -> None:
        self._response.close()

    async def __aenter__(self) -> AsyncDownload:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class AsyncFiles(AsyncNoun):
    """Files that runs captured."""

    def url(self, execution_id: str, file_id: str) -> str:
        """The link of a file. It opens with the key only: see `download`."""
        return self._sender.address.api_root + requests.files_download(execution_id, file_id).path

    async def download(self, file: FileLink) -> AsyncDownload:
        """Opens a file. The key is sent to the service alone, never to the storage that it refers to.

        Time limits hold until the first byte, and what breaks off after it is not retried.

            async with await runhook.files.download(file) as download:
                data = await download.read()
        """
        return AsyncDownload(await async_run(self._sender.open(download_of(file))))

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
            with SavedFile(target) as output:
                async for chunk in download:
                    output.write(chunk)
