"""The dice game for three players as in the dice sheet."""

PLAYERS = 3


class Dice:
    """One game of dice with chance as the thrower."""

    def __init__(self, target: int = 150, rounds: int = 100, begins: int = 0) -> None:
        """Set up a game without points."""
        if target < 1 or rounds < 1 or begins not in range(PLAYERS):
            raise ValueError("no such game")
        self.target = target
        self.rounds = rounds
        self.player = begins
        self.saved = [0] * PLAYERS
        self.points = 0
        self.turns_done = 0
        self.turn: int | None = begins
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.turn is None

    def legal(self) -> set[str]:
        """Return the player's two choices or the 36 throws."""
        if self.turn is None:
            return set()
        if self.turn == -1:
            return {f"{one} {other}" for one in range(1, 7) for other in range(1, 7)}
        return {"ROLL", "SAVE"}

    def play(self, text: str) -> None:
        """Carry out a choice or a throw."""
        if text not in self.legal():
            raise ValueError(f"not legal: {text}")
        if text == "ROLL":
            self.turn = -1
        elif text == "SAVE":
            self.saved[self.player] += self.points
            self.end_turn()
        else:
            one, other = [int(word) for word in text.split()]
            self.throw(one, other)

    def throw(self, one: int, other: int) -> None:
        """Count a throw: a double ends the turn without points, reaching the target wins."""
        if one == other:
            self.end_turn()
            return
        self.points += one + other
        self.turn = self.player
        if self.saved[self.player] + self.points >= self.target:
            self.saved[self.player] += self.points
            self.points = 0
            self.winner = self.player
            self.turn = None

    def end_turn(self) -> None:
        """Go on to the next player, or end the game after the last round."""
        self.points = 0
        self.turns_done += 1
        self.player = (self.player + 1) % PLAYERS
        self.turn = self.player
        if self.turns_done == self.rounds * PLAYERS:
            self.turn = None
