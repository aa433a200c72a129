"""Nine Men's Morris as in the Morris sheet, one decision at a time."""

from itertools import pairwise

STONES = 9
FATAL = 7
FLYING = 3
QUIET_TURNS = 50
CENTRE = 3
# The eight fields of a ring as seen from the centre, clockwise from the top left.
CLOCKWISE = [(-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0)]


def draw() -> dict[tuple[int, int], str]:
    """Return the names of the 24 fields by their place on a 7 x 7 drawing."""
    drawing = {}
    for ring, size in (("A", 3), ("B", 2), ("C", 1)):
        for number, (right, up) in enumerate(CLOCKWISE):
            drawing[CENTRE + size * right, CENTRE + size * up] = f"{ring}{number}"
    return drawing


def draw_lines() -> list[list[str]]:
    """Return the straight lines of the drawing, those through the centre as two lines each."""
    drawing = draw()
    lines = []
    for fixed in range(7):
        row = [(moving, fixed) for moving in range(7)]
        column = [(fixed, moving) for moving in range(7)]
        for places in (row, column):
            line: list[str] = []
            for place in places:
                if place == (CENTRE, CENTRE):
                    lines.append(line)
                    line = []
                elif place in drawing:
                    line.append(drawing[place])
            lines.append(line)
    return lines


FIELDS = sorted(draw().values())
LINES = draw_lines()


def neighbours(field: str) -> set[str]:
    """Return the fields next to a field on one of its lines."""
    found = set()
    for line in LINES:
        for one, other in pairwise(line):
            if field == one:
                found.add(other)
            if field == other:
                found.add(one)
    return found


def mills() -> list[set[str]]:
    """Return all sets of three fields that follow each other on a line."""
    return [set(line[start : start + 3]) for line in LINES for start in range(len(line) - 2)]


class Morris:
    """One game of Nine Men's Morris; player 0 is White and begins."""

    def __init__(self) -> None:
        """Set up the empty board."""
        self.board: dict[str, int] = {}
        self.hand = [STONES, STONES]
        self.lost = [0, 0]
        self.due = 0
        self.quiet = 0
        self.turn: int | None = 0
        self.winner: int | None = None

    @property
    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.turn is None

    def fields_of(self, player: int) -> list[str]:
        """Return the fields where the player has a stone."""
        return [field for field in FIELDS if self.board.get(field) == player]

    def legal(self) -> set[str]:
        """Return all legal decisions: captures while any are due, else placing or moving."""
        if self.turn is None:
            return set()
        if self.due > 0:
            return set(self.fields_of(1 - self.turn))
        free = {field for field in FIELDS if field not in self.board}
        if self.hand[self.turn] > 0:
            return free
        own = self.fields_of(self.turn)
        decisions = set()
        for source in own:
            targets = free if len(own) == FLYING else free & neighbours(source)
            for target in targets:
                decisions.add(f"{source}:{target}")
        return decisions

    def play(self, text: str) -> None:
        """Carry out one placing, move or capture."""
        if self.turn is None or text not in self.legal():
            raise ValueError(f"not legal: {text}")
        player = self.turn
        if self.due > 0:
            self.capture(player, text)
        else:
            self.put(player, text)

    def put(self, player: int, text: str) -> None:
        """Place or move a stone and find out how many captures are due."""
        if ":" in text:
            source, target = text.split(":")
            del self.board[source]
        else:
            target = text
            self.hand[player] -= 1
        self.board[target] = player
        own = set(self.fields_of(player))
        closed = len([mill for mill in mills() if target in mill and mill <= own])
        self.due = min(closed, len(self.fields_of(1 - player)))
        if self.due == 0:
            self.quiet += 1
            self.pass_on(player)

    def capture(self, player: int, field: str) -> None:
        """Take an opposing stone off the board."""
        del self.board[field]
        self.lost[1 - player] += 1
        self.due -= 1
        self.quiet = 0
        if self.lost[1 - player] == FATAL:
            self.winner = player
            self.turn = None
        elif self.due == 0:
            self.pass_on(player)

    def pass_on(self, player: int) -> None:
        """End the player's turn, and the game when it is a draw or the opponent cannot move."""
        if self.quiet == QUIET_TURNS:
            self.turn = None
            return
        self.turn = 1 - player
        if not self.legal():
            self.winner = player
            self.turn = None
