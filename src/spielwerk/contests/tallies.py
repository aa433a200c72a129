"""What is counted rather than fitted: points, wins, draws, losses, forfeits, and the crosstable.

A win is one point; a draw is half a point for two players and nothing at dice, where it means that
the rounds ran out. When a bot fails at dice nobody wins: the game is lost for the culprit, and for
the others it is a game without result. Games of the disqualified count for nobody but themselves,
so that it does not matter who had played them before; the crosstable shows every game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spielwerk.contests.rating.evidence import PAIR, settled
from spielwerk.contests.results import Encounter
from spielwerk.store.contest_records import End, State

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from spielwerk.store.contest_records import Outcome, Pairing


@dataclass(slots=True)
class Tally:
    """What an entrant has to show."""

    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: Counter[End] = field(default_factory=Counter)

    def add(self, outcome: Outcome, seat: int, players: int) -> None:
        """Count a game from the side of a seat."""
        self.games += 1
        self.points += points_of(outcome, seat, players)
        if seat in outcome.culprits:
            self.forfeits[outcome.end] += 1
        if seat == outcome.winner:
            self.wins += 1
        elif outcome.end == End.DRAW:
            self.draws += 1
        elif outcome.winner is not None or seat in outcome.culprits:
            self.losses += 1


def points_of(outcome: Outcome, seat: int, players: int) -> float:
    """What a seat gets for a game."""
    if outcome.end == End.DRAW:
        return 0.5 if players == PAIR else 0.0
    return float(seat == outcome.winner)


def tallies(pairings: Iterable[Pairing], struck: Container[int] = ()) -> Mapping[int, Tally]:
    """What everybody has to show; those who have not played have an empty tally."""
    counted: dict[int, Tally] = defaultdict(Tally)
    for pairing in pairings:
        outcome = settled(pairing)
        if outcome is None:
            continue
        void = any(entrant in struck for entrant in pairing.seats)
        for seat, entrant in enumerate(pairing.seats):
            if not void or entrant in struck:
                counted[entrant].add(outcome, seat, len(pairing.seats))
    return counted


def crosstable(pairings: Iterable[Pairing]) -> dict[int, dict[int, tuple[Encounter, ...]]]:
    """Everybody's games against everybody, in the order of the schedule."""
    table: dict[int, dict[int, list[Encounter]]] = defaultdict(lambda: defaultdict(list))
    for pairing in sorted(pairings, key=lambda pairing: pairing.number):
        if pairing.state != State.DONE or pairing.outcome is None:
            continue
        for seat, entrant in enumerate(pairing.seats):
            encounter = _encounter(pairing, pairing.outcome, seat)
            for other in pairing.seats:
                if other != entrant:
                    table[entrant][other].append(encounter)
    return {
        entrant: {other: tuple(games) for other, games in sorted(row.items())}
        for entrant, row in sorted(table.items())
    }


def _encounter(pairing: Pairing, outcome: Outcome, seat: int) -> Encounter:
    return Encounter(
        number=pairing.number,
        game=pairing.game,
        points=points_of(outcome, seat, len(pairing.seats)),
        seat=seat,
        end=outcome.end,
        fault=seat in outcome.culprits,
    )
