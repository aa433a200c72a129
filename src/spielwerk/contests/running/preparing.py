"""Taking a contest up into the store: as a new one, as it is there, or as it has grown since."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Entrant, Phase, contest_ids, pack, unpack
from spielwerk.contests.drafts import differences
from spielwerk.contests.programs import sandbox
from spielwerk.contests.running import reaching
from spielwerk.contests.schedule import draw_up, options
from spielwerk.errors import SpielwerkError, quote
from spielwerk.store import contests as reading
from spielwerk.store import keys, writing
from spielwerk.store.contest_records import ContestRecord, EntrantRecord, Kind, Scheduled
from spielwerk.store.writing import Writer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from spielwerk.contests.contest import Contest
    from spielwerk.store.opening import Readable, Store

TOLD: Final = 5  # changes that are named; more are counted


class ContestChanged(SpielwerkError):
    """A description that is not any more what the contest in the store was drawn up from."""


class NoSuchContest(SpielwerkError):
    """A contest that is not in the store."""


@dataclass(frozen=True, slots=True)
class Taken:
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
    """What is kept of the contest of this name, or NoSuchContest."""
    identity, record = _kept(store, name)
    if record is None:
        known = ", ".join(one.id for one in reading.contests(store)) or "none"
        problem = f"the store has no contest {identity}; there are: {known}"
        raise NoSuchContest(f"{quote(name)}: {problem}")
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


def take_up(store: Store, contest: Contest, *, sandbox: bool | None = None) -> Taken:
    """Have the contest in the store, or ContestChanged; whether in the sandbox is remembered there.

    What somebody has left there who died is put in order: games that were running are put back, and
    nothing is reached where that one was.
    """
    taken = _taken(store, contest)
    return replace(taken, sandbox=_remembered(store, taken.id, sandbox))


def _remembered(store: Store, identity: str, wished: bool | None) -> bool:
    """Whether programs are put into the sandbox: as it is wished, or else as it was before.

    Whoever goes on with a contest must not let strangers out by leaving out a word.
    """
    name = f"sandbox:{identity}"
    if wished:
        keys.put(store, name, "yes")
    elif wished is not None:
        keys.drop(store, name)
    return keys.get(store, name) is not None


def _taken(store: Store, contest: Contest) -> Taken:
    identity, record = _kept(store, contest.name)
    if record is None:
        return _draw_up(store, contest, identity)
    writing.put_back(store, identity)
    reaching.forget(store, identity)
    known = unpack(record.description)
    changes = differences(known, contest)
    if changes:
        _check_growth(known, contest, changes)
        _check_names(store, identity, contest.entrants[len(known.entrants) :])
        return _grow(store, record, contest)
    everybody = with_newcomers(store, identity, contest)
    return Taken(identity, everybody, _games(store, identity), 0, new=False)


def _games(store: Readable, identity: str) -> int:
    return sum(reading.counts(store, identity).values())


def with_newcomers(store: Readable, identity: str, contest: Contest) -> Contest:
    """The contest with those who have come since, all of them in the order of their numbers."""
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


def _draw_up(store: Store, contest: Contest, identity: str) -> Taken:
    games = tuple(draw_up(contest, identity))
    record = _record(contest, identity)
    entry = Scheduled(identity, record, _entrants(contest, identity), games)
    _write(store, entry)
    return Taken(identity, contest, len(games), len(games), new=True)


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
    (error,) = Writer(store).write([entry])
    if error:
        raise error


# one that has grown


def _check_growth(known: Contest, contest: Contest, changes: list[str]) -> None:
    """Raise ContestChanged unless there are only more rounds, or more entrants."""
    if contest.phase is Phase.COMPETITION or known.phase is Phase.COMPETITION:
        reason = "a competition stays as it was drawn up"
    elif differences(known, _as_before(known, contest)):
        reason = "only more rounds can be added, and more entrants at the end"
    else:
        return
    more = f"; and {len(changes) - TOLD} more" if len(changes) > TOLD else ""
    told = "; ".join(changes[:TOLD])
    hint = f"give it another name for another contest, or put {_culprit(known, contest)} back"
    raise ContestChanged(
        f"{quote(contest.name)} has changed since it was drawn up: {told}{more}: {reason}; {hint}"
    )


def _check_names(store: Readable, identity: str, added: Sequence[Entrant]) -> None:
    """Raise ContestChanged if somebody is added whose name another one has, who came by itself."""
    kept = {one.name.casefold(): one for one in reading.entrants(store, identity)}
    for one in added:
        other = kept.get(one.name.casefold())
        if other and (other.name, other.kind, other.text) != (one.name, one.kind, one.text):
            problem = f"a newcomer {quote(other.name)} has that name; give it another"
            raise ContestChanged(f"entrant {quote(one.name)}: {problem}")


def _culprit(known: Contest, contest: Contest) -> str:
    """What is not any more as it was: the description, a program, or both."""
    anew = tuple(replace(one, digest="") for one in contest.entrants)
    described = differences(known, replace(contest, entrants=anew))
    if described == differences(known, contest):
        return "the description"
    return "the description and the program" if described else "the program"


def _as_before(known: Contest, contest: Contest) -> Contest:
    """The contest without what may have been added."""
    grown = contest.rounds == 0 or 0 < known.rounds <= contest.rounds  # 0: without end
    entrants = contest.entrants[: len(known.entrants)]
    return replace(contest, rounds=known.rounds if grown else contest.rounds, entrants=entrants)


def _grow(store: Store, record: ContestRecord, contest: Contest) -> Taken:
    """Add what is new; the description comes last, so that a broken attempt is made again."""
    everybody = with_newcomers(store, record.id, contest)
    more = tuple(draw_up(everybody, record.id, reading.pairings(store, record.id)))
    first = len(reading.entrants(store, record.id))
    _write(store, Scheduled(record.id, None, _entrants(everybody, record.id, first), more))
    writing.describe(store, record.id, pack(contest))
    return Taken(record.id, everybody, _games(store, record.id), len(more), new=False)
