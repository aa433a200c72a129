"""The schedule of a contest in memory: what is played next, and what becomes of each game.

The rows of the store change as `spielwerk.store.scheduling` says; here is decided when.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Phase
from spielwerk.contests.rating import fit, rated
from spielwerk.contests.schedule import Ladder, to_come
from spielwerk.store.contests import seat_that_begins
from spielwerk.store.records import (
    ENDS,
    WAITING,
    Disqualified,
    Ending,
    PairingState,
    Reason,
    Scheduled,
    Settled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from spielwerk.contests.contest import Contest, Played
    from spielwerk.store.records import EntrantRecord, Pairing
    from spielwerk.store.scheduling import ContestJournal

LATER: Final = 10  # games that come before one which is put back: what was wrong may pass
TRIES: Final = 3  # at a game that we could not play, after which it is given up
FRESH: Final = 5.0  # seconds that the ranking of a ladder is good for
LAST: Final = 50  # games that the pace rests on
FEWEST: Final = 3  # without which there is none
BREAK: Final = 60.0  # seconds without play, after which the pace is counted anew


class Agenda:
    """All games of a contest, in their order; those to be played again come soon."""

    def __init__(self, pairings: Iterable[Pairing], entrants: Iterable[EntrantRecord] = ()) -> None:
        self._pairings: dict[int, Pairing] = {}
        self._counts: Counter[PairingState] = Counter()
        self.lost = 0  # games that failed by our own fault, not with a disqualified entrant
        self._queue: deque[Pairing] = deque()
        self._entrants = {one.number: one for one in entrants}
        self._out = {one.number for one in self.entrants if one.disqualified}
        self.add(sorted(pairings, key=lambda one: (_was_ours(one), one.number)))

    def __iter__(self) -> Iterator[Pairing]:
        return iter(self._pairings.values())

    def __len__(self) -> int:
        return len(self._pairings)

    def __getitem__(self, number: int) -> Pairing:
        return self._pairings[number]

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Add these games after all others."""
        for pairing in pairings:
            self._put(pairing)
            if pairing.state in WAITING and not self._is_out(pairing):
                self._queue.append(pairing)

    def _put(self, pairing: Pairing) -> None:
        """Replace what was known of the game; counts are kept, as there may be a million games."""
        if known := self._pairings.get(pairing.number):
            self._counts[known.state] -= 1
        self._counts[pairing.state] += 1
        self.lost += is_lost(pairing)  # which it remains
        self._pairings[pairing.number] = pairing

    def enrol(self, entrant: EntrantRecord) -> None:
        """Add an entrant."""
        self._entrants[entrant.number] = entrant

    def _is_out(self, pairing: Pairing) -> bool:
        return not self._out.isdisjoint(pairing.seats)

    # what is next

    def take(self, missing: AbstractSet[int] = frozenset()) -> Pairing | None:
        """The next game without a missing entrant; it counts as running, for one more time."""
        for place, pairing in enumerate(self._queue):
            if missing.isdisjoint(pairing.seats):
                del self._queue[place]
                running = pairing.cleared(PairingState.RUNNING)
                self._put(replace(running, attempt=pairing.attempt + 1))
                return self[pairing.number]
        return None

    def settle(self, pairing: Pairing) -> None:
        """Take over what became of a game, which may have to be played again."""
        self._put(pairing)
        if pairing.state in WAITING and self._is_out(pairing):
            self._drop(pairing)
        elif pairing.state in WAITING:
            self._queue.insert(LATER, pairing)

    def disqualify(self, entry: Disqualified) -> None:
        """The entrant is out: none of its games that wait will be played."""
        self._out.add(entry.entrant)
        if known := self._entrants.get(entry.entrant):
            out = replace(known, disqualified=entry.why, disqualified_in=entry.number)
            self._entrants[entry.entrant] = out
        waiting, self._queue = self._queue, deque()
        for pairing in waiting:
            if self._is_out(pairing):
                self._drop(pairing)
            else:
                self._queue.append(pairing)

    def _drop(self, pairing: Pairing) -> None:
        self._put(pairing.cleared(PairingState.FAILED))

    # how far it is

    @property
    def entrants(self) -> list[EntrantRecord]:
        """All entrants, by number."""
        return list(self._entrants.values())

    @property
    def disqualified(self) -> frozenset[int]:
        """The entrants that are out."""
        return frozenset(self._out)

    @property
    def waiting(self) -> int:
        """How many games are still to be begun."""
        return len(self._queue)

    def counts(self) -> Counter[PairingState]:
        """How many games are in each state."""
        return +self._counts


def _was_ours(pairing: Pairing) -> bool:
    """Whether the game could not be played before: those that can be must not wait for it."""
    ending = pairing.ending
    error = ending is not None and ending.reason is Reason.SERVER_ERROR
    return error and pairing.state is PairingState.REPEAT


class Arbiter:
    """Decides what counts, and remembers how often a game failed without a player's fault."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._failures: Counter[int] = Counter()

    def settle(self, pairing: Pairing, played: Played) -> Settled:
        """What becomes of a game that was played, or could not be."""
        state, record = PairingState.DONE, played.record
        late = played.overloaded and not pairing.repeated  # that is believed once
        if late:
            state = PairingState.REPEAT
        elif played.ending.reason is Reason.SERVER_ERROR:
            state = self._after_failure(pairing)
        now = replace(
            pairing.cleared(state, played.ending),
            game=record.id if record else None,
            repeated=pairing.repeated or late,
            started=played.started,
            overloaded=played.overloaded,
            begins=seat_that_begins(record.options) if record else 0,
        )
        return Settled(now, record, played.wires, played.reports)

    def lose(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost: it never began, unless it is given up."""
        if self._after_failure(pairing) is not PairingState.FAILED:
            return self.put_back(pairing)
        return _failed(
            pairing, PairingState.FAILED, f"its worker process died {TRIES} times: {why}"
        )

    def put_back(self, pairing: Pairing) -> Settled:
        """As if it had never begun."""
        return Settled(pairing.cleared(PairingState.NEW))

    def unwritable(self, pairing: Pairing, why: str) -> Settled:
        """What is written of a game in place of something that the store does not take."""
        state = self._after_failure(pairing)
        return _failed(pairing, state, f"the game could not be saved: {why}")

    def _after_failure(self, pairing: Pairing) -> PairingState:
        self._failures[pairing.number] += 1
        failures = self._failures[pairing.number]
        return PairingState.REPEAT if failures < TRIES else PairingState.FAILED

    def disqualified(self, pairing: Pairing) -> list[Disqualified]:
        """The entrants that are out after this game, in the competition phase."""
        strict = self._contest.phase is Phase.COMPETITION and pairing.state is PairingState.DONE
        ending = pairing.ending
        if not strict or ending is None or ENDS[ending.reason] not in self._contest.disqualify:
            return []
        end = ENDS[ending.reason]
        why = f"{end}: {ending.detail}" if ending.detail else end
        return [
            Disqualified(pairing.contest, pairing.seats[seat], why, pairing.number)
            for seat in ending.culprits
        ]


def _failed(pairing: Pairing, state: PairingState, why: str) -> Settled:
    """What becomes of a game that came to nothing by our fault."""
    return Settled(pairing.cleared(state, Ending(Reason.SERVER_ERROR, detail=why)))


# games that failed


def is_lost(pairing: Pairing) -> bool:
    """Whether the game failed by our own fault: it has an ending then."""
    return pairing.state is PairingState.FAILED and pairing.ending is not None


def dropped_by(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> list[str]:
    """The names of the entrants because of whom the game fell away; none if it did not."""
    if pairing.state is not PairingState.FAILED or is_lost(pairing):
        return []
    seated = [entrants[number] for number in pairing.seats]
    return [entrant.name for entrant in seated if entrant.disqualified]


def why_dropped(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> str:
    """The same in a sentence; empty if it did not."""
    names = dropped_by(pairing, entrants)
    if not names:
        return ""
    return f"not played: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} disqualified"


class GamePace:
    """How quickly games follow each other, from when the last ones began and ended (seconds)."""

    def __init__(self, spans: Iterable[tuple[float, float]] = ()) -> None:
        self._spans = deque(spans, LAST)  # in the order of their ends

    def note(self, began: float, ended: float) -> None:
        """A game has ended."""
        if self._spans and began - self._spans[-1][1] > BREAK:
            self.restart()
        self._spans.append((began, ended))

    def restart(self) -> None:
        """Forget the games so far: another number is played at once from now on."""
        self._spans.clear()

    @property
    def rate(self) -> float | None:
        """Games a minute; None while that is not known."""
        games = len(self._spans)
        if games < FEWEST:
            return None
        last = self._spans[-1][1]
        if games == LAST:
            return 60 * (games - 1) / max(last - self._spans[0][1], 0.001)
        # The first games end together, or nearly, so the time counts from their beginning.
        return 60 * games / max(last - min(began for began, _ in self._spans), 0.001)

    def left(self, games: int) -> float | None:
        """Seconds for this many more games; None while that is not known."""
        if games == 0:
            return 0.0
        return None if self.rate is None else 60 * games / self.rate


# the games of a ladder


class LadderDraw:
    """Draws up the games of a ladder while it is played, one meeting at a time."""

    def __init__(self, contest: Contest, identity: str, agenda: Agenda) -> None:
        self._contest = contest
        self._identity = identity
        self._agenda = agenda
        self._ladder = Ladder(contest, identity, agenda)
        self._ranking: tuple[int, ...] = ()
        self._ranked = -FRESH
        self._busy = False
        self._asleep = False  # no two entrants could meet, and nothing has changed since

    @property
    def ready(self) -> bool:
        """Whether the next meeting may be drawn now."""
        return not self._busy and not self._asleep

    @property
    def exhausted(self) -> bool:
        """Whether there will be no more games than those in the agenda."""
        if not self._asleep or not self._contest.has_open_seats:
            return self._asleep
        return not self._contest.newcomers and self._to_come() == 0

    @property
    def coming(self) -> int | None:
        """About how many games there will be besides those in the agenda; None: not known."""
        return 0 if self.exhausted else self._to_come()

    def _to_come(self) -> int | None:
        return to_come(self._contest, lambda: self._ladder.meetings(self._agenda.entrants))

    def wake(self) -> None:
        """Look again who can meet; only where guests come by themselves can that change."""
        if self._contest.has_open_seats:
            self._asleep = False

    def draw(
        self, journal: ContestJournal, available: Callable[[], Collection[int]]
    ) -> Coroutine[Any, Any, None]:
        """Add the next meeting of available entrants to the agenda, if there is one."""
        self._busy = True  # from now on, not only when that begins
        return self._draw(journal, available)

    async def _draw(
        self, journal: ContestJournal, available: Callable[[], Collection[int]]
    ) -> None:
        try:
            if monotonic() - self._ranked >= FRESH:
                self._ranking = await asyncio.to_thread(strongest_first, list(self._agenda))
                self._ranked = monotonic()
            games = self._ladder.next_bundle(self._ranking, available())
            self._asleep = not games  # at once: a guest that comes from now on wakes it
            if games:
                await journal.add(Scheduled(self._identity, pairings=games))
                self._agenda.add(games)
        finally:
            self._busy = False


def strongest_first(pairings: Collection[Pairing]) -> tuple[int, ...]:
    """All entrants that have played, in the order of their ratings so far."""
    games = [game for game in map(rated, pairings) if game]
    if not games:
        return ()
    ratings = fit(games).ratings
    return tuple(sorted(ratings, key=lambda entrant: (-ratings[entrant], entrant)))
