"""A contest in its store: drawn up there, taken up again or grown, and reached while it runs.

The address of a running contest and its token are in its store, so only those who may read the
store can change how it runs.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from spielwerk.contests.contest import (
    ContestError,
    Entrant,
    Phase,
    contest_ids,
    options,
    pack,
    unpack,
)
from spielwerk.contests.drafts import differences
from spielwerk.contests.programs import sandbox
from spielwerk.contests.schedule import count, draw_up
from spielwerk.errors import SpielwerkError, quote
from spielwerk.net import addresses
from spielwerk.store import contests as reading
from spielwerk.store import scheduling
from spielwerk.store.problems import StoreError
from spielwerk.store.records import ContestRecord, EntrantRecord, Kind, Scheduled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from spielwerk.contests.contest import Contest
    from spielwerk.store.opening import Readable, Store

TOLD: Final = 5  # changes that are named; more are counted
PATIENCE: Final = 5.0  # seconds for a running contest to answer


class ContestUnreachable(SpielwerkError):
    """No running contest that could be told something."""


@dataclass(frozen=True, slots=True)
class StoredContest:
    """A contest that is in the store."""

    id: str
    contest: Contest
    games: int  # in the schedule
    added: int  # of them, just now
    new: bool
    sandbox: bool = False  # its programs are put there, now or since an earlier run


def store_of(description: Path, url: str | None) -> str:
    """Where a contest is kept: beside its description, if nothing else is said."""
    if url:
        return url
    if description.suffix == ".db":
        raise SpielwerkError(f"{description}: that is the name of a store; name the description")
    return str(description.absolute().with_suffix(".db"))


def find(store: Readable, name: str) -> ContestRecord:
    """What is kept of the contest of this name, or ContestError."""
    identity, record = _kept(store, name)
    if record is None:
        known = ", ".join(one.id for one in reading.contests(store)) or "none"
        problem = f"the store has no contest {identity}; there are: {known}"
        raise ContestError(f"{quote(name)}: {problem}")
    return record


def _kept(store: Readable, name: str) -> tuple[str, ContestRecord | None]:
    """What the contest of this name is called in the store, and what is kept of it there.

    "C++ Cup" and "C# Cup" would be called the same: whichever comes second has a longer one.
    """
    first, second = contest_ids(name)
    record = reading.contest(store, first)
    if record is None or record.name == name:
        return first, record
    return second, reading.contest(store, second)


def take_up(
    store: Store,
    contest: Contest,
    *,
    sandbox: bool | None = None,
    announce: Callable[[int], None] = lambda _games: None,
) -> StoredContest:
    """Have the contest in the store, or ContestError; whether in the sandbox is remembered there.

    What a dead process has left there is put in order: games that were running are put back, and
    its address is forgotten. `announce` is told how many games will be drawn up.
    """
    taken = _taken(store, contest, announce)
    return replace(taken, sandbox=_remembered(store, taken.id, sandbox))


def _remembered(store: Store, identity: str, wished: bool | None) -> bool:
    """Whether programs are put into the sandbox: as it is wished, or else as it was before.

    Going on without the option must not let programs out of the sandbox.
    """
    name = f"sandbox:{identity}"
    if wished:
        store.keep(name, "yes")
    elif wished is not None:
        store.forget(name)
    return store.value(name) is not None


def _taken(store: Store, contest: Contest, announce: Callable[[int], None]) -> StoredContest:
    identity, record = _kept(store, contest.name)
    if record is None:
        announce(count(contest))
        return _draw_up(store, contest, identity)
    scheduling.put_back(store, identity)
    forget(store, identity)
    known = unpack(record.description)
    if differences(known, contest):
        _check_growth(store, identity, known, contest)
        return _grow(store, record, contest)
    grown = with_newcomers(store, identity, contest)
    return StoredContest(identity, grown, _games(store, identity), 0, new=False)


def _games(store: Readable, identity: str) -> int:
    return sum(reading.counts(store, identity).values())


def with_newcomers(store: Readable, identity: str, contest: Contest) -> Contest:
    """The contest with all newcomers, in the order of the entrants' numbers."""
    described = {one.name: one for one in contest.entrants}
    kept = [one.name for one in reading.entrants(store, identity)]
    new = [name for name in described if name not in kept]
    known = (described.get(name) or Entrant(name, Kind.OPEN) for name in kept)
    return replace(contest, entrants=(*known, *(described[name] for name in new)))


def check_place(contest: Contest, *, sandboxed: bool) -> None:
    """Raise what keeps the contest from being played in a sandbox here."""
    problem = sandbox.available() if sandboxed else None
    if problem:
        raise SpielwerkError(f"--sandbox: {problem}")
    if sandboxed and contest.newcomers:
        raise SpielwerkError("--sandbox: newcomers = true: there is no network in the sandbox")
    far = [one.name for one in contest.entrants if one.kind in (Kind.REMOTE, Kind.OPEN)]
    if sandboxed and far:
        reason = "there is no network in the sandbox, and it is somewhere else"
        raise SpielwerkError(f"--sandbox: entrant {quote(far[0])}: {reason}")


# a new one


def _draw_up(store: Store, contest: Contest, identity: str) -> StoredContest:
    games = tuple(draw_up(contest, identity))
    record = _record(contest, identity)
    entry = Scheduled(identity, record, _entrants(contest, identity), games)
    _write(store, entry)
    return StoredContest(identity, contest, len(games), len(games), new=True)


def _record(contest: Contest, identity: str) -> ContestRecord:
    now = time.time_ns() // 1_000_000
    chosen, described = options(contest), pack(contest)
    return ContestRecord(identity, contest.name, contest.game, chosen, described, now)


def _entrants(contest: Contest, identity: str, first: int = 0) -> tuple[EntrantRecord, ...]:
    return tuple(
        EntrantRecord(identity, number, one.name, one.kind, one.text)
        for number, one in enumerate(contest.entrants)
        if number >= first
    )


def _write(store: Store, entry: Scheduled) -> None:
    (error,) = scheduling.ScheduleWriter(store).write([entry])
    if error:
        raise error


# one that has grown


def _check_growth(store: Readable, identity: str, known: Contest, contest: Contest) -> None:
    """Raise ContestError unless there are only more rounds, or more entrants."""
    if contest.phase is Phase.COMPETITION or known.phase is Phase.COMPETITION:
        reason = "a competition stays as it was drawn up"
    elif differences(known, _as_before(known, contest)):
        reason = "only more rounds can be added, and more entrants at the end"
    else:
        _check_names(store, identity, contest.entrants[len(known.entrants) :])
        return
    changes = differences(known, contest)
    more = f"; and {len(changes) - TOLD} more" if len(changes) > TOLD else ""
    told = "; ".join(changes[:TOLD])
    raise ContestError(
        f"{quote(contest.name)} has changed since it was drawn up: {told}{more}: {reason}; "
        "give it another name for another contest, or put everything back"
    )


def _check_names(store: Readable, identity: str, added: Sequence[Entrant]) -> None:
    """Raise ContestError if an added entrant has the name of a newcomer."""
    kept = {one.name.casefold(): one for one in reading.entrants(store, identity)}
    for one in added:
        other = kept.get(one.name.casefold())
        if other and (other.name, other.kind, other.text) != (one.name, one.kind, one.text):
            problem = f"a newcomer {quote(other.name)} has that name; give it another"
            raise ContestError(f"entrant {quote(one.name)}: {problem}")


def _as_before(known: Contest, contest: Contest) -> Contest:
    """The contest without what may have been added."""
    grown = contest.rounds == 0 or 0 < known.rounds <= contest.rounds  # 0: without end
    entrants = contest.entrants[: len(known.entrants)]
    return replace(contest, rounds=known.rounds if grown else contest.rounds, entrants=entrants)


def _grow(store: Store, record: ContestRecord, contest: Contest) -> StoredContest:
    """Add what is new; the description comes last, so that a broken attempt is made again."""
    grown = with_newcomers(store, record.id, contest)
    more = tuple(draw_up(grown, record.id, reading.pairings(store, record.id)))
    first = len(reading.entrants(store, record.id))
    _write(store, Scheduled(record.id, None, _entrants(grown, record.id, first), more))
    scheduling.describe(store, record.id, pack(contest))
    return StoredContest(record.id, grown, _games(store, record.id), len(more), new=False)


# where a running contest is reached


def _address_key(contest: str) -> str:
    return f"contest:{contest}"


@contextmanager
def reachable(store: Store, contest: str, address: tuple[str, int], token: str) -> Iterator[None]:
    """Keep in the store where the contest is reached, for as long as it is."""
    host, port = address
    url = f"http://{addresses.written(addresses.reachable(host), port)}"
    store.keep(_address_key(contest), json.dumps({"url": url, "token": token}))
    try:
        yield
    finally:
        with suppress(StoreError):  # taking the contest up forgets it
            forget(store, contest)


def forget(store: Store, contest: str) -> None:
    """Keep nothing in the store about where the contest is reached."""
    store.forget(_address_key(contest))


def tell_jobs(store: Readable, contest: str, jobs: int) -> int:
    """Have a running contest play this many games at once; how many it plays now."""
    return int(_ask(store, contest, f"/{contest}/jobs", {"jobs": jobs})["jobs"])


def jobs_of(store: Readable, contest: str) -> int | None:
    """How many games a running contest plays at once; None if it does not say so."""
    try:
        listed = _ask(store, contest)["contests"]
        return next(int(one["live"]["jobs"]) for one in listed if one["id"] == contest)
    except (
        ContestUnreachable,
        LookupError,
        TypeError,
        StopIteration,
    ):  # or another server is there
        return None


def _ask(store: Readable, contest: str, path: str = "", body: object = None) -> dict[str, Any]:
    """Ask the server where the contest runs, or have it do something; its answer."""
    found = store.value(_address_key(contest))
    if found is None:
        problem = "is not running, or without its pages; see `contest status`"
        raise ContestUnreachable(f"{contest} {problem}")
    place = json.loads(found)
    url = f"{place['url']}/api/v1/contests{path}"
    headers = {"Authorization": f"Bearer {place['token']}", "Content-Type": "application/json"}
    data, method = (json.dumps(body).encode(), "PUT") if body else (None, "GET")
    request = Request(url, data, headers, method=method)  # noqa: S310 - ours
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
    except HTTPError as error:
        with error:
            raise ContestUnreachable(_refusal(error)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        problem = f"the contest does not answer at {url} ({reason}); is it still running?"
        raise ContestUnreachable(problem) from None


def _refusal(error: HTTPError) -> str:
    try:
        return str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the contest refused: {error}"
