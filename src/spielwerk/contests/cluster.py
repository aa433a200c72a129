"""Games on a Dask cluster: each is given to one of its workers, and to another if that one is lost.

Which worker plays what is decided here, not by Dask's scheduler: a worker with another version gets
no games, and it is always known where a game is. A worker of Dask only passes games on to worker
processes of ours, so a game cannot harm it. Needs the extra `cluster`.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import platform
import secrets
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

from spielwerk import __version__
from spielwerk.contests.pool import LocalPool, WorkerLost, usual_jobs
from spielwerk.contests.worker import unpacked
from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from distributed import Worker

    from spielwerk.contests.assignment import Assignment, Played, Progress, Tell

log = logging.getLogger(__name__)

LOCAL: Final = "local"  # in the place of an address: a cluster of our own, on this machine
CONNECT: Final = 8.0  # seconds for the scheduler to answer
LOOK: Final = 1.0  # seconds between two looks at the workers, and at whether a game is wanted
IGNORING: Final = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
CLOSE: Final = 5.0  # seconds to disconnect
KEPT: Final = 600.0  # seconds that our processes stay on a worker without a game


class NoCluster(SpielwerkError):
    """A cluster that cannot be used, and why."""


class ClusterLost(SpielwerkError):
    """A cluster that was there and does not answer any more."""


@dataclass(slots=True, eq=False)
class DaskWorker:
    """A worker of the cluster; `gone` is set when it is not there any more."""

    address: str
    threads: int
    games: int = 0
    gone: asyncio.Event = field(default_factory=asyncio.Event)


class DaskPool:
    """The workers of a cluster that are as we are; made with `DaskPool.connect`."""

    def __init__(self, client: Any, cluster: Any, jobs: int | None) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.lost: SpielwerkError | None = None
        self._client = client
        self._cluster = cluster
        self._most = jobs
        self._topic = f"spielwerk-{secrets.token_hex(8)}"
        self._places: dict[str, DaskWorker] = {}
        self._unfit: set[str] = set()
        self._room = asyncio.Event()
        self._telling: dict[tuple[int, int], Tell] = {}
        self._tasks = count(1)
        self._looking: asyncio.Task[None] | None = None

    @classmethod
    async def connect(cls, address: str, jobs: int | None = None) -> Self:
        """The cluster with this scheduler, or NoCluster says in a line why it cannot be used."""
        client, cluster = await _connected(address, jobs)
        pool = cls(client, cluster, jobs)
        try:
            await pool._look()
            pool._refuse_unfit()
            client.subscribe_topic(pool._topic, pool._hear)
        except BaseException:
            await pool.close()
            raise
        pool._looking = asyncio.create_task(pool._keep_looking())
        return pool

    def _refuse_unfit(self) -> None:
        """Tell the user at the start that a worker does not fit; later, the log says it."""
        if self._unfit:
            raise NoCluster(min(self._unfit))

    # room

    @property
    def jobs(self) -> int:
        """How many games are played at once; as many as the workers have threads, or fewer."""
        threads = sum(place.threads for place in self._places.values())
        return threads if self._most is None else min(self._most, threads)

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Play at most so many from now on."""
        self._most = jobs
        if self._cluster and jobs > len(self._places):
            self._cluster.scale(jobs)
        self._tell_room()

    def _tell_room(self) -> None:
        self._room.set()
        self.changed()

    async def _find(self) -> DaskWorker:
        """A worker with room, the least busy one."""
        while True:
            if self.lost:
                raise self.lost
            free = [place for place in self._places.values() if place.games < place.threads]
            if free and sum(place.games for place in self._places.values()) < self.jobs:
                return min(free, key=lambda place: place.games / place.threads)
            self._room.clear()
            await self._room.wait()

    # playing

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played somewhere; WorkerLost if its worker is gone."""
        place = await self._find()
        place.games += 1
        which = (assignment.number, assignment.attempt)
        self._telling[which] = tell
        try:
            return await self._play(assignment, place)
        finally:
            del self._telling[which]
            place.games -= 1
            self._tell_room()

    async def _play(self, assignment: Assignment, place: DaskWorker) -> Played:
        key = f"{self._topic}-{assignment.number}-{next(self._tasks)}"
        here = {"workers": [place.address], "pure": False, "retries": 0}
        future = self._client.submit(play_here, assignment, key, self._topic, key=key, **here)
        result = asyncio.ensure_future(future.result())
        gone = asyncio.create_task(place.gone.wait())
        try:
            await asyncio.wait([result, gone], return_when=asyncio.FIRST_COMPLETED)
            if not result.done():
                raise self.lost or WorkerLost(f"the cluster's worker {place.address} is gone")
            return _result(result, place)
        finally:
            gone.cancel()
            result.cancel()
            await asyncio.wait([gone, result])
            await self._forget(future)

    async def _forget(self, future: Any) -> None:
        """Break the game off, if it is still being played."""
        if not future.done() and self._client.status == "running":
            await self._client.cancel([future], force=True)
        future.release()

    def _hear(self, event: tuple[float, bytes]) -> None:
        news: Progress = unpacked(event[1])
        if tell := self._telling.get((news.number, news.attempt)):
            tell(news)

    # which workers are there

    async def _keep_looking(self) -> None:
        while not self.lost:
            await asyncio.sleep(LOOK)
            try:
                await self._look()
            except Exception as error:
                log.warning("the cluster does not answer error=%r", str(error))
            if self._client.status == "closed":
                self.lost = ClusterLost("the cluster's scheduler does not answer any more")
                self._lose(list(self._places))
                self._tell_room()

    async def _look(self) -> None:
        """Find workers that have come or gone."""
        known = await self._client.scheduler.identity(n_workers=-1)
        threads = {address: one["nthreads"] for address, one in known["workers"].items()}
        self._lose(address for address in list(self._places) if address not in threads)
        new = [address for address in threads if address not in self._places]
        for address in await self._fit(new):
            self._places[address] = DaskWorker(address, threads[address])
        if new:
            self._tell_room()

    def _lose(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            log.warning("a worker of the cluster is gone address=%s", address)
            self._places.pop(address).gone.set()
            self._tell_room()

    async def _fit(self, addresses: list[str]) -> list[str]:
        """Those of these workers that are as we are."""
        if not addresses:
            return []
        told = await self._client.run(about, workers=addresses, on_error="return")
        problems = {address: _problem(address, said, about()) for address, said in told.items()}
        for problem in {one for one in problems.values() if one} - self._unfit:
            log.warning("a worker gets no games: %s", problem)
            self._unfit.add(problem)
        return [address for address, problem in problems.items() if not problem]

    async def close(self) -> None:
        """Disconnect from the cluster; what we have started there ends."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        try:
            async with asyncio.timeout(CLOSE):
                await self._client.run(close_here, on_error="ignore")
        except Exception as error:  # then they end by themselves, a little later
            log.info("could not end the processes on the cluster error=%r", str(error))
        await self._client.close(timeout=CLOSE)
        if self._cluster:
            await self._cluster.close(timeout=CLOSE)


def _result(done: asyncio.Future[Played | str], place: DaskWorker) -> Played:
    """What came back; whatever keeps Dask from bringing it, the game has to be played again."""
    try:
        said = done.result()
    except (Exception, asyncio.CancelledError) as error:
        raise WorkerLost(f"the cluster lost the game at {place.address}: {error}") from None
    if isinstance(said, str):
        raise WorkerLost(said)
    return said


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
        raise NoCluster(f"--cluster {address}: {problem}") from None
    for chatty in ("distributed", "bokeh", "tornado"):
        logging.getLogger(chatty).setLevel(logging.ERROR)
    cluster = await _own_cluster(dask, jobs or usual_jobs()) if address == LOCAL else None
    try:
        return await _client(dask, cluster or address), cluster
    except BaseException as error:
        if cluster:
            await cluster.close(timeout=CLOSE)
        if not isinstance(error, OSError | ValueError | OverflowError | TimeoutError):
            raise
        problem = f"no Dask scheduler answers there ({_one_line(error)})"
        raise NoCluster(f"--cluster {address}: {problem}") from None


async def _client(dask: Any, place: Any) -> Any:
    client = None
    try:
        async with asyncio.timeout(CONNECT + 1):
            client = dask.Client(place, asynchronous=True, timeout=CONNECT, set_as_default=False)
            return await client
    except BaseException:
        if client:
            await client.close(timeout=CLOSE)
        raise


async def _own_cluster(dask: Any, workers: int) -> Any:
    """A cluster on this machine, whose processes leave Ctrl-C to us."""
    cluster = dask.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=0,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        asynchronous=True,
        silence_logs=logging.ERROR,
        preload=IGNORING,
    )
    try:
        return await cluster
    except Exception:  # not if cancelled: Dask cannot close what is half begun, that ends with us
        await cluster.close(timeout=CLOSE)
        raise


# on a worker of the cluster

_pools: Final[WeakKeyDictionary[Worker, LocalPool]] = WeakKeyDictionary()


def about() -> tuple[str, str]:
    """The versions that must be the same everywhere: ours, and Python's."""
    return __version__, ".".join(platform.python_version_tuple()[:2])


async def play_here(assignment: Assignment, key: str, topic: str) -> Played | str:
    """Play the game in a process of this worker's; a text says how that process was lost."""
    from distributed import get_worker

    worker = get_worker()
    pool = _pools.setdefault(worker, LocalPool(worker.state.nthreads, kept=KEPT))

    def tell(news: Progress) -> None:
        worker.log_event(topic, pickle.dumps(news))

    try:
        return await _while_wanted(pool.play(assignment, tell), worker, key)
    except WorkerLost as lost:
        return str(lost)


async def _while_wanted(work: Coroutine[Any, Any, Played], worker: Worker, key: str) -> Played:
    """Do the work, unless its task was cancelled or its client has died."""
    game = asyncio.create_task(work)
    try:
        while not game.done():
            await asyncio.wait([game], timeout=LOOK)
            task = worker.state.tasks.get(key)
            if task is None or task.state != "executing":
                game.cancel()
        return game.result()
    finally:
        game.cancel()
        await asyncio.wait([game])


async def close_here(dask_worker: Worker) -> None:
    """End the processes that wait for another game."""
    if pool := _pools.pop(dask_worker, None):
        await pool.close()
