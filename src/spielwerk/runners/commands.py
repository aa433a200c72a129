"""Command lines of entrants: placeholders are filled in, files found, and mistakes told at once."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spielwerk.runners.assignment import Player

_SHEBANG: Final = b"#!"
_FIRST_LINE: Final = 256  # bytes; the kernel reads no more of it
_ITS_FAULT: Final = (
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG,
    errno.E2BIG, errno.ETXTBSY,
)  # fmt: skip


class CannotRun(SpielwerkError):
    """A command that cannot be carried out, and why."""

    def __init__(self, command: str, problem: str) -> None:
        super().__init__(command, problem)
        self.command = command
        self.problem = problem

    def __str__(self) -> str:
        return f"cannot run {quote(self.command)}: {self.problem}"


def command_line(player: Player, places: Mapping[str, str]) -> list[str]:
    """The words of a player's command, with every placeholder filled in.

    `{name}` and `{folder}` are the player's own, all others come from `places`. Without a folder of
    the player's own, the first word is looked for in the folder of the description if it has a
    slash, and so are other words that name a file there. A word with a placeholder counts as a path
    only if it has a slash: `{name}` may well be the name of a file, but does not mean it.
    """
    known = {"name": player.name, "folder": player.base, **places}
    words = _split(player.text)
    filled = [_fill(player.text, word, known) for word in words]
    if any("\0" in word for word in filled):
        raise CannotRun(player.text, "no word can have a zero character")
    if player.folder:
        return filled
    base = Path(player.base)
    pairs = zip(words[1:], filled[1:], strict=True)
    return [_program(base, filled[0]), *(_argument(base, word, text) for word, text in pairs)]


def _split(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CannotRun(text, f"{str(error).lower()}; quotes go as in a shell") from None
    if not words or not words[0]:
        raise CannotRun(text, "there is no command")
    return words


def _fill(text: str, word: str, known: Mapping[str, str]) -> str:
    try:
        pieces = list(Formatter().parse(word))
    except ValueError as error:
        problem = f"{str(error).lower()}; write {{{{ or }}}} for a brace"
        raise CannotRun(text, problem) from None
    return "".join(_piece(text, known, *piece) for piece in pieces)


def _piece(
    text: str,
    known: Mapping[str, str],
    literal: str,
    name: str | None,
    form: str | None,
    conversion: str | None,
) -> str:
    if name is None:
        return literal
    if form or conversion or name not in known:
        wrong = f"{{{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}}}"
        there = ", ".join(f"{{{one}}}" for one in sorted(known))
        raise CannotRun(text, f"there is no placeholder {quote(wrong)} here, only {there}")
    return literal + known[name]


def _program(base: Path, word: str) -> str:
    return str(base / word) if "/" in word else word


def _argument(base: Path, word: str, text: str) -> str:
    is_path = "/" in word or "{" not in word
    return str(base / text) if is_path and text and _is_file(base / text) else text


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, for instance
        return False


def named_files(words: Sequence[str]) -> list[str]:
    """The words that name files by their whole path: what a program needs to see of the system."""
    return [word for word in words if word.startswith("/") and _is_file(Path(word))]


def check(command: Sequence[str], folder: Path, search: str) -> None:
    """Raise CannotRun if the first word, in this folder and search path, is not to be executed."""
    word = command[0]
    if "/" not in word:
        if not shutil.which(word, path=search):
            raise CannotRun(word, "there is no such program in the PATH")
        return
    if problem := _problem(folder / word):
        raise CannotRun(word, problem)


def _problem(path: Path) -> str:
    """What stands against executing this file; empty if nothing does."""
    try:
        if not path.exists():
            return "there is no such file"
        if path.is_dir():
            return "it is a folder"
        if not os.access(path, os.X_OK):
            return f"it is not executable; try: chmod +x {shlex.quote(path.name)}"
        return _script_problem(path)
    except OSError as error:
        return (error.strerror or str(error)).lower()


def _script_problem(path: Path) -> str:
    """What is wrong with the first line of a script; nothing, if it is none or cannot be read."""
    if not os.access(path, os.R_OK):
        return ""
    with path.open("rb") as file:
        first = file.readline(_FIRST_LINE)
    if not first.startswith(_SHEBANG):
        return ""
    interpreter = (
        first.removeprefix(_SHEBANG).strip(b" \t\n").split(b" ")[0].decode(errors="replace")
    )
    if interpreter.endswith("\r"):
        return "its first line ends as on Windows; save it with Unix line ends"
    if not Path(interpreter).exists():
        return f"its first line names the interpreter {quote(interpreter)}, which does not exist"
    return ""


def explained(command: Sequence[str], error: OSError) -> Exception:
    """What to say of a start that failed in spite of the check; our own fault stays as it is."""
    if error.errno == errno.ENOEXEC:
        return CannotRun(command[0], "it is neither a program nor a script that begins with #!")
    if error.errno in _ITS_FAULT:
        return CannotRun(command[0], os.strerror(error.errno).lower())
    return error
