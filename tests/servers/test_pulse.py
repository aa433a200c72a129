"""Health: what is noticed, and when it is forgotten."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from spielwerk.app import health as module
from spielwerk.app.health import Pulse, WatchedJournal
from spielwerk.servers.metrics import Metrics
from spielwerk.store.problems import StoreError
from spielwerk.store.records import Ended, Ending, Reason, WireRecord
from tests.servers.live import live, settings_for

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from spielwerk.store.records import Entry

ENTRY = Ended("x", Ending(Reason.ABORTED, None, "", 0))
WIRE = WireRecord("x", 0, "mnm", "127.0.0.1:1", 0, b"")


class SlowJournal:
    """A journal that writes when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[BaseException | None], None]] = []

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        assert entry in (ENTRY, WIRE)
        self.waiting.append(done)

    def write(self, error: BaseException | None = None) -> None:
        self.waiting.pop(0)(error)


class World:
    """A watched journal in a time of its own."""

    def __init__(self, read: Callable[[], object] = lambda: None) -> None:
        self.now = 100.0
        self.journal = SlowJournal()
        self.metrics = Metrics()
        self.watched = WatchedJournal(self.journal, self.metrics)
        self.pulse = Pulse(self.watched, self.metrics, read)
        self.watched._time = self.pulse._time = lambda: self.now
        self.pulse._beat = self.now
        self.heard: list[BaseException | None] = []

    def add(self) -> None:
        self.watched.add(ENTRY, self.heard.append)


def test_a_journal_that_hangs_is_noticed_until_it_writes() -> None:
    async def main() -> None:
        world = World()
        world.add()
        world.now += 1
        world.add()
        world.now += module.STUCK - 1
        assert world.watched.problem() is None
        world.now += 0.5
        assert world.watched.problem() == "the journal has not written for 6 s"
        world.journal.write()
        assert world.watched.problem() is None
        assert world.heard == [None]

    asyncio.run(main())


def test_a_journal_that_fails_is_noticed_until_it_writes_or_for_a_while() -> None:
    async def main() -> None:
        world = World()
        full = StoreError("x", "the disk is full")
        world.add()
        world.journal.write(full)
        assert world.heard == [full]
        assert world.watched.problem() == "the journal could not write"
        assert b"spielwerk_journal_failures_total 1.0" in world.metrics.text()
        world.add()
        world.journal.write()
        assert world.watched.problem() is None
        world.add()
        world.journal.write(full)
        world.now += module.REMEMBERED
        assert world.watched.problem() is None

    asyncio.run(main())


def test_a_transcript_is_at_hand_until_it_is_written() -> None:
    async def main() -> None:
        world = World()
        world.watched.add(WIRE, world.heard.append)
        assert world.watched.wires == [WIRE]
        world.journal.write()
        assert world.watched.wires == []

    asyncio.run(main())


def test_a_database_that_does_not_answer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise StoreError("x", "gone")

    async def problems(read: Callable[[], object]) -> list[str]:
        return await World(read).pulse.problems()

    assert asyncio.run(problems(broken)) == ["the database cannot be read"]
    assert asyncio.run(problems(lambda: None)) == []
    monkeypatch.setattr(module, "STUCK", 0.05)
    (slow,) = asyncio.run(problems(lambda: time.sleep(0.3)))
    assert slow.startswith("the database has not answered")


def test_a_loop_that_does_not_beat_is_noticed() -> None:
    async def main() -> None:
        world = World()
        world.now += module.STUCK + 1
        assert await world.pulse.problems() == ["the event loop does not beat"]

    asyncio.run(main())


def test_a_late_beat_is_measured(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "BEAT", 0.01)
    monkeypatch.setattr(module, "LATE", 0.05)

    async def main() -> None:
        world = World()
        world.pulse._time = asyncio.get_running_loop().time
        beating = asyncio.create_task(world.pulse.run())
        await asyncio.sleep(0.03)
        time.sleep(0.2)  # somebody blocks the loop
        await asyncio.sleep(0.03)
        beating.cancel()

    asyncio.run(main())
    assert "loop was late seconds=0." in caplog.text


def test_what_is_wrong_is_503(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        server.server.journal._failed = time.monotonic()
        answer = server.get("/healthz")
        assert answer.status == 503
        assert answer.json == {"status": "failing", "problems": ["the journal could not write"]}
        server.server.journal._failed = None
        assert server.get("/healthz").status == 200
