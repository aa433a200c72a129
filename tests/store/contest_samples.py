"""A contest to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from spielwerk.store.journal import Writer
from spielwerk.store.opening import Store
from spielwerk.store.problems import StoreError
from spielwerk.store.records import (
    Begun,
    ContestEntry,
    ContestRecord,
    Disqualified,
    Ending,
    EntrantRecord,
    Entry,
    GameRecord,
    Kind,
    Pairing,
    PairingState,
    Reason,
    Scheduled,
    SeatReport,
    Settled,
)
from spielwerk.store.scheduling import ScheduleWriter
from tests.store.samples import WON, created, move, wire

AnyEntry = Entry | ContestEntry


CONTEST = "wettbewerb"
NAMES = ("anna", "bert", "perfect", "tom")
KINDS = (Kind.COMMAND, Kind.REMOTE, Kind.ENGINE, Kind.OPEN)
DONE = Ending(Reason.WIN, 1, "four in a line", at=9000)
CRASHED = Ending(Reason.CONNECTION_LOST, 0, "killed by SIGSEGV", at=9000, culprits=(1,))
LATE = Ending(Reason.TIME_OUT, 1, "3000 ms", at=9000, culprits=(0,))


def contest(identity: str = CONTEST, when: int = 1000) -> ContestRecord:
    description = {"rounds": 2, "seed": 42, "entrants": [{"name": name} for name in NAMES]}
    return ContestRecord(identity, "Würfel-Wettbewerb", "quarto", ("n=4",), description, when)


def entrants(identity: str = CONTEST) -> tuple[EntrantRecord, ...]:
    return tuple(
        EntrantRecord(identity, number, name, kind, f"./{name} -p {{port}}")
        for number, (name, kind) in enumerate(zip(NAMES, KINDS, strict=True))
    )


def pairing(number: int, identity: str = CONTEST) -> Pairing:
    """The games of a round are those of two neighbours, both ways round."""
    first = number // 2 % len(NAMES)
    seats = (first, (first + 1) % len(NAMES))
    return Pairing(
        identity,
        number,
        round=number // 8,
        bundle=number // 2,
        seats=seats[:: 1 if number % 2 else -1],
        opening=("A1,3", "D4,9"),
        seed=f"42/{number // 2}",
    )


def scheduled(games: int = 8, identity: str = CONTEST) -> Scheduled:
    pairings = tuple(pairing(number, identity) for number in range(games))
    return Scheduled(identity, contest(identity), entrants(identity), pairings)


def begun(number: int, attempt: int = 1, identity: str = CONTEST) -> Begun:
    return Begun(identity, number, attempt)


def played(number: int, attempt: int = 1) -> GameRecord:
    """The game that was played in an attempt, whole."""
    moves = tuple(replace(move(ply), cpu=ply or None) for ply in range(number % 5 + 1))
    return replace(
        created(f"game{number}x{attempt}").record, tournament=True, moves=moves, result=WON
    )


def reports_of(number: int) -> tuple[SeatReport, ...]:
    program = SeatReport(0, 3, 1500, 40, 2**33, "exit 0", "Zoë\nlast line\n")
    return program, SeatReport(1, moves=number)


def settled(
    number: int,
    attempt: int = 1,
    state: PairingState = PairingState.DONE,
    ending: Ending = DONE,
    identity: str = CONTEST,
    *,
    repeated: bool = False,
) -> Settled:
    """An attempt that was played, with its game and all that was said in it."""
    record = played(number, attempt)
    wires = (wire(record.id, opened=1), wire(record.id, opened=2, traffic=b"two"))
    now = replace(
        pairing(number, identity),
        state=state,
        attempt=attempt,
        repeated=repeated,
        game=record.id,
        ending=ending,
        started=5000,
        overloaded=ending is LATE,
    )
    return Settled(now, record, wires, reports_of(number))


def given_back(number: int, attempt: int = 1) -> Settled:
    """An attempt that is as if it had never begun."""
    return Settled(replace(pairing(number), attempt=attempt))


def disqualified(entrant: int, number: int = 0, why: str = "It sent garbage.") -> Disqualified:
    return Disqualified(CONTEST, entrant, why, number)


class BothWriters:
    """Writes entries of games and of contests, each through its own writer."""

    def __init__(self, store: Store) -> None:
        self._games = Writer(store)
        self._contests = ScheduleWriter(store)

    def write(self, entries: Sequence[AnyEntry]) -> list[StoreError | None]:
        errors: list[StoreError | None] = []
        for ours, batch in groupby(entries, lambda entry: isinstance(entry, ContestEntry)):
            write: Callable[[Any], list[StoreError | None]]
            write = self._contests.write if ours else self._games.write
            some: list[Any] = [*batch]
            errors += write(some)
        return errors
