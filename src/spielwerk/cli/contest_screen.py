"""A contest while it is played: on a terminal as a table that changes, else a line now and then."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from spielwerk.cli.contest_status import (
    HELD,
    NO_WORKER,
    ending_workers,
    notes,
    progress,
    standings,
)
from spielwerk.contests.journal import NotWritten
from spielwerk.store.contest_records import PairingState
from spielwerk.store.problems import StoreError
from spielwerk.terminal.commands import now_and_then

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.app.server import Server
    from spielwerk.contests.results import Ranking
    from spielwerk.contests.run import ContestRun
    from spielwerk.errors import SpielwerkError

LOOK: Final = 0.5  # seconds between two looks
RANK: Final = 5.0  # seconds between two rankings, and more if one takes long
SHARE: Final = 20  # at most one part in so many of the time is spent with ranking
SPARE: Final = 2  # lines of the terminal that are left free
LEAST: Final = 4  # lines that standings need: two above, an entrant, and how many there are


class ScreenSize(NamedTuple):
    """How much there is room for; nothing without a terminal."""

    columns: int = 0
    rows: int = 0


class ContestScreen:
    """Shows a contest to its user; `final` makes the ranking that its report has."""

    def __init__(self, final: Callable[[], Ranking], *, quiet: bool) -> None:
        self.told = False  # the standings, after all games
        self._final = final
        self._quiet = quiet
        self._ranking: Ranking | None = None
        self._ranked = 0  # games that it is made of
        self._run: ContestRun | None = None

    async def follow(self, run: ContestRun, server: Server) -> None:
        """Print where the pages are, and show how it goes until it is cancelled."""
        self._run = run
        for line in (*_pages(run, server), *server.confidences(), *run.invitations):
            typer.echo(line)
        if self._quiet:
            return
        with _showing() as (show, size):
            besides = self._keep_ranking(run) if size().rows else _say_stopping(run)
            task = asyncio.create_task(besides)
            try:
                while True:
                    if size().rows or not run.stopped.is_set():
                        show("\n".join(self._lines(run, size())))
                    await asyncio.sleep(LOOK)
            finally:
                task.cancel()

    async def finished(self, run: ContestRun) -> None:
        """Print the standings after all games, and say that the pages stay."""
        ranking = await asyncio.to_thread(self._final)
        for line in (*standings(ranking), *notes(ranking.notes)):
            typer.echo(line)
        self.told = True
        typer.echo(f"{_far(run)}; the pages stay until Ctrl-C", err=True)

    def remembered(self, error: SpielwerkError) -> Ranking | None:
        """The standings of what was played, if it is the store that has failed meanwhile."""
        failed = isinstance(error, NotWritten | StoreError)
        return ranked(self._run) if failed and self._run else None

    def _lines(self, run: ContestRun, size: ScreenSize) -> list[str]:
        head = f"{run.contest.name}: {_doing(run)}"
        lines = wrap(head, size.columns) if size.columns else [head]
        if run.journal.problem:
            lines.append(f"cannot write: {run.journal.problem}")
        if blamed := run.blamed():
            lines.append(ending_workers(blamed))
        if not run.jobs:
            lines.append(NO_WORKER if run.lacks_workers else HELD)
        elif absent := run.absent():
            lines.append(f"waiting for {', '.join(absent)}")
        return [*lines, *self._table(size.rows - len(lines) - SPARE)]

    def _table(self, room: int) -> list[str]:
        """The standings in so many lines, and what they rest on: they come a little later."""
        if room < LEAST or self._ranking is None:
            return []
        lines = [f"games in these standings: {self._ranked}", *standings(self._ranking)]
        hidden = len(lines) - room
        return lines if hidden <= 0 else [*lines[: room - 1], f"and {hidden + 1} more"]

    async def _keep_ranking(self, run: ContestRun) -> None:
        while True:
            began = time.monotonic()
            done = run.counts()[PairingState.DONE]
            if done != self._ranked:
                self._ranking = await asyncio.to_thread(ranked, run)
                self._ranked = done
            await asyncio.sleep(max(RANK, SHARE * (time.monotonic() - began)))


async def _say_stopping(run: ContestRun) -> None:
    """Say it at once where there is only a line now and then: the user waits for it."""
    await run.stopped.wait()
    typer.echo(f"{run.contest.name}: {_doing(run)}", err=True)


def _doing(run: ContestRun) -> str:
    if run.stopped.is_set():
        return "stopping: running games have a moment to end; Ctrl-C again: at once"
    return _far(run, run.rate, run.eta)


def _far(run: ContestRun, rate: float | None = None, left: float | None = None) -> str:
    """How far it is, in a line."""
    counts, lost = run.counts(), len(run.agenda.given_up())
    return progress(counts, rate, left, lost=lost, unwritten=run.unwritten, coming=run.coming)


def ranked(run: ContestRun) -> Ranking:
    """The ranking as it stands, roughly, because it will be another in a moment."""
    from spielwerk.contests.ranking import rank

    return rank(run.contest, run.agenda.entrants, list(run.agenda))


def _pages(run: ContestRun, server: Server) -> list[str]:
    """Where the contest can be seen."""
    return [f"{line}contests/{run.id}" for line in server.listing() if line.startswith("web ")]


@contextmanager
def _showing() -> Iterator[tuple[Callable[[str], None], Callable[[], ScreenSize]]]:
    """A function that shows text, and one that says how much there is room for."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    if not console.is_interactive:
        yield now_and_then(), ScreenSize
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield (
            lambda text: live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True),
            lambda: ScreenSize(*console.size),
        )
