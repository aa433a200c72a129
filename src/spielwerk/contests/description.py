"""A contest's description: a TOML file, read and checked before anything starts.

Every mistake is one line that says where it is, what stands there, and what should. What is typed
on the command line is checked in the same way.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.commands import missing_port, plain_words
from spielwerk.contests.contest import (
    Contest,
    Format,
    Order,
    Phase,
    Resources,
    allows_openings,
    usual_bonus,
    usual_disqualify,
)
from spielwerk.contests.entrants import HOSTS, Setting, entrant_from_table, entrant_from_text
from spielwerk.contests.keys import (
    ENTRANT,
    LIMITS,
    SECTIONS,
    DescriptionError,
    contest_values,
)
from spielwerk.contests.schedule import count
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import contest_facts, find_game, games_with, kits
from spielwerk.store.records import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from spielwerk.contests.contest import Entrant
    from spielwerk.games import Game

MOST_ENTRANTS: Final = 1000
BEGINS: Final = "begins"  # the option that the schedule sets
MOST_GAMES: Final = 1_000_000


def read(path: Path) -> Contest:
    """The contest that the file describes, or DescriptionError."""
    where = str(path)
    content = _content(where, path)
    tables = content.pop(ENTRANT, [])
    if not isinstance(tables, list):
        raise DescriptionError(where, ENTRANT, "write [[entrant]] above every one of them")
    if len(tables) > MOST_ENTRANTS:
        raise DescriptionError(where, f"{len(tables)} entrants, {MOST_ENTRANTS} is the most")
    described = [(f"{where}: entrant {number}", table) for number, table in enumerate(tables, 1)]

    def entrants(setting: Setting) -> tuple[Entrant, ...]:
        return tuple(entrant_from_table(*one, setting) for one in described)

    return _put_together(where, content, entrants, path.parent.resolve())


def name_in(path: Path) -> str:
    """The name of the contest in the file: all that is needed to find one that was drawn up.

    Nothing else is looked at: its programs may be gone when their results are read.
    """
    content = _content(str(path), path)
    _check_keys(str(path), content, "name")
    name: str = contest_values(str(path), {"name": content["name"]})["name"]
    return name


def new(content: dict[str, Any], texts: Iterable[str], base: Path) -> Contest:
    """The contest with these keys, as TOML would give them, and entrants as they were typed."""

    def entrants(setting: Setting) -> tuple[Entrant, ...]:
        return tuple(entrant_from_text(text, setting) for text in texts)

    return _put_together("contest", content, entrants, base.resolve())


def _put_together(
    where: str,
    content: dict[str, Any],
    entrants: Callable[[Setting], tuple[Entrant, ...]],
    base: Path,
) -> Contest:
    values = contest_values(where, content)
    frozen = values.get("phase") is Phase.COMPETITION
    setting = Setting(_game(where, values), base, frozen)
    contest = _contest(values, entrants(setting), base)
    _check(where, contest, content)
    return contest


def _content(where: str, path: Path) -> dict[str, Any]:
    """What TOML makes of the file."""
    try:
        if path.exists() and not path.is_file():
            raise DescriptionError(where, "it is not a regular file")
        # Some editors of Windows mark their files. Line ends stay as they are: TOML has rules.
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        problem = "there is no such file; `spielwerk contest new` writes one"
        raise DescriptionError(where, problem) from None
    except OSError as error:
        raise DescriptionError(where, f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DescriptionError(where, "it is not UTF-8 text") from None
    try:
        content = tomllib.loads(text)
        str(content)  # no mistake can be told of what Python cannot write
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(where, f"it is not TOML: {' '.join(str(error).split())}") from None
    except (ValueError, RecursionError):
        raise DescriptionError(where, "a number or a table in it is far too large") from None
    return content


def _game(where: str, values: dict[str, Any]) -> Game[Any]:
    """The game with its options, or DescriptionError."""
    _check_keys(where, values, "name", "game")
    options = values.get("options", ())
    for option in options:
        if option.startswith(f"{BEGINS}="):
            problem = "all begin equally often; leave it out"
            raise DescriptionError(where, f"options = {quote(option)}", problem)
    try:
        return find_game(values["game"]).from_text(options)
    except SpielwerkError as error:
        raise DescriptionError(where, "options", str(error)) from None


def _check_keys(where: str, values: dict[str, Any], *keys: str) -> None:
    for key in keys:
        if key not in values:
            raise DescriptionError(where, f"the key {key} is missing")


def _contest(values: dict[str, Any], entrants: tuple[Entrant, ...], base: Path) -> Contest:
    """The contest; what the file leaves out is as usual in this game."""
    game, facts = values["game"], contest_facts(values["game"])
    usual = {
        "order": Order.POINTS if facts.by_points else Order.RATING,
        "disqualify": usual_disqualify(game),
        "bonus": usual_bonus(game, values.get("phase", Phase.TRAINING)),
        "move_time": facts.move_time,
        "rounds": 0 if values.get("format") is Format.LADDER else 1,
    }
    limits = {key: value for key, value in values.items() if key in SECTIONS[LIMITS]}
    fields = {key: value for key, value in values.items() if key not in limits}
    contest = Contest(
        **{**usual, **fields}, entrants=entrants, resources=Resources(**limits), base=base
    )
    keep = "opening" in values or allows_openings(contest)
    return contest if keep else replace(contest, opening=0)


# what does not fit together


def _check(where: str, contest: Contest, content: dict[str, Any]) -> None:
    """Raise DescriptionError for the first thing that contradicts another."""
    wrong = (*_misplaced(contest, content), *_wrong_entrants(contest), *_strangers(contest))
    for parts in wrong:
        raise DescriptionError(where, *parts)
    if (games := count(contest)) > MOST_GAMES:
        sums = f"{len(contest.entrants)} entrants, rounds = {contest.rounds}"
        problem = f"that would be {games} games, more than {MOST_GAMES}; take fewer of either"
        raise DescriptionError(where, sums, problem)


def _misplaced(contest: Contest, content: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Keys that have no meaning in such a contest."""
    ladder = contest.format is Format.LADDER
    for section in content.keys() & SECTIONS.keys():
        games = [game for game in kits() if contest_facts(game).section == section]
        if games and contest.game not in games:
            yield f"[{section}]", f"it is for {' and '.join(games)}; take it out"
    if contest.opening and not allows_openings(contest):
        yield (
            f"opening = {contest.opening}",
            f"{contest_facts(contest.game).why_no_opening}; take it out",
        )
    if not contest.rounds and not ladder:
        yield "rounds = 0", "only a ladder has no end; choose 1 or more"
    if ladder and contest.phase is Phase.COMPETITION:
        yield 'format = "ladder"', "a ladder is for training; a competition is a round-robin"
    if contest.newcomers and not (ladder and contest_facts(contest.game).newcomers):
        takers = " or ".join(games_with("newcomers"))
        yield "newcomers = true", f"newcomers can only join a ladder of {takers}; take it out"
    for entrant in contest.entrants:
        if entrant.reference and contest.format is not Format.GAUNTLET:
            named = f"entrant {quote(entrant.name)}"
            yield named, "reference = true", 'it belongs to format = "gauntlet"'


def _wrong_entrants(contest: Contest) -> Iterator[tuple[str, ...]]:
    """Entrants of one name, and too few of them."""
    known: dict[str, str] = {}
    for name in (entrant.name for entrant in contest.entrants):
        if other := known.get(name.casefold()):  # as the ranking and the servers compare them
            both = f"two entrants have the name {quote(name)}"
            if other != name:
                both = f"the names {quote(other)} and {quote(name)} differ only in case"
            yield (f"{both}; give one another name",)
        known[name.casefold()] = name
    players = find_game(contest.game)().players
    if contest.format is Format.GAUNTLET:
        references = sum(entrant.reference for entrant in contest.entrants)
        if references < players - 1 or references == len(contest.entrants):
            need = f"a gauntlet needs {players - 1} with reference = true, and one without"
            yield (f"{need}; {references} of {len(contest.entrants)} have it",)
    elif len(contest.entrants) < players and not contest.newcomers:
        given = len(contest.entrants) or "none"
        yield (f"{contest.game} needs at least {players} entrants, and there are {given}",)


def _strangers(contest: Contest) -> Iterator[tuple[str, str, str]]:
    """Programs that host, and open seats: those are led to a table of ours."""
    hosts = [entrant for entrant in contest.entrants if HOSTS in entrant.options]
    guests = [entrant for entrant in contest.entrants if entrant.kind is Kind.OPEN]
    for host, guest in product(hosts, guests):
        if contest.format is not Format.GAUNTLET or host.reference != guest.reference:
            seat = f"a program that hosts cannot meet the open seat {quote(guest.name)}"
            problem = f"{seat}; let it join, or take one of them out"
            yield f"entrant {quote(host.name)}", 'role = "host"', problem


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
    hosts = HOSTS in entrant.options
    if missing := missing_port(entrant.text, contest.game, hosts=hosts):
        yield f"ports are new for every game, and without {missing} it is not told its own"
    if contest.base and not entrant.folder:
        for word in plain_words(entrant.text, contest.base):
            meant = f"if it is meant write ./{word}"
            yield f"{quote(word)} is not taken for the file here; {meant}"
