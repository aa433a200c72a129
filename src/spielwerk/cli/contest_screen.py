"""A contest while it is played: on a terminal as a table that changes, else a line now and then."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.cli.contest_status import HELD, NO_WORKER, progress, show_ranking, standings
from spielwerk.contests.ranking import rank
from spielwerk.store.problems import StoreError
from spielwerk.store.records import PairingState
from spielwerk.store.scheduling import NotWritten
from spielwerk.terminal.commands import now_and_then

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from spielwerk.app.server import Server
    from spielwerk.contests.ranking import Ranking
    from spielwerk.contests.run import ContestRun
    from spielwerk.errors import SpielwerkError

LOOK: Final = 0.5  # seconds between two looks
RANK: Final = 5.0  # seconds between two rankings, and more if one takes long
SHARE: Final = 20  # at most one part in so many of the time is spent with ranking
SPARE: Final = 2  # lines of the terminal that are left free
LEAST: Final = 4  # lines that standings need: two above, an entrant, and how many there are


class ContestScreen:
    """Shows a contest to its user; `final` makes the ranking that its report has."""

    def __init__(self, final: Callable[[], Ranking], *, quiet: bool) -> None:
        self.run: ContestRun | None = None  # once it has begun
        self.told = False  # the standings, after all games
        self._final = final
        self._quiet = quiet
        self._ranking: Ranking | None = None
        self._ranked = 0  # games that it is made of

    async def follow(self, run: ContestRun, server: Server) -> None:
        """Print where the pages are, and show how it goes until it is cancelled."""
        from rich.console import Console

        self.run = run
        pages = [line for line in server.listing() if line.startswith("web ")]
        for line in (*(f"{page}contests/{run.id}" for page in pages), *server.confidences()):
            typer.echo(line)
        for line in run.invitations:
            typer.echo(line)
        console = Console(stderr=True, highlight=False)
        if not self._quiet:
            await (self._draw(run, console) if console.is_interactive else self._tell(run))

    async def _draw(self, run: ContestRun, console: Console) -> None:
        """Draw the standings again and again."""
        from rich.live import Live
        from rich.text import Text

        ranking = asyncio.create_task(self._keep_ranking(run))
        try:
            with Live(console=console, transient=True, auto_refresh=False) as live:
                while True:
                    text = "\n".join(self.lines(run, *console.size))
                    live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)
                    await asyncio.sleep(LOOK)
        finally:
            ranking.cancel()

    async def _tell(self, run: ContestRun) -> None:
        """Print a line now and then, and at once when it stops: the user waits for it."""
        tell = now_and_then()
        while not run.stopped.is_set():
            tell("\n".join(self.lines(run)))
            with suppress(TimeoutError):
                await asyncio.wait_for(run.stopped.wait(), LOOK)
        typer.echo(self.lines(run)[0], err=True)

    async def finished(self, run: ContestRun) -> None:
        """Print the standings after all games, and say that the pages stay."""
        show_ranking(await asyncio.to_thread(self._final))
        self.told = True
        typer.echo(f"{_far(run)}; the pages stay up until Ctrl-C", err=True)

    def remembered(self, error: SpielwerkError) -> Ranking | None:
        """The standings of what was played, if it is the store that has failed meanwhile."""
        failed = isinstance(error, NotWritten | StoreError)
        return ranked(self.run) if failed and self.run else None

    def lines(self, run: ContestRun, columns: int = 0, rows: int = 0) -> list[str]:
        """How it goes, and, where there is room for it, the standings."""
        doing = _far(run, run.rate, run.eta)
        if run.stopped.is_set():
            doing = "stopping: running games have a moment to end; Ctrl-C again: at once"
        head = f"{run.contest.name}: {doing}"
        lines = wrap(head, columns) if columns else [head]
        if run.journal.problem:
            lines.append(f"cannot write: {run.journal.problem}")
        if not run.jobs:
            lines.append(NO_WORKER if run.lacks_workers else HELD)
        elif absent := run.absent():
            lines.append(f"waiting for {', '.join(absent)}")
        return [*lines, *self._table(rows - len(lines) - SPARE)]

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


def _far(run: ContestRun, rate: float | None = None, left: float | None = None) -> str:
    """How far it is, in a line."""
    return progress(run.counts(), rate, left, lost=run.agenda.lost, coming=run.coming)


def ranked(run: ContestRun) -> Ranking:
    """The ranking as it stands, roughly, because it will be another in a moment."""
    return rank(run.contest, run.agenda.entrants, list(run.agenda))
