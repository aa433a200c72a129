"""The worker process: what it reads, writes and leaves behind."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil
import pytest

from spielwerk.contests.contest import Played, Progress
from spielwerk.contests.worker import (
    EVERY,
    HEAD,
    News,
    broken_off,
    packed,
    receive,
    together,
)
from tests.contests.fake_worker import COMMAND, assignment, played, record
from tests.contests.running import lives
from tests.waiting import PATIENCE, until, wait_until

# what goes over the line


def test_a_value_arrives_as_it_was_sent_however_it_is_cut() -> None:
    values = [assignment("echo"), played(assignment("echo")), Progress(3, 1)]
    data = b"".join(map(packed, values))

    async def arrive(piece: int) -> list[Any]:
        reader = asyncio.StreamReader()
        for start in range(0, len(data), piece):
            reader.feed_data(data[start : start + piece])
        return [await receive(reader) for _ in values]

    assert asyncio.run(arrive(1)) == asyncio.run(arrive(1000)) == values


@pytest.mark.parametrize("length", [0, HEAD + 1])
def test_an_end_in_the_middle_of_a_value_is_an_end(length: int) -> None:
    async def arrive() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(packed(played(assignment("echo")))[:length])
        reader.feed_eof()
        await receive(reader)

    with pytest.raises(EOFError):
        asyncio.run(arrive())


# news


def test_moves_that_come_at_once_are_told_together() -> None:
    game = assignment("tell")
    pieces = [Progress(0, 1, record(game, 2))]
    pieces += [Progress(0, 1, moves=(move,)) for move in record(game).moves[2:]]

    async def tell_all() -> list[Progress]:
        told: list[Progress] = []
        news = News(told.append)
        for piece in pieces:
            news(piece)
        assert told == []
        await until(lambda: told)
        news(pieces[0])
        news.drop()  # the game is over, and is told as a whole
        await asyncio.sleep(2 * EVERY)
        return told

    assert asyncio.run(tell_all()) == [Progress(0, 1, record(game, 2), record(game).moves[2:])]


def test_a_game_that_begins_anew_makes_older_news_worthless() -> None:
    game = assignment("tell")
    first = Progress(0, 1, record(game, 2), record(game).moves[2:])
    assert together(first, Progress(0, 1, record(game, 1))) == Progress(0, 1, record(game, 1))


# as a process


@contextmanager
def worker() -> Iterator[subprocess.Popen[bytes]]:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
        finally:
            process.kill()


def send(process: subprocess.Popen[bytes], game: Any) -> None:
    """Give it a game."""
    assert process.stdin
    process.stdin.write(packed(game))
    process.stdin.flush()


def read(stream: IO[bytes] | None) -> Any:
    assert stream
    length = int.from_bytes(stream.read(HEAD), "big")
    return pickle.loads(stream.read(length))  # noqa: S301


def test_prints_and_mistakes_of_ours_do_not_end_the_worker() -> None:
    with worker() as process:
        send(process, assignment("print"))
        assert isinstance(read(process.stdout), Played)
        send(process, assignment("raise", 4))
        broken = read(process.stdout)
        assert broken == broken_off(assignment("raise", 4), ValueError("nobody knows why"))
        assert broken.broken
        assert broken.ending.detail == "ValueError: nobody knows why"
        process.stdin.close()  # type: ignore[union-attr]
        assert process.wait(PATIENCE) == 0
        assert b"a stray word" in process.stderr.read()  # type: ignore[union-attr]


@pytest.mark.parametrize("how", ["end of input", "SIGTERM"])
def test_it_ends_in_the_middle_of_a_game_and_takes_its_children_along(
    how: str, tmp_path: Path
) -> None:
    noted = tmp_path / "child"
    with worker() as process:
        send(process, assignment("child", seed=str(noted)))
        wait_until(lambda: noted.exists() and noted.read_text())
        if how == "SIGTERM":
            process.terminate()
        else:
            process.stdin.close()  # type: ignore[union-attr]
        assert process.wait(PATIENCE) == 0
    assert not lives(int(noted.read_text()))


def test_it_ends_with_whoever_started_it_even_after_kill_9(tmp_path: Path) -> None:
    noted = tmp_path / "child"
    game = packed(assignment("child", seed=str(noted)))
    code = (
        "import subprocess, sys\n"
        f"process = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE)\n"
        f"process.stdin.write({game!r}); process.stdin.flush()\n"
        "print(process.pid, flush=True); process.wait()\n"
    )
    with subprocess.Popen([COMMAND[0], "-c", code], stdout=subprocess.PIPE) as starter:
        assert starter.stdout
        pid = int(starter.stdout.readline())
        wait_until(lambda: noted.exists() and noted.read_text())
        os.kill(starter.pid, signal.SIGKILL)
        wait_until(lambda: not lives(pid))
    assert not lives(int(noted.read_text()))


def test_ctrl_c_is_not_for_the_worker_but_would_be_for_its_programs() -> None:
    with worker() as process:
        send(process, assignment("echo"))
        read(process.stdout)
        os.kill(process.pid, signal.SIGINT)
        send(process, assignment("echo", 1))
        assert read(process.stdout) == played(assignment("echo", 1))
        status = psutil.Process(process.pid)
        with open(f"/proc/{status.pid}/status", encoding="ascii") as file:  # noqa: PTH123
            ignored = next(line for line in file if line.startswith("SigIgn:"))
    assert not int(ignored.split()[1], 16) & 1 << (signal.SIGINT - 1)
