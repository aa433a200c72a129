"""Solving sectors on a Dask cluster, in a folder that all its workers share.

What is solved together is one task, and it begins when the tasks that it needs are finished. A task
leaves nothing but files: a worker that takes it over from one that was lost finds them.
A mark in the folder shows a worker that it sees the right one, and that the result is still wanted.
Needs the extra `cluster`.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from spielwerk import __version__
from spielwerk.engines.interface import EngineError
from spielwerk.errors import SpielwerkError
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.sectors import is_solved
from spielwerk.games.morris.engine.solver import SolvedFiles, WorkClock, unsolved

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spielwerk.games.morris.engine.index import Sector
    from spielwerk.games.morris.engine.solver import Progress

CONNECT: Final = 8.0  # seconds for the scheduler to answer
LOOK: Final = 0.5  # seconds between two looks at the tasks
GONE: Final = "the cluster's scheduler no longer answers; what is finished is kept"


def solve(
    address: str, up_to: Sector, progress: Progress, folder: Path, threads: int | None = None
) -> None:
    """Solve all sectors up to this one that are not yet solved; EngineError says why not.

    Each task has so many threads, or as many as its worker's machine has cores.
    """
    left = unsolved(up_to, folder)
    with _connected(address) as client, _marked(folder.absolute()) as mark:
        _check_workers(client, mark)
        tasks = _submit(client, left, mark, threads)
        try:
            _wait(client, tasks, WorkClock(left, progress))
        except (CancelledError, OSError):  # by Dask, without a scheduler
            raise EngineError(GONE) from None


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """A client of the cluster; what it has asked for is cancelled when it leaves."""
    try:
        dask: Any = import_module("distributed")  # much of it has no types
    except ImportError:
        problem = "Dask is not installed; pip install 'spielwerk[cluster]'"
        raise EngineError(f"--cluster {address}: {problem}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = dask.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, OverflowError) as error:
        problem = f"no Dask scheduler answers there ({type(error).__name__})"
        raise EngineError(f"--cluster {address}: {problem}") from None
    with client:
        yield client


@contextmanager
def _marked(folder: Path) -> Iterator[Path]:
    """A file that is there as long as the result is wanted."""
    mark = folder / f".cluster-{secrets.token_hex(8)}"
    mark.touch()
    try:
        yield mark
    finally:
        mark.unlink(missing_ok=True)


def _check_workers(client: Any, mark: Path) -> None:
    """Raise EngineError if a worker is of no use; one that comes later says so itself."""
    answers = client.run(problem_here, mark, __version__, on_error="return")
    for worker, problem in answers.items():
        if problem:
            raise EngineError(f"the cluster's worker {worker} cannot solve: {problem}")


def _submit(
    client: Any, left: list[list[Sector]], mark: Path, threads: int | None
) -> dict[Any, list[Sector]]:
    """A task for each job, after those it needs."""
    tasks: dict[Any, list[Sector]] = {}
    of: dict[Sector, Any] = {}
    for job in left:
        needed = {of[after] for one in job for n in range(3) if (after := one.after(n)) in of}
        key = f"{mark.name}-{job[0]}"
        task = client.submit(
            solve_here, job, mark, __version__, threads, list(needed), key=key, pure=False
        )
        tasks[task] = job
        of |= dict.fromkeys(job, task)
    return tasks


def _wait(client: Any, tasks: dict[Any, list[Sector]], clock: WorkClock) -> None:
    """Wait for all tasks, and raise EngineError if one of them fails."""
    while tasks:
        time.sleep(LOOK)
        if client.status != "running":
            raise EngineError(GONE)
        for task in [task for task in tasks if task.done()]:
            job = tasks.pop(task)
            _check_result(task, job[0])
            clock.finish(job)
        clock.tell("on the cluster" if client.nthreads() else "waits for a worker of the cluster")


def _check_result(task: Any, sector: Sector) -> None:
    try:
        task.result()
    except (SpielwerkError, CancelledError):
        raise
    except Exception as error:
        problem = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise EngineError(f"the cluster cannot solve {sector}: {problem}") from None


# on a worker of the cluster


def problem_here(mark: Path, version: str) -> str | None:
    """What keeps this worker from solving."""
    if version != __version__:
        return f"it has Spielwerk {__version__}, not {version}"
    if not mark.exists():
        return f"it does not see {mark.parent}, which all must share; SPIELWERK_DATA names another"
    return None


def solve_here(
    job: list[Sector], mark: Path, version: str, threads: int | None, _needed: list[None]
) -> None:
    """Solve these sectors into the folder of the mark, while that is there."""

    def report(_share: float) -> None:
        if problem := problem_here(mark, version):
            raise EngineError(f"a worker of the cluster cannot solve {job[0]}: {problem}")

    report(0.0)
    folder = mark.parent
    if is_solved(folder, *job):
        return
    cores = Cores(folder, SolvedFiles(folder), threads or os.cpu_count() or 1)
    try:
        cores.solve(job, report)
    finally:
        cores.close()
