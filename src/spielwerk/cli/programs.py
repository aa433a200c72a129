"""Programs with a table of their own: a database, a small server to watch them, and a clean end.

Programs that run side by side have databases of their own, for a store has one owner: NAME.db is
taken if it is free, else NAME-2.db, and so on. A game that a dead program has left unfinished is
over: its players cannot come back.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

import typer

from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.signals import StopSignals, with_hangup
from spielwerk.store.journal import Writer
from spielwerk.store.opening import explained, open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.reading import unfinished
from spielwerk.store.records import Ended, Ending, Reason
from spielwerk.store.sqlite import try_to_lock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from rich.console import Console

    from spielwerk.app.server import Server

HERE: Final = "127.0.0.1"
MOST: Final = 1000
TORN: Final = "the program stopped in the middle of the game"


@dataclass(frozen=True, slots=True)
class Workplace:
    """What a program works with: its database and its console."""

    url: str
    console: Console

    @asynccontextmanager
    async def serve(self, *ports: str, bind: str = HERE) -> AsyncIterator[Server]:
        """A server with these services, like `web=0`; the console says where to watch."""
        from spielwerk.app.server import running
        from spielwerk.app.settings import ServerSettings, Settings, StoreSettings, with_ports

        only = tuple(port.partition("=")[0] for port in ports)
        settings = Settings(
            server=ServerSettings(only=only, bind=bind), store=StoreSettings(url=self.url)
        )
        async with running(with_ports(settings, ports)) as server:
            for line in server.listing():
                with suppress(OSError):
                    self.console.print(line, markup=False, soft_wrap=True)
            yield server


def run(
    work: Callable[[Workplace], Awaitable[bool]], name: str, store: str | None, keep: bool
) -> None:
    """Do the work until it is done or a signal comes, and leave in a way that waits for nothing."""
    from rich.console import Console

    from spielwerk.app.process import leave

    code = 1
    with StopSignals(with_hangup()) as signals:
        with _terminal_as_it_was():
            try:
                with _database(name, store, keep) as url:
                    workplace = Workplace(url, Console(highlight=False))
                    code = 0 if _until_a_signal(work(workplace), signals) else 1
            except asyncio.CancelledError:
                typer.echo("spielwerk: interrupted", err=True)
            except SpielwerkError as error:
                typer.echo(f"spielwerk: {error}", err=True)
                code = 2 if isinstance(error, UsageError | ValueError) else 1
        leave(code)


def _until_a_signal(work: Awaitable[bool], signals: StopSignals) -> bool:
    """The first signal asks to stop, and then all peers are told; the second does not ask."""

    async def until_a_signal() -> bool:
        task = asyncio.ensure_future(work)

        def stop() -> None:
            task.cancel()

        signals.listen(stop)
        return await task

    loop = asyncio.SelectorEventLoop()  # by name: the usual one of Windows knows no UDP readers
    return loop.run_until_complete(until_a_signal())


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """A line that is just being typed has the terminal in another mode, and nothing ends it."""
    before = None
    with suppress(Exception):  # there is no terminal everywhere
        import sys
        import termios

        before = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        if before is not None:
            with suppress(termios.error):  # it may be gone
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


# databases


@contextmanager
def _database(name: str, store: str | None, keep: bool) -> Iterator[str]:
    """The database, ours in the block; games that a dead program has left there are ended."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from spielwerk.app.settings import Settings, data_folder

    if not keep:
        with TemporaryDirectory(prefix="spielwerk-") as folder:
            yield str(Path(folder) / f"{name}.db")
    elif store is not None:
        settle(store)
        yield store
    else:
        with own_database(data_folder(Settings()).absolute(), name) as path:
            settle(str(path))
            yield str(path)


@contextmanager
def own_database(folder: Path, name: str) -> Iterator[Path]:
    """The first database in the folder that no program of this kind has; ours in the block."""
    with explained(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        path, lock = _first_free(folder, name)
    with lock:
        yield path


def _first_free(folder: Path, name: str) -> tuple[Path, IO[str]]:
    for number in range(1, MOST + 1):
        path = folder / (f"{name}.db" if number == 1 else f"{name}-{number}.db")
        # Not the store's own lock: between two openings another program could take that.
        lock = path.with_suffix(".program").open("a")
        if try_to_lock(lock):
            return path, lock
        lock.close()
    raise StoreError(str(folder), f"more than {MOST} programs play here")


def settle(url: str) -> int:
    """End the games that are torn apart; how many there were."""
    with open_store(url) as store:
        torn = unfinished(store)
        result = Ending(Reason.SERVER_ERROR, None, TORN, time.time_ns() // 1_000_000)
        errors = Writer(store).write([Ended(record.id, result) for record in torn])
    for error in errors:
        if error is not None:
            raise error
    return len(torn)
