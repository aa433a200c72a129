"""What the clients of one game were told, and whether all of it fits together.

A turn counts as told when its player heard MOVEOK, or when anybody saw a position that contains it.
A turn that was sent but not told may be lost in a crash, or not; whoever is asked next sees which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spielwerk.games import Game, State
from spielwerk.games.morris.rules import Morris, MorrisState
from spielwerk.games.quarto.rules import QuartoState

Decision = tuple[int, str]
"""A seat and what it decided, as it is written."""


class Contradiction(AssertionError):
    """The server said something that does not fit what it had said before."""


@dataclass
class Turn:
    """What a player sent with one PLAY."""

    seat: int
    moves: tuple[Any, ...]
    told: bool = False


class Ledger:
    """One game as its clients know it."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.decisions: list[Decision] = []
        self.winners: dict[int, int | None] = {}  # what each seat was told at the end
        self.lost = 0  # turns that were sent, not told, and are not there
        self.turns = 0
        self._state: State[Any] = game.start()
        self._open: Turn | None = None  # sent, and not known to be there

    @property
    def finished(self) -> bool:
        """Whether both players have been told the result."""
        return len(self.winners) == 2

    def sent(self, seat: int, text: str) -> Turn:
        """A player sends a turn."""
        self._open = Turn(seat, self.game.parse_turn(text))
        return self._open

    def acknowledged(self, turn: Turn) -> None:
        """The player was told MOVEOK; the opponent may have seen the move already."""
        if not turn.told:
            self._expect(turn is self._open, "MOVEOK for a turn that was given up")
            self._tell(turn)

    def asked(self, seat: int, position: State[Any]) -> None:
        """The player is asked to move in this position."""
        self._see(position, seat)

    def ended(self, seat: int, winner: int | None, position: State[Any]) -> None:
        """The player is told the result and the last position."""
        self._see(position, None)
        outcome = self._state.outcome
        told = f"seat {seat} was told that {winner} won"
        self._expect(outcome is not None, f"{told}, but the game is not over")
        self._expect(outcome is not None and outcome.winner == winner, f"{told}, not {outcome}")
        self.winners[seat] = winner

    def _see(self, position: State[Any], seat: int | None) -> None:
        """A position shows what became of the turn that is open, if one is."""
        if self._shows(position, self._state, seat):
            if self._open:
                self._expect(seat == self._open.seat, "a turn vanished, its player is still there")
                self.lost += 1
                self._open = None
            return
        after = self._state.play_turn(self._open.moves) if self._open else None
        self._expect(
            after is not None and self._shows(position, after, seat), f"seat {seat} saw {position}"
        )
        if self._open:
            self._tell(self._open)

    def _shows(self, position: State[Any], state: State[Any], seat: int | None) -> bool:
        """Whether the position is this one, and the seat the one to decide (None: nobody is)."""
        wanted = state.turn if state.outcome is None else None
        return wanted == seat and visible(position, seat) == visible(state, seat)

    def _tell(self, turn: Turn) -> None:
        self._state = self._state.play_turn(turn.moves)
        self.decisions += [(turn.seat, self.game.format_move(move)) for move in turn.moves]
        self.turns += 1
        turn.told, self._open = True, None

    def _expect(self, fact: bool, otherwise: str) -> None:
        if not fact:
            sent = f", and sent {self._open}" if self._open else ""
            raise Contradiction(f"{otherwise}; but clients were told {self._state}{sent}")


def visible(state: State[Any], seat: int | None) -> tuple[Any, ...]:
    """What the protocol shows of a position to a player who is asked, or at the end (None)."""
    if isinstance(state, MorrisState):
        asked = (state.capture,) if seat is not None else ()
        return (state.board, state.hand, *asked)
    assert isinstance(state, QuartoState)
    return (state.board, state.stone if seat is not None else None)


def kind_of(game: Game[Any]) -> str:
    """What the HTTP interface calls the game."""
    return "NMMorris" if isinstance(game, Morris) else "Quarto"
