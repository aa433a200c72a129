"""Connect Four, flat and solid: all that only this game knows."""

from __future__ import annotations

from typing import Final

from spielwerk.games import ContestFacts, Kit

_OPENING: Final = """\
# opening = 0  # random turns before the first question; not given: 4 if all are engines, else 0
"""

_SECTION: Final = """\

# [connect4]  # how we speak to programs; an entrant may have the same keys for itself
# spelling = "document"  # or "variant": update_game_board, move_failed, register_game_success
# version = "V2"  # or "V1": the whole board after every move
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

KIT = Kit(
    __name__,
    rules="ConnectFour",
    service="connect4",
    bot="spielwerk.clients.connect4.bot:play_bot",
    servers=("index", "host"),
    commands=(
        "=spielwerk.clients.connect4.command:app",
        "solve=spielwerk.games.connect4.command:solve",
        "check connect4-index=spielwerk.check.connect4_index:check",
        "check connect4-join=spielwerk.check.connect4:check_join",
        "check connect4-host=spielwerk.check.connect4:check_host",
    ),
    checks=("spielwerk.check.connect4:JOIN", "spielwerk.check.connect4:HOST"),
    why_no_start="programs of Connect Four cannot be told a board",
    contest=ContestFacts(
        move_time=10_000,
        section="connect4",
        wire=("spelling", "version"),
        has_index=True,
        why_no_opening="programs of Connect Four cannot be told a board, only engines can",
        name_rule="a name must not contain ;, which parts the words of Connect Four",
        example={
            "name": "Connect Four Cup",
            "command": "./connectfour {index_host} {index_port}",
            "places": " {index_host} {index_port}",
            "move": "10.0",
            "more": _OPENING + _SECTION,
            "hosts": _HOST,
        },
    ),
)
