"""Whose programs were replaced: what is noted stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.store.replacing import note_replaced, replaced

if TYPE_CHECKING:
    from spielwerk.store.owned import Store


def test_who_was_noted_once_stays_noted(store: Store) -> None:
    assert replaced(store, "spring") == ()
    note_replaced(store, "spring", ["anna"])
    note_replaced(store, "spring", [])
    note_replaced(store, "spring", ["bert", "anna"])
    assert replaced(store, "spring") == ("anna", "bert")
    assert replaced(store, "autumn") == ()
