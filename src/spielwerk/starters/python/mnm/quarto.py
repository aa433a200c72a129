"""Quarto: the field as the server shows it, and all legal moves. (MIT licence)"""

from __future__ import annotations

KIND = "Quarto"
END = "ENDFIELD"


class Position:
    """A field and the stone to be placed; `field` maps places like A1 to stones, None if free."""

    def __init__(self, player: int, lines: list[str]) -> None:
        self.player = player
        self.stone = int(lines[0].split()[1])  # NEXT 3
        width, height = lines[1].removeprefix("FIELD ").split(",")
        self.size = int(width), int(height)
        self.field: dict[str, int | None] = {}
        for line in lines[2:-1]:  # 4 * * 15 *
            row, *cells = line.split()
            for column, cell in enumerate(cells):
                place = chr(ord("A") + column) + row
                self.field[place] = None if cell == "*" else int(cell)

    def free(self) -> list[str]:
        """The free places."""
        return [place for place, stone in self.field.items() if stone is None]

    def stones(self) -> list[int]:
        """The stones that are neither on the field nor in our hand."""
        used = {self.stone, *self.field.values()}
        count = self.size[0] * self.size[1]
        return [stone for stone in range(count) if stone not in used]

    def moves(self) -> list[str]:
        """All legal moves: where to place our stone, and which one to hand on, if one is left."""
        stones = self.stones()
        if not stones:
            return self.free()
        return [f"{place},{stone}" for place in self.free() for stone in stones]
