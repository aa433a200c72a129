"""How players come to their seats: for every protocol a way of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spielwerk.contests.playing.seats.seating import Seating
    from spielwerk.contests.playing.sitting import Sitting


def seating_for(sitting: Sitting) -> Seating:
    """The doors of a game; only what it needs is imported."""
    match sitting.game.name:
        case "quarto" | "morris":
            from spielwerk.contests.playing.seats.mnm import MnmSeating

            return MnmSeating(sitting)
        case "dice":
            from spielwerk.contests.playing.seats.dice import DiceSeating

            return DiceSeating(sitting)
        case "oware":
            from spielwerk.contests.playing.seats.oware import OwareSeating

            return OwareSeating(sitting)
        case "connect4":
            from spielwerk.contests.playing.seats.connect4 import ConnectFourSeating

            return ConnectFourSeating(sitting)
    from spielwerk.contests.playing.seats.seating import Seating

    return Seating(sitting)
