"""Locks on files: one owner, and questions that keep nobody out."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import pytest

from spielwerk.store.sqlite import is_locked, try_to_lock


def opened(folder: Path) -> IO[str]:
    return (folder / "games.db.lock").open("a+", encoding="utf-8")


def test_a_lock_has_one_owner_until_it_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path) as second:
        with opened(tmp_path) as first:
            assert try_to_lock(first)
            assert not try_to_lock(second)
            assert is_locked(second)
        assert not is_locked(second)
        assert try_to_lock(second)


def test_who_has_asked_keeps_nobody_out(tmp_path: Path) -> None:
    with opened(tmp_path) as asking, opened(tmp_path) as other:
        assert not is_locked(asking)
        assert try_to_lock(other)


def test_those_who_ask_at_once_do_not_hear_of_each_other(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with opened(tmp_path) as asking, opened(tmp_path) as other:
        fcntl.flock(asking, fcntl.LOCK_SH)
        assert not is_locked(other)
