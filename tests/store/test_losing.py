"""PostgreSQL goes away and comes back."""

from __future__ import annotations

import pytest
from sqlalchemy import make_url

from spielwerk.store import contests as contest_reading
from spielwerk.store import reading
from spielwerk.store.opening import open_store
from spielwerk.store.problems import StoreError, StoreUnavailable
from spielwerk.store.records import PairingState, Seated
from tests.postgres import Postgres
from tests.store.contest_samples import (
    CONTEST,
    LATE,
    begun,
    disqualified,
    given_back,
    scheduled,
    settled,
)
from tests.store.contest_samples import AnyEntry as Entry
from tests.store.contest_samples import BothWriters as Writer
from tests.store.cutting import Cut, wire_to
from tests.store.samples import created, ended, moved, wire


@pytest.fixture
def database(postgres_url: str) -> str:
    return postgres_url.rpartition("/")[2]


def test_a_lost_connection_is_made_anew(
    postgres: Postgres, postgres_url: str, database: str
) -> None:
    with open_store(postgres_url) as store:
        writer = Writer(store)
        writer.write([created("abc")])
        for number in range(3):
            postgres.terminate(database)
            assert writer.write([moved("abc", number)]) == [None]
            postgres.terminate(database)
            (record,) = reading.unfinished(store)
            assert len(record.moves) == number + 1


@pytest.mark.parametrize("cut", [Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT])
def test_a_commit_whose_outcome_is_unknown_is_made_once(
    postgres: Postgres, postgres_url: str, cut: Cut
) -> None:
    with wire_to(postgres.port) as cable:
        url = make_url(postgres_url).set(port=cable.port).render_as_string()
        with open_store(url) as store:
            writer = Writer(store)
            before = len(cable.connections)
            cable.cut = cut
            entries: list[Entry] = [created("abc"), moved("abc", 0, 1), wire("abc"), ended("abc")]
            entries += [Seated("abc", 0, "Anna"), Seated("abc", 0, "Otto"), wire("abc")]
            assert writer.write(entries) == [None] * 7
            assert cable.cut is Cut.NEVER
            assert len(cable.connections) > before
            record = reading.game(store, "abc")
            assert record
            assert [move.number for move in record.moves] == [0, 1]
            assert record.seats[0].name == "Otto"
            assert len(reading.wires(store, "abc")) == 2


def test_a_server_that_stays_away_is_unavailable(
    postgres: Postgres, postgres_url: str, database: str
) -> None:
    with open_store(postgres_url) as store:
        writer = Writer(store)
        postgres.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
        postgres.terminate(database)
        outcomes = writer.write([created("a"), created("b")])
        assert all(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
        with pytest.raises(StoreError, match="not currently accepting connections"):
            reading.unfinished(store)
        postgres.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
        assert writer.write([created("a"), created("b")]) == [None, None]


def test_who_lost_the_store_to_another_server_writes_no_more(
    postgres: Postgres, postgres_url: str, database: str
) -> None:
    with open_store(postgres_url) as first:
        writer = Writer(first)
        postgres.terminate(database)
        with open_store(postgres_url) as second:
            (outcome,) = writer.write([created("a")])
            assert isinstance(outcome, StoreUnavailable)
            assert "another Spielwerk server" in str(outcome)
            assert reading.unfinished(second) == []
        assert writer.write([created("a")]) == [None]


@pytest.mark.parametrize("cut", [Cut.BEFORE_COMMIT, Cut.AFTER_COMMIT])
def test_a_contests_games_are_begun_and_settled_once(
    postgres: Postgres, postgres_url: str, cut: Cut
) -> None:
    batches: list[list[Entry]] = [
        [scheduled(4), begun(0), begun(1)],
        [
            begun(2),
            settled(0),
            settled(1, 1, PairingState.REPEAT, LATE, repeated=True),
            moved("abc", 0),
        ],
        [begun(1, 2), given_back(2), disqualified(3)],
        [settled(1, 2)],
    ]
    with wire_to(postgres.port) as cable:
        url = make_url(postgres_url).set(port=cable.port).render_as_string()
        with open_store(url) as store:
            writer = Writer(store)
            writer.write([created("abc")])
            for batch in batches:
                cable.cut = cut
                assert writer.write(batch) == [None] * len(batch)
                assert cable.cut is Cut.NEVER
            found = contest_reading.pairings(store, CONTEST)
            states = [PairingState.DONE, PairingState.DONE, PairingState.NEW, PairingState.NEW]
            assert [one.state for one in found] == states
            assert [one.attempt for one in found] == [1, 2, 1, 0]
            for one in found[:2]:
                assert one.game
                assert len(reading.wires(store, one.game)) == 2
                assert len(contest_reading.reports(store, CONTEST, one.number)) == 2


def test_what_was_begun_in_a_lost_commit_can_be_begun_later(
    postgres: Postgres, postgres_url: str, database: str
) -> None:
    with wire_to(postgres.port) as cable:
        url = make_url(postgres_url).set(port=cable.port).render_as_string()
        with open_store(url) as store:
            writer = Writer(store)
            writer.write([scheduled(2)])
            postgres.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
            cable.cut = Cut.AFTER_COMMIT
            assert isinstance(writer.write([begun(0)])[0], StoreUnavailable)
            postgres.execute(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
            assert writer.write([begun(0)]) == [None]
