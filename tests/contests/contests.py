"""Contests to test with: small ones, a journal in memory, and a pool that plays what it is told."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, ParamSpec

from spielwerk.contests.contest import Assignment, Contest, Entrant, Played, Progress
from spielwerk.contests.pool import Pool
from spielwerk.contests.schedule import draw_up
from spielwerk.store.problems import StoreError
from spielwerk.store.records import (
    Begun,
    ContestEntry,
    Ending,
    EntrantRecord,
    Kind,
    Pairing,
    PairingState,
    Reason,
    Settled,
)
from spielwerk.store.scheduling import ContestJournal
from tests.contests.fake_worker import record
from tests.waiting import PATIENCE

Tell = Callable[[Progress], None]


P = ParamSpec("P")

ID = "spring"
NAMES = ("anna", "bert", "cora", "dirk", "edda")

STARTED = 1000
WON = Ending(Reason.WIN, 0, at=3000)


def in_loop_for(
    seconds: float,
) -> Callable[[Callable[P, Coroutine[Any, Any, None]]], Callable[P, None]]:
    """Run a test in an event loop of its own, but not for longer."""

    def decorate(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
        @wraps(test)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            asyncio.run(asyncio.wait_for(test(*args, **kwargs), seconds))

        return run

    return decorate


def in_loop(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in an event loop of its own, and not for ever."""
    return in_loop_for(PATIENCE)(test)


def a_contest(entrants: int = 3, **others: Any) -> Contest:
    """Random players of Connect Four."""
    players = tuple(Entrant(name, Kind.ENGINE, "random") for name in NAMES[:entrants])
    return Contest("Spring", "connect4", players, opening=0, **others)


def entrants(contest: Contest) -> list[EntrantRecord]:
    return [
        EntrantRecord(ID, number, one.name, one.kind, one.text)
        for number, one in enumerate(contest.entrants)
    ]


def games(contest: Contest) -> list[Pairing]:
    return list(draw_up(contest, ID))


def first_attempt(
    number: int,
    state: PairingState = PairingState.DONE,
    ending: Ending = WON,
    **kept: Any,
) -> tuple[Begun, Settled]:
    """A game that is begun, and what becomes of it; `kept` is what more is written with it."""
    started = kept.pop("started", 0)
    game = kept["record"].id if "record" in kept else None
    pairing = Pairing(
        ID, number, 0, 0, (), (), "", state, 1, game=game, ending=ending, started=started
    )
    return Begun(ID, number, 1), Settled(pairing, **kept)


class MemoryJournal(ContestJournal):
    """Keeps what is written, and refuses what it is told to refuse."""

    def __init__(self) -> None:
        super().__init__(self._keep)
        self.entries: list[ContestEntry] = []
        self.broken: Callable[[ContestEntry], StoreError | None] = lambda _entry: None

    def _keep(self, entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        return [self._keep_one(entry) for entry in entries]

    def _keep_one(self, entry: ContestEntry) -> StoreError | None:
        error = self.broken(entry)
        if error is None:
            self.entries.append(entry)
        return error

    def of(self, kind: type[Any]) -> list[Any]:
        return [entry for entry in self.entries if isinstance(entry, kind)]

    def settled(self, number: int) -> list[PairingState]:
        pairings = [entry.pairing for entry in self.of(Settled)]
        return [pairing.state for pairing in pairings if pairing.number == number]

    def begun(self) -> list[int]:
        return [entry.number for entry in self.of(Begun)]


class FakePool(Pool):
    """Plays at once what is said for each attempt at a game, or wins it for the first."""

    def __init__(self, jobs: int = 2) -> None:
        super().__init__(jobs)
        self.begun: list[int] = []
        self.most = 0  # games at once
        self.results: dict[int, list[Ending | BaseException]] = defaultdict(list)
        self.broken: list[Ending] = []  # those that are due to an error of ours
        self.overloaded: list[Ending] = []  # those that are due to the machine
        self.hold: set[int] = set()  # games that do not end
        self.go = asyncio.Event()  # until this
        self.told: list[Tell] = []

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        number = assignment.number
        self.begun.append(number)
        self.told.append(tell)
        self._running += 1
        self.most = max(self.most, self._running)
        try:
            await (self.go.wait() if number in self.hold else asyncio.sleep(0))
        finally:
            self._running -= 1
        said = self.results[number].pop(0) if self.results[number] else WON
        if isinstance(said, BaseException):
            raise said
        kept = None if said.reason is Reason.SERVER_ERROR else record(assignment)
        return Played(
            number,
            assignment.attempt,
            said,
            kept,
            broken=said in self.broken,
            started=STARTED,
            overloaded=said in self.overloaded,
        )
