"""What usually causes what was seen: guesses from the bytes themselves, or none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from spielwerk.check.visible import alike
from spielwerk.wire.connect4.messages import GAME_LIST, PARAMETERS, SYNONYMS, WHOLE_BOARD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

_HEADERS: Final = {*PARAMETERS, *SYNONYMS, GAME_LIST, WHOLE_BOARD}


def _header(line: bytes) -> str:
    return re.split(rb"[^A-Za-z_]", line, maxsplit=1)[0].decode()


def hint_for(line: bytes) -> str:
    """The hint for a line that is no message; empty if nothing is certain."""
    header = _header(line.strip(b"\0 \t"))
    if b"\0" in line:
        return "nul"
    if header not in _HEADERS:
        return "case" if header.lower() in _HEADERS else ""
    rest = line.strip().removeprefix(header.encode())
    if line != line.strip() or re.search(rb"; | ;|; *-?[0-9]+ ", rest):
        return "blank"
    if rest and not rest.startswith(b";"):
        return "separator"
    return "last-semicolon" if rest.endswith(b";") and len(rest) > 1 else ""


def first_wrong(line: bytes) -> int:
    """The first byte that cannot stand there: of a word that is none, or of what follows it."""
    header = _header(line)
    if header not in _HEADERS:
        return max(alike(one.encode(), line) for one in _HEADERS)
    bad = re.search(rb"(?<=;)(?=[^0-9;])|;?$", line[len(header) :])
    return len(header) + (bad.start() if bad and line[len(header) :][:1] == b";" else 0)


def misnumbering(game: ConnectFour, history: Sequence[tuple[ConnectFourState, int]]) -> str:
    """The hint for moves of which the last is not possible; empty if not exactly one fits.

    Does another numbering explain all of a program's moves?
    """
    layer = game.width * game.height

    def meant(state: ConnectFourState, field: int) -> dict[str, bool]:
        plane, rest = divmod(field, layer)
        row, column = divmod(rest, game.width)
        columns = {spot // layer * game.width + spot % game.width for spot in state.landing}
        from_top = plane * layer + (game.height - 1 - row) * game.width + column
        return {
            "numbers-columns": field in columns,
            "rows-from-top": 0 <= field < game.size and from_top in state.landing,
            "counts-from-one": field - 1 in state.landing,
        }

    moves = [meant(state, field) for state, field in history]
    fitting = [name for name in moves[0] if all(move[name] for move in moves)]
    return fitting[0] if len(fitting) == 1 else ""
