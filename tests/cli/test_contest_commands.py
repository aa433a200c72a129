"""What `spielwerk contest` says before, beside and after the games: advice that can be followed."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app import process
from spielwerk.app.contest import ContestVerdict, Plan
from spielwerk.cli import contest_run, contest_status
from spielwerk.cli.contest import app
from spielwerk.cli.contest_run import RunOptions, compile_engine, going_on, with_doors
from spielwerk.contests import stored
from spielwerk.contests.contest import Contest, ContestError, Entrant
from spielwerk.contests.description import read
from spielwerk.contests.schedule import Ladder
from spielwerk.engines import compiled, warm
from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.store.contests import note_replaced
from spielwerk.store.opening import open_store
from spielwerk.store.records import Begun, Kind, Scheduled
from spielwerk.store.scheduling import ScheduleWriter
from tests.cli.contests import RANDOM, ContestFolder, description

PROGRAM = 'command = "./bot {port}"'
PLAIN = RunOptions(Path("s.toml"), None, Plan("s.db"))


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
        ({"sandbox": True}, "--sandbox"),
        ({"doors": ["index=9091", "host=8081"]}, "--door index=9091 --door host=8081"),
        ({"quiet": True, "plan": Plan("s.db", stay=True)}, "--quiet --stay"),
        ({"store": "postgresql://me:secret@h/d"}, "--store 'postgresql://me:***@h/d'"),
        ({"plan": Plan("s.db", jobs=1)}, "--jobs 1"),
        ({"plan": Plan("s.db", cluster="local")}, "--cluster local"),
        ({"plan": Plan("s.db", port=0)}, "--port 0"),
        ({"plan": Plan("s.db", web=False)}, "--no-web"),
        ({"plan": Plan("s.db", bind="0.0.0.0")}, "--bind 0.0.0.0"),  # noqa: S104
    ],
)
def test_the_command_that_goes_on_has_all_that_was_wished(wish: dict[str, Any], words: str) -> None:
    assert going_on(replace(PLAIN, **wish)) == f"spielwerk contest resume s.toml {words}"


# doors


def a_contest(kind: Kind, game: str = "dice") -> Contest:
    return Contest("Spring", game, (Entrant("tom", kind),))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("70000", "--door '70000': 70000 is not a port: expected 0 (any free one) to 65535"),
        ("abc", "--door 'abc': 'abc' is not a whole number"),
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


def test_whoever_waits_for_many_games_is_told_why(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_run, "MANY", 6)
    said = "Drawing up 6 games: this takes a while ..."
    for first in (True, False):  # afterwards they are there
        tell("new", folder.file)
        assert (said in capsys.readouterr().err) == first


def test_an_export_knows_whether_somebody_plays(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    tell("new", folder.file)
    with open_store(folder.store) as store:
        ScheduleWriter(store).write([Begun("spring", 0, 1)])
        capsys.readouterr()
        tell("export", folder.file, "--format", "csv")
        assert ",running," in capsys.readouterr().out
    tell("export", folder.file, "--format", "csv")
    assert ",running," not in capsys.readouterr().out


@pytest.mark.parametrize("ending", [".toml", ".db", ".db-wal", ".db.lock"])
def test_an_export_does_not_destroy_what_it_is_made_of(folder: ContestFolder, ending: str) -> None:
    tell("new", folder.file)
    target = folder.file.with_suffix(ending)
    with pytest.raises(UsageError, match="the contest itself is kept there; name another file"):
        tell("export", folder.file, "--format", "csv", "--output", target)
    tell("status", folder.file)


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
    refusal = r"--store '.*': there is no folder .*/nope; create"
    for store in (f"{nowhere}/x.db", f"sqlite:///{nowhere}/x.db"):
        for verb in ("new", "run"):
            with pytest.raises(UsageError, match=refusal):
                tell(verb, folder.file, "--store", store)
    assert not nowhere.exists()
    other = folder.folder / "other.toml"
    typed = ("--game", "oware", "--entrant", "engine:random", "--entrant", "engine:level=1")
    with pytest.raises(UsageError, match="there is no folder"):
        tell("new", other, *typed, "--store", nowhere / "x.db")
    assert not other.exists()


# drawing it up


@pytest.mark.parametrize(
    ("rounds", "told"),
    [(5, "about 10 games"), (4, "about 8 games"), (0, "games as long as it runs")],
)
def test_how_many_games_a_ladder_will_have_is_said(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str], rounds: int, told: str
) -> None:
    top = 'format = "ladder"'
    folder.file.write_text(description("oware", RANDOM, RANDOM, rounds=rounds, top=top))
    for _ in range(2):
        tell("new", folder.file)
        assert capsys.readouterr().out.startswith(f"Spring: oware, 2 entrants, {told}\n")


@pytest.mark.parametrize(
    ("wished", "now", "told"),
    [
        (4, 4, "4 games at once"),
        (0, 0, "held: 0 games at once"),
        (4, 0, "waiting for a worker of the cluster"),
    ],
)
def test_how_many_games_are_played_at_once_is_said(
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wished: int,
    now: int,
    told: str,
) -> None:
    tell("new", folder.file)
    capsys.readouterr()
    monkeypatch.setattr(stored, "tell_jobs", lambda *_: now)
    tell("jobs", folder.file, wished)
    assert capsys.readouterr().out == f"Spring: {told}\n"


# remarks


def test_what_has_no_effect_is_said(
    folder: ContestFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    text = folder.file.read_text()
    folder.file.write_text(f'disqualify = ["crash"]\n{text}')
    tell("new", folder.file)
    assert "note: disqualify has no effect in training\n" in capsys.readouterr().err


# engines


def test_engines_are_compiled_before_the_first_game_and_that_is_said(
    folder: ContestFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made: list[str] = []
    monkeypatch.setattr(compiled, "is_compiled", lambda _source: False)
    monkeypatch.setattr(warm, "compile_elsewhere", lambda game: made.append(game.name))
    compile_engine(read(folder.file))  # one that moves at random needs no kernels
    assert made == []
    folder.file.write_text(description("dice", PROGRAM, RANDOM, 'engine = "level=3"'))
    compile_engine(read(folder.file))
    assert made == ["dice"]
    told = "Compiling the dice engine: this happens once and takes a while ...\n"
    assert capsys.readouterr().err == told


def test_whoever_stops_while_engines_are_compiled_does_not_wait(
    folder: ContestFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()
    monkeypatch.setattr(compiled, "is_compiled", lambda _source: False)
    monkeypatch.setattr(warm, "compile_elsewhere", lambda _game: never.wait(60))
    folder.file.write_text(description("dice", PROGRAM, RANDOM, 'engine = "level=3"'))
    with pytest.raises(KeyboardInterrupt):
        compile_engine(read(folder.file), lambda: True)
    never.set()


# how it ends


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The exit codes of contests, which end here and not the process."""
    left: list[int] = []
    monkeypatch.setattr(process, "leave", left.append)
    return left


def test_whoever_cannot_wait_for_the_standings_is_told_how_to_go_on(
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: list[int],
) -> None:
    stopped = ContestVerdict(done=1, left=5, failed=0, stopped=True)

    def slow(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)

    monkeypatch.setattr(contest_run, "_host", lambda *_, **__: stopped)
    monkeypatch.setattr(contest_status, "ranking_in", slow)
    tell("run", folder.file)
    assert ended == [1]
    assert capsys.readouterr().err.splitlines() == [
        f"standings: spielwerk contest status {folder.file}",
        "stopped: 1 of 6 games are done",
        f"continue with: spielwerk contest resume {folder.file}",
    ]


def test_a_ladder_without_end_is_not_so_many_of_so_many(
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: list[int],
) -> None:
    stopped = ContestVerdict(done=35, left=7, failed=0, stopped=True)
    monkeypatch.setattr(contest_run, "_host", lambda *_, **__: stopped)
    folder.file.write_text(description("oware", RANDOM, RANDOM, rounds=0, top='format = "ladder"'))
    tell("run", folder.file)
    assert ended == [1]
    assert "stopped: 35 games are done\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rounds", "code", "told"),
    [
        (1, 0, ""),
        (
            2,
            1,
            "stopped: 2 of about 4 games are done\ncontinue with: spielwerk contest resume {}\n",
        ),
    ],
)
def test_a_ladder_that_would_go_on_has_been_stopped(
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: list[int],
    rounds: int,
    code: int,
    told: str,
) -> None:
    """The first meeting was drawn up, and all its games were played."""
    text = description("oware", RANDOM, RANDOM, rounds=rounds, top='format = "ladder"')
    folder.file.write_text(text)
    tell("new", folder.file)
    capsys.readouterr()
    met = Ladder(read(folder.file), "spring").next_bundle((), range(2))
    with open_store(folder.store) as store:
        ScheduleWriter(store).write([Scheduled("spring", pairings=met)])
    stopped = ContestVerdict(done=2, left=0, failed=0, stopped=False)
    monkeypatch.setattr(contest_run, "_host", lambda *_, **__: stopped)
    tell("run", folder.file)
    assert (capsys.readouterr().err, ended) == (told.format(folder.file), [code])


def test_a_program_that_was_replaced_is_named_after_every_run_and_in_the_status(
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: list[int],
) -> None:
    done = ContestVerdict(done=6, left=0, failed=0, stopped=False, replaced=("anna",))
    monkeypatch.setattr(contest_run, "_host", lambda *_, **__: done)
    tell("run", folder.file)
    told = "replaced while the contest was played: the program of 'anna'\n"
    assert (capsys.readouterr().err, ended) == (told, [1])
    tell("status", folder.file)
    assert "replaced" not in capsys.readouterr().out
    with open_store(folder.store) as store:
        note_replaced(store, "spring", ["anna"])
    tell("status", folder.file)
    assert "The program was replaced while the competition was running: anna.\n" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize("begun", [False, True])
def test_what_ends_a_contest_is_told_from_what_keeps_it_from_starting(
    begun: bool,
    folder: ContestFolder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    ended: list[int],
) -> None:
    def failing(_plan: object, _taken: object, _signals: object, screen: Any, **_: object) -> None:
        screen.run = object() if begun else None
        raise ContestError("nothing can be played here")

    monkeypatch.setattr(contest_run, "_host", failing)
    tell("run", folder.file)
    assert ended == [1 if begun else 2]
    assert ("continue with:" in capsys.readouterr().err) == begun
