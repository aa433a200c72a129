"""The index server's list: what is written comes back, and what has left it is forgotten."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from spielwerk.store import reading, schema
from spielwerk.store.journal import Writer, forget_removed
from spielwerk.store.opening import Store, open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from tests.store.samples import created, registered

SEALED, REMOVED = IndexStep.SEALED, IndexStep.REMOVED
EXAMPLES = count()


def rows(store: Store) -> tuple[int, int]:
    with store.reading() as connection:
        counts = [
            connection.scalar(select(func.count()).select_from(table)) or 0
            for table in (schema.index_games, schema.index_steps)
        ]
    return counts[0], counts[1]


def test_a_registered_game_comes_back_as_it_was(store: Store) -> None:
    record = replace(registered("a"), name="Zoë \U0001f3b2 'DROP TABLE", address="localhost")
    assert Writer(store).write([record]) == [None]
    assert reading.index_games(store) == [record]


def test_a_step_may_be_taken_twice_and_delays_no_other_entry(store: Store) -> None:
    # Two holders of a GUID may ask for the same: that must not break the commit of others.
    writer, commits = Writer(store), list[list[StoreError | None]]()
    writer.write([registered("a")])
    commit = writer._commit
    writer._commit = lambda tasks: commits.append(commit(tasks)) or commits[-1]  # type: ignore
    assert writer.write([IndexChanged(("a",), SEALED)] * 3 + [created("x")]) == [None] * 4
    assert len(commits) == 1
    assert reading.index_games(store) == [replace(registered("a"), sealed=True)]


def test_no_guid_is_told(store: Store) -> None:
    writer = Writer(store)
    writer.write([registered("secret-guid")])
    for wrong in (registered("secret-guid", name="x"), IndexChanged(("secret-guid-2",), SEALED)):
        (error,) = writer.write([wrong])
        assert "secret" not in str(error)


def test_no_other_step_can_be_kept(store: Store) -> None:
    Writer(store).write([registered("a")])
    with pytest.raises(StoreError, match="ck_index_steps_step"), store.writing() as connection:
        connection.execute(text("INSERT INTO index_steps VALUES ('a', 1, 'lost')"))


def test_what_was_removed_is_forgotten_with_its_steps(store: Store) -> None:
    writer = Writer(store)
    writer.write([registered(guid) for guid in "abc"])
    writer.write([IndexChanged(("a", "b"), SEALED), IndexChanged(("a", "c"), REMOVED)])
    assert rows(store) == (3, 4)
    before = reading.index_games(store)
    forget_removed(store)
    assert rows(store) == (1, 1)
    assert reading.index_games(store) == before == [replace(registered("b"), sealed=True)]


def test_steps_are_numbered_on_after_a_restart(store_url: str) -> None:
    with open_store(store_url) as store:
        writer = Writer(store)
        writer.write([registered("a")])
        for _ in range(3):
            writer.write([IndexChanged(("a",), SEALED)])
    with open_store(store_url) as store:
        assert Writer(store).write([IndexChanged(("a",), SEALED)]) == [None]
        assert rows(store) == (1, 4)


# anything, in any order

GUIDS = st.sampled_from("abc")
ENTRIES = st.one_of(
    st.builds(registered, GUIDS, st.sampled_from(["x", "y"])),
    st.builds(
        IndexChanged,
        st.lists(GUIDS, min_size=1, max_size=3, unique=True).map(tuple),
        st.sampled_from(IndexStep),
    ),
)


class Model:
    """What a store has to do with the list, without a store."""

    def __init__(self) -> None:
        self.games: dict[str, IndexRecord] = {}
        self.removed: set[str] = set()

    def take(self, entry: IndexRecord | IndexChanged) -> bool:
        if isinstance(entry, IndexRecord):
            known = replace(self.games.setdefault(entry.guid, entry), sealed=False)
            return known == entry
        if not {*entry.guids} <= {*self.games}:
            return False
        for guid in entry.guids:
            if entry.step is REMOVED:
                self.removed.add(guid)
            else:
                self.games[guid] = replace(self.games[guid], sealed=True)
        return True

    def list(self) -> list[IndexRecord]:
        return [game for guid, game in sorted(self.games.items()) if guid not in self.removed]


def renamed(entry: IndexRecord | IndexChanged, example: int) -> IndexRecord | IndexChanged:
    """The entry for games of this example only; all examples share a store."""
    if isinstance(entry, IndexRecord):
        return replace(entry, guid=f"{example}{entry.guid}")
    return replace(entry, guids=tuple(f"{example}{guid}" for guid in entry.guids))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.lists(ENTRIES, max_size=12))
def test_the_list_is_what_was_acknowledged(
    store: Store, entries: list[IndexRecord | IndexChanged]
) -> None:
    writer, model, example = Writer(store), Model(), next(EXAMPLES)
    for entry in entries:
        one = renamed(entry, example)
        (outcome,) = writer.write([one])
        assert (outcome is None) == model.take(one)
    found = [game for game in reading.index_games(store) if game.guid[:-1] == f"{example}"]
    assert found == model.list()
