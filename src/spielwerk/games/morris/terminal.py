"""Nine Men's Morris: the three squares with their field names, and the stones beside the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.games.morris.rules import FIELDS, FREE, STONES
from spielwerk.terminal.boards import FAINT, emblem

if TYPE_CHECKING:
    from spielwerk.games.morris.rules import MorrisState

# Every name stands where its field is, with one blank before it for the stone.
PICTURE: Final = """\
 A0──────────────────── A1──────────────────── A2
 │                      │                      │
 │      B0───────────── B1───────────── B2     │
 │      │               │               │      │
 │      │      C0────── C1────── C2     │      │
 │      │      │                 │      │      │
 A7──── B7──── C7                C3──── B3──── A3
 │      │      │                 │      │      │
 │      │      C6────── C5────── C4     │      │
 │      │               │               │      │
 │      B6───────────── B5───────────── B4     │
 │                      │                      │
 A6──────────────────── A5──────────────────── A4"""


def draw(state: MorrisState) -> Text:
    """The board, and what each player has in hand and has lost."""
    picture = Text(PICTURE, FAINT)
    for name, content in zip(FIELDS, state.board, strict=True):
        _put(picture, name, content)
    return Text("\n").join([picture, Text(), *(_stock(state, player) for player in (0, 1))])


def _put(picture: Text, name: str, content: str) -> None:
    """Set a stone before the field's name."""
    if content == FREE:
        return
    place = picture.plain.index(name) - 1
    stone = emblem(STONES.index(content))
    picture.plain = picture.plain[:place] + stone.plain + picture.plain[place + 1 :]
    picture.stylize(f"not dim {stone.style}", place, place + 3)


def _stock(state: MorrisState, player: int) -> Text:
    stock = f" {state.game.sides[player]:6}{state.hand[player]} in hand, {state.lost(player)} lost"
    if state.capture and player == state.player:
        stock += f", captures {state.capture}"
    return Text.assemble(emblem(player), stock)
