"""The dice race: all that only this game knows."""

from __future__ import annotations

import re

from spielwerk.games import ContestFacts, Kit

KIT = Kit(
    __name__,
    rules="Dice",
    service="dice",
    bot="spielwerk.clients.dice.bot:play_bot",
    record_is_session=True,
    why_no_start="bots of the dice race count their points from 0 and are told no others",
    servers=("dice",),
    commands=("check=spielwerk.check.dice:check", "solve=spielwerk.games.dice.command:solve"),
    checks=("spielwerk.check.dice:CHECK",),
    contest=ContestFacts(
        move_time=2000,
        by_points=True,
        # A fault takes the game away from two others, also from one that has won it.
        disqualify=("protocol error", "time-out", "crash", "stall"),
        bonus=(20, 15, 10, 5),
        newcomers=True,
        engine_is_loaded=True,
        why_no_opening="the dice race begins with nothing",
        letter=re.compile("[a-zA-Z0-9]"),
        instead="",
        name_rule="on the dice server a name is letters a to z, A to Z and digits, nothing else",
        name_is_called=True,
        example={
            "name": "Würfel-Wettbewerb",
            "engines": "level=10 hold=20 random",
            "command": "./dicebot -n {name} -p {port} {host}",
            "move": "2.0",
            "order": "points",
            "faults": '"protocol error", "time-out", "crash", "stall"',
            "bonus": "20, 15, 10, 5",
            "more": "# newcomers = false  # true in a ladder: every bot that connects takes part\n",
            "meaning": "dice streams for every three, each played in all six orders of seats",
        },
    ),
)
