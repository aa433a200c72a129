"""Descriptions that we write: examples, a contest as TOML, and what has changed in one.

The examples run as they are, with engines alone; what stands behind a # shows the other keys.
"""

from __future__ import annotations

import os
from dataclasses import replace
from string import Template
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import allows_openings
from spielwerk.contests.keys import LIMITS, SECTIONS, paths, sized, toml
from spielwerk.games import contest_facts, find_game, kits
from spielwerk.games.interface import MNM
from spielwerk.store.records import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spielwerk.contests.contest import Contest, Entrant
    from spielwerk.games import Game

_SIZES: Final = ("memory", "output", "files", "disk")  # written with their units

_FRAME: Final = Template("""\
# A contest of $title. Start it with `spielwerk contest run FILE`.

name = "$name"
game = "$game"
$options
# round-robin: all against all. gauntlet: all against those with reference = true.
# ladder: without end, against neighbours in the ranking; that is for training.
format = "round-robin"

# training: a mistake costs the game. competition: some mistakes cost the contest.
phase = "training"
# disqualify = [$faults]  # for what, in a competition
# bonus = [$bonus]  # points of the course for the first places

rounds = $rounds  # $meaning
seed = 42  # fixes the schedule, the openings, who begins and all throws
# order = "$order"  # what the ranking goes by: rating or points
$more
[time]  # in seconds
move = $move
# start = 10.0  # for a program to come to its seat
# game = 3600.0  # for a whole game

# [limits]  # what a program may use in one game
# memory = "2 GiB"
# processes = 64
# cpu = 600.0  # seconds
# output = "1 MB"
# files = "100 MB"  # each that it writes
# disk = "500 MB"  # all its files together, in the sandbox
$engines
# A program. {host} {port} {game} {player} {seat} {name} {folder}$places are filled in.
# With a folder it runs in a copy of that folder; else paths begin where this file is.

# [[entrant]]
# name = "anna"
# command = "$command"
# folder = "anna"
# reference = false  # true in a gauntlet: the others play against this one

# A program without a protocol: it reads a line of JSON and writes its move.

# [[entrant]]
# name = "ada"
# bot = "$bot"
$others$hosts""")

_OPENING: Final = """\
opening = 4  # random turns before the first question; the same for both sides
"""

_MNM: Final = """\

# [mnm]  # how the game server speaks
# dialect = 1
# pace = "first-then-rest"
"""

_OPEN: Final = """
# A program that its author starts elsewhere, and that connects to us.

# [[entrant]]
# name = "tom"
# open = true
"""

_USUAL: Final = {
    "engines": "level=3 level=6 random",
    "command": "./client -g {game} -p {player} -s {host}:{port}",
    "bot": "./mybot",
    "rounds": "2",
    "move": "3.0",
    "order": "rating",
    "faults": '"protocol error"',
    "bonus": "3, 2, 1",
    "meaning": "openings for every pair, each played from both sides",
    "others": _OPEN,
    "hosts": "",
    "places": "",
}


def example(game: str) -> str:
    """A commented description of a contest in this game, or UnknownGame."""
    kind = find_game(game)
    facts = contest_facts(game)
    more = _OPENING + (_MNM if facts.section == MNM else "")
    parts = {**_USUAL, "name": f"{kind.title} Cup", "more": more, **facts.example}
    parts["engines"] = "".join(map(_engine, parts["engines"].split()))
    return _FRAME.substitute(parts, game=game, title=kind.title, options=_options(kind))


def _options(kind: type[Game[Any]]) -> str:
    """The options as they usually are, and what they may be, but for those that are drawn."""
    drawn = ("begins", "first")
    options = [option for option in kind.options() if option.name not in drawn]
    usual = ", ".join(f'"{option.name}={option.default}"' for option in options)
    ranges = (
        f"#   {option.name}: {option.meaning}, {option.low} to {option.high}\n"
        for option in options
    )
    return f"# options = [{usual}]\n{''.join(ranges)}" if options else ""


def _engine(text: str) -> str:
    """An entrant, named after what it is."""
    name = "".join(letter for letter in text if letter.isalnum())
    return f'\n[[entrant]]\nname = "{name}"\nengine = "{text}"\n'


# as TOML


def as_toml(contest: Contest) -> str:
    """The contest as a description, every key that has a meaning there with its value."""
    lines: list[str] = []
    section = ""
    if not allows_openings(contest):
        contest = replace(contest, opening=0)
    others = {contest_facts(game).section for game in kits()}
    others.discard(contest_facts(contest.game).section)
    for within, name, field in paths():
        if within and within in others:
            continue
        if within != section:
            section = within
            lines += ["", f"[{section}]"]
        lines.append(f"{name} = {_written(contest, field)}")
    for entrant in contest.entrants:
        lines += ["", "[[entrant]]"]
        lines += [f"{key} = {value}" for key, value in _table(entrant, contest.base).items()]
    return "\n".join(lines) + "\n"


def _written(contest: Contest, field: str) -> str:
    """The value of a field as the description has it."""
    value: Any = getattr(contest.resources if field in SECTIONS[LIMITS] else contest, field)
    if field == "move_time":
        value /= 1000
    return toml(sized(value) if field in _SIZES else value)


def _table(entrant: Entrant, base: Path | None) -> dict[str, str]:
    """The keys of an entrant, with their values as the description has them."""
    given = "true" if entrant.kind is Kind.OPEN else toml(entrant.text)
    table = {"name": toml(entrant.name), str(entrant.kind): given}
    if entrant.folder:  # as seen from the description; both may have moved together
        table["folder"] = toml(os.path.relpath(entrant.folder, base) if base else entrant.folder)
    for option in entrant.options:
        key, _, value = option.partition("=")
        table[key] = value if value.isdecimal() else toml(value)
    return table | ({"reference": "true"} if entrant.reference else {})


# what has changed


def differences(old: Contest, new: Contest) -> list[str]:
    """What the new description says otherwise than the old one, a sentence each."""
    changed = [
        f"{f'{section}.' if section else ''}{name} was {was}, is {now}"
        for section, name, field in paths()
        if (was := _written(old, field)) != (now := _written(new, field))
    ]
    return [*changed, *_changed_entrants(old, new)]


def _changed_entrants(old: Contest, new: Contest) -> Iterator[str]:
    before = {entrant.name: entrant for entrant in old.entrants}
    after = {entrant.name: entrant for entrant in new.entrants}
    yield from (f"entrant {name} was removed" for name in before if name not in after)
    yield from (f"entrant {name} is new" for name in after if name not in before)
    common = [name for name in after if name in before]
    if common != [name for name in before if name in after]:
        yield "the entrants are in another order"
    for name in common:
        was, now = _table(before[name], old.base), _table(after[name], new.base)
        for key in {**was, **now}:
            if was.get(key) != now.get(key):
                values = f"was {was.get(key, 'not given')}, is {now.get(key, 'not given')}"
                yield f"entrant {name}: {key} {values}"
        digests = {before[name].digest, after[name].digest} - {""}
        if len(digests) == 2 and before[name].text == after[name].text:
            yield f"entrant {name} has another program: its files are not the same"
