"""A contest as one HTML file that needs nothing else: it can be mailed, kept and printed.

What others have written (names, details, output) is made harmless twice: characters that are not
there to be seen become numbers, and what remains is escaped for HTML. The file's own policy forbids
scripts, and everything from elsewhere.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from spielwerk import __version__
from spielwerk.contests.agenda import dropped_by, is_dropped
from spielwerk.contests.results import PAIR
from spielwerk.contests.schedule import allows_openings, meetings, options, to_come
from spielwerk.contests.words import Words, apart, lines, shown, told, wire
from spielwerk.games import find_kit
from spielwerk.store.contest_records import ENDS, FORFEITS, Kind, PairingState
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jinja2 import Template

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.results import Encounter, Ranking, Standing
    from spielwerk.games.kit import PlayedMoves
    from spielwerk.store.contest_records import (
        ContestRecord,
        EntrantRecord,
        Pairing,
        SeatReport,
    )
    from spielwerk.store.records import Ending, WireRecord


BUFFER: Final = 200  # pieces of the page that make a chunk
DETAIL: Final = 1000  # characters of what is said about the end of a game
DIRECT: Final = 4  # games of a cell that are linked without being unfolded
COUNTED: Final = (
    PairingState.DONE,
    PairingState.FAILED,
)  # in other states an outcome is that of an attempt
SEATS: Final = ("0", "1", "2")  # how turns name players, whose names stand beside
# where it is told that nothing was put out
SILENT: Final = (Reason.CONNECTION_LOST, Reason.STALLED, Reason.NO_START)


def chunks(
    contest: Contest,
    record: ContestRecord,
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    ranking: Ranking,
    reports: Mapping[int, Sequence[SeatReport]],
    moves: Mapping[int, Sequence[str]],
    language: str,
    wires: Mapping[int, Sequence[WireRecord]] | None = None,
) -> Iterator[str]:
    """The file piece by piece; what is known of a game is asked for when its line is made."""
    words = Words(language)
    scale = Scale(ranking.standings)
    page = _template().stream(
        t=words,
        version=__version__,
        title=shown(contest.name),
        order=str(contest.order),
        bonus=bool(contest.bonus),
        facts=[*_facts(contest, record, entrants, pairings, words)],
        width=WIDTH,
        scale=scale,
        standings=[
            _standing(line, entrants[line.entrant], scale, words) for line in ranking.standings
        ],
        about=_about(contest, ranking, words),
        notes=[words.note(note, apart) for note in ranking.notes],
        crosstable=_crosstable(ranking, words),
        direct=DIRECT,
        ends=_ends(ranking),
        games=_Games(contest, entrants, reports, moves, wires or {}, words).lines(pairings),
    )
    page.enable_buffering(BUFFER)
    return iter(page)


@cache
def _template() -> Template:
    loader = PackageLoader("spielwerk.contests", "templates")
    return Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("report.html")


# above the tables


def _facts(
    contest: Contest,
    record: ContestRecord,
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    words: Words,
) -> Iterator[tuple[str, str]]:
    """What the contest is, in pairs of a heading and a text."""
    chosen = ", ".join(contest.options)
    game = words(f"game.{_game(contest)}")
    yield words("fact.game"), f"{game} ({shown(chosen)})" if chosen else game
    yield words("fact.format"), words(f"format.{contest.format}")
    yield words("fact.phase"), words(f"phase.{contest.phase}")
    yield words("fact.entrants"), str(len(entrants))
    if not contest.endless:
        yield words("fact.rounds"), str(contest.rounds)
    growing = to_come(contest, lambda: meetings(entrants, pairings)) != 0
    yield words("fact.games"), ", ".join(_played(pairings, words, growing=growing))
    if allows_openings(contest):
        yield words("fact.opening"), words("fact.opening.text", count=contest.opening)
    yield words("fact.time"), words("moveTime", seconds=words.seconds(contest.move_time))
    yield words("fact.seed"), str(contest.seed)
    yield words("fact.date"), words.date(record.created)
    if until := max((one.ending.at for one in pairings if one.ending), default=0):
        yield words("fact.until"), words.date(until)


def _played(pairings: Sequence[Pairing], words: Words, *, growing: bool) -> Iterator[str]:
    """How many games are how far; while more are drawn up nobody knows the number of all."""
    states = Counter(pairing.state for pairing in pairings)
    counts = {"done": states[PairingState.DONE], "total": len(pairings)}
    yield words("fact.games.growing" if growing else "fact.games.text", **counts)
    dropped = sum(map(is_dropped, pairings))
    if dropped:
        yield words("dropped", count=dropped)
    if lost := states[PairingState.FAILED] - dropped:
        yield words("lost", count=lost)


def _game(contest: Contest) -> str:
    """The game's name in texts; with some options it is another one."""
    variant = getattr(find_kit(contest.game).part("view"), "variant", None)
    return (variant(_options(contest)) if variant else "") or contest.game


def _options(contest: Contest) -> dict[str, str]:
    """The values of all options of the game."""
    return dict(option.split("=", 1) for option in options(contest))


def _about(contest: Contest, ranking: Ranking, words: Words) -> list[str]:
    """How the ratings were made, in three sentences, and what they say beside."""
    of_two = len(find_kit(contest.game).game.sides) == PAIR
    model, rounds = ("2", "") if of_two else ("3", _options(contest).get("rounds", ""))
    said = [
        words(f"about.{model}.fit", count=ranking.rated),
        words(f"about.{model}.games", rounds=rounds),
        words("about.interval"),
    ]
    if ranking.first_move is not None:
        said.append(words("firstMove", elo=words.signed(ranking.first_move)))
    if ranking.draws is not None:
        said.append(words("drawShare", percent=words.percent(ranking.draws)))
    return said


# tables


def _standing(line: Standing, entrant: EntrantRecord, scale: Scale, words: Words) -> dict[str, Any]:
    rated = line.rating is not None
    return {
        "rank": line.rank,
        "name": shown(line.name),
        "kind": _kind(entrant, words),
        "bar": scale.bar(line),
        "elo": words.signed(line.rating) if line.rating is not None else "",
        "interval": words.interval(line.low, line.high, bounded=line.bounded) if rated else "",
        "better": "" if line.better is None else words.chance(line.better),
        "points": words.points(line.points),
        "bonus": line.bonus or "",
        "games": line.games,
        "record": f"{line.wins} / {line.draws} / {line.losses}",
        "forfeits": sum(line.forfeits.values()),
        "disqualified": _cause(line.disqualified, words),
        "disqualified_in": line.disqualified_in,
    }


def _kind(entrant: EntrantRecord, words: Words) -> str:
    """Where somebody's moves come from; how a program is started is nobody's business."""
    text = [shown(entrant.text)] if entrant.kind is Kind.ENGINE else []
    return ", ".join([words(f"kind.{entrant.kind}"), *text])


def _cause(text: str, words: Words) -> str:
    """Why somebody is out: an end, and what was said of it."""
    end, _, detail = shown(text, DETAIL).partition(": ")
    if end not in ENDS.values():
        return words.said(shown(text, DETAIL))
    return ": ".join([words(f"end.{end}"), *([words.said(detail)] if detail else [])])


def _crosstable(ranking: Ranking, words: Words) -> list[dict[str, Any]]:
    """A row for everybody, with a cell for everybody, in the order of the standings."""
    return [
        {
            "name": shown(line.name),
            "cells": [
                _cell(ranking.crosstable.get(line.entrant, {}).get(other.entrant, ()), words)
                for other in ranking.standings
            ],
        }
        for line in ranking.standings
    ]


def _cell(games: Sequence[Encounter], words: Words) -> dict[str, Any] | None:
    if not games:
        return None
    return {
        "points": words.points(sum(game.points for game in games)),
        "count": len(games),
        "direct": len(games) <= DIRECT,
        "games": [
            (game.number, _mark(game, words), words(f"end.{ENDS[game.reason]}")) for game in games
        ],
    }


def _mark(game: Encounter, words: Words) -> str:
    return "\N{MULTIPLICATION SIGN}" if game.fault else words.points(game.points)


def _ends(ranking: Ranking) -> dict[str, Any]:
    """How often everybody failed in which way; the ways that nobody took are left out."""
    kinds = [end for end in FORFEITS if any(line.forfeits.get(end) for line in ranking.standings)]
    return {
        "kinds": kinds,
        "rows": [
            (shown(line.name), [line.forfeits.get(end, 0) for end in kinds])
            for line in ranking.standings
            if any(line.forfeits.values())
        ],
    }


class _Games:
    """The lines of the appendix."""

    def __init__(
        self,
        contest: Contest,
        entrants: Sequence[EntrantRecord],
        reports: Mapping[int, Sequence[SeatReport]],
        moves: Mapping[int, Sequence[str]],
        wires: Mapping[int, Sequence[WireRecord]],
        words: Words,
    ) -> None:
        self._contest = contest
        self._entrants = entrants
        self._reports = reports
        self._moves = moves
        self._wires = wires
        self._words = words

    def lines(self, pairings: Iterable[Pairing]) -> Iterator[dict[str, Any]]:
        """One after the other, those that have not begun left out."""
        for pairing in sorted(pairings, key=lambda pairing: pairing.number):
            if pairing.state != PairingState.NEW:
                yield self._line(pairing)

    def _line(self, pairing: Pairing) -> dict[str, Any]:
        ending = pairing.ending if pairing.state in COUNTED else None
        seats = [shown(self._entrants[number].name) for number in pairing.seats]
        moves = self._moves.get(pairing.number, ())
        return {
            "number": pairing.number,
            "round": pairing.round + 1,
            "id": shown(pairing.game or ""),
            "seats": seats,
            "winner": ending.winner if ending else None,
            "culprits": ending.culprits if ending else (),
            "end": self._words(
                f"end.{ENDS[ending.reason]}" if ending else f"state.{pairing.state}"
            ),
            "detail": self._detail(ending) if ending else self._reason(pairing),
            "overloaded": bool(pairing.ending and pairing.overloaded),
            "repeated": pairing.repeated,
            "ended": self._words.date(ending.at) if ending and ending.at else "",
            "played": self._told(pairing, moves) if moves else None,
            "outputs": [*self._outputs(pairing, ending, seats)] if ending else [],
            "wires": [*self._transcripts(pairing, ending, seats)] if ending else [],
        }

    def _told(self, pairing: Pairing, moves: Sequence[str]) -> PlayedMoves:
        contest = self._contest
        return told(contest.game, contest.options, moves, len(pairing.opening), SEATS)

    def _detail(self, ending: Ending) -> str:
        return self._words.said(shown(ending.detail, DETAIL))

    def _reason(self, pairing: Pairing) -> str:
        """Why a game has no result: how the attempt ended, or who was disqualified."""
        ending = pairing.ending
        if ending is None:
            return ", ".join(map(shown, dropped_by(pairing, self._entrants)))
        end = self._words(_end(ending))
        return ": ".join(filter(None, [end, self._detail(ending)]))

    def _outputs(
        self, pairing: Pairing, ending: Ending, seats: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """What the culprits have put out last, and how they ended."""
        if not ending.culprits:
            return
        for report in self._reports.get(pairing.number, ()):
            if report.seat in ending.culprits and (report.output or ending.reason in SILENT):
                status = self._words.said(shown(report.status, DETAIL))
                status = status or self._words("status.unknown")
                title = self._words("output", name=apart(seats[report.seat]), status=status)
                yield title, lines(report.output, self._words)

    def _transcripts(
        self, pairing: Pairing, ending: Ending, seats: Sequence[str]
    ) -> Iterator[tuple[str, str]]:
        """What was said last between the culprits and us."""
        if not ending.culprits:
            return
        for record in self._wires.get(pairing.number, ()):
            if record.seat in ending.culprits and record.traffic:
                title = self._words("wire", name=apart(seats[record.seat]))
                yield title, wire(record.traffic, self._words)


def _end(ending: Ending) -> str:
    return f"end.{ENDS[ending.reason]}"


WIDTH: Final = 240  # of a bar's picture, in its own units
MARGIN: Final = 24  # to both sides, for half a figure, and where an open end points outwards
EDGE: Final = 2.0  # how far an open end stays away from the border
TICKS: Final = 5  # about so many
STEPS: Final = (1, 2, 5)  # and their multiples by ten


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its interval, in units of the picture."""

    at: float
    left: float
    right: float
    open_left: bool
    open_right: bool


class Scale:
    """From Elo to units of the picture, wide enough for all that is shown."""

    def __init__(self, standings: Iterable[Standing]) -> None:
        ends = [
            end
            for line in standings
            for end in (line.rating, line.low, line.high)
            if end is not None
        ]
        self._low, self._high = min([*ends, -1.0]), max([*ends, 1.0])

    def at(self, elo: float) -> float:
        """Where a rating lies."""
        share = (elo - self._low) / (self._high - self._low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 1)

    def ticks(self) -> list[tuple[float, int]]:
        """Where the round figures lie, and which they are."""
        step = _step((self._high - self._low) / TICKS)
        first, last = math.ceil(self._low / step), math.floor(self._high / step)
        return [(self.at(number * step), number * step) for number in range(first, last + 1)]

    def bar(self, standing: Standing) -> Bar | None:
        """The bar of an entrant; None without a rating."""
        if standing.rating is None:
            return None
        at, low, high = self.at(standing.rating), standing.low, standing.high
        if low is None and high is None:  # there is no interval
            return Bar(at, at, at, open_left=False, open_right=False)
        left = EDGE if low is None else self.at(low)
        right = WIDTH - EDGE if high is None else self.at(high)
        return Bar(at, left, right, open_left=low is None, open_right=high is None)


def _step(least: float) -> int:
    """The smallest round figure that is not less."""
    size = 10 ** max(0, math.floor(math.log10(least)))
    return int(next(step * size for step in (*STEPS, 10) if step * size >= least))
