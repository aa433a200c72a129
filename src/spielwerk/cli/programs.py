"""Programs with a table of their own: a database, a small server to watch them, and a clean end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.errors import SpielwerkError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from spielwerk.app.server import Server
    from spielwerk.app.settings import Settings

HERE: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Program:
    """What hosts and opponents have in common."""

    store: str | None
    keep: bool
    delay: float

    @contextmanager
    def database(self) -> Iterator[str]:
        """The database, ours in the block; games that a dead program has left there are ended."""
        from pathlib import Path
        from tempfile import TemporaryDirectory

        from spielwerk.app.settings import Settings, data_folder
        from spielwerk.clients.connect4.stores import own_database, settle

        if not self.keep:
            with TemporaryDirectory(prefix="spielwerk-") as folder:
                yield str(Path(folder) / "connect4.db")
        elif self.store is not None:
            settle(self.store)
            yield self.store
        else:
            with own_database(data_folder(Settings()).absolute()) as path:
                settle(str(path))
                yield str(path)


Work = Callable[["Desk"], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the work is done: the database, the console, and how fast machines move."""

    url: str
    console: Console
    delay: float

    def settings(self, *ports: str, bind: str = HERE) -> Settings:
        """The settings of a server with these services, like `web=0`."""
        from spielwerk.app.settings import ServerSettings, Settings, StoreSettings, with_ports

        only = tuple(port.partition("=")[0] for port in ports)
        settings = Settings(
            server=ServerSettings(only=only, bind=bind), store=StoreSettings(url=self.url)
        )
        return with_ports(settings, ports)

    def open(self, server: Server) -> None:
        """Engines at their pace, and a word on where to watch."""
        from spielwerk.clients.connect4.players import PacedEngines

        server.arena.engines = PacedEngines(self.delay)
        for line in server.listing():
            with suppress(OSError):
                self.console.print(line, markup=False, soft_wrap=True)


def run(program: Program, work: Work) -> None:
    """Do the work until it is done or a signal comes, and leave in a way that waits for nobody."""
    from asyncio import CancelledError

    from rich.console import Console

    from spielwerk.app.process import leave

    code = 1
    with _terminal_as_it_was():
        try:
            with program.database() as url:
                desk = Desk(url, Console(highlight=False), program.delay)
                code = 0 if _until_a_signal(work(desk)) else 1
        except CancelledError:
            typer.echo("spielwerk: interrupted", err=True)
        except SpielwerkError as error:
            typer.echo(f"spielwerk: {error}", err=True)
            code = 2 if isinstance(error, UsageError | ValueError) else 1
    leave(code)


def _until_a_signal(work: Awaitable[bool]) -> bool:
    """The first signal asks to stop, and then everybody is told; the second does not ask."""
    import asyncio
    import signal

    from spielwerk.app.process import leave

    loop = asyncio.SelectorEventLoop()  # by name: the usual one of Windows knows no UDP readers
    task = asyncio.ensure_future(work, loop=loop)

    def stop(*_: object) -> None:
        for number in signals:
            signal.signal(number, lambda *_: leave(1))
        loop.call_soon_threadsafe(task.cancel)

    signals = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP"):  # Windows has none
        signals.append(signal.SIGHUP)
    for number in signals:
        signal.signal(number, stop)
    return loop.run_until_complete(task)


@contextmanager
def _terminal_as_it_was() -> Iterator[None]:
    """A line that is just being typed has the terminal in another mode, and nobody ends it."""
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
