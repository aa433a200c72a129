"""The boards as text: each game draws its own in `terminal.py` of its folder.

A board is drawn for eighty columns. Players are told apart by shape and by colour, so that nothing
is lost without colours; `draw` falls back to the position's text for a game without a board. A
module may also have `mark`, the board with a move pointed out, and `frames`, a move step by step.
Pieces are put together with `Text.assemble` and `joined`, because a sum of texts has the style of
the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from spielwerk.games import part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from spielwerk.games import State

EMBLEMS: Final = "●◆▲"
STYLES: Final = ("bold blue", "bold yellow", "bold green")
LEGAL: Final = "bold"
FAINT: Final = "dim"
MARKED: Final = "bold reverse"
HINT: Final = "bold reverse blink"

_ASCII: Final = str.maketrans("●◆▲·█░─│┌┬┐├┼┤└┴┘→", "OXA.#:-|+++++++++>")


def draw(state: State[Any]) -> Text:
    """The position as a picture."""
    drawing = _part(state, "draw")
    return drawing(state) if drawing else Text(str(state))


def mark(state: State[Any], move: Any) -> Text:
    """The position with a move pointed out, where that can be drawn."""
    marking = _part(state, "mark")
    return marking(state, move) if marking else draw(state)


def frames(state: State[Any], move: Any) -> Iterable[Text]:
    """The move step by step; nothing for games whose moves are a single step."""
    showing = _part(state, "frames")
    return showing(state, move) if showing else ()


def _part(state: State[Any], name: str) -> Callable[..., Any] | None:
    """What the game's module has under this name."""
    return getattr(part_of(state.game, "terminal"), name, None)


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


def fitted(text: Text, encoding: str) -> Text:
    """The text as a terminal with this encoding can show it."""
    return text if encoding.lower().startswith("utf") else in_ascii(text)
