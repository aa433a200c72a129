"""Connect Four: layer beside layer, with field numbers where a stone can fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.games.connect4 import FREE, STONES
from spielwerk.terminal.boards import FAINT, LEGAL, emblem

if TYPE_CHECKING:
    from spielwerk.games.connect4 import ConnectFour, ConnectFourState

COLUMNS: Final = 80
GAP: Final = 4


def draw(state: ConnectFourState) -> Text:
    """As many layers side by side as fit."""
    game = state.game
    cell = len(str(game.size - 1)) + 1
    if cell * game.width > COLUMNS:
        cell = 2  # no room for numbers; `?` still lists them
    abreast = max(1, (COLUMNS + GAP) // (cell * game.width + GAP))
    bands = [
        _band(state, range(first, min(first + abreast, game.layers)), cell)
        for first in range(0, game.layers, abreast)
    ]
    return Text("\n\n").join(bands)


def _band(state: ConnectFourState, layers: range, cell: int) -> Text:
    """Some layers side by side, the top row first."""
    game = state.game
    gap = Text(" " * GAP)
    heads = [Text(f"layer {k}".ljust(cell * game.width), FAINT) for k in layers]
    rows = [gap.join(_row(state, k, i, cell) for k in layers) for i in reversed(range(game.height))]
    if game.layers > 1:
        rows.insert(0, gap.join(heads))
    return Text("\n").join(rows)


def _row(state: ConnectFourState, layer: int, row: int, cell: int) -> Text:
    first = _first_field(state.game, layer, row)
    return Text().join(_cell(state, first + j, cell) for j in range(state.game.width))


def _first_field(game: ConnectFour, layer: int, row: int) -> int:
    return layer * game.width * game.height + row * game.width


def _cell(state: ConnectFourState, field: int, cell: int) -> Text:
    blanks = " " * (cell - 1)
    if state.board[field] != FREE:
        return Text.assemble(blanks, emblem(STONES.index(state.board[field])))
    if field in state.legal_moves():
        return Text((str(field) if cell > 2 else "+").rjust(cell), LEGAL)
    return Text(f"{blanks}·", FAINT)
