"""The dice race: three lanes to the target; solid is saved, hatched are the points of this turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.terminal.boards import FAINT, STYLES, emblem

if TYPE_CHECKING:
    from spielwerk.games.dice.rules import DiceState

LANE: Final = 50


def draw(state: DiceState) -> Text:
    """The lanes, and the round."""
    lanes = [_lane(state, player) for player in range(3)]
    round_ = min(state.turns // 3 + 1, state.game.rounds)
    foot = Text(f"Round {round_} of {state.game.rounds}, {state.game.target} points win", FAINT)
    return Text("\n").join([*lanes, Text(), foot])


def _lane(state: DiceState, player: int) -> Text:
    points = state.points if player == state.player else 0
    saved = _length(state, state.saved[player])
    reached = _length(state, state.saved[player] + points)
    return Text.assemble(
        emblem(player),
        f" {player} {state.saved[player]:4}",
        f" +{points:<3} " if points else " " * 6,
        ("█" * saved + "░" * (reached - saved), STYLES[player]),
        ("·" * (LANE - reached), FAINT),
    )


def _length(state: DiceState, points: int) -> int:
    return min(points * LANE // state.game.target, LANE)


def typed_position(text: str) -> str:
    """A position in full; four numbers are the saved points in order, and those of this turn."""
    if not re.fullmatch(r"\d+ \d+ \d+ \d+", text, re.ASCII):
        return text
    *saved, points = text.split()
    return f"saved {' '.join(saved)} points {points} turns 0 choose"
