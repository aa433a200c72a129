"""Oware: all that only this game knows."""

from __future__ import annotations

from typing import Final

from spielwerk.games import ContestFacts, Kit

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

KIT = Kit(
    __name__,
    rules="Oware",
    service="oware",
    bot="spielwerk.clients.oware_bot:play_bot",
    servers=("oware",),
    commands=("check=spielwerk.check.oware:check", "solve=spielwerk.games.oware.command:solve"),
    remote="spielwerk.clients.oware:make_remote",
    strategies=("tuned", "simple"),
    hint_player="strategy=0,depth=5",
    perspective=0,  # as the task has it
    contest=ContestFacts(
        asks_servers=True,
        example={
            "name": "Oware-Treffen",
            "engines": "level=3 level=6 strategy=1,depth=3",
            "command": "./oware-server --bind {host} --port {port}",
            "others": _SERVER,
        },
    ),
)
