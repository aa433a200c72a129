"""What `spielwerk contest` says before, beside and after the games: advice that can be followed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spielwerk.cli.contest import app
from spielwerk.cli.contest_running import Wishes, check_programs, going_on, with_doors
from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.store.contest_records import Kind
from spielwerk.tournament.contest import Contest, Entrant
from spielwerk.tournament.describing.description import read
from tests.cli.contests import RANDOM, ContestFolder, description

PROGRAM = 'command = "./bot {port}"'
PLAIN = Wishes(Path("s.toml"), None, None, False, None, None, False, "127.0.0.1", [], False, False)


@pytest.fixture
def folder(tmp_path: Path) -> ContestFolder:
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o755)
    return ContestFolder(tmp_path, description("dice", PROGRAM, RANDOM, RANDOM))


def tell(*words: object) -> None:
    """A command in this process; what it says is on its streams, what it refuses is raised."""
    app(list(map(str, words)), standalone_mode=False)


# the command that goes on


def test_the_command_that_goes_on_is_short_if_nothing_was_wished() -> None:
    assert going_on(PLAIN) == "spielwerk contest resume s.toml"


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"store": "other.db"}, "--store other.db"),
        ({"jobs": 1}, "--jobs 1"),
        ({"sandbox": True}, "--sandbox"),
        ({"cluster": "tcp://192.0.2.7:8786"}, "--cluster tcp://192.0.2.7:8786"),
        ({"port": 0}, "--port 0"),
        ({"no_web": True}, "--no-web"),
        ({"bind": "0.0.0.0"}, "--bind 0.0.0.0"),  # noqa: S104
        ({"doors": ["index=9091", "host=8081"]}, "--door index=9091 --door host=8081"),
        ({"quiet": True, "stay": True}, "--quiet --stay"),
        ({"store": "postgresql://me:secret@h/d"}, "--store 'postgresql://me:***@h/d'"),
    ],
)
def test_the_command_that_goes_on_has_all_that_was_wished(
    wish: dict[str, object], words: str
) -> None:
    wishes = replace(PLAIN, **wish)  # type: ignore[arg-type]
    assert going_on(wishes) == f"spielwerk contest resume s.toml {words}"


# doors


def a_contest(kind: Kind, game: str = "dice") -> Contest:
    return Contest("Spring", game, (Entrant("tom", kind),))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("70000", "--door '70000': 70000 is no port: 0 (any free one) to 65535"),
        ("abc", "--door 'abc': 'abc' is no whole number"),
        ("index=1", "--door 'index=1': write dice=PORT"),
    ],
)
def test_a_door_that_is_none_is_named(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        with_doors([text], a_contest(Kind.OPEN))
    assert str(caught.value) == told


def test_a_door_leads_to_an_open_seat() -> None:
    assert with_doors(["9001"], a_contest(Kind.OPEN)) == {"dice": 9001}
    assert with_doors(["9001"], replace(a_contest(Kind.ENGINE), newcomers=True)) == {"dice": 9001}
    assert with_doors([], a_contest(Kind.ENGINE)) == {}
    with pytest.raises(UsageError, match=r"--door '9001': there are no open seats; leave it out"):
        with_doors(["9001"], a_contest(Kind.ENGINE))


# looking at it later


def test_a_contest_can_be_looked_at_when_its_programs_are_gone(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    tell("new", folder.file)
    (folder.folder / "bot").unlink()
    tell("status", folder.file)
    assert "Spring: 0 of 6 games done" in capsys.readouterr().out
    tell("export", folder.file, "--format", "csv")
    assert capsys.readouterr().out.startswith("number,")
    with pytest.raises(SpielwerkError, match="is not running"):
        tell("jobs", folder.file, "2")
    with pytest.raises(SpielwerkError, match=r"bot': there is no such file"):
        tell("new", folder.file)


@pytest.mark.parametrize(
    "words", [("status",), ("export", "--format", "csv"), ("jobs", "2")], ids=lambda words: words[0]
)
def test_who_looks_too_early_is_told_how_to_begin(
    words: tuple[str, ...], folder: ContestFolder
) -> None:
    verb, *more = words
    with pytest.raises(SpielwerkError) as caught:
        tell(verb, folder.file, *more)
    begin = f"`spielwerk contest new {folder.file}` draws it up"
    assert str(caught.value) == f"store {folder.store}: there is no such file; {begin}"


def test_a_store_in_a_folder_that_is_not_there_is_refused(folder: ContestFolder) -> None:
    nowhere = folder.folder / "nope"
    for store in (f"{nowhere}/x.db", f"sqlite:///{nowhere}/x.db"):
        for verb in ("new", "run"):
            with pytest.raises(UsageError, match=r"--store '.*': there is no folder .*/nope; make"):
                tell(verb, folder.file, "--store", store)
    assert not nowhere.exists()
    other = folder.folder / "other.toml"
    typed = ("--game", "oware", "--entrant", "engine:random", "--entrant", "engine:level=1")
    with pytest.raises(UsageError, match="there is no folder"):
        tell("new", other, *typed, "--store", nowhere / "x.db")
    assert not other.exists()


# remarks


def test_what_has_no_effect_is_said(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    text = folder.file.read_text()
    folder.file.write_text(f'disqualify = ["crash"]\n{text}')
    tell("new", folder.file)
    assert "note: disqualify has no effect in training\n" in capsys.readouterr().err


def test_a_program_that_was_replaced_meanwhile_is_named(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    text = folder.file.read_text()
    folder.file.write_text(f'phase = "competition"\n{text}')
    contest = read(folder.file)
    assert check_programs(contest) == 0
    assert capsys.readouterr().err == ""
    (folder.folder / "bot").write_text("#!/bin/sh\nexit 0\n")
    assert check_programs(contest) == 1
    told = "replaced while the contest was played: the program of 'anna'\n"
    assert capsys.readouterr().err == told
