"""What becomes of a game of the schedule after an attempt at it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import Disqualified, End, Outcome, Settled, State
from spielwerk.tournament.contest import Phase

if TYPE_CHECKING:
    from spielwerk.runners.assignment import Played
    from spielwerk.store.contest_records import Pairing
    from spielwerk.tournament.contest import Contest

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
        again = played.outcome.overloaded and not pairing.repeated  # that is believed once
        return Settled(
            self._identity,
            pairing.number,
            pairing.attempt,
            State.REPEAT if again else self._state(pairing, played.outcome),
            played.outcome,
            played.record,
            played.wires,
            played.reports,
            repeated=pairing.repeated or again,
        )

    def _state(self, pairing: Pairing, outcome: Outcome) -> State:
        if outcome.end is not End.SERVER_ERROR:
            return State.DONE
        self._errors[pairing.number] += 1
        return State.REPEAT if self._errors[pairing.number] <= REPEATS else State.FAILED

    def lose(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost: it never began; but not for ever."""
        self._losses[pairing.number] += 1
        if self._losses[pairing.number] < LOSSES:
            return self.put_back(pairing)
        outcome = Outcome(End.SERVER_ERROR, detail=f"lost with its worker {LOSSES} times: {why}")
        return Settled(
            self._identity,
            pairing.number,
            pairing.attempt,
            State.FAILED,
            outcome,
            repeated=pairing.repeated,
        )

    def put_back(self, pairing: Pairing) -> Settled:
        """As if it had never begun."""
        number, attempt, repeated = pairing.number, pairing.attempt, pairing.repeated
        return Settled(self._identity, number, attempt, State.NEW, repeated=repeated)

    def unwritable(self, settled: Settled, why: str) -> Settled:
        """What is written of a game in the place of something that the store does not take."""
        self._errors[settled.number] += 1
        again = self._errors[settled.number] <= REPEATS
        outcome = Outcome(End.SERVER_ERROR, detail=f"the game could not be written: {why}")
        state = State.REPEAT if again else State.FAILED
        return Settled(
            self._identity,
            settled.number,
            settled.attempt,
            state,
            outcome,
            repeated=settled.repeated,
        )

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
