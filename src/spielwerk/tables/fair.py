"""Chance that nobody can foretell, without a call to the system for every throw of a die."""

from __future__ import annotations

import os
from random import SystemRandom
from typing import Final

SUPPLY: Final = 4096  # bytes asked for at once


class FairDice(SystemRandom):
    """The system's own chance, fetched in advance; for one thread."""

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
