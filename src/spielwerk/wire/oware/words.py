"""The words of the protocol."""

from __future__ import annotations

from typing import Final

from spielwerk.games.oware.rules import STANDARD, format_board

REQUEST_LINES: Final = ("strategy", "search-depth", "initial-board", "move-history")
ANSWER_LINES: Final = (
    "status",
    "server-author",
    "strategy-name",
    "response-details",
    "resulting-board",
)

STANDARD_BOARD: Final = format_board(STANDARD)

OK: Final = "OK"
FINISH: Final = "finish"
READ_FAILURE: Final = "ERROR read-failure"
BAD_STRATEGY: Final = "ERROR strategy"
BAD_DEPTH: Final = "ERROR search-depth"
BAD_BOARD: Final = "ERROR initial-board"
BAD_HISTORY: Final = "ERROR move-history"

DEPTHS: Final = range(1, 10)
