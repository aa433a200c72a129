"""A contest while it is played: on a terminal as a table that changes, else a line now and then."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

import typer

from spielwerk.cli.contest_tables import HELD, notes, progress, standings
from spielwerk.cli.progress import now_and_then
from spielwerk.store.contest_records import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.runners.contests.contest import ContestRun
    from spielwerk.servers.running import Server
    from spielwerk.tournament.results import Ranking

LOOK: Final = 0.5  # seconds between two looks
RANK: Final = 5.0  # seconds between two rankings, and more if one takes long
SHARE: Final = 20  # at most one part in so many of the time is spent with ranking
DRAWS: Final = 200  # of the bootstrap: what moves every few seconds need not be exact
SPARE: Final = 2  # lines of the terminal that are left free
LEAST: Final = 4  # lines that standings need: two above, somebody, and how many more there are


class Size(NamedTuple):
    """How much there is room for; nothing without a terminal."""

    columns: int = 0
    rows: int = 0


class Screen:
    """Shows a contest to whoever has started it."""

    def __init__(self, *, quiet: bool) -> None:
        self.told = False  # the standings, after all games
        self._quiet = quiet
        self._ranking: Ranking | None = None
        self._ranked = 0  # games that it is made of

    async def follow(self, run: ContestRun, server: Server) -> None:
        """Print where the pages are, and show how it goes until it is cancelled."""
        for line in (*_pages(run, server), *server.confidences(), *run.invitations):
            typer.echo(line)
        if self._quiet:
            return
        with _showing() as (show, size):
            ranking = asyncio.create_task(self._keep_ranking(run)) if size().rows else None
            try:
                while True:
                    show("\n".join(self._lines(run, size())))
                    await asyncio.sleep(LOOK)
            finally:
                if ranking:
                    ranking.cancel()

    async def finished(self, run: ContestRun) -> None:
        """Print the standings after all games, and say that the pages stay."""
        from spielwerk.tournament.rating.bootstrap import RESAMPLES

        ranking = await asyncio.to_thread(ranked, run, RESAMPLES)
        for line in (*standings(ranking), *notes(ranking.notes)):
            typer.echo(line)
        self.told = True
        typer.echo(f"{_far(run)}; the pages stay until Ctrl-C", err=True)

    def _lines(self, run: ContestRun, size: Size) -> list[str]:
        head = f"{run.contest.name}: {_doing(run)}"
        lines = wrap(head, size.columns) if size.columns else [head]
        if run.keeper.problem:
            lines.append(f"cannot write: {run.keeper.problem}")
        if not run.jobs:
            lines.append(HELD)
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
            done = run.counts()[State.DONE]
            if done != self._ranked:
                self._ranking = await asyncio.to_thread(ranked, run)
                self._ranked = done
            await asyncio.sleep(max(RANK, SHARE * (time.monotonic() - began)))


def _doing(run: ContestRun) -> str:
    if run.stopped.is_set():
        return "stopping: running games have a moment to end; Ctrl-C again: at once"
    return _far(run, run.rate, run.eta)


def _far(run: ContestRun, rate: float | None = None, left: float | None = None) -> str:
    """How far it is, in a line."""
    lost = len(run.agenda.given_up())
    return progress(run.counts(), rate, left, lost=lost, endless=run.endless)


def ranked(run: ContestRun, resamples: int = DRAWS) -> Ranking:
    """The ranking as it stands; usually roughly, because it will be another in a moment."""
    from spielwerk.tournament.ranking import rank

    return rank(run.contest, run.agenda.entrants, list(run.agenda), resamples=resamples)


def _pages(run: ContestRun, server: Server) -> list[str]:
    """Where the contest can be seen."""
    return [f"{line}contests/{run.id}" for line in server.listing() if line.startswith("web ")]


@contextmanager
def _showing() -> Iterator[tuple[Callable[[str], None], Callable[[], Size]]]:
    """A function that shows text, and one that says how much there is room for."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    if not console.is_interactive:
        yield now_and_then(), Size
        return
    with Live(console=console, transient=True, auto_refresh=False) as live:
        yield (
            lambda text: live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True),
            lambda: Size(*console.size),
        )
