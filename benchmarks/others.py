"""Others: the same work by OpenSpiel from Python, if it is installed (the `bench` extra)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

GAMES = {"connect_four": "connect4", "oware": "oware", "nine_mens_morris": "morris"}
SECONDS = 2.0


def rows() -> Iterator[tuple[str, str]]:
    """Random games a second through OpenSpiel's Python interface."""
    if find_spec("pyspiel") is None:
        yield "OpenSpiel", "not installed"
        return
    pyspiel: Any = import_module("pyspiel")
    for theirs, ours in GAMES.items():
        yield f"OpenSpiel {ours} playouts", f"{_playouts(pyspiel.load_game(theirs)):9,.0f} games/s"


def _playouts(game: Any) -> float:
    rng = Random(0)
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        games += 1
    return games / (time.perf_counter() - start)
