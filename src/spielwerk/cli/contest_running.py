"""Running a contest from the command line: from its description to what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from spielwerk.cli.arguments import whole_number
from spielwerk.errors import SpielwerkError, UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.runners.contests.hosting import Plan, Verdict
    from spielwerk.runners.contests.preparing import Taken
    from spielwerk.tournament.contest import Contest
    from spielwerk.tournament.results import Ranking


@dataclass(frozen=True, slots=True)
class Wishes:
    """How somebody wants a contest to be run, as it was typed."""

    file: Path
    store: str | None
    jobs: int | None
    sandbox: bool
    cluster: str | None
    port: int | None
    no_web: bool
    bind: str
    doors: list[str]
    quiet: bool
    stay: bool


def port_number(text: str) -> int:
    """Read a port; 0 is any free one."""
    port = whole_number(text)
    if not 0 <= port < 65536:
        raise typer.BadParameter(f"{port} is no port: 0 (any free one) to 65535")
    return port


def play(wishes: Wishes, *, must_be_there: bool) -> None:
    """Play, tell what came of it, and leave in a way that waits for nobody."""
    from asyncio import CancelledError

    from spielwerk.runners.contests.preparing import check_place
    from spielwerk.servers.process import leave

    _check(wishes)
    asked = _noting_signals()
    contest = read(wishes.file)
    plan = _plan(wishes, contest)
    check_place(contest, sandboxed=plan.sandbox)
    taken = take_up(wishes.file, contest, wishes.store, must_be_there=must_be_there)
    code = 1
    try:
        verdict = _host(plan, taken, asked, quiet=wishes.quiet)
        code = _conclude(wishes, plan, taken, verdict)
    except SpielwerkError as error:
        typer.echo(f"spielwerk: {error}", err=True)
        code = _code(error)
        if code == 1:
            typer.echo(f"go on with: {command('resume', wishes.file, wishes.store)}", err=True)
    except CancelledError:
        typer.echo("spielwerk: interrupted before the first game", err=True)
    leave(code)


def _check(wishes: Wishes) -> None:
    """Raise what contradicts itself."""
    if wishes.no_web and (wishes.stay or wishes.port is not None):
        other = "--stay" if wishes.stay else "--port"
        raise UsageError(f"--no-web and {other}: one or the other")
    if wishes.jobs == 0:
        raise UsageError("--jobs 0: nothing would be played; take 1 or more")


def _plan(wishes: Wishes, contest: Contest) -> Plan:
    from spielwerk.runners.contests.hosting import Plan
    from spielwerk.runners.contests.preparing import store_of

    return Plan(
        store=store_of(wishes.file, wishes.store),
        jobs=wishes.jobs,
        sandbox=wishes.sandbox,
        cluster=wishes.cluster or "",
        bind=wishes.bind,
        port=wishes.port,
        web=not wishes.no_web,
        doors=_doors(wishes.doors, contest.game),
        stay=wishes.stay,
    )


def _doors(texts: list[str], game: str) -> dict[str, int]:
    """The ports of open seats, by the services that the game has."""
    services = {"connect4": ("index", "host"), "dice": ("dice",)}.get(game, ("mnm",))
    ports = {}
    for text in texts:
        name, equals, port = text.rpartition("=")
        name = name if equals else services[0]
        if name not in services or (not equals and len(services) > 1):
            raise UsageError(f"--door {quote(text)}: write {' or '.join(services)}=PORT")
        ports[name] = port_number(port)
    return ports


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


def _host(plan: Plan, taken: Taken, asked: Callable[[], bool], *, quiet: bool) -> Verdict:
    import asyncio
    import sys

    from spielwerk.cli.contest_screen import Screen
    from spielwerk.runners.contests.hosting import host
    from spielwerk.servers.logs import logging_to

    with logging_to(sys.stderr, "error" if quiet or sys.stderr.isatty() else "warning"):
        # The loop is not closed: that would wait for threads.
        loop = asyncio.new_event_loop()
        return loop.run_until_complete(host(plan, taken, Screen(quiet=quiet), asked))


def _code(error: SpielwerkError) -> int:
    """2 for what kept the contest from starting, 1 for what ended it."""
    from spielwerk.runners.contests.contest import NothingPlays
    from spielwerk.runners.contests.keeping import NotKept
    from spielwerk.runners.workers.cluster import ClusterLost
    from spielwerk.servers.running import UncleanStop

    return 1 if isinstance(error, ClusterLost | NothingPlays | NotKept | UncleanStop) else 2


def _conclude(wishes: Wishes, plan: Plan, taken: Taken, verdict: Verdict) -> int:
    """Print the standings, and what is left to be done."""
    ranking = _ranking(plan.store, taken.id)
    _print(ranking)
    if verdict.failed:
        hint = f"see {command('status', wishes.file, wishes.store)}"
        typer.echo(f"{verdict.failed} games were given up by our own fault; {hint}", err=True)
    if verdict.left or verdict.stopped:
        total = verdict.done + verdict.left + verdict.failed
        goes_on = command("resume", wishes.file, wishes.store)
        typer.echo(f"stopped: {verdict.done} of {total} games are done", err=True)
        typer.echo(f"go on with: {goes_on}", err=True)
    return 1 if verdict.failed or verdict.left or verdict.stopped else 0


def _print(ranking: Ranking) -> None:
    from spielwerk.cli.contest_tables import notes, standings

    for line in (*standings(ranking), *notes(ranking.notes)):
        typer.echo(line)


# what they share


def read(file: Path) -> Contest:
    """The contest that is described there."""
    from spielwerk.tournament.describing import description

    return description.read(file)


def take_up(file: Path, contest: Contest, store: str | None, *, must_be_there: bool) -> Taken:
    """The contest, in a store that is ours for a moment."""
    from spielwerk.runners.contests import preparing
    from spielwerk.store.opening import open_reader, open_store

    url = preparing.store_of(file, store)
    if must_be_there:
        with open_reader(url) as reader:
            preparing.find(reader, contest)
    with open_store(url) as opened:
        return preparing.take_up(opened, contest)


def _ranking(url: str, identity: str) -> Ranking:
    from spielwerk.cli.contest_status import ranking_of
    from spielwerk.store.opening import open_reader

    with open_reader(url) as opened:
        return ranking_of(opened, identity)


def command(verb: str, file: Path, store: str | None) -> str:
    """The command as it can be typed; a password in the store's address is not shown."""
    from shlex import quote as quoted

    where = f" --store {quoted(shown(store))}" if store else ""
    return f"spielwerk contest {verb} {quoted(str(file))}{where}"


def shown(url: str) -> str:
    """The store's address without the password that may stand in it."""
    from spielwerk.servers.section import masked

    return masked(url)
