"""Builds the wheel and the source distribution, with the standard library alone (PEP 517 and 660).

`pip` calls it by `pyproject.toml`. By hand: `python backend.py <folder>`. The same sources give the same bytes.
"""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import re
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip archive can name."""


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    modules = {path.relative_to(HOME / "src").as_posix(): path.read_bytes() for path in _sources()}
    return _wheel(wheel_directory, modules)


def build_editable(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """A wheel that leads to the sources."""
    return _wheel(wheel_directory, {"runhook.pth": f"{HOME / 'src'}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    root = f"runhook-{_project()['version']}"
    own = [HOME / name for name in ("README.md", "backend.py", "pyproject.toml")]
    files = {path.relative_to(HOME).as_posix(): path.read_bytes() for path in [*own, *_sources()]}
    files |= {"PKG-INFO": _metadata().encode(), "LICENSE": _licence()}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{root}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    name = f"{root}.tar.gz"
    # In the form of gzip, without a time.
    squeezer = zlib.compressobj(9, zlib.DEFLATED, 31)
    Path(sdist_directory, name).write_bytes(squeezer.compress(packed.getvalue()) + squeezer.flush())
    return name


def _sources() -> list[Path]:
    files = (HOME / "src").rglob("*")
    return sorted(path for path in files if path.suffix == ".py" or path.name == "py.typed")


def _licence() -> bytes:
    """That of the repository; the source distribution has its copy beside."""
    beside = HOME / "LICENSE"
    return (beside if beside.exists() else HOME.parents[1] / "LICENSE").read_bytes()


def _project() -> dict[str, Any]:
    """The table `[project]`. Its values are written so that Python reads them too: 3.10 has no reader of TOML."""
    text = (HOME / "pyproject.toml").read_text()
    table = text.split("[project]\n")[1].split("\n[")[0]
    pairs = re.findall(r"^([\w-]+) = (\[[^\]]*\]|.*)$", table, re.MULTILINE)
    project = {name: ast.literal_eval(value) for name, value in pairs}
    [version] = re.findall(r'^VERSION = "(.+)"$', (HOME / "src/runhook/_version.py").read_text(), re.MULTILINE)
    return {**project, "version": version}


def _metadata() -> str:
    project = _project()
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", project["version"]),
        ("Summary", project["description"]),
        ("License-Expression", project["license"]),
        ("License-File", "LICENSE"),
        *[("Classifier", classifier) for classifier in project["classifiers"]],
        ("Requires-Python", project["requires-python"]),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return f"{head}\n{(HOME / project['readme']).read_text()}"


def _wheel(directory: str, files: dict[str, bytes]) -> str:
    version = _project()["version"]
    about = f"runhook-{version}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: runhook\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {
        **dict(sorted(files.items())),
        f"{about}/METADATA": _metadata().encode(),
        f"{about}/WHEEL": wheel.encode(),
        f"{about}/licenses/LICENSE": _licence(),
    }
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    files[f"{about}/RECORD"] = "".join([*lines, f"{about}/RECORD,,\n"]).encode()
    name = f"runhook-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return name


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    for build in (build_wheel, build_sdist):
        print(build(sys.argv[1]))
