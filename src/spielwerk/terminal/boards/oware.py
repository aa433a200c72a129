"""Oware: B's row above, A's below, house numbers outside, what each has taken at the right hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from spielwerk.games.oware import row
from spielwerk.terminal.boards import FAINT, LEGAL, emblem, joined

if TYPE_CHECKING:
    from spielwerk.games.oware import OwareState


def draw(state: OwareState) -> Text:
    """Two rows of six houses; sowing goes counterclockwise."""
    indent = " " * 8
    edges = [
        Text(f"{indent}{left}{cross.join(['────'] * 6)}{right}", FAINT)
        for left, cross, right in ("┌┬┐", "├┼┤", "└┴┘")
    ]
    lines = [
        _numbers(state, 1, indent),
        edges[0],
        Text.assemble(_store(state, 1), _houses(state, 1)),
        edges[1],
        Text.assemble(indent, _houses(state, 0), _store(state, 0)),
        edges[2],
        _numbers(state, 0, indent),
    ]
    return Text("\n").join(lines)


def _houses(state: OwareState, player: int) -> Text:
    stones = row(state.board, player)[:: -1 if player else 1]
    cells = [Text(f" {count:2} ", "" if count else FAINT) for count in stones]
    return joined([Text(), *cells, Text()], Text("│", FAINT))


def _numbers(state: OwareState, player: int, indent: str) -> Text:
    """The house numbers, those that can be chosen in bold."""
    legal = state.legal_moves() if state.turn == player else ()
    houses = reversed(range(6)) if player else range(6)
    cells = [Text(f"  {house}  ", LEGAL if house in legal else FAINT) for house in houses]
    return Text.assemble(indent, *cells)


def _store(state: OwareState, player: int) -> Text:
    """What the player has taken."""
    return Text.assemble(
        " ", emblem(player), f" {state.game.sides[player]} {state.board[player]:2} "
    )
