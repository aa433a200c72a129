"""Files of computed tables: versioned, checksummed, named in every error.

bytes 0..7    b"SPIELWRK"
bytes 8..11   length of the header, little endian
header        JSON: kind, version, what the kind needs, size, and the SHA-256 of all the rest
content       as the kind defines it
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from platformdirs import user_data_path

from spielwerk.errors import SpielwerkError, cause

if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC: Final = b"SPIELWRK"


class TableFileError(SpielwerkError):
    """A table file that is missing, damaged, or of another version."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"table file {self.path}: {self.problem}"


def data_folder() -> Path:
    """Where computed tables are kept: $SPIELWERK_DATA, or the user's data folder."""
    chosen = os.environ.get("SPIELWERK_DATA")
    return Path(chosen) if chosen else user_data_path("spielwerk")


def write_table(
    path: Path, kind: str, version: int, facts: dict[str, Any], content: bytes | memoryview
) -> None:
    """Write the file whole or not at all; TableFileError says why not."""
    told = {"kind": kind, "version": version, **facts, "size": memoryview(content).nbytes}
    header = json.dumps(told | {"sha256": checksum(told, content)}, sort_keys=True).encode()
    try:
        with written_whole(path) as file:
            file.write(MAGIC + len(header).to_bytes(4, "little") + header)
            file.write(content)
    except OSError as error:
        raise TableFileError(path, f"it cannot be written: {cause(error)}") from error


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes its place when all of it is on the disk, or never."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def read_table(path: Path, kind: str, version: int) -> tuple[dict[str, Any], bytes]:
    """The facts and the content of the file, or TableFileError that says what is wrong with it."""
    facts, content = map_table(path, kind, version)
    return facts, bytes(content)


def map_table(
    path: Path, kind: str, version: int, *, checked: bool = True
) -> tuple[dict[str, Any], memoryview]:
    """The same with the content left on the disk; its checksum is read on demand alone."""
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise TableFileError(path, error.strerror or str(error)) from None
    except ValueError:
        raise TableFileError(path, "damaged: it is empty") from None
    header, content = _split(path, data)
    if header.get("kind") != kind:
        raise TableFileError(path, f"it holds {header.get('kind')!r}, not {kind!r}")
    if header.get("version") != version:
        found = header.get("version")
        raise TableFileError(
            path, f"it is of version {found}, not {version}; delete it and solve anew"
        )
    if len(content) != header.get("size"):
        raise TableFileError(path, f"damaged: {len(content)} bytes instead of {header.get('size')}")
    if checked and header.get("sha256") != checksum(header, content):
        raise TableFileError(path, "damaged: the checksum does not agree; delete it and solve anew")
    return header, content


def checksum(header: dict[str, Any], content: bytes | memoryview) -> str:
    """Over what the header tells besides, and the content."""
    told = {key: value for key, value in header.items() if key != "sha256"}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode())
    digest.update(content)
    return digest.hexdigest()


def _split(path: Path, data: memoryview) -> tuple[dict[str, Any], memoryview]:
    end = 12 + int.from_bytes(data[8:12], "little")
    try:
        header = json.loads(bytes(data[12:end]))
    except (ValueError, RecursionError):
        header = None
    if bytes(data[:8]) != MAGIC or not isinstance(header, dict):
        raise TableFileError(path, "it is no table file of Spielwerk, or it is damaged")
    return header, data[end:]
