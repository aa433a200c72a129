"""Quarto as in the Quarto sheet, for any board from 2 x 2 to 16 x 16."""

Square = tuple[int, int]


class Quarto:
    """One game of Quarto on squares (column, row), both counted from 0 at the bottom left."""

    def __init__(self, n: int = 4, first: int | None = None, begins: int = 0) -> None:
        """Set up the empty board; without a first stone chance decides on it."""
        if not 2 <= n <= 16 or begins not in (0, 1):
            raise ValueError("no such game")
        if first is not None and not 0 <= first < n * n:
            raise ValueError("no such stone")
        self.n = n
        self.begins = begins
        self.board: dict[Square, int] = {}
        self.stone = first
        self.turn: int | None = -1 if first is None else begins
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.turn is None

    def attributes(self, stone: int) -> tuple[int, ...]:
        """Return the stone's attributes, as many as the board's size asks for."""
        needed = 0
        while 2**needed < self.n * self.n:
            needed += 1
        return tuple(stone // 2**place % 2 for place in range(max(self.n, needed)))

    def lines(self) -> list[list[Square]]:
        """Return all rows, columns and the two diagonals."""
        size = range(self.n)
        rows = [[(column, row) for column in size] for row in size]
        columns = [[(column, row) for row in size] for column in size]
        rising = [(step, step) for step in size]
        falling = [(step, self.n - 1 - step) for step in size]
        return [*rows, *columns, rising, falling]

    def won(self, board: dict[Square, int]) -> bool:
        """Tell whether a full line has an attribute that is the same on all its stones."""
        for line in self.lines():
            if all(square in board for square in line):
                stones = [self.attributes(board[square]) for square in line]
                for values in zip(*stones, strict=True):
                    if len(set(values)) == 1:
                        return True
        return False

    def free(self) -> list[Square]:
        """Return the empty squares."""
        squares = [(column, row) for column in range(self.n) for row in range(self.n)]
        return [square for square in squares if square not in self.board]

    def spare(self) -> list[int]:
        """Return the stones that are neither on the board nor about to be placed."""
        used = set(self.board.values())
        return [stone for stone in range(self.n**2) if stone not in used and stone != self.stone]

    def legal(self) -> set[str]:
        """Return all legal decisions, with the stone handed on except for the last square."""
        if self.turn is None:
            return set()
        if self.turn == -1:
            return {str(stone) for stone in range(self.n**2)}
        free = self.free()
        if len(free) == 1:
            return {name(free[0])}
        return {f"{name(square)},{stone}" for square in free for stone in self.spare()}

    def allowed(self, text: str) -> bool:
        """Tell whether the decision is among the legal ones, without writing down all of them."""
        word, _, stone = text.partition(",")
        if self.turn in (None, -1) or len(self.free()) == 1:
            return text in self.legal()
        squares = [name(square) for square in self.free()]
        return word in squares and stone in [str(spare) for spare in self.spare()]

    def play(self, text: str) -> None:
        """Carry out a decision; a winning placement may leave out the stone."""
        if not self.allowed(text) and not self.wins_without_stone(text):
            raise ValueError(f"not legal: {text}")
        if self.turn is None:
            raise ValueError("the game is over")
        if self.stone is None:
            self.stone = int(text)
            self.turn = self.begins
            return
        word, _, handed = text.partition(",")
        square = next(square for square in self.free() if name(square) == word)
        self.board[square] = self.stone
        self.stone = int(handed) if handed else None
        if self.won(self.board):
            self.winner = self.turn
            self.turn = None
        elif not self.free():
            self.turn = None
        else:
            self.turn = 1 - self.turn

    def wins_without_stone(self, text: str) -> bool:
        """Tell whether the text is nothing but a square and placing the stone there wins."""
        if self.turn is None or self.stone is None:
            return False
        for square in self.free():
            if name(square) == text and self.won({**self.board, square: self.stone}):
                return True
        return False


def name(square: Square) -> str:
    """Return the square's name, A1 being at the bottom left."""
    column, row = square
    return "ABCDEFGHIJKLMNOP"[column] + str(row + 1)
