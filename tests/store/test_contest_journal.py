"""The journal of a contest: entries are tried until they are written."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence

import pytest

from spielwerk.store import scheduling as module
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError, StoreUnavailable
from spielwerk.store.records import Begun, ContestEntry
from spielwerk.store.scheduling import MANY, ContestJournal, NotWritten
from tests.contests.contests import MemoryJournal, in_loop
from tests.waiting import until

FIRST, SECOND, THIRD = (Begun("spring", number, 1) for number in range(3))
FULL = StoreError("x.db", "the disk is full")
STRANGE = StoreError("x.db", "a strange value")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.001)
    monkeypatch.setattr(module, "LAST", 0.02)


def failing(times: int, error: StoreError) -> Callable[[ContestEntry], StoreError | None]:
    left = iter([error] * times)
    return lambda _entry: next(left, None)


def refusing(refused: ContestEntry, error: StoreError) -> Callable[..., StoreError | None]:
    return lambda entry: error if entry == refused else None


@pytest.mark.parametrize("error", [StoreUnavailable("x.db", "locked"), FULL])
@in_loop
async def test_an_entry_is_tried_until_it_is_written(error: StoreError) -> None:
    journal = MemoryJournal()
    journal.broken = failing(10, error)
    assert await journal.add(FIRST) == FIRST
    assert journal.entries == [FIRST]


@in_loop
async def test_entries_that_wait_are_written_together() -> None:
    batches: list[int] = []
    go = threading.Event()

    def write(entries: Sequence[ContestEntry]) -> list[StoreError | None]:
        batches.append(len(entries))
        go.wait(10)
        return [None] * len(entries)

    journal = ContestJournal(write)
    first = asyncio.create_task(journal.add(FIRST))
    await until(lambda: batches)
    others = asyncio.gather(journal.add(SECOND), journal.add(THIRD))
    await asyncio.sleep(0)
    go.set()
    assert [await first, *await others] == [FIRST, SECOND, THIRD]
    assert batches == [1, 2]


@in_loop
async def test_something_else_is_written_if_only_this_is_refused() -> None:
    asked: list[str] = []

    def instead(why: str) -> Begun:
        asked.append(why)
        return SECOND

    journal = MemoryJournal()
    journal.broken = refusing(FIRST, STRANGE)
    task = asyncio.create_task(journal.add(FIRST, instead))
    await until(lambda: journal.problem)
    await journal.add(THIRD)  # others are written meanwhile
    assert await task == SECOND
    assert journal.entries == [THIRD, SECOND]
    assert asked == ["store x.db: a strange value"]


@in_loop
async def test_a_store_that_takes_nothing_is_waited_for_but_not_for_ever() -> None:
    journal = MemoryJournal()
    journal.broken = failing(MANY - 1, FULL)
    assert await journal.add(FIRST, lambda _why: SECOND) == FIRST
    journal.broken = refusing(FIRST, STRANGE)
    assert await journal.add(FIRST, lambda _why: SECOND) == SECOND


@in_loop
async def test_a_contradiction_is_not_tried_again_and_again() -> None:
    journal = MemoryJournal()
    journal.broken = refusing(FIRST, StoreConflict("x.db", "there is one already"))
    async with asyncio.timeout(1):
        assert await journal.add(FIRST, lambda _why: SECOND) == SECOND


@in_loop
async def test_what_comes_at_the_wrong_time_is_not_written() -> None:
    journal = MemoryJournal()
    journal.broken = lambda _entry: NotRunning("x.db", "not now")
    assert await journal.add(FIRST) is None


@in_loop
async def test_a_store_that_does_not_answer_is_not_waited_for_at_the_end() -> None:
    go = threading.Event()

    def write(_entries: object) -> list[StoreError | None]:
        go.wait(10)
        return [None]

    journal = ContestJournal(write)
    task = asyncio.create_task(journal.add(FIRST))
    await asyncio.sleep(0)
    journal.hurry()
    with pytest.raises(NotWritten, match="does not answer"):
        await task
    go.set()


@in_loop
async def test_what_comes_late_at_the_end_has_its_time_too() -> None:
    journal = MemoryJournal()
    journal.hurry()
    await asyncio.sleep(0.05)
    journal.broken = failing(1, StoreUnavailable("x.db", "locked"))
    assert await journal.add(FIRST) == FIRST


def test_a_full_disk_ends_the_waiting_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @in_loop
    async def write() -> None:
        journal = MemoryJournal()
        journal.broken = lambda _entry: FULL
        tasks = [asyncio.create_task(journal.add(entry)) for entry in (FIRST, SECOND)]
        await until(lambda: journal.problem)
        assert journal.problem == "store x.db: the disk is full"
        journal.hurry()
        for task in tasks:
            with pytest.raises(NotWritten, match="the disk is full"):
                await task

    with caplog.at_level(logging.WARNING):
        write()
    assert len(caplog.records) == 1
