"""The race: who has saved what, and the points of the turn that is being played. (MIT licence)

The server tells every throw to all, but not who saves: a turn is over when another player throws,
or when we are asked. The points of the turn are saved then, unless it ended with a double.
"""

from __future__ import annotations

ME = 2  # the server calls us 2 in every THRW; the others are 0 and 1


class Race:
    """The points of all three players."""

    def __init__(self) -> None:
        self.saved = [0, 0, 0]  # of the others, 0 and 1, and of ourselves, 2
        self.points = 0  # of the turn that is being played
        self.player = ME  # whose turn it is

    def turn_of(self, player: int) -> None:
        """A player is about to decide: if it is another than before, the turn before is over."""
        if player != self.player:
            self.end_turn()
            self.player = player

    def end_turn(self) -> None:
        """Save the points of the turn."""
        self.saved[self.player] += self.points
        self.points = 0

    def thrown(self, player: int, first: int, second: int) -> None:
        """A player has thrown: a double loses the points of the turn, and ends it."""
        self.turn_of(player)
        if first == second:
            self.points = 0
        else:
            self.points += first + second
