"""A contest in a terminal: standings, notes and progress as lines of text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.cli.contest_tables import (
    columns,
    duration,
    forfeits,
    notes,
    progress,
    shortened,
    standings,
)
from spielwerk.contests.results import Note, Ranking, Standing
from spielwerk.store.contest_records import End, Kind, State

ANNA = Standing(
    1, 0, "anna", Kind.ENGINE, 120.4, 80.2, 160.9, True, 0.97, 7.5, 10, 7, 1, 2, {End.CRASH: 0}
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
    forfeits={End.CRASH: 2, End.TIME_OUT: 1},
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
        "    name   Elo         95 %  better  points  games  W  D  L  by its fault",
        "1.  anna  +120  +80 to +161    97 %     7.5     10  7  1  2",
        "2.  bert  -120       to -80             2.5     10  7  1  2  2 crash, 1 time-out",
        "3.  cora                                2.5     10  7  1  2  disqualified in game 17",
    ]


@pytest.mark.parametrize(
    ("better", "told"), [(1.0, " > 99 %"), (0.996, " > 99 %"), (0.625, " 62 %"), (0.0, " < 1 %")]
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


def test_columns_stand_under_each_other() -> None:
    assert columns([("a", "bb"), ("ccc", "d")], (1,)) == ["  a  bb", "ccc  d"]


def test_columns_are_as_wide_as_they_are_seen() -> None:
    ring, wide = "a\N{COMBINING RING ABOVE}", "\N{CJK UNIFIED IDEOGRAPH-58EB}"
    assert columns([(ring, "x"), (wide, "x"), ("bb", "x")], (0,)) == [
        f"{ring}   x",
        f"{wide}  x",
        "bb  x",
    ]


def test_forfeits_that_did_not_happen_are_not_told() -> None:
    assert forfeits({End.CRASH: 2, End.STALL: 0}) == ["2 crash"]


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
    counts = {State.DONE: 30, State.RUNNING: 2, State.NEW: 60, State.REPEAT: 1, State.FAILED: 7}
    assert progress(counts, 34.2, 125.0, lost=2) == (
        "30 of 100 games done, 2 running, 1 to be repeated, 5 dropped by disqualification, "
        "2 given up by our own fault, 34 a minute, 2 min 5 s left"
    )
    assert progress({State.DONE: 44, State.FAILED: 12}, None, None) == (
        "44 of 56 games done, 12 dropped by disqualification"
    )
    assert progress({State.DONE: 3}, 1.25, None, coming=None) == "3 games done, 1.2 a minute"
    ladder = {State.DONE: 3, State.NEW: 1}
    assert progress(ladder, None, 60.0, coming=6) == "3 of about 10 games done, 1 min 0 s left"
    full = {State.DONE: 21, State.RUNNING: 6, State.NEW: 3}
    assert progress(full, None, None, unwritten=6) == "21 of 30 games done, 6 waiting to be written"
    assert progress({}, None, None) == "0 of 0 games done"
