"""Connect Four as pages show it, flat and solid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.connect4.rules import DIRECTIONS, STONES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.games.connect4.rules import ConnectFourState

FOUR = 4


def board(state: ConnectFourState, last: int | None) -> dict[str, Any]:
    """The fields in the order of their numbers, and the lines that have won."""
    game = state.game
    return {
        "width": game.width,
        "height": game.height,
        "layers": game.layers,
        "cells": state.board,
        "lines": _won(state, last),
    }


def _won(state: ConnectFourState, last: int | None) -> list[list[int]]:
    """The winner's lines; every one goes through the last stone, if it is known."""
    winner = state.outcome.winner if state.outcome else None
    if winner is None:
        return []
    fields = range(len(state.board)) if last is None else (last,)
    own = (field for field in fields if state.board[field] == STONES[winner])
    found = {line for field in own for step in DIRECTIONS for line in [_line(state, field, step)]}
    return [list(line) for line in sorted(found) if len(line) >= FOUR]


def _line(state: ConnectFourState, field: int, step: tuple[int, int, int]) -> tuple[int, ...]:
    """The like stones that lie in a row with this one, in this direction."""
    back = (-step[0], -step[1], -step[2])
    return (*reversed(_run(state, field, back)), field, *_run(state, field, step))


def _run(state: ConnectFourState, field: int, step: tuple[int, int, int]) -> list[int]:
    """The like stones from here onwards."""
    game, stone = state.game, state.board[field]
    k, rest = divmod(field, game.width * game.height)
    i, j = divmod(rest, game.width)
    run: list[int] = []
    while True:
        k, i, j = k + step[0], i + step[1], j + step[2]
        inside = 0 <= k < game.layers and 0 <= i < game.height and 0 <= j < game.width
        place = (k * game.height + i) * game.width + j
        if not inside or state.board[place] != stone:
            return run
        run.append(place)


def variant(options: Mapping[str, str]) -> str:
    """What the game with these options is called in texts, besides its name."""
    return "solid" if int(options["depth"]) > 1 else ""
