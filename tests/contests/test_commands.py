"""Command lines: placeholders, paths, and what stands against running a program."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from spielwerk.contests.commands import (
    check_program,
    checked_folder,
    command_line,
    named_files,
    obstacle,
    plain_words,
)
from spielwerk.contests.keys import Unfit

PLACES = {"host": "127.0.0.1", "port": "4711", "game": "12 34", "player": "1"}


def words(text: str, base: Path | None = None, name: str = "anna") -> list[str]:
    return command_line(text, {"name": name, "folder": "/contest", **PLACES}, base)


def refused(text: str) -> str:
    with pytest.raises(Unfit) as caught:
        words(text)
    return str(caught.value)


# placeholders


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "dicebot -n {name} -p {port} {host}",
            ["dicebot", "-n", "anna", "-p", "4711", "127.0.0.1"],
        ),
        ("client -g {game}", ["client", "-g", "12 34"]),  # it stays one word
        ("client '{{\"port\": {port}}}'", ["client", '{"port": 4711}']),
        (
            "client 'a b' c\\ d \"e f\" $HOME *.py | x > y",
            ["client", "a b", "c d", "e f", "$HOME", "*.py", "|", "x", ">", "y"],
        ),
    ],
)
def test_words_are_split_as_in_a_shell_and_placeholders_filled_in(
    text: str, wanted: list[str]
) -> None:
    assert words(text) == wanted


@pytest.mark.parametrize("name", ["'; rm -rf $HOME", "{port}"])
def test_a_value_is_taken_as_it_is(name: str) -> None:
    assert words("client {name}", name=name) == ["client", name]


@pytest.mark.parametrize("wrong", ["{nane}", "{0}", "{}", "{name!r}", "{port:5}", "{name.x}"])
def test_an_unknown_placeholder_is_refused(wrong: str) -> None:
    assert refused(f"client {wrong}").startswith(f"there is no placeholder '{wrong}'; ")


@pytest.mark.parametrize("wrong", ["{name", "name}", "{na{me}}"])
def test_a_brace_too_few_is_refused_with_advice(wrong: str) -> None:
    assert "{{ or }} for a brace" in refused(f"client {wrong}")


def test_an_open_quote_is_refused() -> None:
    assert refused("client 'a") == "no closing quotation; quotes work as in a shell"
    assert refused("client \\") == "no escaped character; quotes work as in a shell"


# paths


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("bot.py", "anna", "setup.anna", "-p", "client", "run"):
        (tmp_path / name).touch()
    (tmp_path / "data").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("./client", "{}/client"),
        ("bin/client", "{}/bin/client"),
        ("/bin/client", "/bin/client"),
        ("python bot.py data other.py", "python {}/bot.py data other.py"),
        ("sh ./run", "sh {}/run"),
        ("java -jar data/bot", "java -jar {}/data/bot"),
        ("./anna -n {name}", "{}/anna -n anna"),  # a name is no file
        ("client ./setup.{name} setup.{name}", "client {}/setup.anna setup.anna"),
    ],
)
def test_words_that_look_like_files_and_name_one_are_those_files(
    command: str, wanted: str, base: Path
) -> None:
    (base / "data" / "bot").touch()
    assert words(command, base) == [word.format(base) for word in wanted.split()]


def test_plain_words_that_lie_there_as_files_are_known(base: Path) -> None:
    assert plain_words("spielwerk client -g {game} bot.py ./run other {name}", base) == ["client"]
    assert plain_words("anna data -p", base) == []


def test_named_files_are_those_with_a_whole_path(base: Path) -> None:
    file = str(base / "bot.py")
    assert named_files(["python", file, "bot.py", str(base), "/no/such/file"]) == [file]


# what can be run


def script(folder: Path, first: str, mode: int = 0o755) -> Path:
    path = folder / "bot"
    path.write_bytes(first.encode())
    path.chmod(mode)
    return path


def problem(folder: Path, word: str = "./bot", search: str = os.defpath) -> str:
    return obstacle(word, folder, search)


def test_what_is_no_program_is_told(tmp_path: Path) -> None:
    assert problem(tmp_path, "no-such-program") == "there is no such program on the PATH"
    assert problem(tmp_path) == "there is no such file"
    assert problem(tmp_path.parent, f"./{tmp_path.name}") == "it is a folder"
    os.mkfifo(tmp_path / "pipe", 0o755)  # which is not waited for
    assert problem(tmp_path, "./pipe") == "it is not a regular file"
    script(tmp_path, "#!/bin/sh\n", 0o644)
    assert problem(tmp_path) == "it is not executable; try: chmod +x ./bot"


WINDOWS = "its first line has a Windows line ending; save it with Unix line endings"


@pytest.mark.parametrize(
    ("first", "wanted"),
    [
        (
            "/usr/bin/pyhton3 -u\n",
            "its first line asks for '/usr/bin/pyhton3', which does not exist",
        ),
        (
            "\t/usr/bin/pyhton3\t-u\n",
            "its first line asks for '/usr/bin/pyhton3', which does not exist",
        ),
        ("/usr/bin/env pyhton3\n", "its first line asks for 'pyhton3', which does not exist"),
        ("/bin/sh\r\nexit 0\r\n", WINDOWS),
        ("/usr/bin/env sh\r\n", WINDOWS),
        *((f"/usr/bin/env {told}\n", "") for told in ("sh", "  sh ", "-S sh -e", "A=b sh", "")),
    ],
)
def test_what_is_wrong_with_the_first_line_of_a_script_is_told(
    first: str, wanted: str, tmp_path: Path
) -> None:
    script(tmp_path, f"#!{first}")
    assert problem(tmp_path) == wanted
    assert problem(Path("/"), "bot", f"{tmp_path}:{os.defpath}") == wanted


# before anything starts


def unfit(command: str, base: Path, folder: str = "") -> str:
    with pytest.raises(Unfit) as caught:
        check_program(command, "anna", base, folder)
    return str(caught.value)


def test_a_program_is_checked_where_it_will_run(tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/sh\n")
    (tmp_path / "own").mkdir()
    check_program("./bot {port}", "anna", tmp_path, "")
    check_program("{folder}/bot", "anna", tmp_path, str(tmp_path / "own"))
    assert unfit("./bot", tmp_path, str(tmp_path / "own")) == (
        f"'{tmp_path}/own/bot': there is no such file"
    )


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("python3 nothere.py {name} {host} {port}", "nothere.py"),
        ("python3 -u -E ./nothere {port}", "nothere"),
        ("env -i python3 sub/nothere.py", "sub/nothere.py"),
        ("env A=b/c timeout 5 /usr/bin/python3.11 nothere.py", "nothere.py"),
        ("env java -cp data -jar nothere.jar {port}", "nothere.jar"),
        ("sh ./nothere", "nothere"),
        ("sh {folder}/{name}.sh", "anna.sh"),
    ],
)
def test_a_script_that_is_not_there_is_told_before_the_first_game(
    command: str, script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("python3", "python3.11"):
        (tmp_path / program).symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.defpath}")
    assert unfit(command, tmp_path) == f"'{tmp_path}/{script}': there is no such file"
    (tmp_path / "sub").mkdir()
    (tmp_path / script).touch()
    check_program(command, "anna", tmp_path, "")


def test_a_script_is_looked_for_where_it_will_run(tmp_path: Path) -> None:
    (tmp_path / "bot.sh").touch()
    (tmp_path / "own").mkdir()
    assert unfit("sh bot.sh", tmp_path, str(tmp_path / "own")).startswith(f"'{tmp_path}/own/bot.sh")
    assert unfit("sh /no/such.sh", tmp_path) == "'/no/such.sh': there is no such file"
    check_program("sh {folder}/bot.sh", "anna", tmp_path, str(tmp_path / "own"))


@pytest.mark.parametrize(
    "command",
    [
        "sh -c './nothere.sh {port}'",
        "sh -c ./nothere.sh",
        "sh run -t 0.5 --log ./log.txt 127.0.0.1",
        "sh {player}/x.sh",
        "sh",
        "env -C sub sh bot.sh",
        "env --chdir=sub sh bot.sh",
        "env python3 -m bots.anna",
        "env python3 -W ignore no.py",
        "env java -cp lib/none.jar de.example.Bot 0.5",
        "env SPIELWERK_CACHE={folder}/cache spielwerk client --host {host} no.conf",
        "true no.py ./no.sh a/b http://{host}:{port}/x.sh",
    ],
)
def test_words_that_may_be_no_scripts_are_left_alone(command: str, tmp_path: Path) -> None:
    check_program(command, "anna", tmp_path, "")


# folders


def unfit_folder(folder: str, base: Path) -> str:
    with pytest.raises(Unfit) as caught:
        checked_folder(folder, base)
    return str(caught.value)


def test_a_folder_is_known_by_its_whole_path(tmp_path: Path) -> None:
    (tmp_path / "anna").mkdir()
    (tmp_path / "link").symlink_to("anna")
    (tmp_path / "anna" / "loose").symlink_to("nowhere")
    for folder in ("anna", "./anna/", "link", str(tmp_path / "anna")):
        assert checked_folder(folder, tmp_path) == str((tmp_path / "anna").resolve())


def test_what_cannot_be_looked_at_in_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "anna").mkdir()
    file = tmp_path / "anna" / "client"
    file.touch()

    def refuse(path: Path) -> os.stat_result:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "lstat", refuse)
    assert unfit_folder("anna", tmp_path) == f"'{file}': permission denied"
