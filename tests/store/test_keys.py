"""Small values that are kept by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.store import keys

if TYPE_CHECKING:
    from spielwerk.store.owned import Store


def test_a_secret_is_made_once(store: Store) -> None:
    made = keys.secret(store, "cookies")
    assert len(made) == keys.LENGTH
    assert keys.secret(store, "cookies") == made
    assert keys.secret(store, "tickets") != made


def test_the_last_value_is_kept_until_it_is_dropped(store: Store) -> None:
    assert keys.get(store, "place") is None
    keys.put(store, "place", "here")
    keys.put(store, "place", "there")
    keys.put(store, "other", "elsewhere")
    assert keys.get(store, "place") == "there"
    keys.drop(store, "place")
    keys.drop(store, "place")
    assert keys.get(store, "place") is None
    assert keys.get(store, "other") == "elsewhere"
