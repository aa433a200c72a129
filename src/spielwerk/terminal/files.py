"""Saved games on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, cause, quote
from spielwerk.games.record import HEADER, Record

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 16_000_000


class FileError(SpielwerkError):
    """A saved game that cannot be read or written."""


def save(record: Record, path: Path) -> None:
    """Write the game to the file, whole or not at all; only a saved game may be replaced."""
    try:
        target = path.resolve()  # a link stays a link
        if target.exists() and not _is_saved_game(target):
            raise FileError(f"{quote(str(path))} is no saved game; it is not overwritten")
        _write(record.to_text(), target)
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {quote(str(path))}: {_cause(error)}") from None


def load(path: Path) -> Record:
    """Read a game from the file, or raise FileError with the reason."""
    try:
        if path.exists() and not path.is_file():
            raise FileError(f"cannot read {quote(str(path))}: it is no ordinary file")
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise FileError(f"cannot read {quote(str(path))}: more than {LARGEST} bytes")
        return Record.from_text(content.decode())
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read {quote(str(path))}: {_cause(error)}") from None


def _is_saved_game(path: Path) -> bool:
    if not path.is_file():
        return False  # opening a pipe would wait for its other end
    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER.encode()


def _write(text: str, path: Path) -> None:
    """Write beside the file first, so that a full disk leaves the old one as it was."""
    beside = path.with_name(f".spielwerk-{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _cause(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return cause(error)
