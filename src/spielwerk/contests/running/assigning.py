"""From a game of the schedule to the assignment that a worker gets."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

from spielwerk.contests.assignment import Assignment, Player, Terms
from spielwerk.contests.schedule import options

if TYPE_CHECKING:
    from spielwerk.contests.contest import Contest, Entrant
    from spielwerk.store.contest_records import Pairing

LONGEST: Final = 60  # characters of a contest's name in the name of a table


def assign(contest: Contest, pairing: Pairing, *, sandbox: bool = False) -> Assignment:
    """The game with everything that is needed to play it anywhere."""
    return Assignment(
        contest=pairing.contest,
        number=pairing.number,
        attempt=pairing.attempt,
        name=f"{contest.name[:LONGEST]} {pairing.number}",
        game=contest.game,
        options=options(contest),
        opening=pairing.opening,
        seed=pairing.seed,
        seats=tuple(_player(contest, contest.entrants[number]) for number in pairing.seats),
        terms=terms(contest, sandbox=sandbox),
    )


def terms(contest: Contest, *, sandbox: bool = False) -> Terms:
    """How all games of a contest are played."""
    said = {field.name for field in fields(Terms)} - {"sandbox"}
    return Terms(**{name: getattr(contest, name) for name in said}, sandbox=sandbox)


def _player(contest: Contest, entrant: Entrant) -> Player:
    base = str(contest.base) if contest.base else ""
    return Player(entrant.name, entrant.kind, entrant.text, base, entrant.folder, entrant.options)
