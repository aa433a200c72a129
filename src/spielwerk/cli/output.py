"""Files that a command writes: a whole new one, or what was there stays there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable

SYSTEM: Final = (Path("/dev"), Path("/proc"))
"""Where names stand for streams, also for those that lead to a file."""


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
        target = Path(os.path.realpath(path))  # a link stays one
        if _can_be_replaced(path, target):
            _replace(target, pieces)
        else:
            _fill(path, "w", pieces)
    except OSError as error:
        raise UsageError(f"cannot write {quote(str(path))}: {error.strerror}") from None


def _can_be_replaced(path: Path, target: Path) -> bool:
    """Whether it is an ordinary file, or none yet, in a folder where we may have another."""
    ordinary = target.is_file() and os.access(target, os.W_OK)
    streams = any(path.absolute().is_relative_to(folder) for folder in SYSTEM)
    return not streams and (ordinary or not target.exists()) and os.access(target.parent, os.W_OK)


def _replace(target: Path, pieces: Iterable[str]) -> None:
    """Write another file beside it, and put that in its place when it is complete."""
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
