"""Counted trees: the number of decision sequences of each length, for the rules and the kernels.

Each line of counts.txt is a game with its options, a position if it is not the start, and the
counts for the lengths 1, 2, 3, ...:

    quarto n=2 first=0 : 12 72 48 0
    oware from 23 23 1 0 0 0 0 0 1 0 0 0 0 0 : 1 1 1

`make perft` counts them anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.games import State, find_game

FILE = Path(__file__).parent / "counts.txt"


@dataclass(frozen=True)
class Tree:
    """A position and what was counted below it."""

    label: str
    counts: tuple[int, ...]

    @property
    def state(self) -> State[Any]:
        """The position that the label names."""
        head, _, position = self.label.partition(" from ")
        name, *options = head.split()
        game = find_game(name).from_text(options)
        return game.parse_state(position) if position else game.start()


def trees() -> list[Tree]:
    """All counted trees."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" : ") for line in lines]
    return [Tree(label, tuple(map(int, counts.split()))) for label, counts in pairs]
