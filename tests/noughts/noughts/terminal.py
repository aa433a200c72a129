"""Noughts and crosses in the terminal: free squares show their numbers."""

from __future__ import annotations

from rich.text import Text

from spielwerk.terminal.boards import FAINT, LEGAL

from .rules import FREE, NoughtsState


def draw(state: NoughtsState) -> Text:
    """Three rows of three squares."""
    squares = [
        Text(f" {number}", FAINT) if mark == FREE else Text(f" {mark}", LEGAL)
        for number, mark in enumerate(state.board, start=1)
    ]
    return Text("\n").join(Text().join(squares[row : row + 3]) for row in (0, 3, 6))
