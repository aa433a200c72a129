"""A contest as files: told as it is, with no more work than they need, and one at a time."""

from __future__ import annotations

import asyncio
import csv
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.settings import DATABASE
from spielwerk.contests import book
from spielwerk.contests.exports import FILES, pieces, streamed
from spielwerk.store import contests as reading
from spielwerk.store.contests import note_replaced
from spielwerk.store.opening import Store, open_store
from spielwerk.store.records import Begun, ContestRecord
from tests.store.contest_samples import BothWriters as Writer
from tests.waiting import until
from tests.web.contest_samples import Wish, write

HALF = Wish(names=("anna", "bert", "karl"), rounds=2, done=0.5)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A contest half of which was played, and one game begun by a process that died."""
    folder: Path = tmp_path_factory.mktemp("files")
    write(folder, HALF)
    with open_store(str(folder / DATABASE)) as opened:
        assert Writer(opened).write([Begun("probe", 11, 1)]) == [None]
        yield opened


def text(store: Store, kind: str, *, live: bool = False) -> str:
    return "".join(pieces(store, record(store), kind, "en", live=live))


def record(store: Store) -> ContestRecord:
    found = reading.contest(store, "probe")
    assert found
    return found


@pytest.mark.parametrize(("live", "state"), [(False, "new"), (True, "running")])
def test_what_was_left_running_is_not_being_played(store: Store, live: bool, state: str) -> None:
    *_, last = text(store, "jsonl", live=live).splitlines()
    assert json.loads(last)["state"] == state
    *_, row = csv.DictReader(StringIO(text(store, "csv", live=live), newline=""))
    assert row["state"] == state
    assert ("being played" in text(store, "html", live=live)) == live


def test_games_are_exported_without_a_ranking(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(book, "rank")
    rows = [*csv.DictReader(StringIO(text(store, "csv"), newline=""))]
    assert [row["moves"] != "" for row in rows] == [True] * 6 + [False] * 6


def test_what_results_do_not_tell_is_said_with_the_ranking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, replace(HALF, done=1.0, faults=False))
    with open_store(str(tmp_path / DATABASE)) as store:
        monkeypatch.setattr(reading, "traces", lambda *_: dict.fromkeys(range(12), 17))
        note_replaced(store, "probe", ["bert"])
        head, *_ = text(store, "jsonl").splitlines()
        notes = {note["code"]: note for note in json.loads(head)["notes"]}
        assert notes["repeats"]["count"] == 6  # the second round is like the first
        assert notes["replaced"]["names"] == ["bert"]
        assert "while the competition was running: \u2068bert\u2069" in text(store, "html")


def test_moves_are_read_block_by_block(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: list[range] = []
    moves = reading.moves

    def counted(store: Store, contest: str, games: range) -> dict[int, list[str]]:
        blocks.append(games)
        return moves(store, contest, games)

    monkeypatch.setattr(book, "BLOCK", 4)
    monkeypatch.setattr(reading, "moves", counted)
    for kind in ("jsonl", "csv", "standings"):
        text(store, kind)
    assert blocks == []  # to count them they need not be read
    text(store, "html")
    assert blocks == [range(4), range(4, 8)]


async def _read(store: Store, kind: str) -> bytes:
    told = streamed(store, record(store), kind, "en", live=False)
    return b"".join([piece async for piece in told])


@pytest.mark.parametrize("kind", FILES)
def test_what_is_streamed_is_the_whole_file(store: Store, kind: str) -> None:
    assert asyncio.run(_read(store, kind)).decode() == text(store, kind)


def test_one_file_is_made_at_a_time_and_who_has_left_is_forgotten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, most, may, schedule = [0], [0], threading.Event(), reading.schedule

    def waiting(*of: Any) -> Any:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        assert may.wait(20)
        inside[0] -= 1
        return schedule(*of)

    async def ask() -> None:
        asked = [asyncio.create_task(_read(store, "csv")) for _ in range(4)]
        await until(lambda: inside[0])
        await asyncio.sleep(0.05)
        asked[3].cancel()
        await asyncio.wait(asked[3:])
        may.set()
        assert len({*await asyncio.gather(*asked[:3])}) == 1

    monkeypatch.setattr(reading, "schedule", waiting)
    asyncio.run(ask())
    assert most == [1]
