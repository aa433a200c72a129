"""Command lines of entrants: split like a shell would, with placeholders, never run by a shell."""

from __future__ import annotations

import os
import shlex
import shutil
import string
from pathlib import Path
from typing import Final

from spielwerk.errors import quote
from spielwerk.tournament.naming import likely
from spielwerk.tournament.values import Unfit, sized

PLACEHOLDERS: Final = ("host", "port", "game", "player", "name", "folder")
INDEX: Final = ("index_host", "index_port")  # where Connect Four programs find games

LARGEST_FOLDER: Final = 64_000_000  # bytes, copied for every game
LONGEST: Final = 4096  # characters of a command line


def split(command: str) -> list[str]:
    """The words of a command line, placeholders as they stand; or Unfit."""
    if not command.isprintable() or len(command) > LONGEST:
        raise Unfit(f"a command is one line of at most {LONGEST} characters")
    try:
        words = shlex.split(command)
    except ValueError:
        raise Unfit("a quotation mark or backslash has no counterpart") from None
    if not words or not words[0]:
        raise Unfit("it names no program")
    return words


def check_placeholders(command: str, game: str) -> None:
    """Raise Unfit if the command has placeholders that nothing is filled in for."""
    known = [*PLACEHOLDERS, *INDEX] if game == "connect4" else PLACEHOLDERS
    for name in (name for word in split(command) for name in placeholders(word)):
        if name in INDEX and name not in known:
            raise Unfit(f"only Connect Four has an index server and so {{{name}}}")
        if name not in known:
            raise Unfit(f"there is no placeholder {{{name}}}; {likely(name, known)}")


def placeholders(word: str) -> list[str]:
    """What stands in braces, or Unfit."""
    try:
        parts = list(string.Formatter().parse(word))
    except ValueError:
        raise Unfit(f"{quote(word)}: write {{{{ and }}}} for braces that mean themselves") from None
    return [_name(*part[1:]) for part in parts if part[1] is not None]


def _name(name: str | None, form: str | None, conversion: str | None) -> str:
    """All that stands between the braces: nothing but a name is allowed there."""
    return f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"


def check_program(command: str, name: str, base: Path, folder: str) -> None:
    """Raise Unfit unless the command's program is there and can be run."""
    first = split(command)[0]
    if set(placeholders(first)) - {"folder", "name"}:
        raise Unfit("the first word is the program; only {folder} and {name} can stand in it")
    word = first.format(folder=base, name=name)
    if "/" in word:
        _check_file(Path(folder or base, word), word)
    elif shutil.which(word) is None:
        here = Path(folder or base, word).exists()
        hint = f"write ./{word} for the one here" if here else "install it, or write its path"
        raise Unfit(f"there is no program {quote(word)} on the PATH; {hint}")


def _check_file(path: Path, word: str) -> None:
    if not path.exists():
        raise Unfit(f"there is no program {quote(word)} in {path.parent}")
    if path.is_dir():
        raise Unfit(f"{quote(word)} is a folder, not a program")
    if not os.access(path, os.X_OK):
        raise Unfit(f"{quote(word)} is not executable; try chmod +x {shlex.quote(str(path))}")


def checked_folder(folder: str, base: Path) -> str:
    """The folder's whole path, or Unfit if it is none or too large to be copied for every game."""
    path = Path(base, folder).resolve()
    if not path.is_dir():
        raise Unfit(f"there is no such folder in {base}")
    size = 0
    for parent, _, files in os.walk(path):
        size += sum(Path(parent, file).lstat().st_size for file in files)
        if size > LARGEST_FOLDER:
            most = sized(LARGEST_FOLDER)
            raise Unfit(f"it is larger than {most} and copied for every game; take out some files")
    return str(path)
