"""Programs of a competition are frozen: a digest of their files tells if one was replaced since.

To a program belong the files of its folder, and those that its command names, but for those with a
whole path: they are the system's, and an interpreter may be brought up to date at any time.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from spielwerk.contests.describing.commands import (
    INDEX,
    PLACEHOLDERS,
    command_line,
    files_in,
    reason,
    split,
)
from spielwerk.contests.describing.values import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.contest import Contest, Entrant


def digest(command: str, name: str, base: Path, folder: str) -> str:
    """What a program's files are known by, their names and all that is in them; or Unfit."""
    found = hashlib.sha256()
    try:
        for file, path in sorted(_files(command, name, base, folder)):
            found.update(hashlib.sha256(os.fsencode(file)).digest())
            found.update(_content(path))
    except OSError as error:
        problem = f"a competition knows its programs, but this one cannot be read: {reason(error)}"
        raise Unfit(problem) from None
    return found.hexdigest()


def replaced(contest: Contest) -> list[str]:
    """Whose programs are not those any more that the contest was read with, by name."""
    known = [entrant for entrant in contest.entrants if entrant.digest]
    return [entrant.name for entrant in known if not _is_same(entrant, contest.base or Path())]


def _is_same(entrant: Entrant, base: Path) -> bool:
    try:
        return digest(entrant.text, entrant.name, base, entrant.folder) == entrant.digest
    except Unfit:  # it cannot even be read
        return False


def _files(command: str, name: str, base: Path, folder: str) -> Iterator[tuple[str, Path]]:
    """The files by names that stay when the contest moves as a whole."""
    if folder:
        for path in files_in(Path(folder)):
            yield str(path.relative_to(folder)), path
    known = dict.fromkeys((*PLACEHOLDERS, *INDEX), "") | {"name": name, "folder": str(base)}
    texts = command_line(command, known, None if folder else base)
    for word, text in zip(split(command), texts, strict=True):
        if text.startswith("/") and not word.startswith("/") and Path(text).is_file():
            yield word, Path(text)


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return hashlib.sha256(os.fsencode(path.readlink())).digest()
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
