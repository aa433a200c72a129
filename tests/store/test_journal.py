from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from spielwerk.store import journal as module
from spielwerk.store import reading
from spielwerk.store.journal import StoreJournal
from spielwerk.store.opening import Store, open_store
from spielwerk.store.problems import StoreConflict, StoreError
from spielwerk.store.records import Entry, Moved
from tests.store.locking import locked
from tests.store.samples import created, ended, move, moved, wire
from tests.waiting import until, wait_until

Outcome = BaseException | None


def add(journal: StoreJournal, entry: Entry) -> asyncio.Future[Outcome]:
    """What became of the entry, later."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    journal.add(entry, future.set_result)
    return future


async def add_all(journal: StoreJournal, *entries: Entry) -> list[Outcome]:
    return await asyncio.gather(*(add(journal, entry) for entry in entries))


def wrong(game: str, number: int) -> Moved:
    """A move that contradicts the one with that number."""
    return Moved(game, (move(number, "D4,9"),))


def test_entries_are_in_the_store_when_it_is_said_so(file_store: Store) -> None:
    async def play() -> None:
        journal = StoreJournal(file_store)
        assert await add(journal, created("abc")) is None
        for number in range(5):
            assert await add(journal, moved("abc", number)) is None
            (record,) = reading.unfinished(file_store)
            assert len(record.moves) == number + 1
        await journal.close()

    asyncio.run(play())


def test_callers_are_told_in_order_and_in_the_loop(file_store: Store) -> None:
    async def play() -> None:
        journal, loop = StoreJournal(file_store), asyncio.get_running_loop()
        told: list[int] = []
        heard: list[Outcome] = []

        def listener(number: int) -> Callable[[Outcome], None]:
            def done(outcome: Outcome) -> None:
                assert asyncio.get_running_loop() is loop
                told.append(number)
                heard.append(outcome)

            return done

        journal.add(created("abc"), listener(-1))
        for number in range(200):
            journal.add(moved("abc", number), listener(number))
            if number % 17 == 0:
                await asyncio.sleep(0)
        await journal.close()
        assert told == [*range(-1, 200)]
        assert heard == [None] * 201

    asyncio.run(play())


def test_what_waits_is_written_in_one_commit(store_url: str) -> None:
    async def play(store: Store) -> list[int]:
        batches: list[int] = []
        journal = StoreJournal(store, observe=lambda size, *_: batches.append(size))
        with locked(store_url):
            first = add(journal, created("abc"))
            await until(lambda: not journal._waiting)
            rest = [add(journal, moved("abc", number)) for number in range(100)]
        assert await asyncio.gather(first, *rest) == [None] * 101
        await journal.close()
        return batches

    with open_store(store_url) as store:
        assert asyncio.run(play(store)) == [1, 100]


def test_a_failure_is_told_to_the_callers_it_concerns(file_store: Store) -> None:
    async def play() -> None:
        journal = StoreJournal(file_store)
        await add_all(journal, created("a"), created("b"), moved("a", 0))
        outcomes = await add_all(
            journal, moved("b", 0), wrong("a", 0), moved("a", 1), wire("a"), moved("b", 1)
        )
        assert [outcome is None for outcome in outcomes] == [True, False, False, True, True]
        assert isinstance(outcomes[1], StoreConflict)
        await journal.close()

    asyncio.run(play())


def test_after_a_failure_there_is_no_gap_whatever_is_already_on_its_way(file_store: Store) -> None:
    async def play() -> None:
        journal = StoreJournal(file_store)
        await add_all(journal, created("a"), created("b"), moved("a", 0))
        bad = add(journal, wrong("a", 0))
        wait_until(lambda: journal._broken)  # but the loop stands: no caller knows
        taken, other = add(journal, moved("a", 1)), add(journal, moved("b", 0))
        wait_until(lambda: not journal._waiting)
        assert isinstance(await bad, StoreConflict)
        assert await taken is await bad
        assert await other is None
        assert await add(journal, moved("a", 1)) is None  # a caller that knows may go on
        await journal.close()

    asyncio.run(play())


def test_what_waits_when_a_failure_becomes_known_fails_too(store_url: str) -> None:
    async def play(store: Store) -> None:
        journal = StoreJournal(store)
        await add_all(journal, created("a"), created("b"), moved("a", 0))
        bad = add(journal, wrong("a", 0))
        wait_until(lambda: journal._broken)
        with locked(store_url):
            blocking = add(journal, moved("b", 0))
            wait_until(lambda: not journal._waiting)
            waiting, again = add(journal, moved("a", 1)), add(journal, moved("b", 1))
            assert isinstance(await bad, StoreConflict)
            retried = add(journal, moved("a", 1))
        assert [await blocking, await again, await retried] == [None, None, None]
        assert await waiting is await bad
        await journal.close()

    with open_store(store_url) as store:
        asyncio.run(play(store))


@pytest.mark.usefixtures("impatient")
def test_the_writer_survives_a_locked_store(store_url: str) -> None:
    async def play(store: Store) -> None:
        journal = StoreJournal(store)
        with locked(store_url):
            outcomes = await add_all(journal, created("a"), created("b"))
            assert all("another process has locked it" in str(outcome) for outcome in outcomes)
        assert await add_all(journal, created("a"), created("b")) == [None, None]
        await journal.close()

    with open_store(store_url) as store:
        asyncio.run(play(store))


def test_a_mistake_of_ours_is_told_and_the_writer_goes_on(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistaken(_entry: Entry, _number: int) -> list[Any]:
        raise ZeroDivisionError

    async def play() -> list[Outcome]:
        journal = StoreJournal(file_store)
        with monkeypatch.context() as patch:
            patch.setattr(module, "rows_of", mistaken)
            outcomes = await add_all(journal, created("abc"))
        outcomes += await add_all(journal, created("abc"))
        await journal.close()
        return outcomes

    mistake, fine = asyncio.run(play())
    assert isinstance(mistake, StoreError)
    assert "cannot be written: ZeroDivisionError" in str(mistake)
    assert fine is None


def test_closing_writes_what_waits_and_takes_nothing_more(file_store: Store) -> None:
    async def play() -> list[Outcome]:
        journal = StoreJournal(file_store)
        outcomes = [add(journal, created("abc"))]
        outcomes += [add(journal, moved("abc", number)) for number in range(50)]
        await journal.close()
        await journal.close()
        assert not journal._thread.is_alive()
        assert "is being closed" in str(await add(journal, created("late")))
        return [outcome.result() for outcome in outcomes]

    assert asyncio.run(play()) == [None] * 51
    (record,) = reading.unfinished(file_store)
    assert len(record.moves) == 50


def test_closing_does_not_wait_for_ever(store_url: str) -> None:
    async def play(store: Store) -> None:
        journal = StoreJournal(store)
        with locked(store_url):
            entry = add(journal, created("abc"))
            with pytest.raises(StoreError, match=r"may be lost: closing took longer than 0\.05 s"):
                await journal.close(patience=0.05)
        assert await entry is None
        await journal.close()

    with open_store(store_url) as store:
        asyncio.run(play(store))


def test_a_listener_that_fails_harms_no_other(file_store: Store) -> None:
    async def play() -> list[dict[str, Any]]:
        complaints: list[dict[str, Any]] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context))

        def fail(*_: object) -> None:
            raise ValueError("not my day")

        journal = StoreJournal(file_store, observe=fail)
        journal.add(created("a"), fail)
        assert await add(journal, created("b")) is None
        await journal.close()
        return complaints

    complaints = asyncio.run(play())
    assert len(complaints) >= 2
    assert all("not my day" in str(complaint["exception"]) for complaint in complaints)


def test_a_loop_may_end_first(file_store: Store) -> None:
    async def play() -> StoreJournal:
        journal = StoreJournal(file_store)
        journal.add(created("abc"), lambda _: None)
        journal.add(ended("abc"), lambda _: None)
        return journal

    loop = asyncio.new_event_loop()
    journal = loop.run_until_complete(play())
    loop.close()
    with journal._changed:
        journal._closing = True
        journal._changed.notify()
    journal._thread.join(60)
    assert not journal._thread.is_alive()
    record = reading.game(file_store, "abc")
    assert record
    assert record.result


def test_what_is_wrong_with_it_is_told_until_it_writes(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(store: Store) -> list[int]:
        failures: list[int] = []
        journal = StoreJournal(store, observe=lambda *counts: failures.append(counts[2]))
        monkeypatch.setattr(module, "STUCK", 0.05)
        with locked(store_url):
            late = add(journal, wire("abc"))
            assert journal.problem() is None
            assert journal.wires == [wire("abc")]
            await until(journal.problem)
            assert str(journal.problem()).startswith("the journal has not written for 0 s")
        assert await late is None
        assert (journal.problem(), journal.wires) == (None, [])
        for wanted in ("the journal could not write", None):
            assert isinstance(await add(journal, moved("unknown", 0)), StoreConflict)
            assert journal.problem() == wanted
            monkeypatch.setattr(module, "REMEMBERED", 0.0)
        monkeypatch.undo()
        assert await add(journal, created("abc")) is None
        assert journal.problem() is None
        await journal.close()
        return failures

    with open_store(store_url) as store:
        assert asyncio.run(play(store)) == [0, 1, 1, 0]
