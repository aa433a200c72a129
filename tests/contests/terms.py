"""The terms on which games are played in tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from spielwerk.contests.contest import Contest, Terms, terms


def usual_terms(**wishes: Any) -> Terms:
    """Those of a contest that says nothing about them, but for what is wished."""
    return replace(terms(Contest("Spring", "connect4", ())), **wishes)
