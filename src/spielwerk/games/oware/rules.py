"""Oware, by the Oware task.

Player A (0) has the houses 0 to 5 of the lower row, player B (1) those of the upper; sowing goes
round counterclockwise. A board is the document's 14 numbers: what A and B have taken, A's houses,
B's houses. A move is the number of the chosen house.

The game remembers, for each player, in which situations that player was to move (E-3). What was
before the last capture can never come back, so a state remembers the situation after that capture
and the moves since. As text: `0 0 4 4 4 4 4 4 4 4 4 4 4 4`, then `player B` if it was B who was to
move there, then `moves 33` if there were any.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games.interface import NOBODY, Game, Outcome, State, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Board = tuple[int, ...]

STONES: Final = 48
MAJORITY: Final = 25
HOUSES: Final = 6
STANDARD: Final[Board] = (0, 0, *[4] * 12)

MAJORITY_REACHED: Final = "E-1: a player has 25 stones or more"
NO_MOVE: Final = "E-2: the player to move has no legal move"
REPETITION: Final = "E-3: the situation repeats for the player to move"

_POSITION: Final = re.compile(r"([0-9 ]+?)( player B)?(?: moves ([0-5]+))?")


@dataclass(frozen=True)
class Oware(Game[int]):
    """Oware; other starting boards than the standard one are positions like any other."""

    name: ClassVar = "oware"
    title: ClassVar = "Oware"
    sides: ClassVar = ("A", "B")
    move_help: ClassVar = "the number of one of your houses, 0 to 5"

    def start(self) -> OwareState:
        """Four stones in every house, A to move."""
        return _settled(self, STANDARD, 0)

    def parse_move(self, text: str) -> int:
        """Read the number of a house."""
        house = number(text)
        if house is None or house >= HOUSES:
            raise NotationError("Oware move", text, "expected the number of a house, 0 to 5")
        return house

    def format_move(self, move: int) -> str:
        """Write the number of the house."""
        return str(move)

    @classmethod
    def written(cls, decisions: Iterable[tuple[int, str]]) -> list[str]:
        """All moves as one word, as in a move request."""
        return ["".join(move for _, move in decisions)]

    @classmethod
    def read_written(cls, line: str) -> list[str]:
        """A move a letter."""
        return [*line]

    def parse_state(self, text: str) -> OwareState:
        """Read a board, and who was to move there and the moves since, if they are given."""
        match = _POSITION.fullmatch(text)
        board = parse_board(match[1]) if match else None
        if not match or board is None:
            problem = f"expected 14 numbers that add up to {STONES}, then player B or moves, if any"
            raise NotationError("Oware position", text, problem)
        state = _settled(self, board, 1 if match[2] else 0)
        try:
            for house in match[3] or "":
                state = state.play(int(house))
        except IllegalMove as error:
            raise NotationError("Oware position", text, f"move {error}") from None
        return state


def parse_board(text: str) -> Board | None:
    """The 14 numbers of a board, or None if the text is anything else."""
    numbers = [number(word) for word in text.split(" ")]
    board = tuple(n for n in numbers if n is not None)
    return board if len(board) == len(numbers) == 14 and sum(board) == STONES else None


def format_board(board: Board) -> str:
    """The board as the document writes it."""
    return " ".join(map(str, board))


def collected(board: Board) -> Board:
    """The board at the end: both players have taken the stones that are left on their side."""
    return (board[0] + sum(board[2:8]), board[1] + sum(board[8:]), *[0] * 12)


@dataclass(frozen=True, slots=True)
class OwareState(State[int]):
    """A board, who is to move, and the memory of situations as far as it still matters."""

    game: Oware
    board: Board
    player: int
    moves: str  # since the last capture, after which no earlier situation can come back
    seen: tuple[Board, ...] = field(hash=False)  # the boards before each of these moves
    houses: tuple[int, ...] = field(compare=False)

    @property
    def turn(self) -> int:
        """The player to move, or NOBODY."""
        return NOBODY if self.outcome else self.player

    def legal_moves(self) -> tuple[int, ...]:
        """The houses from which the player to move may sow."""
        return () if self.outcome else self.houses

    def play(self, move: int) -> OwareState:
        """Sow from the house, then collect what was won."""
        if move not in self.houses or self.outcome:
            raise self.illegal(move, self._broken_rule(move))
        board = _reap(*_sow(self.board, self.player, move), self.player)
        captured = board[self.player] > self.board[self.player]
        moves = "" if captured else f"{self.moves}{move}"
        seen = () if captured else (*self.seen, self.board)
        return _settled(self.game, board, 1 - self.player, moves, seen)

    def _broken_rule(self, move: int) -> str:
        if self.outcome:
            return "The game is over"
        if not 0 <= move < HOUSES:
            return "Houses are numbered 0 to 5"
        if not row(self.board, self.player)[move]:
            return "The house is empty"
        return "Starvation rule: the opponent has no stones, so the move must bring some"

    def __str__(self) -> str:
        base = self.seen[0] if self.seen else self.board
        base_player = (self.player + len(self.moves)) % 2
        player = " player B" if base_player else ""
        moves = f" moves {self.moves}" if self.moves else ""
        return f"{format_board(base)}{player}{moves}"


def row(board: Board, player: int) -> Board:
    """The player's six houses."""
    return board[2 + HOUSES * player : 8 + HOUSES * player]


def _settled(
    game: Oware, board: Board, player: int, moves: str = "", seen: tuple[Board, ...] = ()
) -> OwareState:
    """The state with its legal moves, ended if E-1, E-2 or E-3 holds."""
    houses = _legal_houses(board, player)
    reason = None
    if board[0] >= MAJORITY or board[1] >= MAJORITY:
        reason = MAJORITY_REACHED
    elif not houses:
        reason = NO_MOVE
    elif board in seen[-2::-2]:  # every second one: those where the same player was to move
        reason = REPETITION
    outcome = _result(board, reason) if reason else None
    return OwareState(game, outcome, board, player, moves, seen, houses)


def _result(board: Board, reason: str) -> Outcome:
    """Who has won once both have taken the stones on their side."""
    a, b = collected(board)[:2]
    return Outcome(None if a == b else int(b > a), reason, (a, b))


def _legal_houses(board: Board, player: int) -> tuple[int, ...]:
    """The houses with stones; if the opponent has none, those that reach the opponent's side."""
    starving = not any(row(board, 1 - player))
    return tuple(
        house
        for house, stones in enumerate(row(board, player))
        if stones and (not starving or house + stones >= HOUSES)
    )


def _sow(board: Board, player: int, house: int) -> tuple[list[int], int]:
    """The board after sowing, and the place on it of the last stone; the origin is skipped."""
    sown = list(board)
    origin = place = 2 + HOUSES * player + house
    stones, sown[origin] = sown[origin], 0
    while stones:
        place = place + 1 if place < 13 else 2
        if place != origin:
            sown[place] += 1
            stones -= 1
    return sown, place


def _reap(sown: list[int], last: int, player: int) -> Board:
    """The board after collecting: back from the last stone while houses hold two or three.

    Nothing is collected if the opponent would be left without stones (grand slam).
    """
    theirs = range(2 + HOUSES * (1 - player), 8 + HOUSES * (1 - player))
    won = []
    while last in theirs and sown[last] in (2, 3):
        won.append(last)
        last -= 1
    gain = sum(sown[place] for place in won)
    if gain < sum(sown[place] for place in theirs):
        for place in won:
            sown[place] = 0
        sown[player] += gain
    return tuple(sown)


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


def move_steps(state: OwareState, move: int) -> tuple[Step, ...]:
    """The steps of a move, the last one with the board after it; IllegalMove if it is not legal."""
    after = state.play(move).board
    origin = 2 + HOUSES * state.player + move
    *sowing, last = _sowing(state.board, origin)
    return (*sowing, last, *_collecting(last, after, state.player))


def _sowing(board: Board, origin: int) -> Iterator[Step]:
    """Choosing, taking out and sowing; the origin is skipped."""
    stones = board[origin]
    yield Step(Action.CHOOSE, origin, stones, board, 0)
    board = _changed(board, origin, -stones)
    yield Step(Action.TAKE, origin, stones, board, stones)
    place = origin
    for hand in reversed(range(stones)):
        place = _next_place(place) if _next_place(place) != origin else _next_place(origin)
        board = _changed(board, place, 1)
        yield Step(Action.SOW, place, 1, board, hand)


def _collecting(last: Step, after: Board, player: int) -> Iterator[Step]:
    """Collecting backwards from the house of the last stone, as far as the rules have emptied."""
    board, place = last.board, last.place
    while board != after:
        stones = board[place]
        board = _changed(_changed(board, place, -stones), player, stones)
        yield Step(Action.COLLECT, place, stones, board, 0)
        place -= 1


def _next_place(place: int) -> int:
    return place + 1 if place < 13 else 2


def _changed(board: Board, place: int, by: int) -> Board:
    return (*board[:place], board[place] + by, *board[place + 1 :])
