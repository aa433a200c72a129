"""From the records of a contest to rows and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.store.contest_records import (
    ContestRecord,
    EntrantRecord,
    Outcome,
    Pairing,
    SeatReport,
    State,
    seat_that_begins,
)
from spielwerk.store.schema import attempts, contests, entrants, pairings, reports, storable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Row as Read

    from spielwerk.store.contest_records import Scheduled, Settled
    from spielwerk.store.schema import Row

OUTCOME: Final = ("end", "winner", "culprits", "detail", "overloaded", "started", "ended")


def rows_of_schedule(entry: Scheduled) -> Iterator[Row]:
    """What is new in a schedule."""
    if entry.record is not None:
        yield contests, _contest(entry.record)
    for entrant in entry.entrants:
        yield entrants, _entrant(entrant)
    for pairing in entry.pairings:
        yield pairings, _pairing(pairing)


def rows_of_attempt(entry: Settled) -> Iterator[Row]:
    """What is known of the players after this attempt, and which game it was if it is no result."""
    if entry.record is not None and entry.state is not State.DONE:
        key = {"contest": entry.contest, "number": entry.number, "attempt": entry.attempt}
        yield attempts, {**key, "game": entry.record.id}
    for report in entry.reports:
        yield reports, _report(entry, report)


def settled_columns(entry: Settled) -> dict[str, Any]:
    """What becomes of the game's row in the schedule; that it was repeated is never taken back."""
    columns = {
        "state": entry.state,
        "game": None if entry.record is None else entry.record.id,
        **outcome_columns(entry.outcome),
    }
    return {**columns, "repeated": True} if entry.repeated else columns


def outcome_columns(outcome: Outcome | None) -> dict[str, Any]:
    """The columns of an outcome, all of them empty where there is none."""
    if outcome is None:
        return dict.fromkeys(OUTCOME)
    return {
        "end": outcome.end,
        "winner": outcome.winner,
        "culprits": [*outcome.culprits],
        "detail": storable(outcome.detail),
        "overloaded": outcome.overloaded,
        "started": outcome.started,
        "ended": outcome.ended,
    }


def _contest(record: ContestRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "name": storable(record.name),
        "game": record.game,
        "options": [storable(option) for option in record.options],
        "description": _plain(record.description),
        "created": record.created,
    }


def _plain(value: Any) -> Any:
    """The value as it will be read from JSON, which knows no tuples."""
    if isinstance(value, dict):
        return {key: _plain(content) for key, content in value.items()}
    return [_plain(content) for content in value] if isinstance(value, list | tuple) else value


def _entrant(record: EntrantRecord) -> dict[str, Any]:
    return {
        "contest": record.contest,
        "number": record.number,
        "name": storable(record.name),
        "kind": record.kind,
        "text": storable(record.text),
        "disqualified": storable(record.disqualified),
        "disqualified_in": record.disqualified_in,
    }


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "contest": pairing.contest,
        "number": pairing.number,
        "round": pairing.round,
        "bundle": pairing.bundle,
        "seats": [*pairing.seats],
        "opening": [storable(decision) for decision in pairing.opening],
        "seed": storable(pairing.seed),
        "state": pairing.state,
        "attempt": pairing.attempt,
        "repeated": pairing.repeated,
        "game": pairing.game,
        **outcome_columns(pairing.outcome),
    }


def _report(entry: Settled, report: SeatReport) -> dict[str, Any]:
    return {
        "contest": entry.contest,
        "number": entry.number,
        "attempt": entry.attempt,
        "seat": report.seat,
        "moves": report.moves,
        "took": report.took,
        "cpu": report.cpu,
        "memory": report.memory,
        "status": storable(report.status),
        "output": storable(report.output),
    }


def contest_record(row: Read[Any]) -> ContestRecord:
    """A contest."""
    return ContestRecord(
        row.id, row.name, row.game, tuple(row.options), row.description, row.created
    )


def entrant_record(row: Read[Any]) -> EntrantRecord:
    """One who takes part."""
    return EntrantRecord(
        row.contest,
        row.number,
        row.name,
        row.kind,
        row.text,
        row.disqualified,
        row.disqualified_in,
    )


def pairing_record(row: Read[Any]) -> Pairing:
    """A game of the schedule; the row has the options that it was played with, too."""
    return Pairing(
        row.contest,
        row.number,
        row.round,
        row.bundle,
        tuple(row.seats),
        tuple(row.opening),
        row.seed,
        row.state,
        row.attempt,
        row.repeated,
        row.game,
        _outcome(row),
        seat_that_begins(row.options or ()),
    )


def _outcome(row: Read[Any]) -> Outcome | None:
    if row.end is None:
        return None
    return Outcome(
        row.end,
        row.winner,
        tuple(row.culprits),
        row.detail,
        row.overloaded,
        row.started,
        row.ended,
    )


def seat_report(row: Read[Any]) -> SeatReport:
    """What is known of a player after a game."""
    return SeatReport(row.seat, row.moves, row.took, row.cpu, row.memory, row.status, row.output)
