"""Small values that are kept by name."""

from __future__ import annotations

from spielwerk.store import keys
from spielwerk.store.opening import Store, open_store


def test_a_secret_is_made_once(store_url: str) -> None:
    with open_store(store_url) as store:
        made = keys.secret(store, "cookies")
        assert len(made) == keys.LENGTH
        assert keys.secret(store, "cookies") == made
        assert keys.secret(store, "tickets") != made
    with open_store(store_url) as store:
        assert keys.secret(store, "cookies") == made


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


def test_who_was_noted_once_stays_noted(store: Store) -> None:
    assert keys.replaced(store, "spring") == ()
    keys.note_replaced(store, "spring", ["anna"])
    keys.note_replaced(store, "spring", [])
    keys.note_replaced(store, "spring", ["bert", "anna"])
    assert keys.replaced(store, "spring") == ("anna", "bert")
    assert keys.replaced(store, "autumn") == ()
