"""Command lines: placeholders, paths, and what is said of commands that cannot be run."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from spielwerk.runners.assignment import Player
from spielwerk.runners.commands import (
    CannotRun,
    check,
    command_line,
    explained,
    named_files,
)
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from pathlib import Path

PLACES = {"host": "127.0.0.1", "port": "4711", "game": "12 34", "player": "1"}


def words(text: str, base: Path | str = "", folder: str = "", name: str = "anna") -> list[str]:
    player = Player(name, Kind.COMMAND, text, base=str(base), folder=folder)
    return command_line(player, PLACES)


def refused(text: str) -> str:
    with pytest.raises(CannotRun) as caught:
        words(text)
    return str(caught.value)


# placeholders


def test_placeholders_are_filled_in() -> None:
    assert words("dicebot -n {name} -p {port} {host}") == [
        *("dicebot", "-n", "anna", "-p", "4711", "127.0.0.1")
    ]


def test_a_value_stays_one_word_whatever_is_in_it() -> None:
    assert words("client -g {game}") == ["client", "-g", "12 34"]
    assert words("client {name}", name="'; rm -rf $HOME") == ["client", "'; rm -rf $HOME"]


def test_a_placeholder_may_be_a_part_of_a_word() -> None:
    assert words("client --at={host}:{port}") == ["client", "--at=127.0.0.1:4711"]


def test_a_value_is_not_filled_in_once_more() -> None:
    assert words("client {name}", name="{port}") == ["client", "{port}"]


def test_doubled_braces_are_braces() -> None:
    assert words("client '{{\"port\": {port}}}'") == ["client", '{"port": 4711}']


def test_words_are_split_as_a_shell_does_it_but_nothing_else_is_done() -> None:
    assert words("client 'a b' c\\ d \"e f\" $HOME *.py | x > y") == [
        *("client", "a b", "c d", "e f", "$HOME", "*.py", "|", "x", ">", "y")
    ]


def test_the_folder_of_the_description_has_a_placeholder() -> None:
    assert words("java -cp {folder}/bots Bot", "/contest") == [
        *("java", "-cp", "/contest/bots", "Bot")
    ]


@pytest.mark.parametrize("wrong", ["{nane}", "{0}", "{}", "{name!r}", "{port:5}", "{name.x}"])
def test_an_unknown_placeholder_is_refused_and_the_known_ones_named(wrong: str) -> None:
    said = refused(f"client {wrong}")
    assert wrong in said
    assert "only {folder}, {game}, {host}, {name}, {player}, {port}" in said


@pytest.mark.parametrize("wrong", ["{name", "name}", "{na{me}}"])
def test_a_brace_too_few_is_refused_with_advice(wrong: str) -> None:
    assert "{{ or }} for a brace" in refused(f"client {wrong}")


def test_an_open_quote_is_refused() -> None:
    assert refused("client 'a") == (
        'cannot run "client \'a": no closing quotation; quotes go as in a shell'
    )


@pytest.mark.parametrize("nothing", ["", "   ", "''"])
def test_no_command_is_refused(nothing: str) -> None:
    assert "there is no command" in refused(nothing)


def test_a_zero_character_is_refused() -> None:
    assert "zero character" in refused("client a\0b")
    with pytest.raises(CannotRun, match="zero character"):
        words("client {name}", name="a\0b")


# paths


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("bot.py", "anna", "setup.anna", "-p"):
        (tmp_path / name).touch()
    (tmp_path / "data").mkdir()
    return tmp_path


def test_a_program_with_a_slash_is_in_the_folder_of_the_description(base: Path) -> None:
    assert words("./client", base) == [f"{base}/client"]
    assert words("bin/client", base) == [f"{base}/bin/client"]
    assert words("/bin/client", base) == ["/bin/client"]


def test_a_program_without_a_slash_is_looked_for_elsewhere(base: Path) -> None:
    assert words("anna", base) == ["anna"]


def test_a_word_that_names_a_file_is_that_file(base: Path) -> None:
    assert words("python bot.py data other.py", base) == [
        *("python", f"{base}/bot.py", "data", "other.py")
    ]


def test_a_name_is_no_file_even_if_there_is_one_of_that_name(base: Path) -> None:
    assert words("./anna -n {name}", base) == [f"{base}/anna", "-n", "anna"]


def test_a_word_with_a_placeholder_is_a_file_if_it_has_a_slash(base: Path) -> None:
    assert words("client ./setup.{name} setup.{name}", base) == [
        *("client", f"{base}/setup.anna", "setup.anna")
    ]


def test_with_a_folder_of_its_own_words_stay_as_they_are(base: Path) -> None:
    assert words("./bot.py bot.py", base, folder=str(base)) == ["./bot.py", "bot.py"]


def test_words_that_are_no_paths_at_all_do_no_harm(base: Path) -> None:
    long = "x" * 5000
    assert words(f"client {long} ''", base) == ["client", long, ""]


def test_named_files_are_those_with_a_whole_path(base: Path) -> None:
    file = str(base / "bot.py")
    assert named_files(["python", file, "bot.py", str(base), "/no/such/file"]) == [file]


# what can be executed


def problem(word: str, folder: Path) -> str:
    with pytest.raises(CannotRun) as caught:
        check([word], folder, os.defpath)
    return caught.value.problem


def script(folder: Path, first: str, mode: int = 0o755) -> Path:
    path = folder / "bot"
    path.write_bytes(first.encode())
    path.chmod(mode)
    return path


def test_what_can_be_executed_passes(tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/sh\nexit 0\n")
    check(["./bot"], tmp_path, os.defpath)
    check(["sh"], tmp_path, os.defpath)
    check(["/bin/sh"], tmp_path, os.defpath)


def test_a_program_that_is_nowhere(tmp_path: Path) -> None:
    assert problem("no-such-program", tmp_path) == "there is no such program in the PATH"
    assert problem("./no-such-program", tmp_path) == "there is no such file"


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    assert problem("./bot", tmp_path) == "it is a folder"


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/sh\n", 0o644)
    assert problem("./bot", tmp_path) == "it is not executable; try: chmod +x bot"


def test_an_interpreter_that_does_not_exist(tmp_path: Path) -> None:
    script(tmp_path, "#! /usr/bin/pyhton3 -u\n")
    assert problem("./bot", tmp_path) == (
        "its first line names the interpreter '/usr/bin/pyhton3', which does not exist"
    )


def test_a_script_that_was_written_on_windows(tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/sh\r\nexit 0\r\n")
    assert "save it with Unix line ends" in problem("./bot", tmp_path)


def test_the_name_of_a_program_is_too_long(tmp_path: Path) -> None:
    assert problem("./" + "x" * 300, tmp_path) == "file name too long"


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
