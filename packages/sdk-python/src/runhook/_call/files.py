"""The links of files, and where files are saved."""

from __future__ import annotations

import os
import re
import uuid
from contextlib import suppress
from typing import BinaryIO, Protocol

from .._generated.requests import FILES_DOWNLOAD_LINK
from .request import Request


class FileLink(Protocol):
    """A file of an execution, or anything else with its link."""

    @property
    def url(self) -> str: ...


def download_of(file: FileLink) -> Request[None]:
    found = FILES_DOWNLOAD_LINK.search(file.url)
    if found is None:
        raise ValueError("file.url must be the link of a file, as executions show it")
    return Request("GET", found[1], None)


class SavedFile:
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
