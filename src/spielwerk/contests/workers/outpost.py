"""What is done on a worker of a Dask cluster: the same as at home, in worker processes of our own.

Dask's worker only passes on; so a game can do it no harm, and it can be killed without harm to the
programs' machine: our process ends with it, and takes its programs along.
"""

from __future__ import annotations

import asyncio
import pickle
import platform
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from distributed import get_worker

from spielwerk import __version__
from spielwerk.contests.workers.slot import Slot, WorkerLost

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from distributed import Worker

    from spielwerk.contests.assignment import Assignment, Played, Progress

LOOK: Final = 1.0  # seconds between two looks whether anybody still wants the game
KEPT: Final = 600.0  # seconds that a process stays without a game

_idle: Final[WeakKeyDictionary[Worker, list[_Idle]]] = WeakKeyDictionary()


def about() -> tuple[str, str]:
    """The versions that must be the same everywhere: ours, and Python's."""
    return __version__, ".".join(platform.python_version_tuple()[:2])


async def play_here(assignment: Assignment, key: str, topic: str) -> Played | str:
    """Play the game in a process of this worker's; a text says how that process was lost."""
    worker = get_worker()

    def tell(news: Progress) -> None:
        worker.log_event(topic, pickle.dumps(news))

    sandbox = assignment.terms.sandbox
    try:
        slot = await _take(worker, sandbox=sandbox)
    except WorkerLost as lost:
        return str(lost)
    try:
        return await _while_wanted(slot.play(assignment, tell), worker, key)
    except WorkerLost as lost:
        return str(lost)
    finally:
        await _give_back(worker, slot, sandbox=sandbox)


async def _while_wanted(work: Coroutine[Any, Any, Played], worker: Worker, key: str) -> Played:
    """What comes of the work; it is broken off when nobody waits for it any more."""
    game = asyncio.create_task(work)
    try:
        while not game.done():
            await asyncio.wait([game], timeout=LOOK)
            if not _is_wanted(worker, key):
                game.cancel()
        return game.result()
    finally:
        game.cancel()
        await asyncio.wait([game])


def _is_wanted(worker: Worker, key: str) -> bool:
    """Whether the task was neither cancelled nor left alone by a client that died."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state == "executing"


# processes


class _Idle(NamedTuple):
    """A process that waits for another game, and when it has waited long enough."""

    slot: Slot
    sandbox: bool
    timer: asyncio.TimerHandle


async def _take(worker: Worker, *, sandbox: bool) -> Slot:
    for idle in _idle.get(worker, []):
        if idle.sandbox == sandbox and idle.slot.alive:
            _remove(worker, idle.slot)
            return idle.slot
    return await Slot.start(sandbox=sandbox)


async def _give_back(worker: Worker, slot: Slot, *, sandbox: bool) -> None:
    if not slot.alive:
        await slot.close()
        return
    timer = asyncio.get_running_loop().call_later(KEPT, _expire, worker, slot)
    _idle.setdefault(worker, []).append(_Idle(slot, sandbox, timer))


def _remove(worker: Worker, slot: Slot) -> None:
    for idle in [one for one in _idle.get(worker, []) if one.slot is slot]:
        idle.timer.cancel()
        _idle[worker].remove(idle)


def _expire(worker: Worker, slot: Slot) -> None:
    _remove(worker, slot)
    slot.hang_up()


async def close_slots(dask_worker: Worker) -> None:
    """End the processes that wait for another game."""
    slots = [idle.slot for idle in _idle.get(dask_worker, [])]
    for slot in slots:
        _remove(dask_worker, slot)
    await asyncio.gather(*(slot.close() for slot in slots))
