"""Names of games and seats that were given none.

Wires and stores need a name and have the original game server's, in English: old clients read it.
Pages ask which names were really given, and put the others into their readers' words.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_GAME: Final = re.compile(r"Game from \d{4}-\d\d-\d\d \d\d:\d\d")


def usual_game_name(created: int) -> str:
    """The name of a game that was set up then, in milliseconds since 1970."""
    moment = datetime.fromtimestamp(created / 1000, UTC).astimezone()
    return f"Game from {moment:%Y-%m-%d %H:%M}"


def usual_seat_name(number: int) -> str:
    """The name of the player on this seat."""
    return f"Player {number + 1}"


def given_game_name(name: str) -> str:
    """The name that the game was given, if any."""
    return "" if _GAME.fullmatch(name) else name


def given_seat_name(name: str, number: int) -> str:
    """The name that the player on this seat was given, if any."""
    return "" if name == usual_seat_name(number) else name
