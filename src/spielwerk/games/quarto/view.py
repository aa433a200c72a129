"""Quarto as pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.quarto.rules import attributes, lines

if TYPE_CHECKING:
    from spielwerk.games.quarto.rules import Move, QuartoState


def board(state: QuartoState, last: Move | None) -> dict[str, Any]:
    """The squares from A1, the stone in hand, those left, and what has won."""
    del last
    n = state.game.n
    won = [line for line in lines(n) if state.wins(line)] if state.outcome else []
    return {
        "n": n,
        "attributes": attributes(n),
        "cells": list(state.board),
        "stone": state.stone,
        "supply": state.supply(),
        "lines": [list(line) for line in won],
    }


def legal(state: QuartoState) -> list[str]:
    """The free squares only: any stone left may be handed on with each of them."""
    free = [square for square, stone in enumerate(state.board) if stone is None]
    return [] if state.outcome else [state.game.square_name(square) for square in free]
