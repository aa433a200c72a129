"""Games on a Dask cluster: Dask chooses the worker of each game, and another one if that is lost.

A worker of Dask only passes games on to worker processes of ours, so a game cannot harm it. Needs
the extra `cluster`.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import platform
import secrets
import sys
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

from spielwerk import __version__
from spielwerk.contests.contest import ContestError, Finished, WorkerLost, ignore
from spielwerk.contests.pool import Pool, usual_jobs

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from distributed import Worker

    from spielwerk.contests.contest import Tell, WorkOrder

log = logging.getLogger(__name__)

LOCAL: Final = "local"  # in the place of an address: a cluster of our own, on this machine
CONNECT: Final = 8.0  # seconds for the scheduler to answer
LOOK: Final = 1.0  # seconds between two looks at the workers, and at whether a game is wanted
IGNORING: Final = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
CLOSE: Final = 5.0  # seconds to disconnect
GONE: Final = "the cluster's scheduler no longer answers"


class DaskPool(Pool):
    """The workers of a cluster; made with `DaskPool.connect`."""

    def __init__(self, client: Any, cluster: Any, jobs: int | None) -> None:
        super().__init__(sys.maxsize if jobs is None else jobs)
        self._client = client
        self._cluster = cluster
        self._threads = 0  # of all workers
        self._topic = f"spielwerk-{secrets.token_hex(8)}"
        self._telling: dict[str, Tell] = {}  # by task
        self._tasks = count(1)
        self._looking: asyncio.Task[None] | None = None

    @classmethod
    async def connect(cls, address: str, jobs: int | None = None) -> Self:
        """The cluster with this scheduler, or ContestError says why it cannot be used."""
        client, cluster = await _connected(address, jobs)
        pool = cls(client, cluster, jobs)
        try:
            await pool._check_workers()
            await pool._look()
            client.subscribe_topic(pool._topic, pool._hear)
        except BaseException:
            await pool.close()
            raise
        pool._looking = asyncio.create_task(pool._keep_looking())
        return pool

    async def _check_workers(self) -> None:
        """Raise ContestError if a worker is not as we are; one that comes later says so itself."""
        for worker, told in (await self._client.run(about, on_error="return")).items():
            if problem := _problem(worker, told, about()):
                raise ContestError(problem)

    # room

    @property
    def jobs(self) -> int:
        """How many games are played at once; as many as the workers have threads, or fewer."""
        return min(self._jobs, self._threads)

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Play at most this many from now on."""
        self._jobs = jobs
        if self._cluster and jobs > self._threads:
            self._cluster.scale(jobs)
        self.changed()

    async def _keep_looking(self) -> None:
        """Follow how many workers there are."""
        while self._client.status != "closed":
            await asyncio.sleep(LOOK)
            try:
                await self._look()
            except Exception as error:
                log.warning("the cluster does not answer error=%r", str(error))
        self._lose(GONE)

    async def _look(self) -> None:
        threads = sum((await self._client.nthreads()).values())
        if threads != self._threads:
            log.info("the workers of the cluster have changed threads=%d", threads)
            self._threads = threads
            self.changed()

    def _lose(self, why: str) -> ContestError:
        self.lost = lost = ContestError(why)
        self.changed()
        return lost

    # playing

    async def _carry_out(self, order: WorkOrder, tell: Tell = ignore) -> Any:
        """What comes of the order; games go before reviews."""
        key = f"{self._topic}-{next(self._tasks)}"
        self._telling[key] = tell
        try:
            said = await self._submitted(order, key)
        finally:
            del self._telling[key]
        if isinstance(said, WorkerLost):
            raise said
        return said

    async def _submitted(self, order: WorkOrder, key: str) -> Any:
        given = (order, about(), self._topic, key)
        priority = -1 if isinstance(order, Finished) else 0
        future = self._client.submit(carry_out_here, *given, key=key, priority=priority)
        result = asyncio.ensure_future(future.result())
        try:
            await asyncio.wait([result])
        finally:
            result.cancel()
            await asyncio.wait([result])
            await self._forget(future)
        return await self._returned(result)

    async def _returned(self, result: asyncio.Future[Any]) -> Any:
        """What came back of a game; or it has to be played again, or nothing can be played."""
        from distributed import KilledWorker

        try:
            return result.result()
        except KilledWorker as error:
            raise WorkerLost(f"the cluster has lost the game: {_one_line(error)}") from None
        except (CancelledError, asyncio.CancelledError):  # by Dask, without a scheduler
            while self._client.status == "connecting":
                await asyncio.sleep(LOOK)
            if self._client.status != "running":
                raise self._lose(GONE) from None
            raise WorkerLost("the cluster has lost the game") from None
        except Exception as error:
            raise self._lose(f"the cluster cannot play: {_one_line(error)}") from None

    async def _forget(self, future: Any) -> None:
        """Break the game off, if it is still being played."""
        if not future.done() and self._client.status == "running":
            await self._client.cancel([future], force=True)
        future.release()

    def _hear(self, event: tuple[float, bytes]) -> None:
        key, news = pickle.loads(event[1])  # noqa: S301 - Dask runs code of its users anyhow
        if tell := self._telling.get(key):
            tell(news)

    async def close(self) -> None:
        """Disconnect from the cluster; what we have started there ends."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        try:
            async with asyncio.timeout(CLOSE):
                await self._client.run(close_here, on_error="ignore")
        except Exception as error:  # then they end with the worker
            log.info("could not end the processes on the cluster error=%r", str(error))
        await self._client.close(timeout=CLOSE)
        if self._cluster:
            with suppress(TimeoutError):  # what is left of it ends with us
                await self._cluster.close(timeout=CLOSE)


def _problem(address: str, told: object, ours: tuple[str, str]) -> str | None:
    """What keeps a worker from playing."""
    if isinstance(told, BaseException):
        return f"the cluster's worker {address} cannot run Spielwerk: {_one_line(told)}"
    if told == ours or not isinstance(told, tuple):
        return None
    there, here = (f"Spielwerk {version} and Python {python}" for version, python in (told, ours))
    return f"the cluster's worker {address} has {there}, here are {here}; install the same"


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


async def _connected(address: str, jobs: int | None) -> tuple[Any, Any]:
    """A client of the cluster; and the cluster, if it is our own."""
    try:
        dask: Any = import_module("distributed")  # much of it has no types
    except ImportError:
        problem = "Dask is not installed; pip install 'spielwerk[cluster]'"
        raise ContestError(f"--cluster {address}: {problem}") from None
    for chatty in ("distributed", "bokeh", "tornado"):
        logging.getLogger(chatty).setLevel(logging.ERROR)
    async with AsyncExitStack() as stack:
        cluster = None
        if address == LOCAL:
            cluster = await _own_cluster(dask, jobs or usual_jobs())
            stack.push_async_callback(cluster.close, timeout=CLOSE)
        try:
            place = cluster or address
            client = dask.Client(place, asynchronous=True, timeout=CONNECT, set_as_default=False)
            stack.push_async_callback(client.close, timeout=CLOSE)
            async with asyncio.timeout(CONNECT + 1):
                await client
        except (OSError, ValueError, OverflowError) as error:
            problem = f"no Dask scheduler answers there ({_one_line(error)})"
            raise ContestError(f"--cluster {address}: {problem}") from None
        stack.pop_all()
    return client, cluster


async def _own_cluster(dask: Any, workers: int) -> Any:
    """A cluster on this machine, whose processes leave Ctrl-C to us."""
    return await dask.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        asynchronous=True,
        silence_logs=logging.ERROR,
        preload=IGNORING,
    )


# on a worker of the cluster

_pools: Final[WeakKeyDictionary[Worker, Pool]] = WeakKeyDictionary()


def about() -> tuple[str, str]:
    """The versions that must be the same everywhere: ours, and Python's."""
    return __version__, ".".join(platform.python_version_tuple()[:2])


async def carry_out_here(order: WorkOrder, versions: tuple[str, str], topic: str, key: str) -> Any:
    """What comes of the order in a process of this worker's, or how that process was lost."""
    worker, pool = _here(versions)
    try:
        return await _while_wanted(_work(order, worker, pool, topic, key), worker, key)
    except WorkerLost as lost:
        return lost


def _work(
    order: WorkOrder, worker: Worker, pool: Pool, topic: str, key: str
) -> Coroutine[Any, Any, Any]:
    from distributed.worker_state_machine import SecedeEvent

    if isinstance(order, Finished):
        # Dask may give this worker a game meanwhile, as if the review were none of its tasks.
        worker.handle_stimulus(SecedeEvent(key=key, compute_duration=0.0, stimulus_id=key))
        return pool.review(order)
    return pool.play(order, lambda news: worker.log_event(topic, pickle.dumps((key, news))))


def _here(versions: tuple[str, str]) -> tuple[Worker, Pool]:
    """This worker of the cluster, and its own processes; ContestError if it is not as we are."""
    from distributed import get_worker

    worker = get_worker()
    if problem := _problem(worker.address, about(), versions):
        raise ContestError(problem)
    return worker, _pools.setdefault(worker, Pool(worker.state.nthreads))


async def _while_wanted(work: Coroutine[Any, Any, Any], worker: Worker, key: str) -> Any:
    """Do the work, unless its task was cancelled or its client has died."""
    game = asyncio.create_task(work)
    try:
        while not game.done():
            await asyncio.wait([game], timeout=LOOK)
            task = worker.state.tasks.get(key)
            if task is None or task.state not in ("executing", "long-running"):
                game.cancel()
        return game.result()
    finally:
        game.cancel()
        await asyncio.wait([game])


async def close_here(dask_worker: Worker) -> None:
    """End the processes that wait for another game."""
    if pool := _pools.pop(dask_worker, None):
        await pool.close()
