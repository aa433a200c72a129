"""The contest that a description names, and the store that it is kept in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.errors import UsageError, printable, quote

if TYPE_CHECKING:
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Ranking
    from spielwerk.contests.running.preparing import Taken
    from spielwerk.store.opening import Readable, Store

MANY: Final = 20_000  # games that take some seconds to be drawn up; a million takes minutes


def read(file: Path) -> Contest:
    """The contest that is described there, ready to be played."""
    from spielwerk.contests import description

    return description.read(file)


def remark(contest: Contest) -> None:
    """Say what may not be meant as it is described."""
    from spielwerk.contests.description import remarks

    for line in remarks(contest):
        typer.echo(f"note: {printable(line)}", err=True)


def check_folder(store: str | None) -> None:
    """Raise UsageError if the store that was named is to be in a folder that is not there."""
    path = _file_of(store) if store else None
    if store and path and not path.parent.exists():
        problem = f"there is no folder {path.parent}; make it first, or name another"
        raise UsageError(f"--store {quote(store)}: {problem}")


def _file_of(url: str) -> Path | None:
    """The file of a store; None if it is on a server."""
    name = url.removeprefix("sqlite:///")
    return None if "://" in name else Path(name).expanduser().resolve()


def open_existing(file: Path, store: str | None, advice: str) -> Readable:
    """The store to look at, with advice if it is not there."""
    from spielwerk.contests.running.preparing import store_of
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
) -> Taken:
    """The contest, in a store that is ours for a moment."""
    from spielwerk.contests.running import preparing
    from spielwerk.store.opening import open_store

    if must_be_there:
        with open_existing(file, store, f"`{command('run', file, store)}` begins it") as reader:
            preparing.find(reader, contest.name)
    with open_store(preparing.store_of(file, store)) as opened:
        _announce(opened, contest)
        return preparing.take_up(opened, contest, sandbox=sandbox)


def _announce(store: Store, contest: Contest) -> None:
    """Say that games are drawn up, if there are so many that it takes a while."""
    from contextlib import suppress

    from spielwerk.contests.running.preparing import NoSuchContest, find
    from spielwerk.contests.schedule import count
    from spielwerk.store.contests import counts

    games = count(contest)
    with suppress(NoSuchContest):
        games -= sum(counts(store, find(store, contest.name).id).values())
    if games >= MANY:
        typer.echo(f"Drawing up {games:,} games: this takes a while ...", err=True)


def ranking_in(url: str, identity: str) -> Ranking:
    """The ranking of a contest in this store."""
    from spielwerk.cli.contest_status import ranking_of
    from spielwerk.store.opening import open_reader

    with open_reader(url) as opened:
        return ranking_of(opened, identity)


def coming(url: str, taken: Taken) -> int | None:
    """About how many games will still be drawn up; None if nobody can know."""
    from spielwerk.contests.schedule import to_come
    from spielwerk.store import contests as reading
    from spielwerk.store.opening import open_reader

    def meetings() -> dict[int, int]:
        with open_reader(url) as opened:
            return reading.meetings(opened, taken.id)

    return to_come(taken.contest, meetings)


# how it is called


def command(verb: str, file: Path, store: str | None, *more: str) -> str:
    """The command as it can be typed; a password in the store's address is not shown."""
    from shlex import join

    where = ("--store", shown(store)) if store else ()
    return join(("spielwerk", "contest", verb, str(file), *where, *more))


def shown(url: str) -> str:
    """The store's address without the password that may stand in it."""
    from spielwerk.servers.settings import masked

    return masked(url)
