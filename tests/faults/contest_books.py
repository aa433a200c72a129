"""The books of a contest: every game of the schedule stands in them, and none of them twice.

They are read as a stranger would, with SQL and from the export, not with our own reading.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.cli.contests import ContestFolder


def check_books(folder: ContestFolder, games: int) -> None:
    """Raise AssertionError unless all games are done, kept, exported and counted exactly once."""
    _check_store(folder.store, games)
    head, *lines = _exported(folder)
    assert [line["number"] for line in lines] == [*range(games)]
    assert {line["state"] for line in lines} == {"done"}
    seats = sum(len(line["seats"]) for line in lines)
    assert sum(standing["games"] for standing in head["standings"]) == seats


def _exported(folder: ContestFolder) -> list[dict[str, Any]]:
    """The contest, and its games, as JSON Lines."""
    told = folder.command("export", "--format", "jsonl")
    assert told.returncode == 0, told.stderr
    return [json.loads(line) for line in told.stdout.splitlines()]


def _check_store(store: Path, games: int) -> None:
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        rows = connection.execute("select number, state, game from pairings").fetchall()
        kept = {row[0] for row in connection.execute("select id from games")}
    assert sorted(number for number, _, _ in rows) == [*range(games)]
    assert {state for _, state, _ in rows} == {"done"}
    played = [game for _, _, game in rows]
    assert len({*played}) == len(played) == games
    assert {*played} <= kept
