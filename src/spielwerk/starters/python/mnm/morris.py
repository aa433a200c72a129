"""Nine Men's Morris: the stones as the server shows them, and all legal moves. (MIT licence)

Places are A (outer ring), B and C (inner ring), each from 0 at the top left clockwise to 7.
"""

from __future__ import annotations

KIND = "NMMorris"
END = "ENDPIECELIST"
PLACES = [ring + str(number) for ring in "ABC" for number in range(8)]


def neighbours(place: str) -> list[str]:
    """The places that a line connects with this one."""
    ring, number = place[0], int(place[1])
    found = [f"{ring}{(number + 1) % 8}", f"{ring}{(number - 1) % 8}"]
    if number % 2:  # the spokes
        found += {"A": [f"B{number}"], "B": [f"A{number}", f"C{number}"], "C": [f"B{number}"]}[ring]
    return found


class Position:
    """Where the stones are; `stones[p]` has A (in hand), C (captured) or a place for each stone."""

    def __init__(self, player: int, lines: list[str]) -> None:
        self.player = player
        self.captures = int(lines[0].split()[1])  # CAPTURE 1
        self.stones: tuple[list[str], list[str]] = ([], [])
        for line in lines[2:-1]:  # PIECE0.3 A5
            piece, place = line.removeprefix("PIECE").split()
            owner = int(piece.split(".")[0])
            self.stones[owner].append(place)

    def on_board(self, player: int) -> list[str]:
        """The places of a player's stones."""
        return [place for place in self.stones[player] if len(place) == 2]

    def free(self) -> list[str]:
        """The places without a stone."""
        taken = {*self.on_board(0), *self.on_board(1)}
        return [place for place in PLACES if place not in taken]

    def moves(self) -> list[str]:
        """All legal moves: capture, place, fly or slide."""
        if self.captures:
            return self.on_board(1 - self.player)
        free = self.free()
        if "A" in self.stones[self.player]:
            return free
        own = self.on_board(self.player)
        flies = len(own) == 3
        return [
            f"{start}:{target}"
            for start in own
            for target in (free if flies else neighbours(start))
            if target in free
        ]
