"""Health: what is noticed, and when it is forgotten."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from spielwerk.app import metrics as module
from spielwerk.app.metrics import Metrics, Pulse
from spielwerk.store.journal import StoreJournal
from spielwerk.store.problems import StoreError
from tests.servers.live import live, settings_for


class World:
    """A pulse in a time of its own, with a journal that is well."""

    def __init__(self, read: Callable[[], object] = lambda: None) -> None:
        self.now = 100.0
        self.pulse = Pulse(cast("StoreJournal", self), Metrics(), read)
        self.pulse._time = lambda: self.now
        self.pulse._beat = self.now

    def problem(self) -> None:
        """The journal has none."""


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
