"""What must not be predictable: the draws of a game and Game-IDs.

A Game-ID is the only key to a game. Clients of the documents' years insist on 11 characters and
later ones on 13, so the first 11 of an ID are enough to find its game. Stores of older versions
have games whose whole ID is that long.
"""

from __future__ import annotations

import os
import secrets
import string
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games import CHANCE
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from random import Random

    from spielwerk.games import State

SUPPLY: Final = 4096  # bytes asked for at once
LENGTH: Final = 13  # characters of a Game-ID
SHORT: Final = 11

# Later servers' IDs had no capitals, and scripts of that time look for exactly that.
_SIGNS: Final = string.ascii_lowercase + string.digits


class FairDice(SystemRandom):
    """The system's random numbers, fetched in advance to save system calls; for one thread."""

    def __init__(self) -> None:
        super().__init__()
        self._supply = b""
        self._used = 0

    def getrandbits(self, k: int, /) -> int:
        """A number of so many bits, from bytes that are used once."""
        if k < 0:
            raise ValueError("the number of bits must not be negative")
        count = (k + 7) // 8
        if self._used + count > len(self._supply):
            self._supply, self._used = os.urandom(max(SUPPLY, count)), 0
        start, self._used = self._used, self._used + count
        return int.from_bytes(self._supply[start : self._used], "big") >> (count * 8 - k)


def draw(state: State[Any], rng: Random) -> tuple[Any, ...]:
    """What chance decides before the next player can."""
    moves = []
    while state.turn == CHANCE:
        moves.append(random_move(state, rng))
        state = state.play(moves[-1])
    return tuple(moves)


def new_id() -> str:
    """A fresh Game-ID."""
    return "".join(secrets.choice(_SIGNS) for _ in range(LENGTH))


def short(game_id: str) -> str:
    """The part of a Game-ID by which every client can name the game."""
    return game_id[:SHORT]


def shown(game_id: str) -> str:
    """The part of a Game-ID that may stand in a log: enough to find it, too little to use it."""
    return f"{game_id[:4]}..."
