"""Games to write, and what is asked of a store in the tests."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from spielwerk.store.records import (
    Created,
    Ended,
    Ending,
    GameRecord,
    IndexRecord,
    Moved,
    MoveRecord,
    Reason,
    SeatKind,
    SeatRecord,
    WireRecord,
)

NUMBERS = count()

SEATS = (
    SeatRecord(SeatKind.CLIENT, "Uli"),
    SeatRecord(SeatKind.ENGINE, "Spielwerk", "level=7"),
)

WON = Ending(Reason.WIN, 1, "four in a line", at=9000)
ABORTED = Ending(Reason.ABORTED, None, "", at=9500, culprits=(0,))


def created(identity: str | None = None, when: int = 1000) -> Created:
    """A new game, by default one that no other call has made."""
    chosen = identity or f"game{next(NUMBERS):07}"
    return Created(
        GameRecord(
            chosen, "quarto", ("n=4",), "Finale", SEATS, 3000, tournament=False, created=when
        )
    )


def move(number: int, text: str = "A1,3") -> MoveRecord:
    return MoveRecord(number, number % 2, text, at=1000 + number, took=number)


def moved(game: str, *numbers: int, result: Ending | None = None) -> Moved:
    return Moved(game, tuple(move(number) for number in numbers), result)


def ended(game: str, result: Ending = ABORTED) -> Ended:
    return Ended(game, result)


def wire(game: str, opened: int = 1000, traffic: bytes = b"\0\xff+ WAIT\n") -> WireRecord:
    return WireRecord(game, 0, "mnm", "127.0.0.1:4711", opened, traffic)


def registered(guid: str, name: str = "martin's game", when: int = 1000) -> IndexRecord:
    return IndexRecord(guid, "martin", name, 7, 6, 4, "198.78.202.118", 80, "127.0.0.1", when)


def after(record: GameRecord, *entries: Moved | Ended) -> GameRecord:
    """The game after these entries."""
    for entry in entries:
        moves = entry.moves if isinstance(entry, Moved) else ()
        record = replace(record, moves=record.moves + moves, result=entry.result or record.result)
    return record
