"""Noughts and crosses as pages show it."""

from __future__ import annotations

from typing import Any

from .rules import NoughtsState


def board(state: NoughtsState, last: int | None) -> dict[str, Any]:
    """The nine squares, and the one that was marked last."""
    return {"squares": state.board, "last": last}
