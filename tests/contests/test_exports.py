from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.contests.exports import (
    crosstable_csv,
    games_csv,
    json_lines,
    row,
    standings_csv,
    time_of,
)
from spielwerk.store.records import Pairing, PairingState, Reason, SeatReport
from tests.contests.rated import Kept, a_book, a_pairing, a_review, drawn, some_entrants

NAMES = ("ada", "bob", "=1+1")


def games() -> list[Pairing]:
    return [
        a_pairing(0, (0, 1), 0, bundle=0),
        drawn(1, (1, 0), bundle=0),
        a_pairing(2, (2, 1), 1, Reason.CONNECTION_LOST, (0,), 1, 'killed by SIGSEGV, "sorry"'),
        replace(a_pairing(3, (1, 2)), state=PairingState.NEW, ending=None, game=None, attempt=0),
    ]


def book(**kept: Any) -> Kept:
    return a_book(games(), NAMES, **kept)


def read(lines: Iterable[str]) -> list[dict[str, str]]:
    return [*csv.DictReader(StringIO("".join(lines), newline=""))]


def parsed(lines: Iterable[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


# JSON Lines


def test_the_first_line_is_the_contest_with_its_standings() -> None:
    first, *_ = parsed(json_lines(book()))
    assert (first["contest"], first["game"], first["seed"]) == ("Test", "oware", 7)
    assert (first["format"], first["phase"], first["order"]) == (
        "round-robin",
        "training",
        "rating",
    )
    assert first["rated"] == 3
    assert [line["name"] for line in first["standings"]] == ["ada", "bob", "=1+1"]
    assert first["standings"][2]["crash"] == 1
    assert first["standings"][2]["rating"] < 0
    assert first["notes"][0]["code"] == "all-lost"


def test_every_other_line_is_a_game() -> None:
    _, *rest = parsed(json_lines(book(moves_by={0: ["A1"] * 41})))
    assert [game["number"] for game in rest] == [0, 1, 2, 3]
    assert rest[0] == {
        "number": 0,
        "round": 0,
        "bundle": 0,
        "state": "done",
        "seats": ["ada", "bob"],
        "opening": ["A1"],
        "seed": "7/0",
        "began": "ada",
        "end": "win",
        "winner": "ada",
        "culprits": [],
        "detail": "",
        "overloaded": False,
        "started": "2025-06-15T15:06:40.000Z",
        "ended": "2025-06-15T15:06:41.000Z",
        "game": "game0000000",
        "attempts": 1,
        "repeated": False,
        "earlier": [],
        "moves": 41,
        "reports": [],
    }
    assert (rest[2]["winner"], rest[2]["culprits"]) == ("bob", ["=1+1"])
    assert (rest[3]["state"], rest[3]["overloaded"], rest[3]["culprits"]) == ("new", False, [])
    assert rest[3]["end"] is rest[3]["winner"] is rest[3]["game"] is rest[3]["moves"] is None


REPORTS = {
    0: (SeatReport(0, 20, 2900, 2850, 4096, "exit 0", "bye"), SeatReport(1, 21, 12)),
    2: (SeatReport(0, 1, 7, 5, 8192, "killed by SIGSEGV"), SeatReport(1, 0, 0, 3)),
}


def test_what_the_players_needed_is_with_the_game() -> None:
    _, first, second, third, _ = parsed(json_lines(book(reports_by=REPORTS)))
    assert first["reports"] == [
        {"seat": 0, "moves": 20, "took": 2900, "cpu": 2850, "memory": 4096, "status": "exit 0"},
        {"seat": 1, "moves": 21, "took": 12, "cpu": None, "memory": None, "status": ""},
    ]
    assert second["reports"] == []
    assert third["reports"][0]["status"] == "killed by SIGSEGV"


def test_attempts_that_do_not_count_are_named() -> None:
    tried = book(attempts={1: ["first", "second"]})
    told = parsed(json_lines(tried))
    assert [line["earlier"] for line in told[1:3]] == [[], ["first", "second"]]
    table = read(games_csv(tried))
    assert [line["earlier"] for line in table[:2]] == ["", "first; second"]


# CSV


def test_games_have_a_column_for_each_seat() -> None:
    first, second, third, fourth = read(games_csv(book(moves_by={1: ["A1"] * 30})))
    assert (first["seat 0"], first["seat 1"], first["winner"]) == ("ada", "bob", "ada")
    assert (second["end"], second["winner"], second["moves"]) == ("draw", "", "30")
    assert third["detail"] == 'killed by SIGSEGV, "sorry"'
    assert third["culprits"] == "'=1+1"
    assert (fourth["state"], fourth["end"], fourth["started"]) == ("new", "", "")


def test_of_a_game_that_fell_away_it_is_told_why() -> None:
    first, *others = some_entrants(NAMES)
    entrants = [replace(first, disqualified="crash"), *others]
    dropped = replace(games()[3], number=0, seats=(1, 0), state=PairingState.FAILED)
    ours = replace(a_pairing(1, (1, 2), None, Reason.SERVER_ERROR), state=PairingState.FAILED)
    told = read(games_csv(a_book([dropped, ours], NAMES, entrants=entrants)))
    assert [line["detail"] for line in told] == ["not played: ada is disqualified", ""]


def test_games_have_the_time_of_each_seat() -> None:
    lines = [*games_csv(book(reports_by=REPORTS))]
    assert lines[0].endswith(",moves,took 0,took 1,cpu 0,cpu 1\r\n")
    first, second, third, _ = read(lines)
    times = ("took 0", "took 1", "cpu 0", "cpu 1")
    assert [first[column] for column in times] == ["2900", "12", "2850", ""]
    assert [second[column] for column in times] == [""] * 4
    assert [third[column] for column in times] == ["7", "0", "5", "3"]


def test_standings_have_a_column_for_each_kind_of_forfeit() -> None:
    lines = read(standings_csv(book()))
    assert [line["rank"] for line in lines] == ["1", "2", "3"]
    assert lines[2]["name"] == "'=1+1"
    assert (lines[2]["crash"], lines[2]["stall"]) == ("1", "0")
    assert (lines[2]["bounded"], lines[2]["low"]) == ("no", "")
    assert float(lines[2]["rating"]) < 0


def test_standings_tell_mistakes_of_games_that_were_reviewed() -> None:
    kept = book(reviews={0: a_review(1, 3), 1: a_review(0, 2)})  # bob and ada change seats
    ada, bob, other = read(standings_csv(kept))
    assert (ada["judged"], ada["mistakes"], ada["wins_lost"]) == ("60", "3", "3")
    assert float(ada["accuracy"]) == pytest.approx(0.95)
    assert (bob["mistakes"], bob["mistakes_opening"], bob["mistakes_end"]) == ("3", "0", "3")
    assert (other["judged"], other["mistakes"], other["accuracy"]) == ("", "", "")
    first, *_ = parsed(json_lines(kept))
    assert (first["reviewed"], first["standings"][0]["mistakes"]) == (2, 3)
    assert first["standings"][2]["mistakes"] is None


def test_the_crosstable_has_a_line_for_every_two_from_both_sides() -> None:
    lines = read(crosstable_csv(book()))
    assert [(line["name"], line["against"]) for line in lines] == [
        ("ada", "bob"), ("bob", "ada"), ("bob", "'=1+1"), ("'=1+1", "bob"),
    ]  # fmt: skip
    assert lines[0] == {
        "name": "ada",
        "against": "bob",
        "points": "1.5",
        "games": "2",
        "wins": "1",
        "draws": "1",
        "forfeits": "0",
        "numbers": "0 1",
    }
    assert lines[3]["forfeits"] == "1"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\rx", "\nx", "\uff1d1", "\u00a0=1"]
)
def test_what_a_spreadsheet_would_carry_out_gets_an_apostrophe(text: str) -> None:
    [[cell]] = csv.reader(StringIO(row([text]), newline=""))
    assert cell == f"'{text}"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_every_text_can_be_read_again(values: list[str]) -> None:
    [cells] = csv.reader(StringIO(row(values), newline=""))
    for value, cell in zip(values, cells, strict=True):
        assert cell in (value, f"'{value}")
        assert not cell.lstrip().startswith(("=", "+", "-", "@"))


def test_times_are_utc() -> None:
    assert time_of(0) is None
    assert time_of(1) == "1970-01-01T00:00:00.001Z"
