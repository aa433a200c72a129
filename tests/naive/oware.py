"""Oware as in the Oware task."""

STANDARD = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"
HOUSES = 6
STONES = 48
MAJORITY = 25


class Oware:
    """One game of Oware; player 0 is A and begins, houses form a ring A0..A5 B0..B5."""

    def __init__(self, board: str = STANDARD) -> None:
        """Set up the given board with A to move and no situation visited."""
        numbers = [int(word) for word in board.split(" ")]
        if len(numbers) != 2 + 2 * HOUSES or min(numbers) < 0 or sum(numbers) != STONES:
            raise ValueError(f"no such board: {board}")
        self.owned = numbers[:2]
        self.ring = numbers[2:]
        self.visited: set[tuple[int, ...]] = set()
        self.ending = ""
        self.turn: int | None = 0
        self.winner: int | None = None
        self.test_end(0)

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.turn is None

    @property
    def board(self) -> list[int]:
        """Return the 14 numbers of the board, without the final collection."""
        return self.owned + self.ring

    @property
    def final(self) -> tuple[int, int]:
        """Return the stones of both players after the final collection."""
        if not self.over:
            raise ValueError("the game is not over")
        return self.collected(0), self.collected(1)

    def collected(self, player: int) -> int:
        """Return the stones the player owns or has on the own side."""
        return self.owned[player] + sum(self.ring[place] for place in side(player))

    def sow(self, player: int, house: int) -> tuple[list[int], int]:
        """Return the ring after sowing from a house and the place of the last stone."""
        ring = list(self.ring)
        start = HOUSES * player + house
        stones = ring[start]
        ring[start] = 0
        place = start
        while stones > 0:
            place = following(place)
            if place != start:
                ring[place] += 1
                stones -= 1
        return ring, place

    def houses(self, player: int) -> list[int]:
        """Return the houses the player may sow from, minding the starvation rule."""
        possible = []
        for house in range(HOUSES):
            if self.ring[HOUSES * player + house] > 0:
                ring, _ = self.sow(player, house)
                if any(ring[place] > 0 for place in side(1 - player)):
                    possible.append(house)
        return possible

    def legal(self) -> set[str]:
        """Return all legal decisions."""
        if self.turn is None:
            return set()
        return {str(house) for house in self.houses(self.turn)}

    def play(self, text: str) -> None:
        """Sow, collect unless that would be a grand slam, and test for the end."""
        if self.turn is None or text not in self.legal():
            raise ValueError(f"not legal: {text}")
        player = self.turn
        self.visited.add((player, *self.board))
        self.ring, place = self.sow(player, int(text))
        ring = list(self.ring)
        gain = 0
        while place in side(1 - player) and ring[place] in (2, 3):
            gain += ring[place]
            ring[place] = 0
            place = preceding(place)
        if any(ring[place] > 0 for place in side(1 - player)):
            self.ring = ring
            self.owned[player] += gain
        self.turn = 1 - player
        self.test_end(1 - player)

    def test_end(self, player: int) -> None:
        """End the game if a criterion holds before the decision of the player."""
        if max(self.owned) >= MAJORITY:
            self.ending = "E-1"
        elif not self.houses(player):
            self.ending = "E-2"
        elif (player, *self.board) in self.visited:
            self.ending = "E-3"
        else:
            return
        self.turn = None
        for candidate in (0, 1):
            if self.collected(candidate) >= MAJORITY:
                self.winner = candidate


def side(player: int) -> range:
    """Return the places of the player's houses on the ring."""
    return range(HOUSES * player, HOUSES * player + HOUSES)


def following(place: int) -> int:
    """Return the next place counter-clockwise."""
    return 0 if place == 2 * HOUSES - 1 else place + 1


def preceding(place: int) -> int:
    """Return the next place clockwise."""
    return 2 * HOUSES - 1 if place == 0 else place - 1
