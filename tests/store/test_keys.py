"""Small values that are kept by name."""

from __future__ import annotations

from spielwerk.store.contests import note_replaced, replaced
from spielwerk.store.opening import SECRET, Store, open_store


def test_a_secret_is_made_once(store_url: str) -> None:
    with open_store(store_url) as store:
        made = store.secret("cookies")
        assert len(made) == SECRET
        assert store.secret("cookies") == made
        assert store.secret("tickets") != made
    with open_store(store_url) as store:
        assert store.secret("cookies") == made


def test_the_last_value_is_kept_until_it_is_dropped(store: Store) -> None:
    assert store.value("place") is None
    store.keep("place", "here")
    store.keep("place", "there")
    store.keep("other", "elsewhere")
    assert store.value("place") == "there"
    store.forget("place")
    store.forget("place")
    assert store.value("place") is None
    assert store.value("other") == "elsewhere"


def test_who_was_noted_once_stays_noted(store: Store) -> None:
    assert replaced(store, "spring") == ()
    note_replaced(store, "spring", ["anna"])
    note_replaced(store, "spring", [])
    note_replaced(store, "spring", ["bert", "anna"])
    assert replaced(store, "spring") == ("anna", "bert")
    assert replaced(store, "autumn") == ()
