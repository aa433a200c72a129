from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.clients.oware import game_so_far
from spielwerk.contests.contest import Contest, Entrant, allows_openings, game_of, options
from spielwerk.games import kits
from spielwerk.games.morris.rules import FIELDS, Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import opening
from spielwerk.games.quarto.rules import Quarto
from spielwerk.games.record import Record
from spielwerk.store.records import Kind
from spielwerk.wire.mnm.words import board_for


def contest(game: str, kinds: Iterable[Kind] = (Kind.ENGINE, Kind.ENGINE), *chosen: str) -> Contest:
    entrants = tuple(Entrant(f"e{n}", kind, "level=1") for n, kind in enumerate(kinds))
    return Contest("Cup", game, entrants, chosen)


# who can be told of an opening


@pytest.mark.parametrize("kind", [Kind.COMMAND, Kind.OPEN])
def test_connect_four_has_openings_only_among_engines(kind: Kind) -> None:
    assert allows_openings(contest("connect4"))
    assert not allows_openings(contest("connect4", (Kind.ENGINE, kind)))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_game_server_shows_a_morris_opening_stone_by_stone(seed: int) -> None:
    game = Morris()
    moves, state = opening(game, 8, Random(seed))
    lines = board_for(game, [game.parse_move(move) for move in moves]).asked(state)
    shown = {line.split()[1] for line in lines if line.startswith("PIECE") and line[5].isdigit()}
    occupied = {name for name, found in zip(FIELDS, state.board, strict=True) if found != "."}  # type: ignore[attr-defined]
    assert shown - {"A", "C"} == occupied


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_game_server_shows_a_quarto_opening_and_the_stone_in_hand(seed: int) -> None:
    game = Quarto()
    moves, state = opening(game, 5, Random(seed))
    lines = board_for(game, [game.parse_move(move) for move in moves]).asked(state)
    assert lines[0] == f"NEXT {moves[-1].partition(',')[2]}"
    stones = [word for line in lines[2:-1] for word in line.split()[1:] if word != "*"]
    assert len(stones) == 5


@given(seed=st.integers(0, 2**32), turns=st.integers(0, 9))
@settings(max_examples=15, deadline=None)
def test_an_oware_server_is_told_the_opening_as_the_game_so_far(seed: int, turns: int) -> None:
    record = Record((Oware().start(),))
    moves = opening(Oware(), turns, Random(seed)).moves
    for move in moves:
        record = record.play(int(move))
    initial, history, state = game_so_far(record)
    assert (initial, history) == ((0, 0, *[4] * 12), "".join(moves))
    assert state == record.state


# the options that every game is played with


@pytest.mark.parametrize("game", list(kits()))
def test_nothing_is_left_to_chance_but_what_the_opening_decides(game: str) -> None:
    chosen = options(contest(game))
    declared = [option.name for option in kits()[game].game.options() if option.default is not None]
    assert [option.partition("=")[0] for option in chosen] == declared
    assert "begins" not in declared or "begins=0" in chosen


@pytest.mark.parametrize("game", list(kits()))
def test_seat_0_begins(game: str) -> None:
    played = game_of(contest(game))
    assert opening(played, 0, Random(5)).state.turn == 0
