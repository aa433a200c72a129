"""Positions for the tests, and the plainest way to solve them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

from spielwerk.games.playing import random_states
from spielwerk.games.quarto.engine.symmetry import automorphisms
from spielwerk.games.quarto.rules import Placement, Quarto, QuartoState

BOARD = automorphisms()
STONES = [(order, mask) for order in permutations(range(4)) for mask in range(16)]


def moved(state: QuartoState, images: tuple[int, ...]) -> QuartoState:
    """The state with every stone on the image of its square."""
    board: list[int | None] = [None] * 16
    for square, stone in enumerate(state.board):
        board[images[square]] = stone
    return QuartoState(state.game, None, tuple(board), state.stone)


def recoloured(state: QuartoState, order: tuple[int, ...], mask: int) -> QuartoState:
    """The state with attributes exchanged and complemented."""

    def image(stone: int | None) -> int | None:
        if stone is None:
            return None
        return sum((stone >> old & 1) << new for new, old in enumerate(order)) ^ mask

    return QuartoState(state.game, None, tuple(map(image, state.board)), image(state.stone))


def placed(state: QuartoState) -> int:
    return len(state.board) - state.board.count(None)


def decisions(n: int, seed: int, games: int) -> Iterator[QuartoState]:
    """Every decision of so many random games."""
    rng = Random(seed)
    for _ in range(games):
        start = Quarto(n=n, first=rng.randrange(n * n)).start()
        yield from (
            state
            for state in random_states(start, rng)
            if isinstance(state, QuartoState) and state.turn >= 0
        )


def quiet(n: int, stones: int, seed: int, number: int) -> list[QuartoState]:
    """So many random positions with these stones placed in which the stone in hand does not win."""
    found: list[QuartoState] = []
    while len(found) < number:
        seed += 1
        found += [
            state
            for state in decisions(n, seed, 1)
            if placed(state) == stones and not wins_at_once(state)
        ]
    return found[:number]


def wins_at_once(state: QuartoState) -> bool:
    return any(_won(state.play(move)) for move in one_of_each_placement(state))


def one_of_each_placement(state: QuartoState) -> Iterator[Placement]:
    handed = next(iter(state.supply()), None)
    for square, stone in enumerate(state.board):
        if stone is None:
            yield Placement(square, handed)


def differing_moves(state: QuartoState) -> list[Placement]:
    """All moves; from n = 7 on only one for each square, as every full line wins."""
    if state.game.n >= 7:
        return list(one_of_each_placement(state))
    return [move for move in state.legal_moves() if isinstance(move, Placement)]


def _won(state: QuartoState) -> bool:
    return state.outcome is not None and state.outcome.winner is not None


def hands_over_a_win(state: QuartoState, move: Placement) -> bool:
    after = state.play(move)
    return after.turn >= 0 and wins_at_once(after)


def solve(state: QuartoState) -> int:
    """The result for the player to place, by playing everything."""
    best = -1
    for move in state.legal_moves():
        best = max(best, result_of(state.play(move)))
        if best == 1:
            break
    return best


def result_of(after: QuartoState) -> int:
    """The result for the player who made the last move."""
    if after.outcome:
        return 0 if after.outcome.winner is None else 1
    return -solve(after)
