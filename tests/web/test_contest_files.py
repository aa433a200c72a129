"""A contest as files: told as it is, with no more work than they need, and one at a time."""

from __future__ import annotations

import asyncio
import csv
import json
import threading
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from spielwerk.app.settings import DATABASE
from spielwerk.contests import archive as archives
from spielwerk.contests import exports
from spielwerk.contests.archive import ContestArchive
from spielwerk.contests.exports import FILES, pieces, streamed
from spielwerk.store.contest_records import Begun
from spielwerk.store.keys import note_replaced
from spielwerk.store.opening import open_store
from tests.store.contest_samples import BothWriters as Writer
from tests.waiting import until
from tests.web.contest_samples import Wish, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from spielwerk.store.contest_records import ContestRecord, EntrantRecord, Pairing
    from spielwerk.store.opening import Store

HALF = Wish(names=("anna", "bert", "karl"), rounds=2, done=0.5)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A contest half of which was played, and one game begun by somebody who died."""
    folder: Path = tmp_path_factory.mktemp("files")
    write(folder, HALF)
    with open_store(str(folder / DATABASE)) as opened:
        assert Writer(opened).write([Begun("probe", 11, 1)]) == [None]
        yield opened


@pytest.fixture
def archive(store: Store) -> ContestArchive:
    return ContestArchive(store)


def record(archive: ContestArchive) -> ContestRecord:
    found = archive.contest("probe")
    assert found
    return found


def text(archive: ContestArchive, kind: str, *, live: bool = False) -> str:
    return "".join(pieces(archive, record(archive), kind, "en", live=live))


@pytest.mark.parametrize(("live", "state"), [(False, "new"), (True, "running")])
def test_what_was_left_running_is_not_being_played(
    archive: ContestArchive, live: bool, state: str
) -> None:
    *_, last = text(archive, "jsonl", live=live).splitlines()
    assert json.loads(last)["state"] == state
    *_, row = csv.DictReader(StringIO(text(archive, "csv", live=live), newline=""))
    assert row["state"] == state
    assert ("being played" in text(archive, "html", live=live)) == live


def test_games_are_exported_without_a_ranking(
    archive: ContestArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(archives, "rank")
    rows = [*csv.DictReader(StringIO(text(archive, "csv"), newline=""))]
    assert [row["moves"] != "" for row in rows] == [True] * 6 + [False] * 6


class Alike(ContestArchive):
    """An archive in which all games had the same moves."""

    def traces(self, contest: str) -> dict[int, int]:
        return dict.fromkeys(super().traces(contest), 17)


def test_what_results_do_not_tell_is_said_with_the_ranking(tmp_path: Path) -> None:
    write(tmp_path, replace(HALF, done=1.0, faults=False))
    with open_store(str(tmp_path / DATABASE)) as store:
        archive = Alike(store)
        note_replaced(store, "probe", ["bert"])
        head, *_ = text(archive, "jsonl").splitlines()
        notes = {note["code"]: note for note in json.loads(head)["notes"]}
        assert notes["repeats"]["count"] == 6  # the second round is like the first
        assert notes["replaced"]["names"] == ["bert"]
        assert "while the competition was played: \u2068bert\u2069" in text(archive, "html")


class Counting(ContestArchive):
    """An archive that knows what it was asked for, and by how many at once."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.blocks: list[range] = []
        self.inside = 0
        self.most = 0
        self.may = threading.Event()

    def moves(self, contest: str, games: range) -> dict[int, list[str]]:
        self.blocks.append(games)
        return dict(super().moves(contest, games))  # type: ignore[arg-type]

    def schedule(self, contest: str) -> tuple[Sequence[EntrantRecord], Sequence[Pairing]]:
        self.inside += 1
        self.most = max(self.most, self.inside)
        assert self.may.wait(20)
        self.inside -= 1
        return super().schedule(contest)


def test_moves_are_read_block_by_block(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "BLOCK", 4)
    archive = Counting(store)
    archive.may.set()
    for kind in ("jsonl", "csv", "standings"):
        text(archive, kind)
    assert archive.blocks == []  # to count them they need not be read
    text(archive, "html")
    assert archive.blocks == [range(4), range(4, 8)]


async def _read(archive: ContestArchive, kind: str) -> bytes:
    told = streamed(archive, record(archive), kind, "en", live=False)
    return b"".join([piece async for piece in told])


@pytest.mark.parametrize("kind", FILES)
def test_what_is_streamed_is_the_whole_file(archive: ContestArchive, kind: str) -> None:
    assert asyncio.run(_read(archive, kind)).decode() == text(archive, kind)


def test_one_file_is_made_at_a_time_and_who_has_left_is_forgotten(store: Store) -> None:
    archive = Counting(store)

    async def ask() -> None:
        asked = [asyncio.create_task(_read(archive, "csv")) for _ in range(4)]
        await until(lambda: archive.inside)
        await asyncio.sleep(0.05)
        asked[3].cancel()
        await asyncio.wait(asked[3:])
        archive.may.set()
        assert len({*await asyncio.gather(*asked[:3])}) == 1

    asyncio.run(ask())
    assert archive.most == 1
