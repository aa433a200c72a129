#!/usr/bin/env python3
"""Connect Four over the network. (MIT licence)

connect4.py join INDEX_HOST INDEX_PORT [GAME]
connect4.py host INDEX_HOST INDEX_PORT PORT GAME [DEPTH]
"""

from __future__ import annotations

import argparse
import sys

from connection import GameError
from hosting import host
from joining import join


def main() -> int:
    """Play one game; the exit status."""
    parser = argparse.ArgumentParser(description="Connect Four over the network.")
    parser.add_argument("--name", default="student", help="your name")
    roles = parser.add_subparsers(dest="role", required=True)
    for role in ("join", "host"):
        options = roles.add_parser(role)
        options.add_argument("index_host")
        options.add_argument("index_port", type=int)
        if role == "host":
            options.add_argument("port", type=int, help="where you listen; 0 is any free port")
        options.add_argument("game", nargs="?" if role == "join" else None)
        if role == "host":
            options.add_argument("depth", type=int, nargs="?", default=1, help="1 is the flat game")
    chosen = parser.parse_args()
    index = (chosen.index_host, chosen.index_port)
    try:
        if chosen.role == "join":
            join(index, chosen.name, chosen.game)
        else:
            host(index, chosen.port, chosen.name, chosen.game, chosen.depth)
    except (GameError, OSError) as error:
        print(f"connect4: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
