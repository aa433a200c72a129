"""How we play ourselves: with an aim, and two moves ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from spielwerk.games.connect4.rules import DIRECTIONS, FREE, STONES, ConnectFour, ConnectFourState

if TYPE_CHECKING:
    from random import Random

Direction = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Aim:
    """What a game shall lead to: our line in one of these directions, our loss, or a draw."""

    win: tuple[Direction, ...] = tuple(DIRECTIONS)
    lose: bool = False


AIMS: Final = {
    "win": Aim(),
    "lose": Aim(win=(), lose=True),
    "draw": Aim(win=()),
    "horizontal": Aim(((0, 0, 1),)),
    "vertical": Aim(((0, 1, 0),)),
    "rising": Aim(((0, 1, 1),)),
    "falling": Aim(((0, 1, -1),)),
    "diagonal": Aim(((0, 1, 1), (0, 1, -1))),
    "deep": Aim(((1, 0, 0),)),
    "solid": Aim(tuple(one for one in DIRECTIONS if one[0] and one != (1, 0, 0))),
}
"""Aims as cases name them."""


def choose(state: ConnectFourState, aim: str, random: Random) -> int:
    """A legal move that serves the aim of this name."""
    moves = [*state.legal_moves()]
    random.shuffle(moves)
    return max(moves, key=lambda move: _worth(state, move, AIMS[aim]))


def _worth(state: ConnectFourState, move: int, aim: Aim) -> float:
    me = state.player
    after = state.play(move)
    if after.outcome and after.outcome.winner == me:
        if 3 not in _lines(state, move, STONES[me], aim.win):
            return -5_000.0
        return 10_000 / _lines(state, move, STONES[me], DIRECTIONS).count(3)
    theirs = _lines(state, move, STONES[1 - me], DIRECTIONS)
    unwanted = [one for one in DIRECTIONS if one not in aim.win]
    worth = _weight(_lines(state, move, STONES[me], aim.win))
    worth -= _weight(_lines(state, move, STONES[me], unwanted))
    blocked = _weight(theirs)
    worth += -blocked if aim.lose else blocked
    loses = any(_wins(after, reply) for reply in after.landing)
    if 3 in theirs:
        worth += -3_000.0 if aim.lose else 3_000.0
    return worth + (0.0 if not loses else 1_000.0 if aim.lose else -2_000.0)


def _weight(lines: list[int]) -> float:
    """Lines count the more, the more stones they have."""
    return float(sum(1 << 2 * count for count in lines))


def _wins(state: ConnectFourState, move: int) -> bool:
    return 3 in _lines(state, move, STONES[state.player], DIRECTIONS)


def _lines(
    state: ConnectFourState,
    move: int,
    stone: str,
    directions: tuple[Direction, ...] | list[Direction],
) -> list[int]:
    """For each line of four through a field that holds only these stones: how many of them."""
    game, board = state.game, state.board
    found = []
    for direction in directions:
        for line in _through(game.width, game.height, game.layers, move, direction):
            stones = [board[field] for field in line]
            if all(one in (FREE, stone) for one in stones):
                found.append(stones.count(stone))
    return found


@lru_cache(maxsize=1 << 14)
def _through(
    width: int, height: int, layers: int, field: int, direction: Direction
) -> tuple[tuple[int, ...], ...]:
    """The other fields of every line of four through a field in a direction."""
    layer, rest = divmod(field, width * height)
    row, column = divmod(rest, width)
    dk, di, dj = direction

    def inside(step: int) -> bool:
        place = (layer + step * dk, row + step * di, column + step * dj)
        sizes = (layers, height, width)
        return all(0 <= one < size for one, size in zip(place, sizes, strict=True))

    def number(step: int) -> int:
        return ((layer + step * dk) * height + row + step * di) * width + column + step * dj

    spans = [range(first, first + 4) for first in range(-3, 1)]
    return tuple(
        tuple(number(step) for step in span if step)
        for span in spans
        if all(inside(step) for step in span)
    )


def fits(game: ConnectFour, aim: str) -> bool:
    """Whether there is room for a line that would serve this aim; some aims need none."""
    win = AIMS[aim].win
    sizes = (game.layers, game.height, game.width)
    return not win or any(
        all(size >= 4 for size, step in zip(sizes, direction, strict=True) if step)
        for direction in win
    )
