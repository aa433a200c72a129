"""The boards as text, one module a game, found by the game's name.

A board is drawn for eighty columns. Players are told apart by shape and by colour, so that nothing
is lost without colours; `draw` falls back to the position's text for a game without a board.
Pieces are put together with `Text.assemble` and `joined`, because a sum of texts has the style of
the first.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.games import State

EMBLEMS: Final = "●◆▲"
STYLES: Final = ("bold blue", "bold yellow", "bold green")
LEGAL: Final = "bold"
FAINT: Final = "dim"

_ASCII: Final = str.maketrans("●◆▲·█░─│┌┬┐├┼┤└┴┘→", "OXA.#:-|+++++++++>")


def draw(state: State[Any]) -> Text:
    """The position as a picture."""
    module = f"{__name__}.{state.game.name}"
    if find_spec(module) is None:
        return Text(str(state))
    picture: Text = import_module(module).draw(state)
    return picture


def emblem(player: int) -> Text:
    """The player's shape in the player's colour."""
    return Text(EMBLEMS[player], STYLES[player])


def joined(parts: Iterable[Text], separator: Text) -> Text:
    """The parts with the separator between them; unlike `Text.join`, each keeps its own style."""
    line = Text()
    for number, part in enumerate(parts):
        line.append_text(separator if number else Text())
        line.append_text(part)
    return line


def in_ascii(text: Text) -> Text:
    """The same for a terminal that knows only ASCII; the styles stay where they are."""
    return Text(text.plain.translate(_ASCII), text.style, spans=text.spans)
