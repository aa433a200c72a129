"""Commands of players: what is said of those that cannot be run."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from spielwerk.contests.contest import AssignedPlayer
from spielwerk.contests.programs.program import CannotRun, command_line, explained
from spielwerk.store.records import Kind

PLACES = {"host": "127.0.0.1", "port": "4711", "game": "12 34", "player": "1"}


def words(text: str, base: Path | str = "", folder: str = "") -> list[str]:
    player = AssignedPlayer("anna", Kind.COMMAND, text, base=str(base), folder=folder)
    return command_line(player, PLACES)


@pytest.mark.parametrize(
    ("text", "folder", "wanted"),
    [
        ("dicebot -n {name} -p {port} {folder}", "", "dicebot -n anna -p 4711 {}"),
        ("./bot.py bot.py", "", "{}/bot.py {}/bot.py"),
        ("./bot.py bot.py", "own", "./bot.py bot.py"),  # which it finds in its own folder
    ],
)
def test_the_player_and_the_game_fill_in_what_a_command_leaves_open(
    text: str, folder: str, wanted: str, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").touch()
    assert words(text, tmp_path, folder) == [word.format(tmp_path) for word in wanted.split()]


def test_a_command_that_cannot_be_understood_cannot_be_run() -> None:
    with pytest.raises(CannotRun) as caught:
        words("client 'a")
    problem = "no closing quotation; quotes work as in a shell"
    assert (caught.value.command, caught.value.problem) == ("client 'a", problem)


def test_what_is_said_is_one_line() -> None:
    assert str(CannotRun("client 'a", "no closing quotation")) == (
        'cannot run "client \'a": no closing quotation'
    )
    assert str(CannotRun("a\nb", "no")) == "cannot run 'a\\nb': no"


def test_what_the_system_says_is_its_fault_only_if_it_is_in_trouble() -> None:
    error = explained(["./bot"], OSError(errno.E2BIG, "Argument list too long"))
    assert str(error) == "cannot run './bot': argument list too long"
    trouble = OSError(errno.EAGAIN, "Resource temporarily unavailable")
    assert explained(["./bot"], trouble) is trouble
