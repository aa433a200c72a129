"""The dice race of three players with two dice, by the dice sheet.

Before every throw the player decides: ROLL adds the throw to the points of this turn, but a double
ends the turn and loses them; SAVE adds them to the saved points and ends the turn. A throw that
brings saved and turn points together to the target wins at once. A round is one turn of each
player; after the last round without a winner the game ends without a result.

A throw is written `4 5`. A position is the saved points, this turn's points, the number of turns
that are over, and whether a player has to choose or the dice to be thrown:
`saved 0 12 45 points 9 turns 4 choose`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from spielwerk.errors import NotationError
from spielwerk.games.interface import CHANCE, NOBODY, Game, Outcome, State, option

if TYPE_CHECKING:
    from collections.abc import Sequence

REACHED: Final = "the target is reached"
ROUNDS: Final = "the last round has passed without a winner"

_POSITION: Final = re.compile(
    r"saved (\d{1,5}) (\d{1,5}) (\d{1,5}) points (\d{1,5}) turns (\d{1,5}) (choose|throw)", re.ASCII
)


class Choice(Enum):
    """What a player decides before every throw."""

    ROLL = "ROLL"
    SAVE = "SAVE"


class Throw(NamedTuple):
    """What both dice show."""

    first: int
    second: int


Move = Choice | Throw

THROWS: Final = tuple(Throw(a, b) for a in range(1, 7) for b in range(1, 7))
_CHOICES: Final = (Choice.ROLL, Choice.SAVE)
_BY_TEXT: Final[dict[str, Move]] = {
    **{choice.value: choice for choice in _CHOICES},
    **{f"{throw.first} {throw.second}": throw for throw in THROWS},
}


@dataclass(frozen=True)
class Dice(Game[Move]):
    """The dice race; players are numbered in the order of play."""

    name: ClassVar = "dice"
    title: ClassVar = "Dice race"
    sides: ClassVar = ("player 0", "player 1", "player 2")
    move_help: ClassVar = "ROLL or SAVE"
    throws_dice: ClassVar = True
    one_sitting: ClassVar = True

    target: int = option(150, 3, 10_000, "points that win (older courses: 200)")
    rounds: int = option(100, 1, 10_000, "rounds after which the game is broken off")
    begins: int = option(0, 0, 2, "player who has the first turn")

    def start(self) -> DiceState:
        """No player has any points."""
        return DiceState(self, None, (0, 0, 0), 0, 0, throwing=False)

    def parse_move(self, text: str) -> Move:
        """Read ROLL, SAVE or a throw."""
        try:
            return _BY_TEXT[text]
        except KeyError:
            problem = "expected ROLL, SAVE or a throw like 4 5"
            raise NotationError("dice move", text, problem) from None

    def format_move(self, move: Move) -> str:
        """Write ROLL, SAVE or the throw."""
        return move.value if isinstance(move, Choice) else f"{move.first} {move.second}"

    def parse_state(self, text: str) -> DiceState:
        """Read the points, the turns and what is to be decided."""
        match = _POSITION.fullmatch(text)
        if not match:
            example = str(self.start())
            raise NotationError("dice position", text, f"expected something like {example}")
        a, b, c, points, turns = (int(match[group]) for group in range(1, 6))
        state = DiceState(self, None, (a, b, c), points, turns, match[6] == "throw")
        state = replace(state, outcome=state.judge())
        problem = "numbers have no leading zeros" if str(state) != text else state.contradiction()
        if problem:
            raise NotationError("dice position", text, problem)
        return state


@dataclass(frozen=True, slots=True)
class DiceState(State[Move]):
    """The points of all players, and what is to be decided."""

    game: Dice
    saved: tuple[int, ...]
    points: int
    turns: int
    throwing: bool

    @property
    def player(self) -> int:
        """Whose turn it is, also while the dice are thrown."""
        return (self.game.begins + self.turns) % 3

    @property
    def turn(self) -> int:
        """The player to choose, or chance while the dice are thrown."""
        if self.outcome:
            return NOBODY
        return CHANCE if self.throwing else self.player

    def legal_moves(self) -> Sequence[Move]:
        """The two choices, or the 36 throws."""
        if self.outcome:
            return ()
        return THROWS if self.throwing else _CHOICES

    def play(self, move: Move) -> DiceState:
        """Choose, or let the dice fall."""
        if self.outcome:
            raise self.illegal(move, "The game is over")
        if self.throwing:
            return self._thrown(move)
        if move is Choice.ROLL:
            return DiceState(self.game, None, self.saved, self.points, self.turns, throwing=True)
        if move is Choice.SAVE:
            return self._turn_over(self.points)
        raise self.illegal(move, "The player has to choose ROLL or SAVE first")

    def _thrown(self, move: Move) -> DiceState:
        if isinstance(move, Choice):
            raise self.illegal(move, "The dice have to be thrown first")
        if not (1 <= move.first <= 6 and 1 <= move.second <= 6):
            raise self.illegal(move, "A die shows 1 to 6")
        if move.first == move.second:
            return self._turn_over(0)
        points = self.points + move.first + move.second
        if self.saved[self.player] + points < self.game.target:
            return DiceState(self.game, None, self.saved, points, self.turns, throwing=False)
        return self._credited(points, self.turns)

    def _turn_over(self, gain: int) -> DiceState:
        """The next player's turn, the gain saved."""
        return self._credited(gain, self.turns + 1)

    def _credited(self, gain: int, turns: int) -> DiceState:
        """The state after so many turns, with its outcome, if this player saves the gain."""
        saved = [*self.saved]
        saved[self.player] += gain
        after = DiceState(self.game, None, tuple(saved), 0, turns, throwing=False)
        outcome = after.judge()
        return replace(after, outcome=outcome) if outcome else after

    def judge(self) -> Outcome | None:
        """The outcome, if there is a winner or the rounds are over."""
        if max(self.saved) >= self.game.target:
            return Outcome(self.player, REACHED, self.saved)
        if self.turns >= 3 * self.game.rounds:
            return Outcome(None, ROUNDS, self.saved, void=True)
        return None

    def contradiction(self) -> str | None:
        """Why no game can lead to this position, or None."""
        reached = [p for p, saved in enumerate(self.saved) if saved >= self.game.target]
        if reached and reached != [self.player]:
            return "only the player whose turn it is can have reached the target"
        if self.outcome and (self.points or self.throwing):
            return "the game is over, so there is no throw and there are no points of a turn"
        if self.saved[self.player] + self.points >= self.game.target and not reached:
            return f"with {self.saved[self.player]} and {self.points} points the game is won"
        if self.turns + bool(reached) > 3 * self.game.rounds:
            return f"there are only {self.game.rounds} rounds"
        return None

    def __str__(self) -> str:
        saved = " ".join(map(str, self.saved))
        decision = "throw" if self.throwing else "choose"
        return f"saved {saved} points {self.points} turns {self.turns} {decision}"
