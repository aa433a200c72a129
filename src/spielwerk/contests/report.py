"""A contest as one HTML file that needs nothing else: it can be mailed, kept and printed.

What others have written (names, details, output) is made harmless twice: invisible characters
become numbers, and what remains is escaped for HTML. The file's own policy forbids
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
from spielwerk.contests.agenda import dropped_by, is_lost
from spielwerk.contests.contest import allows_openings, options
from spielwerk.contests.rating import PAIR
from spielwerk.contests.words import Words, apart, lines, shown, title_of, told, wire
from spielwerk.engines.regret import PHASES
from spielwerk.games import find_kit
from spielwerk.store.records import ENDS, FORFEITS, Kind, PairingState, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jinja2 import Template

    from spielwerk.contests.book import Book
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.ranking import Encounter, Ranking, Standing
    from spielwerk.engines.regret import Regret
    from spielwerk.store.records import Ending, EntrantRecord, Pairing

BUFFER: Final = 200  # pieces of the page that make a chunk
DETAIL: Final = 1000  # characters of what is said about the end of a game
DIRECT: Final = 4  # games of a cell that are linked without being unfolded
COUNTED: Final = (
    PairingState.DONE,
    PairingState.FAILED,
)  # in other states an ending is that of an attempt
SEATS: Final = ("0", "1", "2")  # how turns name players, whose names stand beside
COSTS: Final = ("mistakes", "proven", "wins", "draws", "accuracy")  # heads of a table
ESTIMATED: Final = "\N{ALMOST EQUAL TO}"  # before what is not proven
FAULT: Final = "\N{MULTIPLICATION SIGN}"
# where it is told that nothing was put out
SILENT: Final = (Reason.CONNECTION_LOST, Reason.STALLED, Reason.NO_START)


def chunks(book: Book, language: str) -> Iterator[str]:
    """The file piece by piece; what is kept of a game is read when its line is made."""
    words, ranking = Words(language), book.ranking
    scale = Scale(ranking.standings)
    page = _template().stream(
        t=words,
        version=__version__,
        title=shown(book.contest.name),
        order=str(book.contest.order),
        bonus=bool(book.contest.bonus),
        facts=[*_facts(book, words)],
        width=WIDTH,
        scale=scale,
        standings=[_standing(line, book, scale, words) for line in ranking.standings],
        about=_about(book, words),
        notes=[words.note(note, apart) for note in ranking.notes],
        crosstable=_crosstable(ranking, words),
        direct=DIRECT,
        mistakes=mistakes(book, words),
        ends=_ends(ranking),
        games=_games(book, words),
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


def _facts(book: Book, words: Words) -> Iterator[tuple[str, str]]:
    """What the contest is, in pairs of a heading and a text."""
    contest, chosen = book.contest, shown(", ".join(book.contest.options))
    variant = getattr(find_kit(contest.game).part("view"), "variant", None)
    game = title_of(contest.game, variant(_values(contest)) if variant else "", words.language)
    yield words("fact.game"), f"{game} ({chosen})" if chosen else game
    yield words("fact.format"), words(f"format.{contest.format}")
    yield words("fact.phase"), words(f"phase.{contest.phase}")
    yield words("fact.entrants"), str(len(book.entrants))
    if not contest.endless:
        yield words("fact.rounds"), str(contest.rounds)
    yield words("fact.games"), ", ".join(_played(book, words))
    if allows_openings(contest):
        yield words("fact.opening"), words("fact.opening.text", count=contest.opening)
    yield words("fact.time"), words("moveTime", seconds=words.seconds(contest.move_time))
    yield words("fact.seed"), str(contest.seed)
    yield words("fact.date"), words.date(book.record.created)
    if until := max((one.ending.at for one in book.pairings if one.ending), default=0):
        yield words("fact.until"), words.date(until)


def _values(contest: Contest) -> dict[str, str]:
    """The values of all options of the game."""
    return dict(option.split("=", 1) for option in options(contest))


def _played(book: Book, words: Words) -> Iterator[str]:
    """How many games are how far; while more are drawn up the number of all is not known."""
    states = Counter(pairing.state for pairing in book.pairings)
    counts = {"done": states[PairingState.DONE], "total": len(book.pairings)}
    yield words("fact.games.text" if book.coming == 0 else "fact.games.growing", **counts)
    lost = sum(map(is_lost, book.pairings))
    if dropped := states[PairingState.FAILED] - lost:
        yield words("dropped", count=dropped)
    if lost:
        yield words("lost", count=lost)


def _about(book: Book, words: Words) -> list[str]:
    """How the ratings were made, in three sentences, and what they say beside."""
    ranking, of_two = book.ranking, len(find_kit(book.contest.game).game.sides) == PAIR
    model, rounds = ("2", "") if of_two else ("3", _values(book.contest).get("rounds", ""))
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


def _standing(line: Standing, book: Book, scale: Scale, words: Words) -> dict[str, Any]:
    rated = line.rating is not None
    return {
        "rank": line.rank,
        "name": shown(line.name),
        "kind": _kind(book.entrants[line.entrant], words),
        "bar": scale.bar(line),
        "elo": words.signed(line.rating) if line.rating is not None else "",
        "interval": words.interval(line.low, line.high, bounded=line.bounded) if rated else "",
        "better": "" if line.better is None else words.chance(line.better),
        "points": words.points(line.points),
        "bonus": line.bonus or "",
        "games": line.games,
        "record": f"{line.wins} / {line.draws} / {line.losses}",
        "forfeits": sum(line.forfeits.values()),
        "mistakes": _share(book.regrets.total(line.entrant)),
        "disqualified": _cause(line.disqualified, words),
        "disqualified_in": line.disqualified_in,
    }


def _kind(entrant: EntrantRecord, words: Words) -> str:
    """Where an entrant's moves come from; how a program is started is private."""
    text = [shown(entrant.text)] if entrant.kind is Kind.ENGINE else []
    return ", ".join([words(f"kind.{entrant.kind}"), *text])


def _cause(text: str, words: Words) -> str:
    """Why an entrant is out: an end, and what was said of it."""
    end, _, detail = shown(text, DETAIL).partition(": ")
    if end not in ENDS.values():
        return words.said(shown(text, DETAIL))
    return ": ".join([words(f"end.{end}"), *([words.said(detail)] if detail else [])])


def _crosstable(ranking: Ranking, words: Words) -> list[dict[str, Any]]:
    """A row for each entrant, with a cell for each, in the order of the standings."""
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
            (
                game.number,
                FAULT if game.fault else words.points(game.points),
                words(f"end.{ENDS[game.reason]}"),
            )
            for game in games
        ],
    }


def mistakes(book: Book, words: Words) -> dict[str, Any]:
    """What each entrant's moves cost in the games that were reviewed, in all and by phase."""
    regrets, rows = book.regrets, []
    for line in book.ranking.standings:
        total = regrets.total(line.entrant)
        accuracy = "" if total.accuracy is None else words.percent(total.accuracy)
        about = "" if total.exact == total.moves else ESTIMATED
        figures = (_share(total), total.proven, total.wins, total.draws, f"{about}{accuracy}")
        phases = [_share(regrets.phase(line.entrant, phase)) for phase in PHASES]
        if total.moves:
            rows.append((shown(line.name), [*figures, *phases]))
    return {"games": regrets.games, "heads": [*COSTS, *PHASES], "rows": rows}


def _share(cost: Regret) -> str:
    """How many moves were mistakes, and of how many."""
    return f"{cost.mistakes} / {cost.moves}" if cost.moves else ""


def _ends(ranking: Ranking) -> dict[str, Any]:
    """How often each entrant failed in which way; the ways that none took are left out."""
    kinds = [end for end in FORFEITS if any(line.forfeits.get(end) for line in ranking.standings)]
    return {
        "kinds": kinds,
        "rows": [
            (shown(line.name), [line.forfeits.get(end, 0) for end in kinds])
            for line in ranking.standings
            if any(line.forfeits.values())
        ],
    }


# games


def _games(book: Book, words: Words) -> Iterator[dict[str, Any]]:
    """The lines of the appendix, games that have not begun left out."""
    for pairing in sorted(book.pairings, key=lambda pairing: pairing.number):
        if pairing.state != PairingState.NEW:
            yield _game(book, pairing, words)


def _game(book: Book, pairing: Pairing, words: Words) -> dict[str, Any]:
    ending = pairing.ending if pairing.state in COUNTED else None
    seats = [shown(book.entrants[number].name) for number in pairing.seats]
    moves, contest = book.moves(pairing.number), book.contest
    opening = len(pairing.opening)
    return {
        "number": pairing.number,
        "round": pairing.round + 1,
        "id": shown(pairing.game or ""),
        "seats": seats,
        "winner": ending.winner if ending else None,
        "culprits": ending.culprits if ending else (),
        "end": words(f"end.{ENDS[ending.reason]}" if ending else f"state.{pairing.state}"),
        "detail": _detail(ending, words) if ending else _reason(book, pairing, words),
        "overloaded": bool(pairing.ending and pairing.overloaded),
        "repeated": pairing.repeated,
        "ended": words.date(ending.at) if ending and ending.at else "",
        "played": told(contest.game, contest.options, moves, opening, SEATS) if moves else None,
        "outputs": [*_outputs(book, pairing, ending, seats, words)] if ending else [],
        "wires": [*_wires(book, pairing, ending, seats, words)] if ending else [],
    }


def _detail(ending: Ending, words: Words) -> str:
    return words.said(shown(ending.detail, DETAIL))


def _reason(book: Book, pairing: Pairing, words: Words) -> str:
    """Why a game has no result: how the attempt ended, or who was disqualified."""
    ending = pairing.ending
    if ending is None:
        return ", ".join(map(shown, dropped_by(pairing, book.entrants)))
    return ": ".join(filter(None, [words(f"end.{ENDS[ending.reason]}"), _detail(ending, words)]))


def _outputs(
    book: Book, pairing: Pairing, ending: Ending, seats: Sequence[str], words: Words
) -> Iterator[tuple[str, str]]:
    """What the culprits have put out last, and how they ended."""
    for report in book.reports(pairing.number) if ending.culprits else ():
        if report.seat in ending.culprits and (report.output or ending.reason in SILENT):
            status = words.said(shown(report.status, DETAIL)) or words("status.unknown")
            title = words("output", name=apart(seats[report.seat]), status=status)
            yield title, lines(report.output, words)


def _wires(
    book: Book, pairing: Pairing, ending: Ending, seats: Sequence[str], words: Words
) -> Iterator[tuple[str, str]]:
    """What was said last between the culprits and us."""
    for record in book.wires(pairing.number) if ending.culprits else ():
        if record.seat in ending.culprits and record.traffic:
            yield words("wire", name=apart(seats[record.seat])), wire(record.traffic, words)


# the bars


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
