"""Oware as pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.oware.rules import move_steps, row

if TYPE_CHECKING:
    from spielwerk.games.oware.rules import OwareState


def board(state: OwareState, last: int | None) -> dict[str, Any]:
    """Both rows of houses and both stores."""
    del last
    return {
        "houses": [list(row(state.board, player)) for player in (0, 1)],
        "stores": list(state.board[:2]),
    }


def steps(state: OwareState, move: int) -> list[list[Any]]:
    """The move in the document's single steps: what happens, in whose row, at which house."""
    return [[str(one.action), one.row, one.house] for one in move_steps(state, move)]


def gain(state: OwareState, move: int) -> int:
    """The stones that a move collects."""
    return state.play(move).board[state.player] - state.board[state.player]
