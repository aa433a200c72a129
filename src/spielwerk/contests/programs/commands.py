"""Commands of players at the moment when they are to be carried out, and what is said if not.

What can be known of a command line without starting anything is in
`spielwerk.contests.commands`.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spielwerk.contests import commands
from spielwerk.contests.values import Unfit
from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spielwerk.contests.assignment import Player

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
    """The words of a player's command, with every placeholder filled in, or CannotRun.

    `{name}` and `{folder}` are the player's own, all others come from `places`. A player with a
    folder runs in a copy of that one, so its words stay as they are.
    """
    known = {"name": player.name, "folder": player.base, **places}
    try:
        return commands.command_line(
            player.text, known, None if player.folder else Path(player.base)
        )
    except Unfit as unfit:
        raise CannotRun(player.text, str(unfit)) from None


def check(command: Sequence[str], folder: Path, search: str) -> None:
    """Raise CannotRun if the first word, in this folder and search path, is not to be executed."""
    if problem := commands.obstacle(command[0], folder, search):
        raise CannotRun(command[0], problem)


def explained(command: Sequence[str], error: OSError) -> Exception:
    """What to say of a start that failed in spite of the check; our own fault stays as it is."""
    if error.errno == errno.ENOEXEC:
        return CannotRun(command[0], "it is neither a program nor a script that begins with #!")
    if error.errno in _ITS_FAULT:
        return CannotRun(command[0], commands.reason(error))
    return error
