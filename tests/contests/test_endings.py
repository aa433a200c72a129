"""The end of a process: noticed at once, told once, and put into words."""

from __future__ import annotations

import asyncio
import os
import subprocess

import pytest

from spielwerk.contests.programs import endings
from spielwerk.contests.programs.endings import Ending, in_words, told_by_shell
from tests.contests.running import exists, run
from tests.waiting import until


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit 0"),
        (1, "exit 1"),
        (255, "exit 255"),
        (-11, "killed by SIGSEGV"),
        (-9, "killed by SIGKILL"),
        (-50, "killed by signal 50"),
    ],
)
def test_an_exit_code_in_words(code: int, words: str) -> None:
    assert in_words(code) == words


@pytest.mark.parametrize(
    ("code", "meant"), [(0, 0), (1, 1), (127, 127), (128, 128), (137, -9), (139, -11), (255, 255)]
)
def test_an_exit_code_that_another_tells(code: int, meant: int) -> None:
    assert told_by_shell(code) == meant


@pytest.fixture(params=["as Linux does it", "as others do it"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without a handle for processes."""
    if request.param == "as others do it":
        monkeypatch.setattr(endings, "_handle", lambda _: None)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(("end", "code"), [("exit 7", 7), ("kill -SEGV $$", -11)])
def test_the_end_is_told_once(end: str, code: int) -> None:
    async def main() -> None:
        told: list[int] = []
        process = subprocess.Popen(["/bin/sh", "-c", end])
        ending = Ending(process, told.append)
        await until(lambda: told)
        ending.take_notice()
        await asyncio.sleep(0)
        assert told == [code]
        assert not exists(process.pid)

    run(main())


@pytest.mark.usefixtures("_way")
def test_who_takes_notice_first_is_told_as_well() -> None:
    async def main() -> None:
        told: list[int] = []
        ending = Ending(subprocess.Popen(["/bin/true"]), told.append)
        ending.take_notice()
        assert told == [0]
        await asyncio.sleep(0.01)
        assert told == [0]

    run(main())


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="there is no such means")
def test_until_it_is_taken_notice_of_the_number_stays_its_own() -> None:
    async def main() -> None:
        told: list[int] = []
        process = subprocess.Popen(["/bin/true"])
        ending = Ending(process, told.append)
        await until(lambda: told)
        assert exists(process.pid)
        ending.take_notice()
        assert not exists(process.pid)

    run(main())
