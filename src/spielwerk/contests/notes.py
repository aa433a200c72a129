"""What must be said about a ranking, so that nobody takes it for more than it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from spielwerk.contests.rating.bootstrap import FEW
from spielwerk.contests.rating.evidence import known, settled
from spielwerk.contests.results import Note
from spielwerk.contests.scheduling.openings import allows_openings
from spielwerk.games import find_game
from spielwerk.store.contest_records import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.ranking import Verdict
    from spielwerk.contests.rating.connections import Connections, Members
    from spielwerk.store.contest_records import EntrantRecord, Pairing

MOST: Final = 2 / 3
"""Who begins so large a part of its games has an advantage by that."""


def notes(
    entrants: Sequence[EntrantRecord],
    pairings: Sequence[Pairing],
    verdict: Verdict | None,
) -> Iterator[Note]:
    """All notes, those on the ratings first; there is no verdict without rated games."""
    names = {entrant.number: entrant.name for entrant in entrants}
    if verdict:
        yield from _on_links(verdict.links, names)
        yield from _on_ratings(verdict, names)
    yield from _on_games(entrants, pairings)


def _on_ratings(verdict: Verdict, names: Mapping[int, str]) -> Iterator[Note]:
    if verdict.loose:
        yield Note("loose")
    bundles = sorted(verdict.fit.evidence.bundles_of.items())
    few = [names[entrant] for entrant, count in bundles if count < FEW]
    if few:
        yield Note("few", tuple(few), FEW)


def _on_links(links: Connections, names: Mapping[int, str]) -> Iterator[Note]:
    if len(links.pools) > 1:
        yield Note("pools", _lines(links.pools, names))
    loose = links.open(upwards=True) | links.open(upwards=False)
    unexplained = loose.difference(links.winners, links.losers)
    for pool in links.pools:
        if unexplained.intersection(pool):
            groups = [group for group in links.groups if group[0] in pool]
            yield Note("groups", _lines(groups, names))
    if links.winners:
        yield Note("all-won", tuple(names[entrant] for entrant in links.winners))
    if links.losers:
        yield Note("all-lost", tuple(names[entrant] for entrant in links.losers))


def _lines(classes: Sequence[Members], names: Mapping[int, str]) -> tuple[str, ...]:
    return tuple(", ".join(names[entrant] for entrant in members) for members in classes)


def _on_games(entrants: Sequence[EntrantRecord], pairings: Sequence[Pairing]) -> Iterator[Note]:
    out = {entrant.number: entrant.name for entrant in entrants if entrant.disqualified}
    over = [pairing for pairing in pairings if pairing.state in (State.DONE, State.FAILED)]
    struck = sum(pairing.state is State.DONE for pairing in over if out.keys() & pairing.seats)
    unrated = sum(known(pairing) is None for pairing in over if not out.keys() & pairing.seats)
    spoilt = sum(_is_spoilt(pairing) for pairing in over if not out.keys() & pairing.seats)
    if unrated:
        yield Note("unrated", count=unrated)
    if spoilt:
        yield Note("spoilt", count=spoilt)
    if struck:
        yield Note("struck", tuple(out.values()), struck)
    if hosts := [*_began_most(entrants, over)]:
        yield Note("began", tuple(hosts))
    overloaded = sum(pairing.outcome is not None and pairing.outcome.overloaded for pairing in over)
    if overloaded:
        yield Note("overloaded", count=overloaded)


def _began_most(entrants: Sequence[EntrantRecord], over: Sequence[Pairing]) -> Iterator[str]:
    """Who began far more than half of its games, because it decided that itself."""
    played = [pairing for pairing in over if settled(pairing)]
    games = Counter(entrant for pairing in played for entrant in pairing.seats)
    began = Counter(pairing.seats[pairing.begins] for pairing in played)
    deciding = {pairing.seats[pairing.begins] for pairing in played if pairing.begins}
    for entrant in entrants:
        if entrant.number in deciding and began[entrant.number] >= MOST * games[entrant.number]:
            yield entrant.name


def _is_spoilt(pairing: Pairing) -> bool:
    """Whether somebody failed so that the others neither won nor lost, as in a dice race."""
    outcome = settled(pairing)
    if outcome is None or outcome.winner is not None:
        return False
    return 0 < len(outcome.culprits) < len(pairing.seats)


def may_repeat(contest: Contest) -> bool:
    """Whether nothing random is in its games, so that the same players may play the same again."""
    opened = contest.opening > 0 and allows_openings(contest)
    return not opened and not find_game(contest.game).throws_dice


def on_repeats(pairings: Sequence[Pairing], traces: Mapping[int, int]) -> Iterator[Note]:
    """How many games tell nothing new; the trace of a game is another if its moves are others."""
    played = [
        (pairing.seats, traces[pairing.number])
        for pairing in pairings
        if pairing.number in traces and settled(pairing)
    ]
    repeats = len(played) - len({*played})
    if repeats:
        yield Note("repeats", count=repeats)
