"""What decisions cost: the one definition of loss, accuracy and the phases of a game.

A decision's loss is what it took from the decider's chance to win, a draw being half a win. It is
exact where the chances before and after it are proven, else an estimate. The accuracy of a player
is the share of the chances held before each decision that was still held after it: who stood to
lose nothing has none. A game has three phases, the thirds of its decisions.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PHASES: Final = ("opening", "middle", "end")


@dataclass(frozen=True, slots=True)
class Point:
    """What a position is worth."""

    chances: tuple[float, ...]  # of each player
    exact: bool = False  # proven
    plies: int | None = None  # decisions to the end, where that is known


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, with what the positions before and after it are worth."""

    ply: int
    mover: int  # a player's number, or CHANCE
    before: Point
    after: Point

    @property
    def held(self) -> float:
        """The mover's chance before it."""
        return self.before.chances[self.mover]

    @property
    def loss(self) -> float:
        """What it took from that."""
        return max(0.0, self.held - self.after.chances[self.mover])

    @property
    def exact(self) -> bool:
        """Whether the loss is proven."""
        return self.before.exact and self.after.exact


@dataclass(frozen=True, slots=True)
class Regret:
    """What the decisions of a player cost; those of several games can be added.

    >>> Regret(moves=3, mistakes=1, held=2.5, lost=0.5) + Regret(moves=1, held=0.5)
    Regret(moves=4, exact=0, mistakes=1, proven=0, wins=0, draws=0, held=3.0, lost=0.5)
    """

    moves: int = 0
    exact: int = 0  # moves whose loss is proven
    mistakes: int = 0  # moves whose loss has a grade
    proven: int = 0  # mistakes among the exact moves
    wins: int = 0  # that were thrown away, proven
    draws: int = 0  # likewise
    held: float = 0.0  # chances before each move, added up
    lost: float = 0.0  # losses, added up

    def __add__(self, other: Regret) -> Regret:
        names = [field.name for field in fields(self)]
        return Regret(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def kept(self) -> int:
        """Moves that kept the value of the position, or nearly so where it is estimated."""
        return self.moves - self.mistakes

    @property
    def accuracy(self) -> float | None:
        """The share of the chances that was kept; None if there was nothing to lose."""
        return 1 - self.lost / self.held if self.held else None

    def told(self) -> dict[str, Any]:
        """All figures, as programs get them."""
        return {**asdict(self), "kept": self.kept, "accuracy": self.accuracy}

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> Regret:
        """What was told before."""
        return cls(**{field.name: told[field.name] for field in fields(cls)})


def regret_of(one: JudgedDecision, least: float) -> Regret:
    """One decision; a loss of at least so much is a mistake."""
    mistake = one.loss >= least
    proven = mistake and one.exact
    return Regret(
        moves=1,
        exact=int(one.exact),
        mistakes=int(mistake),
        proven=int(proven),
        wins=int(proven and one.held == 1),
        draws=int(proven and one.held == 1 / 2),
        held=one.held,
        lost=one.loss,
    )


def regrets(
    decisions: Iterable[JudgedDecision], plies: range, least: float
) -> Mapping[int, Mapping[str, Regret]]:
    """What the players' decisions cost in each phase of a game whose decisions are `plies`."""
    found: dict[int, dict[str, Regret]] = defaultdict(lambda: dict.fromkeys(PHASES, Regret()))
    for one in decisions:
        if one.mover >= 0:
            phase = PHASES[len(PHASES) * (one.ply - plies.start) // len(plies)]
            found[one.mover][phase] += regret_of(one, least)
    return found


def told(phases: Mapping[str, Regret]) -> dict[str, Any]:
    """What a player's decisions cost in all and in each phase, as programs get it."""
    known = {phase: phases.get(phase, Regret()) for phase in PHASES}
    total = sum(known.values(), Regret())
    return {"regret": total.told(), "phases": {name: one.told() for name, one in known.items()}}
