"""A contest in a terminal: standings, how far it is, how long it will take, and one game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spielwerk.cli.contest_status import (
    columns,
    duration,
    notes,
    progress,
    shortened,
    show_game,
    show_status,
    standings,
)
from spielwerk.contests.contest import Format, Phase
from spielwerk.contests.ranking import Note, Ranking, Standing
from spielwerk.contests.schedule import Ladder
from spielwerk.contests.stored import find, take_up
from spielwerk.errors import UsageError
from spielwerk.games.interface import CHANCE
from spielwerk.store import contests as reading
from spielwerk.store.opening import Store, open_reader, open_store
from spielwerk.store.records import (
    Begun,
    Disqualified,
    Ending,
    GameRecord,
    Kind,
    MoveRecord,
    PairingState,
    Reason,
    Scheduled,
    SeatKind,
    SeatRecord,
    SeatReport,
    WireRecord,
)
from spielwerk.store.scheduling import ScheduleWriter
from tests.contests.contests import ID, WON, a_contest, first_attempt


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "contest.db") as opened:
        yield opened


# how far it is


def test_games_are_begun_in_the_store_not_always_played(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    take_up(store, a_contest())
    for number in range(3):  # of 2 seconds each, one after the other
        ending = replace(WON, at=2000 * number + 2000)
        ScheduleWriter(store).write(first_attempt(number, ending=ending, started=2000 * number))
    crash = Ending(Reason.CONNECTION_LOST, 0, culprits=(1,), at=6000)
    for number, state in ((3, PairingState.DONE), (4, PairingState.REPEAT)):
        ScheduleWriter(store).write(first_attempt(number, state, crash, started=6000))
    ScheduleWriter(store).write([Begun(ID, 5, 1)])
    with open_reader(tmp_path / "contest.db") as reader:
        show_status(reader, find(reader, "Spring"), "resume")
    first, second, third, *_ = capsys.readouterr().out.splitlines()
    assert first == "Spring: 4 of 6 games done, 1 running, 1 to be repeated, 3 s left"
    assert second == "by a player's fault: 1 crash"  # what is repeated does not count
    assert third.startswith("playing: game 5, ")


@pytest.mark.parametrize(("rounds", "told"), [(2, "4 of 4"), (3, "4 of about 6")])
def test_a_ladder_is_over_when_everybody_has_had_its_meetings(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], rounds: int, told: str
) -> None:
    """Two meetings are drawn up, and all their games are played."""
    contest = a_contest(2, format=Format.LADDER, rounds=rounds)
    take_up(store, contest)
    ladder = Ladder(contest, ID)
    games = tuple(game for _ in range(2) for game in ladder.next_bundle((), range(2)))
    played = [step for number in range(4) for step in first_attempt(number)]
    assert ScheduleWriter(store).write([Scheduled(ID, pairings=games), *played]) == [None] * 9
    store.close()
    with open_reader(tmp_path / "contest.db") as reader:
        show_status(reader, find(reader, "Spring"), "resume")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"Spring: {told} games done"
    assert ("not running; continue with: resume" in lines) is (rounds == 3)


# one game


@pytest.mark.parametrize(
    ("form", "told"),
    [(Format.ROUND_ROBIN, "the games of spring are 0 to 5"), (Format.LADDER, "there are none yet")],
)
def test_a_game_that_is_not_there_is_refused(store: Store, form: Format, told: str) -> None:
    take_up(store, a_contest(format=form))
    for number in (-1, 6):
        with pytest.raises(UsageError) as caught:
            show_game(store, find(store, "Spring"), number)
        assert str(caught.value) == f"--game {number}: {told}"


def test_for_one_game_the_others_are_not_read(
    store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_up(store, a_contest())
    monkeypatch.delattr(reading, "schedule")
    monkeypatch.delattr(reading, "pairings")
    show_game(store, find(store, "Spring"), 3)
    assert capsys.readouterr().out.startswith("game 3: ")


def test_a_game_that_fell_away_says_why(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    take_up(store, a_contest(phase=Phase.COMPETITION))
    ScheduleWriter(store).write([Disqualified(ID, 2, "protocol error", 0)])
    told = []
    for game in range(6):
        show_game(store, find(store, "Spring"), game)
        told.append(capsys.readouterr().out)
    fell = [text for text in told if "cora" in text.splitlines()[0]]
    assert len(fell) == 4
    assert all("state: not played: cora is disqualified\n" in text for text in fell)
    assert all("state: new\n" in text for text in told if text not in fell)
    ScheduleWriter(store).write([Disqualified(ID, 1, "crash", 0)])
    both = next(text for text in fell if "bert" in text.splitlines()[0])
    show_game(store, find(store, "Spring"), told.index(both))
    assert "state: not played: " in (out := capsys.readouterr().out)
    assert "bert" in out
    assert " are disqualified\n" in out


def shown_game(
    store: Store,
    capsys: pytest.CaptureFixture[str],
    *moves: tuple[int, str],
    game: str,
    opening: int = 0,
) -> list[str]:
    """What is printed of a game with these moves after its opening."""
    contest = replace(a_contest(), game=game, opening=opening)
    take_up(store, contest)
    first = reading.pairings(store, ID)[0]
    moves = (*((n % 2, move) for n, move in enumerate(first.opening)), *moves)
    seats = tuple(
        SeatRecord(SeatKind.CLIENT, contest.entrants[number].name) for number in first.seats
    )
    made = tuple(MoveRecord(n, seat, move, 0) for n, (seat, move) in enumerate(moves))
    record = GameRecord("abc", contest.game, (), "Spring 0", seats, 3000, True, 0, made)
    wires = tuple(WireRecord("abc", seat, "mnm", "127.0.0.1:1", 0, b"") for seat in (1, None, 0))
    reports = (SeatReport(0, output="hello\x1b[2J"), SeatReport(1))
    done = first_attempt(0, record=record, wires=wires, reports=reports)
    ScheduleWriter(store).write(done)
    show_game(store, find(store, "Spring"), 0)
    return capsys.readouterr().out.splitlines()


def test_the_opening_is_nobodys_move(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    told = shown_game(store, capsys, (0, "A1,8"), (1, "B3,5"), game="quarto", opening=2)
    opening = reading.pairings(store, ID)[0].opening
    assert f"opening: {' '.join(opening)}" in told
    assert "moves: A1,8 B3,5" in told


def test_what_is_said_of_a_game_names_players(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    first = [(0, "ROLL"), (CHANCE, "1 4"), (0, "ROLL"), (CHANCE, "6 4"), (0, "SAVE")]
    others = [(1, "ROLL"), (CHANCE, "5 5"), (2, "ROLL"), (CHANCE, "6 5"), (2, "ROLL")]
    told = shown_game(store, capsys, *first, *others, game="dice")
    assert not any(line.startswith("opening") for line in told)
    anna, bert, cora = told[0].removeprefix("game 0: ").split(" - ")
    start = told.index("moves:")
    assert told[start + 1 : start + 4] == [  # as in the report
        f"  {anna}: 1 4, 6 4, SAVE → 15",
        f"  {bert}: 5 5 → 0",
        f"  {cora}: 6 5",
    ]
    assert f"{anna} wrote: hello\\x1b[2J" in told  # which does nothing to the terminal
    assert told[-3:] == [
        f"{anna}, mnm, 127.0.0.1:1:",
        f"{bert}, mnm, 127.0.0.1:1:",
        "without a seat, mnm, 127.0.0.1:1:",
    ]


# standings and progress

ANNA = Standing(
    1, 0, "anna", Kind.ENGINE, 120.4, 80.2, 160.9, True, 0.97, 7.5, 10, 7, 1, 2, {"crash": 0}
)
BERT = replace(
    ANNA,
    rank=2,
    entrant=1,
    name="bert",
    rating=-120.4,
    low=None,
    high=-80.2,
    bounded=False,
    better=None,
    points=2.5,
    forfeits={"crash": 2, "stall": 0, "time-out": 1},
)
OUT = replace(
    BERT,
    rank=3,
    name="cora",
    rating=None,
    low=None,
    high=None,
    bounded=True,
    forfeits={},
    disqualified="protocol error: a wrong BYE",
    disqualified_in=17,
)


def ranking(*found: Standing) -> Ranking:
    return Ranking(found, {}, None, None, (), 10)


def test_everybody_has_a_line() -> None:
    assert standings(ranking(ANNA, BERT, OUT)) == [
        "    name   Elo          95%  better  points  games  W  D  L  by its fault",
        "1.  anna  +120  +80 to +161     97%     7.5     10  7  1  2",
        "2.  bert  -120       to -80             2.5     10  7  1  2  2 crash, 1 time-out",
        "3.  cora                                2.5     10  7  1  2  disqualified in game 17",
    ]


@pytest.mark.parametrize(
    ("better", "told"), [(1.0, " > 99%"), (0.996, " > 99%"), (0.625, " 62%"), (0.0, " < 1%")]
)
def test_no_chance_is_certain(better: float, told: str) -> None:
    assert told in standings(ranking(replace(ANNA, better=better)))[1]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (-5.0, 5.0, "-5 to +5"),
        (-0.2, None, "from +0"),
        (None, 12.0, "to +12"),
        (None, None, "open on both sides"),
    ],
)
def test_an_interval_may_have_no_end(low: float | None, high: float | None, told: str) -> None:
    line = standings(ranking(replace(ANNA, low=low, high=high, bounded=False)))[1]
    assert told in line


def test_an_interval_may_not_be_known() -> None:
    assert "not known yet" in standings(ranking(replace(ANNA, low=None, high=None)))[1]


def test_a_name_cannot_do_anything_to_the_terminal() -> None:
    assert shortened("\x1b[31mred\n") == r"\x1b[31mred\n"
    assert len(shortened("x" * 500)) == 30
    assert "\x1b" not in standings(ranking(replace(ANNA, name="\x1b[2J")))[1]


def test_columns_are_as_wide_as_they_are_seen() -> None:
    ring, wide = "a\N{COMBINING RING ABOVE}", "\N{CJK UNIFIED IDEOGRAPH-58EB}"
    assert columns([(ring, "x"), (wide, "x"), ("bb", "x")], (0,)) == [
        f"{ring}   x",
        f"{wide}  x",
        "bb  x",
    ]


@pytest.mark.parametrize(
    "code",
    [
        *("all-won", "all-lost", "pools", "groups", "loose", "few"),
        *("unrated", "struck", "spoilt", "overloaded", "repeats", "replaced", "began"),
    ],
)
def test_there_is_a_sentence_for_every_note(code: str) -> None:
    (line,) = notes([Note(code, ("anna", "bert\x1b"), 3)])
    assert "\x1b" not in line
    assert "{" not in line


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.2, "1 s"),
        (59, "59 s"),
        (60, "1 min 0 s"),
        (3661, "1 h 1 min"),
        (86400 * 3 + 7200, "3 d 2 h"),
    ],
)
def test_a_time_is_told_in_its_largest_units(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_progress_is_one_line() -> None:
    counts = {
        PairingState.DONE: 30,
        PairingState.RUNNING: 2,
        PairingState.NEW: 60,
        PairingState.REPEAT: 1,
        PairingState.FAILED: 7,
    }
    assert progress(counts, 34.2, 125.0, lost=2) == (
        "30 of 100 games done, 2 running, 1 to be repeated, 5 dropped by disqualification, "
        "2 given up through our own fault, 34 a minute, 2 min 5 s left"
    )
    assert progress({PairingState.DONE: 44, PairingState.FAILED: 12}, None, None) == (
        "44 of 56 games done, 12 dropped by disqualification"
    )
    assert progress({PairingState.DONE: 3}, 1.25, None, coming=None) == "3 games done, 1.2 a minute"
    ladder = {PairingState.DONE: 3, PairingState.NEW: 1}
    assert progress(ladder, None, 60.0, coming=6) == "3 of about 10 games done, 1 min 0 s left"
    assert progress({}, None, None) == "0 of 0 games done"
