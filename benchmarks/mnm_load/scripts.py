"""Games written down beforehand, so that the generator has nothing to think about.

Quarto's first player and first stone are given when a game is created; so is the whole game.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from spielwerk.games.interface import NOBODY
from spielwerk.games.morris.rules import Morris
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto

if TYPE_CHECKING:
    from spielwerk.games import Game

EACH = 12  # scripts of a game; many tables play the same


@dataclass(frozen=True)
class Script:
    """A game as both players will play it: what creates it, and each turn as PLAY sends it."""

    wish: dict[str, Any]
    turns: tuple[tuple[int, str], ...]  # the seat, and its decisions joined by semicolons

    def of_seat(self, seat: int) -> list[bytes]:
        """The lines that a player will send."""
        return [f"PLAY {turn}\n".encode() for player, turn in self.turns if player == seat]


def scripts(seed: int) -> list[Script]:
    """Quarto and Morris by turns; Morris games are chosen that do not end early."""
    rng = Random(seed)
    written = []
    for number in range(EACH):
        options = {"n": 4, "begins": number % 2, "first": rng.randrange(16)}
        written.append(_script("Quarto", Quarto(**options), options, rng, least=8))
        written.append(_script("NMMorris", Morris(), {}, rng, least=60))
    return written


def _script(kind: str, game: Game[Any], options: dict[str, int], rng: Random, least: int) -> Script:
    turns: tuple[tuple[int, str], ...] = ()
    while len(turns) < least:
        turns = _played(game, rng)
    return Script({"type": kind, "gameSpecific": options}, turns)


def _played(game: Game[Any], rng: Random) -> tuple[tuple[int, str], ...]:
    state, turns = game.start(), []
    while state.turn != NOBODY:
        player, decisions = state.turn, []
        while state.turn == player:
            move = random_move(state, rng)
            decisions.append(game.format_move(move))
            state = state.play(move)
        turns.append((player, ";".join(decisions)))
    return tuple(turns)
