"""Descriptions to begin with, one for every game: what `spielwerk contest new --example` prints.

They run as they are, with engines alone; what stands behind a # shows the other keys.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games import find_game

if TYPE_CHECKING:
    from spielwerk.games import Game

_FRAME: Final = Template("""\
# A contest of $title. Start it with `spielwerk contest run FILE`.

name = "$name"
game = "$game"
$options
# round-robin: everybody against everybody. gauntlet: everybody against those with reference = true.
# ladder: without end, against neighbours in the ranking; that is for training.
format = "round-robin"

# training: a mistake costs the game. competition: some mistakes cost the contest.
phase = "training"
# disqualify = [$faults]  # for what, in a competition
# bonus = [$bonus]  # points of the course for the first places

rounds = $rounds  # $meaning
seed = 42  # fixes the schedule, the openings, who begins and all dice
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
# files = "100 MB"  # that it writes
$engines
# A program. {host} {port} {game} {player} {seat} {name} {folder}$places are filled in.
# With a folder it runs in a copy of that folder; else paths begin where this file is.

# [[entrant]]
# name = "anna"
# command = "$command"
# folder = "anna"
# reference = false  # true in a gauntlet: the others play against this one
$others""")

_OPENING: Final = """\
opening = 4  # random turns before the first question; the same for both sides
"""

_NO_OPENING: Final = """\
# opening = 0  # random turns before the first question; not given: 4 if all are engines, else 0
"""

_NEWCOMERS: Final = """\
# newcomers = false  # true in a ladder: whoever connects takes part
"""

_MNM: Final = """\

# [mnm]  # how the game server speaks
# dialect = 1
# pace = "first-then-rest"
"""

_CONNECT_FOUR: Final = """\

# [connect4]  # how we speak to programs; an entrant may have the same keys for itself
# spelling = "document"  # or "variant": update_game_board, move_failed, register_game_success
# version = "V2"  # or "V1": the whole board after every move
"""

_OPEN: Final = """
# Somebody who connects by himself.

# [[entrant]]
# name = "tom"
# open = true
"""

_SERVER: Final = """\
# strategy = 0
# depth = 5

# An Oware server somewhere else.

# [[entrant]]
# name = "hagen"
# remote = "oware.example.org:7889"
# strategy = 0
# depth = 5
"""

_HOST: Final = """
# A program may also offer a game at the index server, where we join; but not against open seats.

# [[entrant]]
# name = "bert"
# command = "./connectfour {index_host} {index_port}"
# folder = "bert"
# role = "join"  # or "host"
# spelling = "variant"  # for a program that knows only those words
# version = "V1"
"""

_PAIRS: Final = "openings for every pair, each played from both sides"

_GAMES: Final[dict[str, dict[str, str]]] = {
    "quarto": {
        "name": "Quarto Cup",
        "engines": "level=3 level=6 random",
        "command": "./client -g {game} -p {player} -s {host}:{port}",
        "more": _OPENING + _MNM,
        "others": _OPEN,
    },
    "morris": {
        "name": "Morris Cup",
        "engines": "level=3 level=6 random",
        "command": "./client -g {game} -p {player} -s {host}:{port}",
        "more": _OPENING + _MNM,
        "others": _OPEN,
    },
    "dice": {
        "name": "Würfel-Wettbewerb",
        "engines": "level=10 hold=20 random",
        "command": "./dicebot -n {name} -p {port} {host}",
        "move": "2.0",
        "order": "points",
        "faults": '"protocol error", "time-out", "crash", "stall"',
        "bonus": "20, 15, 10, 5",
        "more": _NEWCOMERS,
        "meaning": "dice streams for every three, each played in all six orders of seats",
        "others": _OPEN,
    },
    "oware": {
        "name": "Oware-Treffen",
        "engines": "level=3 level=6 strategy=1,depth=3",
        "command": "./oware-server --bind {host} --port {port}",
        "more": _OPENING,
        "others": _SERVER,
    },
    "connect4": {
        "name": "Connect Four Cup",
        "engines": "level=3 level=6 random",
        "command": "./connectfour {index_host} {index_port}",
        "places": " {index_host} {index_port}",
        "move": "10.0",
        "more": _NO_OPENING + _CONNECT_FOUR,
        "others": _OPEN + _HOST,
    },
}

_USUAL: Final = {
    "rounds": "2",
    "move": "3.0",
    "order": "rating",
    "faults": '"protocol error"',
    "bonus": "3, 2, 1",
    "meaning": _PAIRS,
    "more": "",
    "places": "",
}


def example(game: str) -> str:
    """A commented description of a contest in this game, or UnknownGame."""
    kind = find_game(game)
    parts = {**_USUAL, **_GAMES[game]}
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
