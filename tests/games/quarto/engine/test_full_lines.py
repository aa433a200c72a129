"""The kernel for boards on which every full line wins, against the rules and a plain search."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from spielwerk.engines.interface import Limits, Score, Stop
from spielwerk.games.playing import perft
from spielwerk.games.quarto.engine import ANY_STONE, QuartoEngine
from spielwerk.games.quarto.engine.full_lines import (
    Squares,
    count_placements,
    mirrored,
    rate_square,
    squares_of,
)
from spielwerk.games.quarto.engine.root import UNLIMITED
from spielwerk.games.quarto.engine.search import PROVEN, WIN
from spielwerk.games.quarto.rules import Placement, Quarto, QuartoState, lines

from .positions import decisions, hands_over_a_win

ENGINE = QuartoEngine(16)
LARGE = [7, 8, 9, 12, 16]


def with_taken(n: int, taken: frozenset[int]) -> Squares:
    """A board with stones on these squares; which ones does not matter."""
    board = tuple(square if square in taken else None for square in range(n * n))
    return squares_of(QuartoState(Quarto(n=n), None, board, 0))


def rated(squares: Squares, square: int, depth: int) -> int:
    report = np.zeros(3, np.int64)
    return rate_square(squares, square, depth, -WIN, report, UNLIMITED, Stop().flag)


@cache
def wins(n: int, taken: frozenset[int]) -> bool:
    """Whether the player to place wins where every full line does, by trying everything."""
    free = [square for square in range(n * n) if square not in taken]
    return any(full(n, taken | {q}) or not wins(n, taken | {q}) for q in free)


def full(n: int, taken: frozenset[int]) -> bool:
    return any(taken.issuperset(line) for line in lines(n))


def positions(n: int, seed: int, number: int, least: int) -> list[frozenset[int]]:
    """Random positions without a full line, with at least so many stones."""
    rng = Random(seed)
    found: list[frozenset[int]] = []
    while len(found) < number:
        taken = frozenset(rng.sample(range(n * n), rng.randrange(least, n * n - n)))
        found += [] if full(n, taken) else [taken]
    return found


@pytest.mark.parametrize(("n", "least"), [(3, 0), (4, 0), (5, 12)])
def test_a_search_to_the_end_finds_the_result(n: int, least: int) -> None:
    """The kernel knows only lines and squares, so that it can be asked about small boards."""
    for taken in positions(n, seed=n, number=60, least=least):
        squares = with_taken(n, taken)
        before = squares.taken.copy(), squares.counts.copy()
        for square in set(range(n * n)) - taken:
            score = rated(squares, square, n * n - len(taken))
            after = taken | {square}
            assert abs(score) >= PROVEN
            assert (score > 0) == (full(n, after) or not wins(n, after)), (taken, square)
        assert all(map(np.array_equal, before, (squares.taken, squares.counts)))


@pytest.mark.parametrize(("n", "least"), [(3, 0), (4, 0), (5, 12)])
def test_mirroring_is_a_proof(n: int, least: int) -> None:
    found = set()
    for taken in symmetric(n, 300, least):
        known = mirrored(with_taken(n, taken))
        found.add(known)
        if known:
            assert wins(n, taken) == (known > 0), taken
    assert found >= {-1, 1}


def symmetric(n: int, number: int, least: int) -> list[frozenset[int]]:
    """Positions that are symmetric but for a stone or two, without a line one stone short."""
    rng = Random(n)
    found: list[frozenset[int]] = []
    while len(found) < number:
        some = rng.sample(range(n * n), rng.randrange((least + 1) // 2, n * n // 2))
        image = rng.choice([lambda q: n * n - 1 - q, lambda q: q // n * n + n - 1 - q % n])
        taken = {*some, *map(image, some)} ^ {*rng.sample(range(n * n), rng.randrange(2))}
        short = any(len(taken.intersection(line)) >= n - 1 for line in lines(n))
        found += [] if short or len(taken) < least else [frozenset(taken)]
    return found


@pytest.mark.parametrize("n", LARGE)
def test_who_wins_from_the_start_is_known_and_played(n: int) -> None:
    """By mirroring: on an even side the second player, on an odd one the first."""
    rng = Random(n)
    winner = n % 2 == 0
    state = Quarto(n=n, first=0).start()
    result = ENGINE.search(state, Limits(depth=1, seed=1))
    assert result.score == Score(*((-1.0, True, -1) if winner else (1.0, True, 1)))
    while state.turn >= 0:
        if state.turn == winner:
            move = ENGINE.search(state, Limits(depth=1, seed=1)).move
        else:
            moves = [
                Placement(q, state.supply()[0]) for q in rng.sample(free(state), len(free(state)))
            ]
            move = next((m for m in moves if not hands_over_a_win(state, m)), moves[0])
        state = state.play(move)
    assert state.outcome is not None
    assert state.outcome.winner == winner


def free(state: QuartoState) -> list[int]:
    return [square for square, stone in enumerate(state.board) if stone is None]


@pytest.mark.parametrize("n", [9, 16])
@pytest.mark.parametrize("limits", [Limits(depth=1), Limits(nodes=1), Limits(time=0.05)], ids=str)
def test_a_win_is_taken_and_none_is_handed_over(n: int, limits: Limits) -> None:
    empty = f"{' / '.join([' '.join('*' * n)] * (n - 1))} /"
    almost = Quarto(n=n).parse_state(f"{empty} {' '.join(map(str, range(n - 1)))} * next {n}")
    assert almost.play(ENGINE.search(almost, limits).move).outcome
    two_left = Quarto(n=n).parse_state(f"{empty} {' '.join(map(str, range(n - 2)))} * * next {n}")
    found = ENGINE.search(two_left, limits)
    assert isinstance(found.move, Placement)
    assert not hands_over_a_win(two_left, found.move)
    worst = list(ENGINE.analyse(two_left, limits))[-2:]
    assert {two_left.game.format_move(move).partition(",")[0] for move in worst} == {
        two_left.game.square_name(n - 2),
        two_left.game.square_name(n - 1),
    }


@pytest.mark.parametrize("n", [7, 8])
def test_counts_agree_with_the_rules(n: int) -> None:
    for state in list(decisions(n, seed=20 + n, games=4)):
        assert ENGINE.perft(state, 1) == len(state.legal_moves())
        if state.board.count(None) <= 12:
            assert ENGINE.perft(state, 2) == perft(state, 2)
    assert count_placements(squares_of(Quarto(n=16, first=0).start()), 3) == 256 * 255 * 254


def test_every_stone_is_handed_on_as_gladly_as_the_others() -> None:
    state = Quarto(n=9, first=0).start()
    moves = {ENGINE.search(state, Limits(depth=1, seed=seed)).move for seed in range(20)}
    assert {move.square for move in moves if isinstance(move, Placement)} == {40}
    assert len({move.stone for move in moves}) > 10
    assert ENGINE.remarks(state) == [ANY_STONE]
    assert ENGINE.remarks(Quarto(n=6).start()) == []
