"""Engines compiled in processes of their own: once, with progress, and never longer than needed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from spielwerk.engines import find_engine, warm
from spielwerk.engines.warm import NotPrepared, Preparation, Workshop, variants
from spielwerk.games import find_game, kits

COMPILE = """
from spielwerk.engines.warm import prepare
from spielwerk.games import find_game
preparation = prepare(find_game("oware")())
print("compiling", flush=True)
preparation.wait()
"""


def test_the_compiling_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    environment = os.environ | {"SPIELWERK_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", COMPILE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout
        assert server.stdout.readline() == b"compiling\n"
        children: list[psutil.Process] = []
        deadline = time.monotonic() + 30
        while not children and time.monotonic() < deadline:
            children = psutil.Process(server.pid).children()
            time.sleep(0.02)
        assert children
        server.kill()
    _gone, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


def test_progress_and_last_words_of_the_process_are_heard() -> None:
    heard: list[int] = []
    preparation = Preparation(find_game("oware")())
    preparation.listen(lambda: heard.append(preparation.percent))
    lines = ["share 0.250\n", "Traceback ...\n", "share 1.000\n", "MemoryError\n", "\n"]
    assert preparation._hear(lines) == "MemoryError"
    assert heard == [25, 99]  # being ready says the rest


def test_an_engine_is_compiled_once_however_many_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    go = threading.Event()

    def run(preparation: Preparation) -> None:
        runs.append(preparation.game.name)
        assert go.wait(30)
        preparation.problem = "no memory"

    monkeypatch.setattr(Preparation, "run", run)
    monkeypatch.setattr(warm, "is_compiled", lambda _source: False)
    workshop, dice = Workshop(), find_game("dice")()
    first, second = (workshop.prepare(dice, soon=True) for _ in range(2))
    assert first
    assert first is second
    go.set()
    with pytest.raises(NotPrepared, match="cannot compile the dice engine: no memory"):
        first.wait()
    assert workshop.prepare(dice, soon=True) is None  # now everybody compiles for itself
    assert runs == ["dice"]


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kernels").touch()  # where a folder should be
    monkeypatch.setenv("SPIELWERK_CACHE", str(tmp_path))
    preparation = Preparation(find_game("oware")())
    preparation.run()
    why = "Not a directory; name another folder with SPIELWERK_CACHE"
    assert preparation.problem == f"cannot write to {tmp_path}: {why}"


def test_every_engine_is_among_those_that_are_compiled() -> None:
    kinds = {find_engine(game) for name in kits() for game in variants(name)}
    assert len(kinds) == sum(len(variants(name)) for name in kits())
    assert {kind.game for kind in kinds} == set(kits())
