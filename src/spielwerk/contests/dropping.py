"""Games that fell away because somebody in them was disqualified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.store.contest_records import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.store.contest_records import EntrantRecord, Pairing


def is_dropped(pairing: Pairing) -> bool:
    """Whether the game fell away; one that failed by our own fault has an outcome."""
    return pairing.state is State.FAILED and pairing.outcome is None


def dropped_by(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> list[str]:
    """The names of those because of whom the game fell away; nobody if it did not."""
    if not is_dropped(pairing):
        return []
    seated = [entrants[number] for number in pairing.seats]
    return [entrant.name for entrant in seated if entrant.disqualified]


def why_dropped(pairing: Pairing, entrants: Sequence[EntrantRecord]) -> str:
    """The same in a sentence; empty if it did not."""
    names = dropped_by(pairing, entrants)
    if not names:
        return ""
    return f"not played: {' and '.join(names)} {'is' if len(names) == 1 else 'are'} disqualified"
