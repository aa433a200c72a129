"""A database for each program, and games that a dead one has left."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from spielwerk.cli.programs import TORN, own_database, settle
from spielwerk.store import reading
from spielwerk.store.journal import Writer
from spielwerk.store.opening import open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.records import Created, GameRecord, Reason, SeatKind, SeatRecord


def test_programs_side_by_side_have_databases_of_their_own(tmp_path: Path) -> None:
    with ExitStack() as stack:
        paths = [stack.enter_context(own_database(tmp_path / "new", "connect4")) for _ in range(3)]
    assert [path.name for path in paths] == ["connect4.db", "connect4-2.db", "connect4-3.db"]
    with own_database(tmp_path / "new", "connect4") as path:
        assert path == paths[0]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError), own_database(tmp_path / "file", "connect4"):
        pass


def test_torn_games_are_ended_once(tmp_path: Path) -> None:
    seats = (SeatRecord(SeatKind.ENGINE, "a", "level=5"), SeatRecord(SeatKind.CLIENT, "b"))
    record = GameRecord("A" * 11, "connect4", ("begins=0",), "torn", seats, 1000, False, 1)
    with open_store(tmp_path / "x.db") as store:
        assert Writer(store).write([Created(record)]) == [None]
    assert settle(str(tmp_path / "x.db")) == 1
    assert settle(str(tmp_path / "x.db")) == 0
    with open_store(tmp_path / "x.db") as store:
        game = reading.game(store, record.id)
    assert game is not None
    assert game.result is not None
    assert (game.result.reason, game.result.detail) == (Reason.SERVER_ERROR, TORN)
