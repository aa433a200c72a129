"""What contests must know of this game."""

from __future__ import annotations

from typing import Final

from spielwerk.games.contests import ContestFacts

FACTS: Final = ContestFacts(example={"name": "Morris Cup"})
