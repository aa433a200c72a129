"""Quarto: every stone with its number and its attributes as letters, capital for a one bit.

Stones agree in an attribute when the same letter has the same case: `aBcD` and `ABcd` share two.
Boards too large for the letters show the numbers alone: every full line wins there anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.games.quarto.rules import attributes
from spielwerk.terminal.boards import FAINT, LEGAL, STYLES, joined

LETTERED: Final = 8
"""The side of the largest board on which there is room for letters in eighty columns."""

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import QuartoState


def draw(state: QuartoState) -> Text:
    """The squares, the stone to place, and the stones that can be handed on."""
    n = state.game.n
    width = min(max(attributes(n), 3) + 2, 76 // n - 1) if n <= LETTERED else 3
    rule = Text("   " + "─" * (n * (width + 1) - 1), FAINT)
    lines = [rule]
    for row in reversed(range(n)):
        lines += [*_row(state, row, width), rule]
    columns = "".join(chr(ord("A") + column).center(width + 1) for column in range(n))
    lines += [Text(f"  {columns}".rstrip(), LEGAL), Text(), *_stock(state)]
    return Text("\n").join(lines)


def _row(state: QuartoState, row: int, width: int) -> list[Text]:
    """The lines of a row of squares: numbers, and attributes where there is room."""
    n = state.game.n
    stones = state.board[row * n : row * n + n]
    wall = Text("│", FAINT)
    numbers = [Text("·" if s is None else str(s), FAINT if s is None else LEGAL) for s in stones]
    letters = [Text() if s is None else _letters(state, s) for s in stones]
    for cell in (*numbers, *letters):
        cell.align("center", width)
    heads = Text(f"{row + 1:2}", LEGAL), Text("  ")
    rows = [joined([heads[0], *numbers, Text()], wall), joined([heads[1], *letters, Text()], wall)]
    return rows if n <= LETTERED else rows[:1]


def _letters(state: QuartoState, stone: int) -> Text:
    text = Text()
    for bit in range(attributes(state.game.n)):
        letter = chr(ord("a") + bit)
        one = stone >> bit & 1
        text.append(letter.upper() if one else letter, STYLES[one])
    return text


def _stock(state: QuartoState) -> list[Text]:
    """The stone to place, and the others in lines of eighty columns."""
    stones = [_stone(state, stone) for stone in state.supply()]
    abreast = 70 // (len(_stone(state, 0)) + 2)
    rows = [Text("  ").join(stones[i : i + abreast]) for i in range(0, len(stones), abreast)]
    lines = [Text.assemble("Supply  " if row is rows[0] else " " * 8, row) for row in rows]
    if state.stone is not None:
        lines.insert(0, Text.assemble("In hand ", _stone(state, state.stone)))
    return lines


def _stone(state: QuartoState, stone: int) -> Text:
    if state.game.n > LETTERED:
        return Text(f"{stone:3}", LEGAL)
    return Text.assemble((f"{stone:2} ", LEGAL), _letters(state, stone))
