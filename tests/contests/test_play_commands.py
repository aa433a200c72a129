"""Commands of players: what is said of those that cannot be run."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from spielwerk.contests.contest import AssignedPlayer
from spielwerk.contests.programs.program import CannotRun, command_line, explained
from spielwerk.store.records import Kind

PLACES = {"host": "127.0.0.1", "port": "4711", "game": "12 34", "player": "1"}


def words(text: str, base: Path | str = "", folder: str = "", name: str = "anna") -> list[str]:
    player = AssignedPlayer(name, Kind.COMMAND, text, base=str(base), folder=folder)
    return command_line(player, PLACES)


# command lines


def test_the_player_and_the_game_fill_in_the_placeholders() -> None:
    assert words("dicebot -n {name} -p {port} {host} {folder}", "/contest") == [
        *("dicebot", "-n", "anna", "-p", "4711", "127.0.0.1", "/contest")
    ]


def test_words_that_name_files_are_those_beside_the_description(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    assert words("./bot.py bot.py", tmp_path) == [f"{tmp_path}/bot.py"] * 2


def test_with_a_folder_of_its_own_words_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    assert words("./bot.py bot.py", tmp_path, folder=str(tmp_path)) == ["./bot.py", "bot.py"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("client 'a", "no closing quotation; quotes go as in a shell"),
        ("''", "there is no command"),
        ("client {nane}", "there is no placeholder '{nane}'; did you mean name?"),
        ("client }", "a brace in '}' has no counterpart; write {{ or }} for a brace"),
    ],
)
def test_a_command_that_cannot_be_understood_cannot_be_run(text: str, problem: str) -> None:
    with pytest.raises(CannotRun) as caught:
        words(text)
    assert (caught.value.command, caught.value.problem) == (text, problem)


def test_what_is_said_is_one_line() -> None:
    assert str(CannotRun("client 'a", "no closing quotation")) == (
        'cannot run "client \'a": no closing quotation'
    )
    assert str(CannotRun("a\nb", "no")) == "cannot run 'a\\nb': no"


# what the system says


def test_a_file_that_is_no_program() -> None:
    error = explained(["./bot"], OSError(errno.ENOEXEC, "Exec format error"))
    assert str(error) == (
        "cannot run './bot': it is neither a program nor a script that begins with #!"
    )


def test_a_command_line_that_is_too_long_is_its_own_fault() -> None:
    error = explained(["./bot"], OSError(errno.E2BIG, "Argument list too long"))
    assert str(error) == "cannot run './bot': argument list too long"


def test_a_system_without_processes_is_not() -> None:
    error = OSError(errno.EAGAIN, "Resource temporarily unavailable")
    assert explained(["./bot"], error) is error
