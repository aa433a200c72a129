from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.clients.oware.player import game_so_far
from spielwerk.games import (
    CHANCE,
    GAMES,
    NOBODY,
    ConnectFour,
    Dice,
    Game,
    Morris,
    Oware,
    Quarto,
    State,
)
from spielwerk.games.morris import FIELDS
from spielwerk.games.record import Record
from spielwerk.store.contest_records import Kind
from spielwerk.tournament.contest import Contest, Entrant
from spielwerk.tournament.scheduling.openings import allows_openings, game_of, opening, options
from spielwerk.wire.mnm.boards import board_for

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIANTS: list[Game[Any]] = [
    Quarto(),
    Quarto(n=2),
    Quarto(n=3),
    Quarto(n=5),
    Quarto(first=7),
    Morris(),
    Oware(),
    ConnectFour(),
    ConnectFour(width=4, height=4, depth=4),
    ConnectFour(width=5, height=3, depth=2),
    ConnectFour(width=3, height=2),
    ConnectFour(width=1, height=1),
]

LARGE: list[Game[Any]] = [Quarto(), Morris(), Oware(), ConnectFour()]


def states(game: Game[Any], moves: Iterable[str]) -> list[State[Any]]:
    """All states on the way; an illegal move raises."""
    passed = [game.start()]
    for move in moves:
        passed.append(passed[-1].play(game.parse_move(move)))
    return passed


def turns_in(passed: list[State[Any]]) -> int:
    """How often a player's turn began and was over."""
    deciders = [state.turn for state in passed if state.turn != CHANCE]
    return sum(before != after for before, after in pairwise(deciders))


def name_of(game: Game[Any]) -> str:
    return " ".join([game.name, *game.assignments()])


def contest(game: str, kinds: Iterable[Kind] = (Kind.ENGINE, Kind.ENGINE), *chosen: str) -> Contest:
    entrants = tuple(Entrant(f"e{n}", kind, "level=1") for n, kind in enumerate(kinds))
    return Contest("Cup", game, entrants, chosen)


@pytest.mark.parametrize("game", VARIANTS, ids=name_of)
@given(turns=st.integers(0, 12), seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_every_opening_is_legal_and_leaves_the_game_open(
    game: Game[Any], turns: int, seed: int
) -> None:
    passed = states(game, opening(game, turns, Random(seed)))
    assert passed[-1].turn not in (CHANCE, NOBODY)
    assert turns_in(passed) <= turns


@pytest.mark.parametrize("game", LARGE, ids=name_of)
@given(turns=st.integers(0, 6), seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_a_large_board_has_room_for_all_the_turns(game: Game[Any], turns: int, seed: int) -> None:
    passed = states(game, opening(game, turns, Random(seed)))
    assert turns_in(passed) == turns
    assert passed[-1].turn == turns % 2


@pytest.mark.parametrize("game", LARGE, ids=name_of)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_nobody_wins_with_the_first_move_after_an_opening(game: Game[Any], seed: int) -> None:
    state = states(game, opening(game, 6, Random(seed)))[-1]
    for move in state.legal_moves():
        outcome = state.play(move).outcome
        assert outcome is None or outcome.winner != state.turn


def test_a_turn_of_morris_has_its_captures_with_it() -> None:
    game = Morris()
    captures = 0
    for seed in range(200):
        passed = states(game, opening(game, 14, Random(seed)))
        captures += sum(state.capture > 0 for state in passed)  # type: ignore[attr-defined]
        assert passed[-1].capture == 0  # type: ignore[attr-defined]
    assert captures > 10


def test_the_smallest_quarto_board_has_room_for_one_turn_and_no_more() -> None:
    lengths = {len(opening(Quarto(n=2), 4, Random(seed))) for seed in range(100)}
    assert lengths == {1, 2}  # the first stone, and one turn if the next stone is its opposite


def test_without_turns_only_chance_decides() -> None:
    drawn = {opening(Quarto(), 0, Random(seed)) for seed in range(400)}
    assert drawn == {(str(stone),) for stone in range(16)}
    assert opening(Quarto(first=3), 0, Random(1)) == ()
    for game in (Morris(), Oware(), ConnectFour(), Dice()):
        assert opening(game, 0, Random(1)) == ()


@pytest.mark.parametrize("game", VARIANTS, ids=name_of)
def test_the_generator_decides_everything(game: Game[Any]) -> None:
    assert opening(game, 4, Random("a")) == opening(game, 4, Random("a"))


@pytest.mark.parametrize("game", LARGE, ids=name_of)
def test_openings_differ(game: Game[Any]) -> None:
    assert len({opening(game, 4, Random(seed)) for seed in range(20)}) > 15


def test_known_openings_are_avoided_as_long_as_there_are_others() -> None:
    known: set[tuple[str, ...]] = set()
    for seed in range(6):
        known.add(opening(Oware(), 1, Random(seed), known))
    assert known == {(str(house),) for house in range(6)}
    assert opening(Oware(), 1, Random(7), known) in known
    assert opening(Oware(), 0, Random(7), {()}) == ()


# who can be told of an opening


@pytest.mark.parametrize("game", ["quarto", "morris", "oware"])
@pytest.mark.parametrize("kind", list(Kind))
def test_most_games_can_begin_anywhere(game: str, kind: Kind) -> None:
    assert allows_openings(contest(game, (Kind.ENGINE, kind)))


def test_dice_have_no_openings() -> None:
    assert not allows_openings(contest("dice"))


@pytest.mark.parametrize("kind", [Kind.COMMAND, Kind.OPEN])
def test_connect_four_has_openings_only_among_engines(kind: Kind) -> None:
    assert allows_openings(contest("connect4"))
    assert not allows_openings(contest("connect4", (Kind.ENGINE, kind)))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_game_server_shows_a_morris_opening_stone_by_stone(seed: int) -> None:
    game = Morris()
    moves = opening(game, 8, Random(seed))
    state = states(game, moves)[-1]
    lines = board_for(game, [game.parse_move(move) for move in moves]).asked(state)
    shown = {line.split()[1] for line in lines if line.startswith("PIECE") and line[5].isdigit()}
    occupied = {name for name, found in zip(FIELDS, state.board, strict=True) if found != "."}  # type: ignore[attr-defined]
    assert shown - {"A", "C"} == occupied


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_the_game_server_shows_a_quarto_opening_and_the_stone_in_hand(seed: int) -> None:
    game = Quarto()
    moves = opening(game, 5, Random(seed))
    state = states(game, moves)[-1]
    lines = board_for(game, [game.parse_move(move) for move in moves]).asked(state)
    assert lines[0] == f"NEXT {moves[-1].partition(',')[2]}"
    stones = [word for line in lines[2:-1] for word in line.split()[1:] if word != "*"]
    assert len(stones) == 5


@given(seed=st.integers(0, 2**32), turns=st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_an_oware_server_is_told_the_opening_as_the_game_so_far(seed: int, turns: int) -> None:
    record = Record((Oware().start(),))
    moves = opening(Oware(), turns, Random(seed))
    for move in moves:
        record = record.play(int(move))
    initial, history, state = game_so_far(record)
    assert (initial, history) == ((0, 0, *[4] * 12), "".join(moves))
    assert state == record.state


# the options that every game is played with


@pytest.mark.parametrize("game", list(GAMES))
def test_nothing_is_left_to_chance_but_what_the_opening_decides(game: str) -> None:
    chosen = options(contest(game))
    declared = [option.name for option in GAMES[game].options() if option.default is not None]
    assert [option.partition("=")[0] for option in chosen] == declared
    assert "begins" not in declared or "begins=0" in chosen


def test_the_options_of_the_description_are_among_them() -> None:
    solid = contest("connect4", (Kind.ENGINE,), "depth=4", "width=4")
    assert options(solid) == ("width=4", "height=6", "depth=4", "begins=0")
    assert game_of(solid) == ConnectFour(width=4, depth=4)
    assert "first=3" in options(contest("quarto", (Kind.ENGINE,), "first=3"))


@pytest.mark.parametrize("game", list(GAMES))
def test_seat_0_begins(game: str) -> None:
    played = game_of(contest(game))
    passed = states(played, opening(played, 0, Random(5)))
    assert passed[-1].turn == 0
