"""Connect Four: layer beside layer, with field numbers where a stone can fall.

Where the numbers have no room, each row begins with the number of its first field and the columns
are counted below. Of boards that would fill more than a screen the empty rows on top are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.games.connect4.rules import FREE, STONES
from spielwerk.terminal.boards import FAINT, LEGAL, emblem

if TYPE_CHECKING:
    from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

COLUMNS: Final = 80
LINES: Final = 40
GAP: Final = 4
RULER: Final = 5  # every so many columns are numbered


@dataclass(frozen=True, slots=True)
class _Format:
    """How wide things are: a cell, and the numbers before a row if there are any."""

    cell: int
    label: int
    width: int  # of a whole layer

    @property
    def abreast(self) -> int:
        return max(1, (COLUMNS + GAP) // (self.width + GAP))


def draw(state: ConnectFourState) -> Text:
    """As many layers side by side as fit."""
    game, form = state.game, _format(state.game)
    bands = [
        range(first, min(first + form.abreast, game.layers))
        for first in range(0, game.layers, form.abreast)
    ]
    crowded = len(bands) * game.height > LINES
    legal = frozenset(state.legal_moves())
    return Text("\n\n").join(_band(state, layers, form, legal, crowded) for layers in bands)


def _format(game: ConnectFour) -> _Format:
    digits = len(str(game.size - 1))
    if (digits + 1) * game.width <= COLUMNS:
        return _Format(digits + 1, 0, (digits + 1) * game.width)
    return _Format(2, digits + 1, digits + 1 + 2 * game.width)


def _band(
    state: ConnectFourState, layers: range, form: _Format, legal: frozenset[int], crowded: bool
) -> Text:
    """Some layers side by side, the top row first."""
    game = state.game
    gap = Text(" " * GAP)
    shown = _used(state, layers, legal) if crowded else game.height
    rows = [
        gap.join(_row(state, k, i, form, legal) for k in layers) for i in reversed(range(shown))
    ]
    if shown < game.height:
        rows.insert(0, Text(f"({game.height - shown} more rows are empty)", FAINT))
    if game.layers > 1:
        rows.insert(0, gap.join(Text(f"layer {k}".ljust(form.width), FAINT) for k in layers))
    if form.label:
        rows.append(gap.join(_ruler(game, form) for _ in layers))
    return Text("\n").join(rows)


def _used(state: ConnectFourState, layers: range, legal: frozenset[int]) -> int:
    """How many rows have a stone or room for the next one, in any of the layers."""
    game = state.game
    size = game.width * game.height
    fields = range(layers[0] * size, (layers[-1] + 1) * size)
    used = (field for field in fields if state.board[field] != FREE or field in legal)
    return 1 + max((field % size // game.width for field in used), default=0)


def _row(
    state: ConnectFourState, layer: int, row: int, form: _Format, legal: frozenset[int]
) -> Text:
    first = (layer * state.game.height + row) * state.game.width
    label = Text(f"{first:{form.label}}" if form.label else "", FAINT)
    cells = [_cell(state, first + j, form.cell, legal) for j in range(state.game.width)]
    return Text.assemble(label, *cells)


def _cell(state: ConnectFourState, field: int, cell: int, legal: frozenset[int]) -> Text:
    blanks = " " * (cell - 1)
    if state.board[field] != FREE:
        return Text.assemble(blanks, emblem(STONES.index(state.board[field])))
    if field in legal:
        return Text((str(field) if cell > 2 else "+").rjust(cell), LEGAL)
    return Text(f"{blanks}·", FAINT)


def _ruler(game: ConnectFour, form: _Format) -> Text:
    """What is to be added to the number before the row."""
    marks = [str(j) if j % RULER == 0 else "" for j in range(game.width)]
    return Text(" " * form.label + "".join(mark.rjust(form.cell) for mark in marks), FAINT)
