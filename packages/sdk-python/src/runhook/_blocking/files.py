"""Files that a run captured, for code that blocks.

Generated from _asyncio/files.py by `npm run generate`: do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO

from .._call.files import FileLink, SavedFile, download_of
from .._call.modes import iterate, run
from .._generated import requests
from .._http.exchange import Response
from .noun import Noun


class Download:
    """An open file. Iterate over its bytes as they arrive, or `read()` for all."""

    def __init__(self, response: Response) -> None:
        self._response = response
        self.content_type = response.headers.get("content-type")

    def __iter__(self) -> Iterator[bytes]:
        return iterate(self._response.chunks)

    def read(self) -> bytes:
        return run(self._response.read())

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Files(Noun):
    """Files that runs captured."""

    def url(self, execution_id: str, file_id: str) -> str:
        """The link of a file. It opens with the key only: see `download`."""
        return self._sender.address.api_root + requests.files_download(execution_id, file_id).path

    def download(self, file: FileLink) -> Download:
        """Opens a file. The key is sent to the service alone, never to the storage that it refers to.

        Time limits hold until the first byte, and what breaks off after it is not retried.

            with runhook.files.download(file) as download:
                data = download.read()
        """
        return Download(run(self._sender.open(download_of(file))))

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
            with SavedFile(target) as output:
                for chunk in download:
                    output.write(chunk)
