"""Oware: B's row above, A's below, house numbers outside, what each has taken at the right hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from spielwerk.games.oware.rules import HOUSES, Action, Oware, move_steps, row
from spielwerk.terminal.boards import FAINT, HINT, LEGAL, MARKED, emblem, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games.oware.rules import Board, OwareState, Step

INDENT: Final = " " * 8


@dataclass(frozen=True, slots=True)
class _Mark:
    """A house that stands out."""

    player: int
    house: int
    style: str = MARKED


def draw(state: OwareState) -> Text:
    """Two rows of six houses; sowing goes counterclockwise."""
    return _picture(state.board, state.turn, state.legal_moves())


def mark(state: OwareState, move: int) -> Text:
    """The same with one house blinking as a hint."""
    return _picture(state.board, state.turn, state.legal_moves(), _Mark(state.player, move, HINT))


def frames(state: OwareState, move: int) -> Iterator[Text]:
    """The move as it happens, a picture with a caption for every step."""
    mover = Oware.sides[state.player]
    for step in move_steps(state, move):
        picture = _picture(step.board, mark=_Mark(step.row, step.house))
        caption = Text.assemble(" ", emblem(state.player), f" {mover} {_caption(step)}")
        yield Text("\n").join([picture, caption])


def _caption(step: Step) -> str:
    house = f"{Oware.sides[step.row]}{step.house}"
    match step.action:
        case Action.CHOOSE:
            return f"chooses house {step.house}"
        case Action.TAKE:
            return f"takes out {step.stones}"
        case Action.SOW:
            return f"sows into {house}, {step.hand} in hand"
        case Action.COLLECT:
            return f"collects {step.stones} from {house}"


def _picture(
    board: Board, turn: int | None = None, legal: tuple[int, ...] = (), mark: _Mark | None = None
) -> Text:
    edges = [
        Text(f"{INDENT}{left}{cross.join(['────'] * HOUSES)}{right}", FAINT)
        for left, cross, right in ("┌┬┐", "├┼┤", "└┴┘")
    ]
    lines = [
        _numbers(1, legal if turn == 1 else ()),
        edges[0],
        Text.assemble(_store(board, 1), _houses(board, 1, mark)),
        edges[1],
        Text.assemble(INDENT, _houses(board, 0, mark), _store(board, 0)),
        edges[2],
        _numbers(0, legal if turn == 0 else ()),
    ]
    return Text("\n").join(lines)


def _houses(board: Board, player: int, mark: _Mark | None) -> Text:
    cells = [_cell(count, (player, house), mark) for house, count in enumerate(row(board, player))]
    return joined([Text(), *cells[:: -1 if player else 1], Text()], Text("│", FAINT))


def _cell(count: int, house: tuple[int, int], mark: _Mark | None) -> Text:
    if mark and house == (mark.player, mark.house):
        return Text(f"[{count:2}]", mark.style)
    return Text(f" {count:2} ", "" if count else FAINT)


def _numbers(player: int, legal: tuple[int, ...]) -> Text:
    """The house numbers, those that can be chosen in bold."""
    houses = reversed(range(HOUSES)) if player else range(HOUSES)
    cells = [Text(f"  {house}  ", LEGAL if house in legal else FAINT) for house in houses]
    return Text.assemble(INDENT, *cells)


def _store(board: Board, player: int) -> Text:
    """What the player has taken."""
    return Text.assemble(" ", emblem(player), f" {Oware.sides[player]} {board[player]:2} ")
