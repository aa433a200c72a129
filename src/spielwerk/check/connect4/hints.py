"""What usually causes what was seen: guesses from the bytes themselves, or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from spielwerk.wire.connect4.messages import GAME_LIST, PARAMETERS, SYNONYMS, WHOLE_BOARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

_HEADERS: Final = {*PARAMETERS, *SYNONYMS, GAME_LIST, WHOLE_BOARD}
_NUMBERS: Final = re.compile(rb";[0-9]*(?=[^0-9;])")


def _header(line: bytes) -> str:
    return re.split(rb"[^A-Za-z_]", line, maxsplit=1)[0].decode()


def hint_for(line: bytes) -> str:
    """The hint for a line that is no message; empty if nothing is certain."""
    header = _header(line.strip(b"\0 \t"))
    if b"\0" in line:
        return "nul"
    if header not in _HEADERS:
        return "case" if header.lower() in _HEADERS else ""
    if line != line.strip():
        return "blank"
    rest = line.removeprefix(header.encode())
    if rest and not rest.startswith(b";"):
        return "separator"
    if rest.endswith(b";") and len(rest) > 1:
        return "last-semicolon"
    if re.search(rb"; | ;|; *-?[0-9]+ ", rest):
        return "blank"
    return ""


def first_wrong(line: bytes) -> int:
    """The first byte that cannot stand there."""
    header = _header(line)
    if header not in _HEADERS:
        known = max(_HEADERS, key=lambda one: _common(one.encode(), line))
        return _common(known.encode(), line)
    rest = line[len(header) :]
    if rest[:1] not in (b";", b""):
        return len(header)
    if header in ("move", "end_game", "updated_game_board", "update_game_board", WHOLE_BOARD):
        if rest == b";":
            return len(line) - 1
        bad = _NUMBERS.search(line)
        return bad.end() if bad else len(header)
    return len(line) - 1 if line.endswith((b" ", b";")) else 0


def _common(first: bytes, second: bytes) -> int:
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


# moves that the rules do not allow: does another numbering explain all of a program's moves?


def misnumbering(game: ConnectFour, history: Sequence[tuple[ConnectFourState, int]]) -> str:
    """The hint for moves of which the last is not possible; empty if not exactly one fits."""
    fitting = [
        name
        for name, meant in _NUMBERINGS.items()
        if all(meant(game, state, field) in state.landing for state, field in history)
    ]
    if fitting == ["numbers-columns", "layers-first"]:  # they differ in the second row only
        return "layers-first" if game.layers > 1 else "numbers-columns"
    return fitting[0] if len(fitting) == 1 else ""


def _column(game: ConnectFour, state: ConnectFourState, field: int) -> int:
    """It may have sent the number of the column: where its stone would fall."""
    if not 0 <= field < game.width * game.layers:
        return -1
    return next((spot for spot in state.landing if _column_of(game, spot) == field), -1)


def _column_of(game: ConnectFour, field: int) -> int:
    layer, rest = divmod(field, game.width * game.height)
    return layer * game.width + rest % game.width


def _from_top(game: ConnectFour, _: ConnectFourState, field: int) -> int:
    """It may count rows from the top."""
    if not 0 <= field < game.size:
        return -1
    layer, rest = divmod(field, game.width * game.height)
    row, column = divmod(rest, game.width)
    return (layer * game.height + game.height - 1 - row) * game.width + column


def _from_one(_game: ConnectFour, _state: ConnectFourState, field: int) -> int:
    """It may count fields from 1."""
    return field - 1


def _by_columns(game: ConnectFour, _: ConnectFourState, field: int) -> int:
    """It may have swapped width and height: column * height + row."""
    layer, rest = divmod(field, game.width * game.height)
    column, row = divmod(rest, game.height)
    return layer * game.width * game.height + row * game.width + column


def _by_rows_of_layers(game: ConnectFour, _: ConnectFourState, field: int) -> int:
    """It may have swapped height and depth: row * width * depth + layer * width + column."""
    row, rest = divmod(field, game.width * game.layers)
    layer, column = divmod(rest, game.width)
    return (layer * game.height + row) * game.width + column


_NUMBERINGS: Final = {
    "numbers-columns": _column,
    "rows-from-top": _from_top,
    "counts-from-one": _from_one,
    "columns-first": _by_columns,
    "layers-first": _by_rows_of_layers,
}
