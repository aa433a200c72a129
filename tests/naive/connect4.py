"""Connect Four as in the Connect Four protocol, flat or solid."""

from functools import cache

LENGTH = 4
Cell = tuple[int, int, int]


@cache
def cells(width: int, height: int, layers: int) -> list[Cell]:
    """Return all cells (layer, height, column) in the order of their field numbers."""
    return [(k, i, j) for k in range(layers) for i in range(height) for j in range(width)]


@cache
def lines(width: int, height: int, layers: int) -> list[list[Cell]]:
    """Return all straight lines of four cells."""
    inside = set(cells(width, height, layers))
    steps = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    forward = [step for step in steps if step > (0, 0, 0)]
    found = []
    for k, i, j in sorted(inside):
        for a, b, c in forward:
            line = [(k + a * t, i + b * t, j + c * t) for t in range(LENGTH)]
            if all(cell in inside for cell in line):
                found.append(line)
    return found


class Connect4:
    """One game of Connect Four; depth 0 and 1 both mean the flat game."""

    def __init__(self, width: int = 7, height: int = 6, depth: int = 0, begins: int = 0) -> None:
        """Set up the empty board."""
        if width < 1 or height < 1 or depth < 0 or begins not in (0, 1):
            raise ValueError("no such game")
        self.width = width
        self.height = height
        self.layers = max(depth, 1)
        self.board: dict[Cell, int] = {}
        self.turn: int | None = begins
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.turn is None

    def cells(self) -> list[Cell]:
        """Return all cells of the board."""
        return cells(self.width, self.height, self.layers)

    def number(self, cell: Cell) -> int:
        """Return the field number of a cell."""
        k, i, j = cell
        return k * self.width * self.height + i * self.width + j

    def open_cells(self) -> list[Cell]:
        """Return the empty cells on the ground or on top of a stone."""
        found = []
        for k, i, j in self.cells():
            if (k, i, j) not in self.board and (i == 0 or (k, i - 1, j) in self.board):
                found.append((k, i, j))
        return found

    def legal(self) -> set[str]:
        """Return the field numbers where a stone can come to lie."""
        if self.turn is None:
            return set()
        return {str(self.number(cell)) for cell in self.open_cells()}

    def play(self, text: str) -> None:
        """Put a stone of the player on turn on the field."""
        if self.turn is None or text not in self.legal():
            raise ValueError(f"not legal: {text}")
        player = self.turn
        cell = next(cell for cell in self.cells() if str(self.number(cell)) == text)
        self.board[cell] = player
        if self.has_line(player):
            self.winner = player
            self.turn = None
        elif len(self.board) == len(self.cells()):
            self.turn = None
        else:
            self.turn = 1 - player

    def has_line(self, player: int) -> bool:
        """Tell whether four of the player's stones lie in a line."""
        for line in lines(self.width, self.height, self.layers):
            if all(self.board.get(cell) == player for cell in line):
                return True
        return False
