"""What becomes of a game of the schedule after an attempt at it, and what its failures tell."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Phase
from spielwerk.errors import quote
from spielwerk.store.contest_records import (
    ENDS,
    Disqualified,
    Kind,
    PairingState,
    Settled,
)
from spielwerk.store.records import Ending, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spielwerk.contests.assignment import Played
    from spielwerk.contests.contest import Contest, Entrant
    from spielwerk.store.contest_records import Pairing

log = logging.getLogger(__name__)

REPEATS: Final = 2  # of a game that we could not bring to its end
LOSSES: Final = 3  # of its worker, after which a game is given up

HOPELESS: Final = 10  # games in a row that we could not play, besides all that are lost at once
SUSPICIOUS: Final = 3  # games of a program that were lost, and none that was played
LATER: Final = 20  # games of others before its next one: another program may be the cause
HINT: Final = "--sandbox keeps programs from ending their workers"


class Arbiter:
    """Decides what counts, and remembers how often a game failed without a player's fault."""

    def __init__(self, contest: Contest, identity: str) -> None:
        self._contest = contest
        self._identity = identity
        self._errors: Counter[int] = Counter()
        self._losses: Counter[int] = Counter()

    def settle(self, pairing: Pairing, played: Played) -> Settled:
        """What becomes of a game that was played, or could not be."""
        ending, state = played.ending, PairingState.DONE
        late = played.overloaded and not pairing.repeated  # that is believed once
        if late:
            state = PairingState.REPEAT
        elif ending.reason is Reason.SERVER_ERROR:
            state = self._after_an_error(pairing.number)
        return replace(
            self._settled(pairing, state, ending),
            record=played.record,
            wires=played.wires,
            reports=played.reports,
            repeated=pairing.repeated or late,
            started=played.started,
            overloaded=played.overloaded,
        )

    def lose(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost: it never began; but not for ever."""
        self._losses[pairing.number] += 1
        if self._losses[pairing.number] < LOSSES:
            return self.put_back(pairing)
        detail = f"lost with its worker {LOSSES} times: {why}"
        ending = Ending(Reason.SERVER_ERROR, detail=detail)
        return self._settled(pairing, PairingState.FAILED, ending)

    def put_back(self, pairing: Pairing) -> Settled:
        """As if it had never begun."""
        return self._settled(pairing, PairingState.NEW)

    def unwritable(self, settled: Settled, why: str) -> Settled:
        """What is written of a game in place of something that the store does not take."""
        ending = Ending(Reason.SERVER_ERROR, detail=f"the game could not be written: {why}")
        return self._settled(settled, self._after_an_error(settled.number), ending)

    def _after_an_error(self, number: int) -> PairingState:
        """Play it again; but not for ever."""
        self._errors[number] += 1
        return PairingState.REPEAT if self._errors[number] <= REPEATS else PairingState.FAILED

    def _settled(
        self, game: Pairing | Settled, state: PairingState, ending: Ending | None = None
    ) -> Settled:
        number, attempt = game.number, game.attempt
        return Settled(self._identity, number, attempt, state, ending, repeated=game.repeated)

    def disqualified(self, pairing: Pairing, now: Pairing | Settled) -> list[Disqualified]:
        """The entrants that are out after this game, in the competition phase."""
        strict = self._contest.phase is Phase.COMPETITION and now.state is PairingState.DONE
        ending = now.ending
        if not strict or ending is None or ENDS[ending.reason] not in self._contest.disqualify:
            return []
        end = ENDS[ending.reason]
        why = f"{end}: {ending.detail}" if ending.detail else end
        return [
            Disqualified(self._identity, pairing.seats[seat], why, pairing.number)
            for seat in ending.culprits
        ]


@dataclass(slots=True)
class _LossRow:
    """The losses of a program since the last game of it that was played."""

    began: int  # how many games were played before the first of them,
    last: int  # and before the last
    losses: int = 0


class LostGames:
    """Counts the games that we could not play, and finds the program that is the cause.

    A program that was in all games that were lost, while games of others are played, is blamed;
    otherwise the machine is in trouble.
    """

    def __init__(self, entrants: Sequence[Entrant], *, sandbox: bool = False) -> None:
        self._programs = {n: one.name for n, one in enumerate(entrants) if one.kind is Kind.COMMAND}
        self._advice = "" if sandbox else f"; {HINT}"
        self._rows: dict[int, _LossRow] = {}
        self._played = 0
        self._lost = 0  # since the last game that was played, without those of blamed programs

    def played(self, seats: Iterable[int]) -> None:
        """A game of these was played."""
        self._played += 1
        self._lost = 0
        for entrant in seats:
            self._rows.pop(entrant, None)

    def lost(self, seats: Iterable[int]) -> None:
        """A game of these could not be played."""
        for entrant in self._programs.keys() & set(seats):
            row = self._rows.setdefault(entrant, _LossRow(self._played, self._played))
            row.losses += 1
            row.last = self._played
            if row.losses == SUSPICIOUS:
                name = self._programs[entrant]
                log.warning("games are lost, others come first of=%r%s", name, self._advice)
        if not self._blamed.intersection(seats):
            self._lost += 1

    def is_hopeless(self, jobs: int) -> bool:
        """Whether nothing can be played here, with so many games at once."""
        return self._lost >= HOPELESS + jobs

    def blamed(self) -> list[str]:
        """The names of those whose games are lost, while games of others are played."""
        return self._names(self._blamed)

    @property
    def _blamed(self) -> set[int]:
        return {n for n in self._suspects if self._rows[n].began < self._played}

    @property
    def avoided(self) -> set[int]:
        """Those whose games come after others."""
        return {n for n in self._suspects if self._played < self._rows[n].last + LATER}

    @property
    def _suspects(self) -> set[int]:
        """Those of whom several games were lost in a row."""
        return {n for n, row in self._rows.items() if row.losses >= SUSPICIOUS}

    def _names(self, numbers: Iterable[int]) -> list[str]:
        return [self._programs[number] for number in sorted(numbers)]

    @property
    def hint(self) -> str:
        """Which programs were in all games that were lost since the last one that was played."""
        common = (n for n in self._suspects if self._rows[n].losses >= self._lost)
        names = ", ".join(map(quote, self._names(common)))
        return f"; in all of these games: {names}{self._advice}" if names else ""
