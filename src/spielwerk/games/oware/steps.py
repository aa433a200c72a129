"""A move in Oware as people see it happen, step by step (Oware task, section 3.8).

The house is chosen, its stones are taken out, they are sown one by one counterclockwise, and what
was won is collected house by house clockwise, the player's score rising. What is won the rules
decide; here it is only told in its order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from spielwerk.games.oware.rules import HOUSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games.oware.rules import Board, OwareState


class Action(StrEnum):
    """What happens in a step."""

    CHOOSE = "choose"
    TAKE = "take"
    SOW = "sow"
    COLLECT = "collect"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what happens at which house, and the board after it."""

    action: Action
    place: int  # of the house among the numbers of the board
    stones: int  # how many the step is about
    board: Board
    hand: int  # stones that the player holds then

    @property
    def row(self) -> int:
        """Whose house it is."""
        return (self.place - 2) // HOUSES

    @property
    def house(self) -> int:
        """The house's number in its row."""
        return (self.place - 2) % HOUSES


def steps(state: OwareState, move: int) -> tuple[Step, ...]:
    """The steps of a move, the last one with the board after it; IllegalMove if it is not legal."""
    after = state.play(move).board
    origin = 2 + HOUSES * state.player + move
    *sowing, last = _sow(state.board, origin)
    return (*sowing, last, *_collect(last, after, state.player))


def _sow(board: Board, origin: int) -> Iterator[Step]:
    """Choosing, taking out and sowing; the origin is skipped."""
    stones = board[origin]
    yield Step(Action.CHOOSE, origin, stones, board, 0)
    board = _changed(board, origin, -stones)
    yield Step(Action.TAKE, origin, stones, board, stones)
    place = origin
    for hand in reversed(range(stones)):
        place = _next(place) if _next(place) != origin else _next(origin)
        board = _changed(board, place, 1)
        yield Step(Action.SOW, place, 1, board, hand)


def _collect(last: Step, after: Board, player: int) -> Iterator[Step]:
    """Collecting backwards from the house of the last stone, as far as the rules have emptied."""
    board, place = last.board, last.place
    while board != after:
        stones = board[place]
        board = _changed(_changed(board, place, -stones), player, stones)
        yield Step(Action.COLLECT, place, stones, board, 0)
        place -= 1


def _next(place: int) -> int:
    return place + 1 if place < 13 else 2


def _changed(board: Board, place: int, by: int) -> Board:
    return (*board[:place], board[place] + by, *board[place + 1 :])
