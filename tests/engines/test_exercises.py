"""Exercises: exactly one move is right, by all that can be tried; and those that are shipped."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from spielwerk.engines import find_engine
from spielwerk.engines.exercises import DEEPEST, HEADER, SEEN, find_exercises, from_text, to_text
from spielwerk.engines.interface import Limits
from spielwerk.errors import NotationError
from spielwerk.games import State, built_in
from spielwerk.games.connect4.rules import ConnectFour


@cache
def result(state: State[Any]) -> int:
    """What the rules say when all is tried, for player 0."""
    if state.outcome:
        return 0 if state.outcome.winner is None else 1 - 2 * state.outcome.winner
    best = max if state.turn == 0 else min
    return best(result(state.play(move)) for move in state.legal_moves())


def test_exactly_one_move_keeps_what_the_position_is_worth() -> None:
    game = ConnectFour(4, 4)
    found = [*islice(find_exercises(game, Random(3)), 12)]
    late = [one for one in found if str(one.state).count(".") <= 10]  # all can be tried
    assert len(late) >= 6
    for one in late:
        worth = result(one.state)
        kept = [move for move in one.state.legal_moves() if result(one.state.play(move)) == worth]
        assert kept == [int(one.move)]
        assert one.keeps == ("draw" if worth == 0 else "win")
    again = [*islice(find_exercises(game, Random(3)), 12)]
    assert again == found
    assert from_text(to_text(game, found).replace("\n", "\r\n")) == sorted(
        found, key=lambda one: one.depth
    )


def test_the_depths_of_a_set_differ_though_most_games_offer_depth_one() -> None:
    found = islice(find_exercises(ConnectFour(5, 4), Random(1)), 8)
    assert len({one.depth for one in found}) >= 4


def test_a_common_depth_waits_for_others() -> None:
    depths = [one.depth for one in islice(find_exercises(ConnectFour(4, 4), Random(2)), 12)]
    assert depths.count(1) <= 3  # 5 if every game that offers an exercise has one in the set


@pytest.mark.parametrize("game", built_in())
def test_a_search_without_tables_must_look_so_deep(game: str) -> None:
    found = from_text(built_in()[game].page.joinpath("exercises.txt").read_text("utf-8"))
    assert len({one.depth for one in found}) >= 3
    deep = next(one for one in found if one.depth > 1)
    plain = find_engine(deep.state.game).plain()
    less, enough = (
        plain.search(deep.state, Limits(depth=depth, nodes=SEEN, seed=0)).variation
        for depth in (deep.depth - 1, deep.depth)
    )
    turn = tuple(deep.state.game.parse_turn(deep.move))
    assert less[: len(turn)] != turn == enough[: len(turn)]


def test_where_tables_know_the_move_a_search_has_to_find_it() -> None:
    found = from_text(built_in()["morris"].page.joinpath("exercises.txt").read_text("utf-8"))
    deep = found[-1]
    known, seen = (
        engine.search(deep.state, Limits(depth=1, nodes=SEEN, seed=0)).score
        for engine in (find_engine(deep.state.game)(), find_engine(deep.state.game).plain())
    )
    assert known.exact
    assert not seen.exact


@pytest.mark.parametrize("game", built_in())
def test_every_game_brings_twenty_exercises(game: str) -> None:
    text = built_in()[game].page.joinpath("exercises.txt").read_text("utf-8")
    found = from_text(text)
    assert len(found) == len({str(one.state) for one in found}) == 20
    assert [one.depth for one in found] == sorted(one.depth for one in found)
    assert to_text(found[0].state.game, found) == text
    engine = find_engine(found[0].state.game)()
    for one in found[:3]:
        assert one.depth <= DEEPEST
        best = engine.search(one.state, Limits(nodes=300_000, seed=0)).move
        assert one.state.game.format_move(best) == one.move.split(";")[0]


def test_what_is_no_set_is_refused() -> None:
    good = f"{HEADER}\ngame: oware\n\ndepth: 1\nkeeps: win\nposition: {{}}\nmove: {{}}"
    start = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"
    assert from_text(good.format(start, "3"))[0].move == "3"
    fine = good.format(start, "3")
    for bad in (
        good.format(start, "9"),
        good.format("x", "3"),
        "",
        fine.replace("depth: 1\n", ""),
        fine.replace("depth: 1", "depth: x"),
    ):
        with pytest.raises(NotationError):
            from_text(bad)
