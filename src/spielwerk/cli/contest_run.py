"""A contest from the command line: taken up in its store, played, shown, and concluded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.errors import SpielwerkError, UsageError, printable, quote
from spielwerk.terminal.commands import never, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spielwerk.app.contest import ContestVerdict, Plan
    from spielwerk.cli.contest_screen import ContestScreen
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.stored import StoredContest
    from spielwerk.signals import StopSignals
    from spielwerk.store.opening import Readable

BIND: Final = "127.0.0.1"  # where pages and doors are, unless another address is given
MANY: Final = 20_000  # games that take some seconds to be drawn up; a million takes minutes


# the contest that a description names, and its store


def remark(contest: Contest) -> None:
    """Say what may not be meant as it is described."""
    from spielwerk.contests.description import remarks

    for line in remarks(contest):
        typer.echo(f"note: {printable(line)}", err=True)


def check_folder(store: str | None) -> None:
    """Raise UsageError if the store that was named is to be in a folder that is not there."""
    path = _file_of(store) if store else None
    if store and path and not path.parent.exists():
        problem = f"there is no folder {path.parent}; create it first, or choose another"
        raise UsageError(f"--store {quote(store)}: {problem}")


def _file_of(url: str) -> Path | None:
    """The file of a store; None if it is on a server."""
    name = url.removeprefix("sqlite:///")
    return None if "://" in name else Path(name).expanduser().resolve()


def open_existing(file: Path, store: str | None, advice: str) -> Readable:
    """The store to look at, with advice if it is not there."""
    from spielwerk.contests.stored import store_of
    from spielwerk.store.opening import open_reader
    from spielwerk.store.problems import StoreError

    url = store_of(file, store)
    path = _file_of(url)
    if path and not path.exists():
        raise StoreError(str(path), f"there is no such file; {advice}")
    return open_reader(url)


def take_up(
    file: Path,
    contest: Contest,
    store: str | None,
    *,
    must_be_there: bool,
    sandbox: bool | None = None,
) -> StoredContest:
    """The contest, in a store that is ours for a moment."""
    from spielwerk.contests import stored
    from spielwerk.store.opening import open_store

    if must_be_there:
        with open_existing(file, store, f"`{command('run', file, store)}` begins it") as reader:
            stored.find(reader, contest.name)
    with open_store(stored.store_of(file, store)) as opened:
        return stored.take_up(opened, contest, sandbox=sandbox, announce=_announce)


def _announce(games: int) -> None:
    """Say that games are drawn up, if there are so many that it takes a while."""
    if games >= MANY:
        typer.echo(f"Drawing up {games:,} games: this takes a while ...", err=True)


def coming(url: str, taken: StoredContest) -> int | None:
    """About how many games will still be drawn up; None if that is not known."""
    from spielwerk.contests.schedule import to_come
    from spielwerk.store import contests as reading
    from spielwerk.store.opening import open_reader

    def meetings() -> dict[int, int]:
        with open_reader(url) as opened:
            return reading.meetings(opened, taken.id)

    return to_come(taken.contest, meetings)


# what was typed


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a contest is to be run, as it was typed."""

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
        raise typer.BadParameter(f"{port} is not a port: expected 0 (any free one) to 65535")
    return port


def _check(options: RunOptions) -> None:
    """Raise what contradicts itself."""
    plan = options.plan
    if not plan.web and (plan.stay or plan.port is not None):
        other = "--stay" if plan.stay else "--port"
        raise UsageError(f"--no-web and {other}: choose one")
    if plan.jobs == 0:
        raise UsageError("--jobs 0: nothing would be played; choose 1 or more")
    check_folder(options.store)


def with_doors(texts: Sequence[str], contest: Contest) -> dict[str, int]:
    """The ports of open seats, by the services that the game has."""
    from spielwerk.games import find_kit

    services = find_kit(contest.game).servers
    ports = {}
    for text in texts:
        if not contest.has_open_seats:
            raise UsageError(f"--door {quote(text)}: there are no open seats; leave it out")
        name, equals, port = text.rpartition("=")
        name = name if equals else services[0]
        if name not in services or (not equals and len(services) > 1):
            raise UsageError(f"--door {quote(text)}: write {' or '.join(services)}=PORT")
        try:
            ports[name] = port_number(port)
        except typer.BadParameter as error:
            raise UsageError(f"--door {quote(text)}: {error.message}") from None
    return ports


# playing it


def play(options: RunOptions, *, must_be_there: bool) -> None:
    """Play, print the result, and end the process at once."""
    from spielwerk.app.process import leave
    from spielwerk.signals import StopSignals

    _check(options)
    with StopSignals() as signals:
        leave(_play(options, signals, must_be_there=must_be_there))


def _play(options: RunOptions, signals: StopSignals, *, must_be_there: bool) -> int:
    """Play and print the result; the exit code."""
    from asyncio import CancelledError

    from spielwerk.cli.contest_screen import ContestScreen
    from spielwerk.cli.contest_status import ranking_in, show_ranking
    from spielwerk.contests.cluster import LOCAL
    from spielwerk.contests.description import read
    from spielwerk.contests.stored import check_place

    contest = read(options.file)
    doors = with_doors(options.doors, contest)
    check_place(contest, sandboxed=bool(options.sandbox))
    taken = take_up(
        options.file, contest, options.store, must_be_there=must_be_there, sandbox=options.sandbox
    )
    check_place(contest, sandboxed=taken.sandbox)
    plan = replace(options.plan, sandbox=taken.sandbox, doors=doors)
    if not options.quiet:
        remark(contest)
    screen = ContestScreen(lambda: ranking_in(plan.store, taken.id), quiet=options.quiet)
    try:
        if plan.cluster in ("", LOCAL):
            compile_engine(contest, signals.__bool__)
        verdict = _host(plan, taken, signals, screen, quiet=options.quiet)
        told = screen.told or _rank(options, plan.store, taken.id, signals)
        left = _conclude(options, verdict, taken, coming(plan.store, taken))
    except SpielwerkError as error:
        typer.echo(f"spielwerk: {error}", err=True)
        if screen.run is None:  # it has not begun
            return 2
        if ranking := screen.remembered(error):
            show_ranking(ranking)
    except (CancelledError, KeyboardInterrupt):
        typer.echo("spielwerk: interrupted before the first game", err=True)
    else:
        return 1 if left or verdict.replaced or not told else 0
    typer.echo(f"continue with: {going_on(options)}", err=True)
    return 1


def compile_engine(contest: Contest, asked: Callable[[], bool] = never) -> None:
    """Have the game's engine compiled, if it plays, before workers and their games wait for it."""
    from spielwerk.contests.contest import game_of
    from spielwerk.store.records import Kind

    if any(one.kind is Kind.ENGINE and one.text != "random" for one in contest.entrants):
        from spielwerk.terminal.keyboard import compile_for_others  # brings the compiler along

        compile_for_others(game_of(contest), asked)


def _host(
    plan: Plan, taken: StoredContest, signals: StopSignals, screen: ContestScreen, *, quiet: bool
) -> ContestVerdict:
    import asyncio
    import sys

    from spielwerk.app.contest import host
    from spielwerk.app.process import logging_to

    with logging_to(sys.stderr, "error" if quiet or sys.stderr.isatty() else "warning"):
        # The loop is not closed: that would wait for threads.
        loop = asyncio.new_event_loop()
        return loop.run_until_complete(host(plan, taken, screen, signals))


def _rank(options: RunOptions, store: str, identity: str, signals: StopSignals) -> bool:
    """Print the standings, unless a signal comes meanwhile; whether they were printed."""
    from spielwerk.cli.contest_status import ranking_in, show_ranking
    from spielwerk.terminal.keyboard import interruptible

    try:
        show_ranking(interruptible(lambda: ranking_in(store, identity), signals.__bool__))
    except KeyboardInterrupt:
        typer.echo(f"standings: {command('status', options.file, options.store)}", err=True)
        return False
    return True


def _conclude(
    options: RunOptions, verdict: ContestVerdict, taken: StoredContest, more: int | None
) -> bool:
    """Print what is left to be done, and what else must be known; whether something is left.

    About so many `more` games would be drawn up if it went on; None: not known.
    """
    from spielwerk.cli.contest_status import of_all

    # A ladder without end has always something left, so there the verdict says if it was stopped.
    stopped = verdict.stopped or verdict.left or (more != 0 and not taken.contest.endless)
    if verdict.replaced:
        whose = ", ".join(map(quote, verdict.replaced))
        typer.echo(f"replaced while the contest was played: the program of {whose}", err=True)
    if verdict.failed:
        games = "1 game was" if verdict.failed == 1 else f"{verdict.failed:,} games were"
        hint = f"see {command('status', options.file, options.store)}"
        typer.echo(f"{games} given up through our own fault; {hint}", err=True)
    if stopped:
        total = verdict.done + verdict.left + verdict.failed + verdict.dropped
        typer.echo(f"stopped: {verdict.done}{of_all(total, more)} games are done", err=True)
        typer.echo(f"continue with: {going_on(options)}", err=True)
    return bool(verdict.failed or stopped)


# commands as they can be typed


def command(verb: str, file: Path, store: str | None, *more: str) -> str:
    """The command as it can be typed; a password in the store's address is not shown."""
    from shlex import join

    where = ("--store", shown(store)) if store else ()
    return join(("spielwerk", "contest", verb, str(file), *where, *more))


def shown(url: str) -> str:
    """The store's address without the password that may stand in it."""
    from spielwerk.servers.settings import masked

    return masked(url)


def going_on(options: RunOptions) -> str:
    """The command that goes on with a contest as it was run, a sandbox and all."""
    return command("resume", options.file, options.store, *_options(options))


def _options(options: RunOptions) -> Iterator[str]:
    """The options of a run, but for those that are as usual and the store."""
    plan = options.plan
    bind = None if plan.bind == BIND else plan.bind
    named = {"--jobs": plan.jobs, "--cluster": plan.cluster or None, "--port": plan.port}
    for option, value in {**named, "--bind": bind}.items():
        yield from () if value is None else (option, str(value))
    for door in options.doors:
        yield from ("--door", door)
    flags = {"--sandbox": options.sandbox, "--no-web": not plan.web}
    flags |= {"--quiet": options.quiet, "--stay": plan.stay}
    yield from (option for option, wished in flags.items() if wished)
