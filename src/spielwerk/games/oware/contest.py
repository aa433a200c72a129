"""What contests must know of Oware: its programs are servers that are asked for moves."""

from __future__ import annotations

from typing import Final

from spielwerk.games.contests import ContestFacts

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

FACTS: Final = ContestFacts(
    asks_servers=True,
    example={
        "name": "Oware-Treffen",
        "engines": "level=3 level=6 strategy=1,depth=3",
        "command": "./oware-server --bind {host} --port {port}",
        "others": _SERVER,
    },
)
