"""Running a contest from the command line: from its description to what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.cli.arguments import whole_number
from spielwerk.cli.contest_store import (
    check_folder,
    coming,
    command,
    ranking_in,
    read,
    remark,
    take_up,
)
from spielwerk.errors import SpielwerkError, UsageError, quote
from spielwerk.terminal.keyboard import never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from spielwerk.app.contest import Plan, Verdict
    from spielwerk.cli.contest_screen import Screen
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Ranking
    from spielwerk.contests.running.preparing import Taken

BIND: Final = "127.0.0.1"  # where pages and doors are, if nobody says another address


@dataclass(frozen=True, slots=True)
class Wishes:
    """How somebody wants a contest to be run, as it was typed."""

    file: Path
    store: str | None
    plan: Plan  # but for what the contest has a say in
    sandbox: bool | None = None  # None: as it was before
    doors: Sequence[str] = ()
    quiet: bool = False


def port_number(text: str) -> int:
    """Read a port; 0 is any free one."""
    port = whole_number(text)
    if not 0 <= port < 65536:
        raise typer.BadParameter(f"{port} is no port: 0 (any free one) to 65535")
    return port


def play(wishes: Wishes, *, must_be_there: bool) -> None:
    """Play, tell what came of it, and leave in a way that waits for nobody."""
    from asyncio import CancelledError

    from spielwerk.app.process import leave
    from spielwerk.cli.contest_screen import Screen
    from spielwerk.contests.running.preparing import check_place
    from spielwerk.contests.workers.cluster import LOCAL

    _check(wishes)
    asked = _noting_signals()
    contest = read(wishes.file)
    doors = with_doors(wishes.doors, contest)
    check_place(contest, sandboxed=bool(wishes.sandbox))
    taken = take_up(
        wishes.file, contest, wishes.store, must_be_there=must_be_there, sandbox=wishes.sandbox
    )
    check_place(contest, sandboxed=taken.sandbox)
    plan = replace(wishes.plan, sandbox=taken.sandbox, doors=doors)
    if not wishes.quiet:
        remark(contest)
    code = 1
    screen = Screen(lambda: ranking_in(plan.store, taken.id), quiet=wishes.quiet)
    try:
        if plan.cluster in ("", LOCAL):
            compile_engine(contest, asked)
        verdict = _host(plan, taken, asked, screen, quiet=wishes.quiet)
        told = screen.told or _rank(wishes, plan.store, taken.id, asked)
        left = _conclude(wishes, verdict, taken, coming(plan.store, taken))
        code = 1 if left or verdict.replaced or not told else 0
    except SpielwerkError as error:
        typer.echo(f"spielwerk: {error}", err=True)
        code = _code(error)
        if ranking := screen.remembered(error):
            code = 1
            _print(ranking)
        if code == 1:
            typer.echo(f"go on with: {going_on(wishes)}", err=True)
    except (CancelledError, KeyboardInterrupt):
        typer.echo("spielwerk: interrupted before the first game", err=True)
        typer.echo(f"go on with: {going_on(wishes)}", err=True)
    leave(code)


def compile_engine(contest: Contest, asked: Callable[[], bool] = never) -> None:
    """Have the game's engine compiled, if it plays, before workers and their games wait for it."""
    from spielwerk.contests.schedule import game_of
    from spielwerk.store.contest_records import Kind

    if any(one.kind is Kind.ENGINE and one.text != "random" for one in contest.entrants):
        from spielwerk.terminal.engines import compile_for_others  # brings the compiler along

        compile_for_others(game_of(contest), asked)


def _check(wishes: Wishes) -> None:
    """Raise what contradicts itself."""
    plan = wishes.plan
    if not plan.web and (plan.stay or plan.port is not None):
        other = "--stay" if plan.stay else "--port"
        raise UsageError(f"--no-web and {other}: one or the other")
    if plan.jobs == 0:
        raise UsageError("--jobs 0: nothing would be played; take 1 or more")
    check_folder(wishes.store)


def with_doors(texts: Sequence[str], contest: Contest) -> dict[str, int]:
    """The ports of open seats, by the services that the game has."""
    services = {"connect4": ("index", "host"), "dice": ("dice",)}.get(contest.game, ("mnm",))
    ports = {}
    for text in texts:
        if not contest.has_open_seats:
            raise UsageError(f"--door {quote(text)}: there are no open seats; leave it out")
        name, equals, port = text.rpartition("=")
        name = name if equals else services[0]
        if name not in services or (not equals and len(services) > 1):
            raise UsageError(f"--door {quote(text)}: write {' or '.join(services)}=PORT")
        ports[name] = _port_of_door(text, port)
    return ports


def _port_of_door(text: str, port: str) -> int:
    try:
        return port_number(port)
    except typer.BadParameter as error:
        raise UsageError(f"--door {quote(text)}: {error.message}") from None


def _noting_signals() -> Callable[[], bool]:
    """Whether somebody has asked to stop; from now on that is noted, the second time obeyed.

    As an exception it could come where it is dropped, and the contest would be played.
    """
    import os
    import signal

    seen: list[int] = []

    def note(number: int, _frame: object) -> None:
        if seen:
            os._exit(1)
        seen.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    return lambda: bool(seen)


def _host(
    plan: Plan, taken: Taken, asked: Callable[[], bool], screen: Screen, *, quiet: bool
) -> Verdict:
    import asyncio
    import sys

    from spielwerk.app.contest import host
    from spielwerk.app.logs import logging_to

    with logging_to(sys.stderr, "error" if quiet or sys.stderr.isatty() else "warning"):
        # The loop is not closed: that would wait for threads.
        loop = asyncio.new_event_loop()
        return loop.run_until_complete(host(plan, taken, screen, asked))


def _code(error: SpielwerkError) -> int:
    """2 for what kept the contest from starting, 1 for what ended it."""
    from spielwerk.app.server import UncleanStop
    from spielwerk.contests.running.keeping import NotKept
    from spielwerk.contests.running.run import NothingPlays
    from spielwerk.contests.workers.cluster import ClusterLost
    from spielwerk.contests.workers.slot import NoWorker

    ends = ClusterLost | NothingPlays | NoWorker | NotKept | UncleanStop
    return 1 if isinstance(error, ends) else 2


def _rank(wishes: Wishes, store: str, identity: str, asked: Callable[[], bool]) -> bool:
    """Print the standings, unless somebody cannot wait for them; whether they were printed."""
    from spielwerk.terminal.keyboard import interruptible

    try:
        _print(interruptible(lambda: ranking_in(store, identity), asked))
    except KeyboardInterrupt:
        typer.echo(f"standings: {command('status', wishes.file, wishes.store)}", err=True)
        return False
    return True


def _conclude(wishes: Wishes, verdict: Verdict, taken: Taken, more: int | None) -> bool:
    """Print what is left to be done, and what else must be known; whether something is left.

    About so many `more` games would be drawn up if it went on; None: nobody knows.
    """
    from spielwerk.cli.contest_tables import ending_workers, of_all
    from spielwerk.contests.running.trouble import HINT

    # A ladder without end has always something left, so there the verdict says if it was stopped.
    stopped = verdict.stopped or verdict.left or (more != 0 and not taken.contest.endless)
    if verdict.replaced:
        whose = ", ".join(map(quote, verdict.replaced))
        typer.echo(f"replaced while the contest was played: the program of {whose}", err=True)
    if verdict.blamed:
        advice = "" if taken.sandbox else f"; {HINT}"
        typer.echo(f"{ending_workers(verdict.blamed)}{advice}", err=True)
    if verdict.failed:
        games = "1 game was" if verdict.failed == 1 else f"{verdict.failed:,} games were"
        hint = f"see {command('status', wishes.file, wishes.store)}"
        typer.echo(f"{games} given up by our own fault; {hint}", err=True)
    if stopped:
        total = verdict.done + verdict.left + verdict.failed + verdict.dropped
        typer.echo(f"stopped: {verdict.done}{of_all(total, more)} games are done", err=True)
        typer.echo(f"go on with: {going_on(wishes)}", err=True)
    return bool(verdict.failed or stopped)


def _print(ranking: Ranking) -> None:
    from spielwerk.cli.contest_tables import notes, standings

    for line in (*standings(ranking), *notes(ranking.notes)):
        typer.echo(line)


# the command that goes on


def going_on(wishes: Wishes) -> str:
    """The command that goes on with a contest as it was run, a sandbox and all."""
    return command("resume", wishes.file, wishes.store, *_options(wishes))


def _options(wishes: Wishes) -> Iterator[str]:
    """The options of a run, but for those that are as usual and the store."""
    plan = wishes.plan
    bind = None if plan.bind == BIND else plan.bind
    named = {"--jobs": plan.jobs, "--cluster": plan.cluster or None, "--port": plan.port}
    for option, value in {**named, "--bind": bind}.items():
        yield from () if value is None else (option, str(value))
    for door in wishes.doors:
        yield from ("--door", door)
    flags = {"--sandbox": wishes.sandbox, "--no-web": not plan.web}
    flags |= {"--quiet": wishes.quiet, "--stay": plan.stay}
    yield from (option for option, wished in flags.items() if wished)
