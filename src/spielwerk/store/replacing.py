"""Whose programs were replaced while a competition was played: kept, for its results say less."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from spielwerk.store import keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.store.owned import Store
    from spielwerk.store.readable import Readable


def _name(contest: str) -> str:
    return f"replaced:{contest}"


def replaced(store: Readable, contest: str) -> tuple[str, ...]:
    """Whose programs were replaced while the competition with this ID was played, by name."""
    return tuple(json.loads(keys.get(store, _name(contest)) or "[]"))


def note_replaced(store: Store, contest: str, names: Iterable[str]) -> None:
    """Keep it that the programs of these, too, were replaced."""
    known = replaced(store, contest)
    new = [name for name in names if name not in known]
    if new:
        keys.put(store, _name(contest), json.dumps([*known, *new]))
