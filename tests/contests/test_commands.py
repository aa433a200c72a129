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
from spielwerk.contests.values import Unfit

PLACES = {"host": "127.0.0.1", "port": "4711", "game": "12 34", "player": "1"}


def words(text: str, base: Path | None = None, name: str = "anna") -> list[str]:
    return command_line(text, {"name": name, "folder": "/contest", **PLACES}, base)


def refused(text: str) -> str:
    with pytest.raises(Unfit) as caught:
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


def test_a_value_is_not_filled_in_once_more() -> None:
    assert words("client {name}", name="{port}") == ["client", "{port}"]


def test_doubled_braces_are_braces() -> None:
    assert words("client '{{\"port\": {port}}}'") == ["client", '{"port": 4711}']


def test_words_are_split_as_a_shell_does_it_but_nothing_else_is_done() -> None:
    assert words("client 'a b' c\\ d \"e f\" $HOME *.py | x > y") == [
        *("client", "a b", "c d", "e f", "$HOME", "*.py", "|", "x", ">", "y")
    ]


@pytest.mark.parametrize("wrong", ["{nane}", "{0}", "{}", "{name!r}", "{port:5}", "{name.x}"])
def test_an_unknown_placeholder_is_refused(wrong: str) -> None:
    assert refused(f"client {wrong}").startswith(f"there is no placeholder '{wrong}'; ")


@pytest.mark.parametrize("wrong", ["{name", "name}", "{na{me}}"])
def test_a_brace_too_few_is_refused_with_advice(wrong: str) -> None:
    assert "{{ or }} for a brace" in refused(f"client {wrong}")


def test_an_open_quote_is_refused() -> None:
    assert refused("client 'a") == "no closing quotation; quotes go as in a shell"
    assert refused("client \\") == "no escaped character; quotes go as in a shell"


def test_a_zero_character_is_refused() -> None:
    assert refused("client a\0b") == "no word can have a zero character"
    with pytest.raises(Unfit, match="zero character"):
        words("client {name}", name="a\0b")


# paths


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("bot.py", "anna", "setup.anna", "-p", "client", "run"):
        (tmp_path / name).touch()
    (tmp_path / "data").mkdir()
    return tmp_path


def test_a_program_with_a_slash_is_in_the_folder_of_the_description(base: Path) -> None:
    assert words("./client", base) == [f"{base}/client"]
    assert words("bin/client", base) == [f"{base}/bin/client"]
    assert words("/bin/client", base) == ["/bin/client"]


def test_a_word_that_looks_like_a_file_and_names_one_is_that_file(base: Path) -> None:
    assert words("python bot.py data other.py", base) == [
        *("python", f"{base}/bot.py", "data", "other.py")
    ]


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("python3 bot.py", "bot.py"),
        ("java -jar bot.jar", "bot.jar"),
        ("./client -c client.conf", "client.conf"),
        ("sh ./run", "run"),
        ("java -jar data/bot", "data/bot"),
    ],
)
def test_files_are_written_with_a_dot_or_a_slash(command: str, file: str, base: Path) -> None:
    for name in ("bot.jar", "client.conf", "data/bot"):
        (base / name).touch()
    *_, last = words(command, base)
    assert last == f"{base}/{file}"


def test_plain_words_that_lie_there_as_files_are_known(base: Path) -> None:
    assert plain_words("spielwerk client -g {game} bot.py ./run other {name}", base) == ["client"]
    assert plain_words("anna data -p", base) == []


def test_a_name_is_no_file_even_if_there_is_one_of_that_name(base: Path) -> None:
    assert words("./anna -n {name}", base) == [f"{base}/anna", "-n", "anna"]


def test_a_word_with_a_placeholder_is_a_file_if_it_has_a_slash(base: Path) -> None:
    assert words("client ./setup.{name} setup.{name}", base) == [
        *("client", f"{base}/setup.anna", "setup.anna")
    ]


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


def test_a_program_that_is_nowhere(tmp_path: Path) -> None:
    assert problem(tmp_path, "no-such-program") == "there is no such program in the PATH"
    assert problem(tmp_path, "./no-such-program") == "there is no such file"


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    assert problem(tmp_path) == "it is a folder"


def test_a_pipe_is_no_program_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot", 0o755)
    assert problem(tmp_path) == "it is no ordinary file"


def test_a_file_that_is_not_executable(tmp_path: Path) -> None:
    script(tmp_path, "#!/bin/sh\n", 0o644)
    assert problem(tmp_path) == "it is not executable; try: chmod +x ./bot"


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_an_interpreter_that_does_not_exist(blank: str, tmp_path: Path) -> None:
    script(tmp_path, f"#!{blank}/usr/bin/pyhton3{blank}-u\n")
    assert problem(tmp_path) == (
        "its first line names the interpreter '/usr/bin/pyhton3', which does not exist"
    )


@pytest.mark.parametrize("first", ["/bin/sh", "/usr/bin/env sh", "/usr/bin/env\tsh"])
def test_a_script_that_was_written_on_windows(first: str, tmp_path: Path) -> None:
    script(tmp_path, f"#!{first}\r\nexit 0\r\n")
    assert problem(tmp_path) == "its first line ends as on Windows; save it with Unix line ends"


def test_an_interpreter_that_env_does_not_find(tmp_path: Path) -> None:
    script(tmp_path, "#!/usr/bin/env pyhton3\n")
    assert problem(tmp_path) == "its first line asks for 'pyhton3', which is not in the PATH"
    script(tmp_path, "#!/usr/bin/env sh -e\n")  # one word to the kernel
    assert problem(tmp_path) == "its first line asks for 'sh -e', which is not in the PATH"


@pytest.mark.parametrize("told", ["sh", "  sh ", "-S sh -e", "-S sh -e\r", "A=b sh", "/bin/sh", ""])
def test_what_env_can_do_with_its_words_is_left_to_it(told: str, tmp_path: Path) -> None:
    script(tmp_path, f"#!/usr/bin/env {told}\n")
    assert not problem(tmp_path)


def test_a_script_in_the_path_is_looked_into_too(tmp_path: Path) -> None:
    script(tmp_path, "#!/no/such/interpreter\n")
    assert "interpreter '/no/such/interpreter'" in problem(Path("/"), "bot", str(tmp_path))


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
        ("env node nothere.js", "nothere.js"),
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
        "sh --rcfile=no.sh {player}/x.sh",
        "sh -o no.sh",
        "sh",
        "env",
        "env -C sub sh bot.sh",
        "env --chdir=sub sh bot.sh",
        "env -S 'sh bot.sh'",
        "env python3 -m bots.anna",
        "env python3 -c 'import a.b' no.py",
        "env python3 -W ignore no.py",
        "env node ./server",
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


def test_a_folder_in_a_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert unfit_folder("a", tmp_path) in (
        "it is a link that leads round in a circle",
        f"there is no such folder in {tmp_path}",
    )


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
