"""Contests as pages and programs are told of them: plain JSON made from records and tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.engines.regret import told
from spielwerk.messages import coded
from spielwerk.store.records import ENDS, Kind, PairingState
from spielwerk.web.views import options

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.ranking import Encounter, Ranking, Standing
    from spielwerk.contests.reviewing import RegretTable
    from spielwerk.store.contests import Far
    from spielwerk.store.records import (
        ContestRecord,
        EntrantRecord,
        Pairing,
        SeatReport,
    )
    from spielwerk.web.site import RunningContest

LAST: Final = 20  # results that are told with how far the contest is
ELO: Final = 6  # digits of a rating,
SHARE: Final = 8  # and of a share


def titled(record: ContestRecord) -> dict[str, Any]:
    """What a contest is called and which game it is about."""
    chosen = options(record.options)
    return {
        "id": record.id,
        "name": record.name,
        "game": record.game,
        "solid": chosen.get("depth", 0) > 1,
        "options": chosen,
        "created": record.created,
    }


def rules(contest: Contest) -> dict[str, Any]:
    """What was fixed before the first game."""
    return {
        "format": str(contest.format),
        "phase": str(contest.phase),
        "order": str(contest.order),
        "rounds": contest.rounds,
        "seed": contest.seed,
        "opening": contest.opening,
        "moveTime": contest.move_time,
    }


def entrant(record: EntrantRecord) -> dict[str, Any]:
    """An entrant; how a program is started is private."""
    shown = {"number": record.number, "name": record.name, "kind": str(record.kind)}
    return shown | ({"text": record.text} if record.kind is Kind.ENGINE else {})


# how far it is


def progress(far: Far, playing: int, *, growing: bool) -> dict[str, Any]:
    """How many games are how far, and how many there are; more will come while it is `growing`.

    Of those that the store has as running so many are `playing`. The others wait until there is
    room, or were left so by a process that died.
    """
    counts = {state: far.counts.get(state, 0) for state in PairingState}
    waiting = max(0, counts[PairingState.RUNNING] - playing)
    counts[PairingState.RUNNING] -= waiting
    counts[PairingState.NEW] += waiting
    return {
        "total": sum(counts.values()),
        **{str(state): count for state, count in counts.items()},
        "dropped": counts[PairingState.FAILED] - far.lost,
        "lost": far.lost,
        "growing": growing,
    }


class Now(NamedTuple):
    """A contest at this moment; usually it is not played."""

    live: Mapping[str, Any] | None = None  # what is told of it only while it is played here
    playing: int = 0


def live(contest: RunningContest | None) -> dict[str, Any] | None:
    """What is known of a contest only while it is played here; None for another."""
    if contest is None:
        return None
    return {
        "jobs": contest.jobs,
        "rate": None if contest.rate is None else round(contest.rate, 1),
        "eta": None if contest.eta is None else round(contest.eta),
        "absent": list(contest.absent()),
    }


def row(record: ContestRecord, far: Far, now: Now, *, growing: bool) -> dict[str, Any]:
    """A contest in a list: what it is, and how far."""
    return {
        **titled(record),
        "entrants": far.entrants,
        "progress": progress(far, now.playing, growing=growing),
        "live": now.live,
    }


# tables


def tables(ranking: Ranking, pairings: Sequence[Pairing], regrets: RegretTable) -> dict[str, Any]:
    """The standings, all against all, what moves cost, and what must be said about it."""
    games = {pairing.number: pairing.game for pairing in pairings}
    return {
        "standings": [
            _standing(one, games) | told(regrets.entrants.get(one.entrant, {}))
            for one in ranking.standings
        ],
        "reviewed": regrets.games,
        "crosstable": [*_cells(ranking.crosstable)],
        "firstMove": _rounded(ranking.first_move),
        "draws": _rounded(ranking.draws, SHARE),
        "rated": ranking.rated,
        "notes": [asdict(note) for note in ranking.notes],
        "ends": _ends(pairings),
    }


def _standing(standing: Standing, games: Mapping[int, str | None]) -> dict[str, Any]:
    number = standing.disqualified_in
    names = [field.name for field in fields(standing) if field.name != "disqualified_in"]
    return {name: getattr(standing, name) for name in names} | {
        "kind": str(standing.kind),
        "rating": _rounded(standing.rating),
        "low": _rounded(standing.low),
        "high": _rounded(standing.high),
        "better": _rounded(standing.better, SHARE),
        "forfeits": {end: count for end, count in standing.forfeits.items() if count},
        "said": coded(_cause(standing.disqualified)),
        "disqualifiedIn": number if number is None else {"number": number, "game": games[number]},
    }


def _cause(disqualified: str | None) -> str | None:
    """What a disqualification says besides the end of the game, which pages name themselves."""
    end, _, detail = (disqualified or "").partition(": ")
    return detail if end in ENDS.values() else disqualified


def _rounded(value: float | None, digits: int = ELO) -> float | None:
    """As exact as it must be for a page to round it as reports do."""
    return None if value is None else round(value, digits)


def _cells(
    table: Mapping[int, Mapping[int, tuple[Encounter, ...]]],
) -> Iterator[list[float]]:
    """For every two who have met: the numbers of both, points, games, and own faults."""
    for one, row in table.items():
        for other, met in row.items():
            points = sum(encounter.points for encounter in met)
            yield [one, other, points, len(met), sum(encounter.fault for encounter in met)]


def _ends(pairings: Sequence[Pairing]) -> dict[str, int]:
    ended = [one.ending for one in pairings if one.state is PairingState.DONE and one.ending]
    return dict(Counter(ENDS[ending.reason] for ending in ended).most_common())


# games


def game(pairing: Pairing, *, live: bool = True) -> dict[str, Any]:
    """A game of the schedule; seats are the numbers of those who sit there.

    Where the contest is not `live` nothing is being played.
    """
    left = pairing.state is PairingState.RUNNING and not live
    return {
        "number": pairing.number,
        "round": pairing.round,
        "seats": list(pairing.seats),
        "state": str(PairingState.NEW if left else pairing.state),
        "attempt": pairing.attempt,
        "repeated": pairing.repeated,
        "game": pairing.game,
        "outcome": _outcome(pairing),
    }


def _outcome(pairing: Pairing) -> dict[str, Any] | None:
    ending = pairing.ending
    if ending is None:
        return None
    return {
        "end": ENDS[ending.reason],
        "winner": ending.winner,
        "culprits": ending.culprits,
        "detail": ending.detail,
        "overloaded": pairing.overloaded,
        "started": pairing.started,
        "ended": ending.at,
        "said": coded(ending.detail),
    }


def report(found: SeatReport) -> dict[str, Any]:
    """What is known of a player after a game."""
    return asdict(found) | {"said": coded(found.status)}
