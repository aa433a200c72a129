"""What does not fit together in a contest's description, and what fits but may not be meant."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.commands import missing_port, plain_words
from spielwerk.contests.contest import Format, Phase, usual_disqualify
from spielwerk.contests.describing.keys import SECTIONS
from spielwerk.contests.describing.problems import DescriptionError
from spielwerk.contests.schedule import allows_openings, count
from spielwerk.errors import quote
from spielwerk.games import find_game
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from spielwerk.contests.contest import Contest, Entrant

MOST_GAMES: Final = 1_000_000


def check(where: str, contest: Contest, content: dict[str, Any]) -> None:
    """Raise DescriptionError for the first thing that contradicts another."""
    wrong = (*_misplaced(contest, content), *_wrong_entrants(contest), *_strangers(contest))
    for parts in wrong:
        raise DescriptionError(where, *parts)
    games = count(contest)
    if games > MOST_GAMES:
        raise DescriptionError(where, *_too_many(contest, games))


def _too_many(contest: Contest, games: int) -> tuple[str, str]:
    """What is too much: the rounds, or the entrants of a single one."""
    in_a_round, most = games // contest.rounds, f"more than {MOST_GAMES}; take fewer"
    if in_a_round <= MOST_GAMES:
        return f"rounds = {contest.rounds}", f"that would be {games} games, {most} rounds"
    others = "" if contest.format is Format.GAUNTLET else ", or format = 'gauntlet' or 'ladder'"
    problem = f"that would be {in_a_round} games in a round, {most} entrants{others}"
    return f"{len(contest.entrants)} entrants", problem


def _misplaced(contest: Contest, content: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Keys that have no meaning in such a contest."""
    ladder = contest.format is Format.LADDER
    for section, games in SECTIONS.items():
        if section in content and contest.game not in games:
            yield f"[{section}]", f"it is for {' and '.join(games)}; take it out"
    if contest.opening and not allows_openings(contest):
        yield f"opening = {contest.opening}", f"{_no_opening(contest)}; take it out"
    if not contest.rounds and not ladder:
        yield "rounds = 0", "only a ladder goes on without end; take 1 or more"
    if ladder and contest.phase is Phase.COMPETITION:
        yield 'format = "ladder"', "a ladder is for training; a competition is a round-robin"
    if contest.newcomers and not (ladder and contest.game == "dice"):
        yield "newcomers = true", "newcomers can only join a ladder of dice; take it out"
    for entrant in contest.entrants:
        if entrant.reference and contest.format is not Format.GAUNTLET:
            named = f"entrant {quote(entrant.name)}"
            yield named, "reference = true", 'it belongs to format = "gauntlet"'


def _no_opening(contest: Contest) -> str:
    if contest.game == "dice":
        return "the dice race begins with nothing"
    return "programs of Connect Four cannot be told a board, only engines can"


def _wrong_entrants(contest: Contest) -> Iterator[tuple[str, ...]]:
    """Entrants of one name, and too few of them."""
    for one, other in _namesakes(contest.entrants):
        both = f"two entrants have the name {quote(one)}"
        if one != other:
            both = f"the names {quote(one)} and {quote(other)} differ only in case"
            both += ", which does not count"
        yield (f"{both}; give one another name",)
    players = find_game(contest.game)().players
    if contest.format is Format.GAUNTLET:
        references = sum(entrant.reference for entrant in contest.entrants)
        if references < players - 1:
            need = "a reference" if players == 2 else f"{players - 1} references"
            yield (f"a gauntlet needs {need}; write reference = true for an entrant",)
        if references == len(contest.entrants):
            yield ("a gauntlet needs an entrant that is no reference",)
    elif len(contest.entrants) < players and not contest.newcomers:
        given = len(contest.entrants) or "none"
        yield (f"{contest.game} needs at least {players} entrants, and there are {given}",)


def _strangers(contest: Contest) -> Iterator[tuple[str, str, str]]:
    """Programs of Connect Four that host, and open seats: those are led to a table of ours."""
    hosts = [entrant for entrant in contest.entrants if "role=host" in entrant.options]
    guests = [entrant for entrant in contest.entrants if entrant.kind is Kind.OPEN]
    for host, guest in product(hosts, guests):
        if contest.format is not Format.GAUNTLET or host.reference != guest.reference:
            seat = f"a program that hosts cannot meet the open seat {quote(guest.name)}"
            problem = f"{seat}; let it join, or take one of them out"
            yield f"entrant {quote(host.name)}", 'role = "host"', problem


def _namesakes(entrants: Iterable[Entrant]) -> Iterator[tuple[str, str]]:
    """Names that are one as far as the ranking and the servers know, as they are written."""
    known: dict[str, str] = {}
    for entrant in entrants:
        key = entrant.name.casefold()
        if key in known:
            yield known[key], entrant.name
        known[key] = entrant.name


# what fits, but may not be meant


def remarks(contest: Contest) -> Iterator[str]:
    """What is without effect, or may be another thing than it looks like; a sentence each."""
    unusual = contest.disqualify != usual_disqualify(contest.game)
    if contest.phase is Phase.TRAINING and unusual:
        yield "disqualify has no effect in training"
    for entrant in contest.entrants:
        if entrant.kind is Kind.COMMAND:
            yield from (
                f"entrant {quote(entrant.name)}: {what}" for what in _doubts(contest, entrant)
            )


def _doubts(contest: Contest, entrant: Entrant) -> Iterator[str]:
    """What may not be meant in the command of a program."""
    hosts = "role=host" in entrant.options
    if missing := missing_port(entrant.text, contest.game, hosts=hosts):
        yield f"ports are new for every game, and without {missing} it is not told its own"
    if contest.base and not entrant.folder:
        for word in plain_words(entrant.text, contest.base):
            meant = f"if it is meant write ./{word}"
            yield f"{quote(word)} is not taken for the file here; {meant}"
