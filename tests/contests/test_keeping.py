"""Writing until it is written."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.contests.running import keeping
from spielwerk.contests.running.keeping import MANY, Keeper, NotKept
from spielwerk.store.contest_records import Begun
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError, StoreUnavailable
from tests.contests.contests import MemoryJournal
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry

FIRST, SECOND, THIRD = (Begun("spring", number, 1) for number in range(3))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "PAUSE", 0.001)
    monkeypatch.setattr(keeping, "LAST", 0.02)


def keep(broken: Callable[[Entry], BaseException | None], *others: Any) -> tuple[Any, list[Entry]]:
    """What comes back for the first entry, and what was written."""

    async def run() -> tuple[Any, list[Entry]]:
        journal = MemoryJournal()
        journal.broken = broken
        return await Keeper(journal).keep(FIRST, *others), journal.entries

    return asyncio.run(run())


def failing(times: int, error: BaseException) -> Callable[[Entry], BaseException | None]:
    left = iter([error] * times)
    return lambda _entry: next(left, None)


def test_what_is_written_comes_back() -> None:
    assert keep(lambda _entry: None) == (FIRST, [FIRST])


@pytest.mark.parametrize(
    "error", [StoreUnavailable("x.db", "locked"), StoreError("x.db", "the disk is full")]
)
def test_it_is_tried_until_it_works(error: StoreError) -> None:
    assert keep(failing(10, error)) == (FIRST, [FIRST])


def test_something_else_is_written_if_only_this_cannot_be() -> None:
    asked: list[str] = []

    def instead(why: str) -> Begun:
        asked.append(why)
        return SECOND

    async def run() -> tuple[Any, list[Entry]]:
        journal = MemoryJournal()
        error = StoreError("x.db", "a strange value")
        journal.broken = lambda entry: error if entry == FIRST else None
        keeper = Keeper(journal)
        task = asyncio.create_task(keeper.keep(FIRST, instead))
        await until(lambda: keeper.problem)
        await keeper.keep(THIRD)  # others are written meanwhile
        return await task, journal.entries

    assert asyncio.run(run()) == (SECOND, [THIRD, SECOND])
    assert asked == ["store x.db: a strange value"]


def test_a_store_that_takes_nothing_is_waited_for() -> None:
    error = StoreError("x.db", "the disk is full")
    assert keep(failing(MANY - 1, error), lambda _why: SECOND) == (FIRST, [FIRST])


def test_but_not_for_ever() -> None:
    error = StoreError("x.db", "a strange value")
    broken = lambda entry: error if entry == FIRST else None  # noqa: E731
    assert keep(broken, lambda _why: SECOND) == (SECOND, [SECOND])


def test_a_contradiction_is_not_tried_again_and_again() -> None:
    error = StoreConflict("x.db", "there is one already")
    broken = lambda entry: error if entry == FIRST else None  # noqa: E731
    assert keep(broken, lambda _why: SECOND) == (SECOND, [SECOND])


def test_what_comes_at_the_wrong_time_is_not_written() -> None:
    assert keep(lambda _entry: NotRunning("x.db", "not now")) == (None, [])


def test_a_journal_that_does_not_answer_is_not_waited_for_at_the_end() -> None:
    async def run() -> None:
        journal = MemoryJournal()
        journal.add = lambda _entry, _done: None  # type: ignore[method-assign, assignment]
        keeper = Keeper(journal)
        task = asyncio.create_task(keeper.keep(FIRST))
        await asyncio.sleep(0)
        keeper.hurry()
        with pytest.raises(NotKept, match="does not answer"):
            await task

    asyncio.run(run())


def test_what_comes_late_at_the_end_has_its_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "LAST", 1.0)

    async def run() -> None:
        journal = MemoryJournal()
        keeper = Keeper(journal)
        keeper.hurry()
        await asyncio.sleep(1.1)
        assert await keeper.keep(FIRST) == FIRST
        journal.broken = failing(1, StoreUnavailable("x.db", "locked"))
        assert await keeper.keep(SECOND) == SECOND
        assert journal.entries == [FIRST, SECOND]

    asyncio.run(run())


def test_nobody_waits_for_ever_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        journal = MemoryJournal()
        journal.broken = lambda _entry: StoreError("x.db", "the disk is full")
        keeper = Keeper(journal)
        task = asyncio.create_task(keeper.keep(FIRST))
        await until(lambda: keeper.problem)
        assert keeper.problem == "store x.db: the disk is full"
        keeper.hurry()
        keeper.hurry()
        with pytest.raises(NotKept, match="the disk is full"):
            await task

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert len(caplog.records) == 1


def test_however_many_wait_the_log_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        journal = MemoryJournal()
        journal.broken = failing(50, StoreError("x.db", "the disk is full"))
        keeper = Keeper(journal)
        await asyncio.gather(*map(keeper.keep, (FIRST, SECOND, THIRD)))
        journal.broken = failing(1, StoreUnavailable("x.db", "locked"))
        await keeper.keep(FIRST)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    told = [record.getMessage() for record in caplog.records]
    problems = ("the disk is full", "locked")
    assert told == [f"cannot write error='store x.db: {problem}'" for problem in problems]
