"""The Oware move server: one connection, one request, one answer.

Requests are judged and moves are found in worker threads, shallow searches apart from deep ones,
so that a search to depth 9 makes no other client wait for depth 1.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from pydantic import Strict

from spielwerk.net.listening import listen
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.servers.settings import Entry, Ports, ServiceSettings, checked, setting
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games.oware.engine import OwareEngine

log = logging.getLogger(__name__)

SHALLOW: Final = 5  # a depth that takes hardly longer than its message
SEED: Final = 1  # equal moves are chosen the same way every time
TABLE_BITS: Final = 16  # depth 9 needs no large table, and every thread has its own

# the engine's strategies; the document's reference server plays the simple one
TUNED: Final = 0
SIMPLE: Final = 1


def _ascii(text: str) -> None:
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError("must be printable ASCII characters")


class OwareSettings(ServiceSettings):
    """The Oware move server."""

    name: ClassVar = "oware"
    ports: Ports = setting(
        ("7889",), "Ports; 0 for any free one, which is also used if these are taken.", min_length=1
    )
    author: Annotated[str, checked(_ascii)] = setting(
        "Spielwerk", "Name of the author in every answer, ASCII."
    )
    names: Annotated[tuple[Annotated[Entry, checked(_ascii)], ...], Strict(strict=False)] = setting(
        ("Spielwerk tuned", "Spielwerk simple"),
        "Names of strategies 0 and 1 in every answer, ASCII.",
        min_length=2,
    )
    reference: bool = setting(
        False, "Play the document's plain evaluation as strategy 0, like its reference server."
    )
    vary: bool = setting(False, "Choose among equal moves by chance, not the same way every time.")
    silence: float = setting(
        30.0, "Seconds of silence that end the wait for a request.", 0.05, 3600
    )
    line_limit: int = setting(65_536, "Bytes in a line, at most.", 64, 16_777_216)
    connections: int = setting(20_000, "Most connections at once.", 1, 1_000_000)
    transcript: int = setting(0, "Bytes kept of what a connection says and hears.", 0, 16_777_216)


class OwareSession(Session):
    """A client's connection: its request is read, answered, and it is over."""

    _service: OwareService

    def __init__(self, service: OwareService) -> None:
        super().__init__(service)
        self._reading = RequestReading(service.settings.line_limit)
        self._heard = self.now
        self._working = False

    def received(self, data: bytes) -> None:
        """Collect the request."""
        self._heard = self.now
        self._reading.receive(data)
        self._step()

    def dismiss(self, why: str) -> None:
        """The protocol has no word for this: the connection breaks."""
        log.info("dismissed %s why=%r", self, why)
        self.drop()

    def _advance(self) -> None:
        silent = self.now - self._heard > self._service.settings.silence
        if not self._working and (self._reading.complete or self._ended or silent):
            self._working = True
            self._service.answer(self._reading.lines, self._answered)

    def _rest(self) -> None:
        if not self._working:
            self.wake_at(self._heard + self._service.settings.silence + 0.001)

    def _fail(self) -> None:
        self.drop()

    def _answered(self, answer: bytes | BaseException) -> None:
        if self.closed:
            return
        if isinstance(answer, BaseException):
            log.error("no answer %s", self, exc_info=answer)
            self.drop()
        else:
            self.send(answer)
            self.close()
            self._service.metrics.answered(self._service.name, self.now - self._heard)


class Thinkers:
    """Threads with engines of their own, some for shallow searches and some for deep ones."""

    def __init__(self, engines: tuple[int, ...], *, vary: bool) -> None:
        count = os.cpu_count() or 1
        self._shallow = ThreadPoolExecutor(count, thread_name_prefix="oware")
        self._deep = ThreadPoolExecutor(count, thread_name_prefix="oware-deep")
        self._own = threading.local()
        self._warming = threading.Lock()
        self._engines = engines  # the engine's strategy for each of the server's
        self._vary = vary

    async def answer(self, lines: list[bytes], identity: ServerIdentity) -> bytes:
        """The answer to a request."""
        loop = asyncio.get_running_loop()
        judged = await loop.run_in_executor(self._shallow, judge, lines, identity)
        if isinstance(judged, bytes):
            return judged
        pool = self._shallow if judged.depth <= SHALLOW else self._deep
        return await loop.run_in_executor(pool, self._think, judged)

    def _think(self, task: Task) -> bytes:
        from spielwerk.engines.interface import Limits

        seed = random.getrandbits(32) if self._vary else SEED
        engine = self._engine(task.strategy)
        return task.answer(engine.search(task.state, Limits(depth=task.depth, seed=seed)).move)

    def _engine(self, strategy: int) -> OwareEngine:
        """This thread's engine for one of the server's strategies."""
        engines: dict[int, OwareEngine] = self._own.__dict__.setdefault("engines", {})
        if strategy not in engines:
            engines[strategy] = self._warm_engine(self._engines[strategy])
        return engines[strategy]

    def _warm_engine(self, strategy: int) -> OwareEngine:
        from spielwerk.engines.warm import compile_elsewhere
        from spielwerk.games.oware.engine import OwareEngine
        from spielwerk.games.oware.rules import Oware

        with self._warming:
            compile_elsewhere(Oware())
            return OwareEngine(strategy, table_bits=TABLE_BITS)

    def warm_up(self) -> None:
        """Have the first client find everything compiled."""
        for pool in (self._shallow, self._deep):
            pool.submit(self._engine, 0)

    def close(self) -> None:
        """Stop; what is being thought about is not waited for."""
        for pool in (self._shallow, self._deep):
            pool.shutdown(wait=False, cancel_futures=True)


class OwareService(TcpService[OwareSettings]):
    """The listener of the move server; its port can change while it runs."""

    name: ClassVar = "oware"
    stopping: ClassVar = "the server stops"
    greeting: ClassVar = False

    def _prepare(self) -> None:
        settings = self.settings
        self._ports = settings.numbers()
        order = (SIMPLE, TUNED) if settings.reference else (TUNED, SIMPLE)
        names = tuple(settings.names[strategy] for strategy in order)
        self._identity = ServerIdentity(settings.author, names)
        self._thinkers = Thinkers(order, vary=settings.vary)
        self._bind = ""
        self._tasks: set[asyncio.Task[None]] = set()

    def endpoints(self) -> Iterator[tuple[int, Callable[[], OwareSession]]]:
        """Every configured port."""
        for port in self._ports:
            yield port, lambda: OwareSession(self)

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen, on any free port if the wanted one is taken, as the document says."""
        self._bind = bind
        self._thinkers.warm_up()
        try:
            return await super().start(bind)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        wanted, self._ports = self._ports, [0]
        addresses = await super().start(bind)
        log.warning("port taken wanted=%s using=%s", wanted, addresses[0][1])
        return addresses

    async def change_port(self, port: int) -> list[tuple[str, int]]:
        """Listen on another port from now on; OSError, and nothing changes, if that is taken."""
        listeners = await listen(lambda: OwareSession(self), self._bind, port, greeting=False)
        for old in self._listeners:
            old.close()
        self._listeners = [*listeners]
        return self.addresses

    async def stop(self) -> None:
        """Break every connection."""
        await super().stop()
        self._thinkers.close()

    def answer(self, lines: list[bytes], done: Callable[[bytes | BaseException], None]) -> None:
        """Find the answer to a request somewhere else, and call `done` with it."""
        task = self.loop.create_task(self._answer(list(lines), done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(
        self, lines: list[bytes], done: Callable[[bytes | BaseException], None]
    ) -> None:
        try:
            answer: bytes | BaseException = await self._thinkers.answer(lines, self._identity)
        except Exception as error:
            answer = error
        done(answer)


SETTINGS: Final = OwareSettings
SERVICE: Final = OwareService
