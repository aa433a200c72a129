"""What becomes of a game of the schedule after an attempt at it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Phase
from spielwerk.store.contest_records import Disqualified, End, Outcome, Settled, State

if TYPE_CHECKING:
    from spielwerk.contests.assignment import Played
    from spielwerk.contests.contest import Contest
    from spielwerk.store.contest_records import Pairing

REPEATS: Final = 2  # of a game that we could not bring to its end
LOSSES: Final = 3  # of its worker, after which a game is given up


class Judge:
    """Decides what counts, and remembers how often a game went wrong through nobody's fault."""

    def __init__(self, contest: Contest, identity: str) -> None:
        self._contest = contest
        self._identity = identity
        self._errors: Counter[int] = Counter()
        self._losses: Counter[int] = Counter()

    def settle(self, pairing: Pairing, played: Played) -> Settled:
        """What becomes of a game that was played, or could not be."""
        outcome, state = played.outcome, State.DONE
        late = outcome.overloaded and not pairing.repeated  # that is believed once
        if late:
            state = State.REPEAT
        elif outcome.end is End.SERVER_ERROR:
            state = self._after_an_error(pairing.number)
        return replace(
            self._settled(pairing, state, outcome),
            record=played.record,
            wires=played.wires,
            reports=played.reports,
            repeated=pairing.repeated or late,
        )

    def lose(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost: it never began; but not for ever."""
        self._losses[pairing.number] += 1
        if self._losses[pairing.number] < LOSSES:
            return self.put_back(pairing)
        outcome = Outcome(End.SERVER_ERROR, detail=f"lost with its worker {LOSSES} times: {why}")
        return self._settled(pairing, State.FAILED, outcome)

    def put_back(self, pairing: Pairing) -> Settled:
        """As if it had never begun."""
        return self._settled(pairing, State.NEW)

    def unwritable(self, settled: Settled, why: str) -> Settled:
        """What is written of a game in the place of something that the store does not take."""
        outcome = Outcome(End.SERVER_ERROR, detail=f"the game could not be written: {why}")
        return self._settled(settled, self._after_an_error(settled.number), outcome)

    def _after_an_error(self, number: int) -> State:
        """Play it again; but not for ever."""
        self._errors[number] += 1
        return State.REPEAT if self._errors[number] <= REPEATS else State.FAILED

    def _settled(
        self, game: Pairing | Settled, state: State, outcome: Outcome | None = None
    ) -> Settled:
        number, attempt = game.number, game.attempt
        return Settled(self._identity, number, attempt, state, outcome, repeated=game.repeated)

    def disqualified(
        self, pairing: Pairing, state: State, outcome: Outcome | None
    ) -> list[Disqualified]:
        """Who is out after this game, in the competition phase."""
        strict = self._contest.phase is Phase.COMPETITION and state is State.DONE
        if not strict or outcome is None or outcome.end not in self._contest.disqualify:
            return []
        why = f"{outcome.end}: {outcome.detail}" if outcome.detail else str(outcome.end)
        return [
            Disqualified(self._identity, pairing.seats[seat], why, pairing.number)
            for seat in outcome.culprits
        ]
