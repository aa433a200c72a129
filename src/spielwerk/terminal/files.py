"""Files that commands write: a whole new one, or what was there stays there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, UsageError, cause, quote
from spielwerk.games.record import HEADER, Record

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST: Final = 16_000_000  # bytes of a saved game
SYSTEM: Final = (Path("/dev"), Path("/proc"))
"""Where names stand for streams, also for those that lead to a file."""


class FileError(SpielwerkError):
    """A saved game that cannot be read or written."""


def save(record: Record, path: Path) -> None:
    """Write the game to the file, whole or not at all; only a saved game may be replaced."""
    try:
        if path.exists() and not _is_saved_game(path):
            raise FileError(f"{quote(str(path))} is not a saved game and will not be overwritten")
        _replace(path, [record.to_text()])
    except (OSError, ValueError) as error:
        raise FileError(f"cannot write {quote(str(path))}: {_cause(error)}") from None


def load(path: Path) -> Record:
    """Read a game from the file, or raise FileError with the reason."""
    try:
        if path.exists() and not path.is_file():
            raise FileError(f"cannot read {quote(str(path))}: it is not a regular file")
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


def _cause(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return cause(error)


# what a command is asked to write


def check_spared(path: Path, *kept: Path) -> None:
    """Raise UsageError if what is written to the path would destroy one of these files."""
    for file in kept:
        both = path.exists() and file.exists()
        if os.path.realpath(path) == os.path.realpath(file) or (both and path.samefile(file)):
            problem = "the contest itself is kept there; name another file"
            raise UsageError(f"--output {quote(str(path))}: {problem}")


def write(path: Path, pieces: Iterable[str]) -> None:
    """Write the pieces to the file, or raise UsageError."""
    try:
        if _can_be_replaced(path):
            _replace(path, pieces)
        else:
            _fill(path, "w", pieces)
    except OSError as error:
        raise UsageError(f"cannot write {quote(str(path))}: {error.strerror}") from None


def _can_be_replaced(path: Path) -> bool:
    """Whether it is an ordinary file, or none yet, in a folder where we may have another."""
    target = Path(os.path.realpath(path))
    ordinary = target.is_file() and os.access(target, os.W_OK)
    streams = any(path.absolute().is_relative_to(folder) for folder in SYSTEM)
    return not streams and (ordinary or not target.exists()) and os.access(target.parent, os.W_OK)


def _replace(path: Path, pieces: Iterable[str]) -> None:
    """Write another file beside it, and put that in its place when it is complete."""
    target = Path(os.path.realpath(path))  # a link stays a link
    fragment = target.with_name(f".spielwerk-{token_hex(8)}")
    try:
        _fill(fragment, "x", pieces)
        if target.exists():
            shutil.copymode(target, fragment)
        fragment.replace(target)
    except BaseException:  # Ctrl-C, too
        fragment.unlink(missing_ok=True)
        raise


def _fill(path: Path, mode: str, pieces: Iterable[str]) -> None:
    with path.open(mode, encoding="utf-8", newline="") as file:
        file.writelines(pieces)
