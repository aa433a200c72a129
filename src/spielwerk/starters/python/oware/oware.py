"""Oware: boards, legal moves, sowing and collecting, and when a game is over. (MIT licence)

A board is a list of 14 numbers: the stones that A and B have taken, A's houses 0 to 5, B's 0 to 5.
Player 0 is A, player 1 is B.
"""

from __future__ import annotations

START = [0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]
STONES = 48
MAJORITY = 25  # more than half of them


class Game:
    """A board, whose turn it is, and every situation there has been."""

    def __init__(self, board: list[int]) -> None:
        self.board = board
        self.player = 0
        self.seen = {(0, *board)}
        self.repeated = False

    def moves(self) -> list[int]:
        """The houses from which the player may sow; an opponent without stones must get some."""
        own, theirs = houses(self.board, self.player), houses(self.board, 1 - self.player)
        return [
            house
            for house, stones in enumerate(own)
            if stones and (any(theirs) or house + stones >= 6)
        ]

    def play(self, house: int) -> None:
        """Sow from a house, and collect."""
        # @task Sow and collect, as sections 2.5.1 to 2.5.4 of the task say.
        last = sow(self.board, 2 + 6 * self.player + house)
        collect(self.board, last, self.player)
        # @open
        #| self.board[2 + 6 * self.player + house] = 0
        # @end
        self.player = 1 - self.player
        situation = (self.player, *self.board)
        self.repeated = situation in self.seen
        self.seen.add(situation)

    def over(self) -> bool:
        """Whether the game has ended: a majority, no move, or a situation that was there before."""
        return max(self.board[:2]) >= MAJORITY or not self.moves() or self.repeated


def houses(board: list[int], player: int) -> list[int]:
    """The stones in a player's houses."""
    return board[2 + 6 * player : 8 + 6 * player]


# @task Write sowing, with the house that is skipped, and collecting, with the grand slam.
def sow(board: list[int], origin: int) -> int:
    """Sow the stones of a place; where the last one fell. The place itself is always skipped."""
    stones, board[origin] = board[origin], 0
    place = origin
    while stones:
        place = 2 + (place - 1) % 12
        if place != origin:
            board[place] += 1
            stones -= 1
    return place


def collect(board: list[int], last: int, player: int) -> None:
    """Take twos and threes backwards from the last stone, but never all that the opponent has."""
    first = 2 + 6 * (1 - player)
    taken = []
    while first <= last < first + 6 and board[last] in (2, 3):
        taken.append(last)
        last -= 1
    gain = sum(board[place] for place in taken)
    if gain < sum(board[first : first + 6]):
        for place in taken:
            board[place] = 0
        board[player] += gain


# @open
# @end
def finished(board: list[int]) -> list[int]:
    """The board after the end: both have taken the stones on their own side."""
    return [board[0] + sum(board[2:8]), board[1] + sum(board[8:]), *[0] * 12]
