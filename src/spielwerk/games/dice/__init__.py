"""The dice race: all that only this game knows."""

from __future__ import annotations

from spielwerk.games.kit import Kit

KIT = Kit(
    __name__,
    rules="Dice",
    service="dice",
    record_is_session=True,
    servers=("dice",),
    commands=("solve=spielwerk.games.dice.command:solve",),
)
