"""Descriptions to begin with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spielwerk.contests.description import read
from spielwerk.contests.drafts import example
from spielwerk.contests.keys import ENTRANT_KEYS, paths
from spielwerk.contests.schedule import count
from spielwerk.errors import UnknownGame
from spielwerk.games import kits
from spielwerk.store.records import Kind
from tests.contests.test_description import executable, write


@pytest.mark.parametrize("game", list(kits()))
def test_every_example_can_be_played_as_it_is(game: str, tmp_path: Path) -> None:
    contest = read(write(tmp_path, example(game)))
    assert contest.game == game
    assert {entrant.kind for entrant in contest.entrants} == {Kind.ENGINE}
    assert 0 < count(contest) <= 100


def uncommented(text: str) -> str:
    """The example with all the keys that it shows behind a #."""
    return re.sub(r"^# (\[|\w+ = )", r"\1", text, flags=re.MULTILINE)


@pytest.mark.parametrize("game", list(kits()))
def test_an_example_has_all_keys_that_mean_something_in_its_game(game: str) -> None:
    words = {"spelling", "version"}
    nothing = {
        "quarto": {"newcomers", "remote", "strategy", "depth", "role"},
        "morris": {"options", "newcomers", "remote", "strategy", "depth", "role"},
        "dice": {"opening", "dialect", "pace", "remote", "strategy", "depth", "role"},
        "oware": {"options", "newcomers", "dialect", "pace", "open", "role"},
        "connect4": {"newcomers", "dialect", "pace", "remote", "strategy", "depth"},
    }
    shown = {*re.findall(r"^(?:# )?(\w+) = ", example(game), flags=re.MULTILINE)}
    known = {*(name for _, name, _ in paths()), *ENTRANT_KEYS}
    known -= words if game != "connect4" else set()
    assert shown == known - nothing[game]


@pytest.mark.parametrize("game", list(kits()))
def test_what_an_example_shows_behind_a_hash_can_be_read_too(game: str, tmp_path: Path) -> None:
    for folder in ("anna", "bert"):
        for program in ("client", "dicebot", "oware-server", "connectfour"):
            executable(tmp_path / folder / program)
    executable(tmp_path / "mybot")
    text = uncommented(example(game))
    assert not re.search(r"^# \w+ =", text, flags=re.MULTILINE)
    contest = read(write(tmp_path, text))
    kinds = {entrant.kind for entrant in contest.entrants}
    assert {Kind.ENGINE, Kind.COMMAND} < kinds
    plain = read(write(tmp_path, example(game)))
    assert contest.entrants[:3] == plain.entrants
    for usual in (
        "order",
        "move_time",
        "start",
        "total",
        "disqualify",
        "dialect",
        "pace",
        "resources",
    ):
        assert getattr(contest, usual) == getattr(plain, usual)


def test_an_example_says_which_openings_there_are_if_none_is_given(tmp_path: Path) -> None:
    usual = read(write(tmp_path, example("connect4"))).opening
    assert f"not given: {usual} if all are engines" in example("connect4")


def test_there_is_no_example_of_an_unknown_game() -> None:
    with pytest.raises(UnknownGame):
        example("chess")
