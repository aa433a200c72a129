"""What is wrong with a client's move: the rule that it breaks, its first wrong byte, legal moves.

The server's own words are used: what it would refuse is wrong here, and nothing else is.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.check.case import Wording
from spielwerk.check.texts import sentence
from spielwerk.errors import IllegalMove, NotationError, printable
from spielwerk.messages import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from spielwerk.games import State

SOME: Final = 4  # legal moves that are named
_LEFT_OVER: Final = "The turn is over, this decision is left over"


class Pitfall(NamedTuple):
    """A wrong move that shows how it came about."""

    move: str  # with * and ?
    hint: Wording


class WrongMove(NamedTuple):
    """What is told of a move: at which character it goes wrong, and what else `blame` takes."""

    column: int
    fault: dict[str, Any]


def wrong_move(state: State[Any], text: str, pitfalls: Iterable[Pitfall] = ()) -> WrongMove | None:
    """What is wrong with the move of the player whose turn it is; None if nothing is."""
    player, column = state.turn, 0
    try:
        moves = state.game.parse_turn(text)
    except NotationError as error:
        return _told(state, text, text, "no-move", str(error), _misspelt(state, text))
    for move, part in zip(moves, _parts(text, len(moves)), strict=True):
        try:
            if state.turn != player:
                return _left_over(state, text, column)
            state = state.play(move)
        except IllegalMove as error:
            found = _told(state, text, part, "illegal-move", error.rule, _given(text, pitfalls))
            return found._replace(column=column + found.column)
        column += len(part) + 1
    return None


def _parts(text: str, count: int) -> list[str]:
    """The decisions of a turn, as they were written."""
    return text.split(";") if count > 1 else [text]


def _left_over(state: State[Any], text: str, column: int) -> WrongMove:
    """The decisions of a chain are right, but there are too many."""
    rule = Wording(_LEFT_OVER, said(_LEFT_OVER, "de"))
    right = f"PLAY {text[: column - 1]}\n".encode()
    values = {"said": printable(text), "rule": rule, "shown": str(state), "expected": (right,)}
    return WrongMove(column, {"kind": "illegal-move", **values})


def _told(
    state: State[Any], text: str, part: str, kind: str, rule: str, hint: dict[str, Any]
) -> WrongMove:
    legal = [state.game.format_move(move) for move in state.legal_moves()]
    nearest = sorted(legal, key=lambda move: -_common(part, move))
    fault = {
        "kind": kind,
        "said": printable(text),
        "rule": Wording(rule, said(rule, "de")),
        "shown": str(state),
        "expected": _expected(nearest),
        **hint,
    }
    return WrongMove(_common(part, nearest[0]) if nearest else 0, fault)


def _expected(legal: list[str]) -> tuple[bytes | str, ...]:
    if len(legal) == 1:
        return (f"PLAY {legal[0]}\n".encode(),)
    values = {"some": ", ".join(legal[:SOME]), "count": len(legal)}
    code = "legal-moves" if len(legal) > SOME else "few-legal-moves"
    return (sentence(__package__ or "", "expected", code, values),) if legal else ()


def _common(one: str, other: str) -> int:
    """How many characters at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


# hints, from the move itself


def _given(text: str, pitfalls: Iterable[Pitfall]) -> dict[str, Any]:
    """The hint of the position, if the move is one that shows its cause."""
    hints = (one.hint for one in pitfalls if fnmatchcase(text, one.move))
    found = next(hints, None)
    return {"hint": "given", "cause": found} if found else {}


_REPAIRS: Final[dict[str, Callable[[str], str]]] = {
    "lower-case": str.upper,
    "blank-in-move": lambda text: re.sub(r"\s", "", text),
    "leading-zero": lambda text: re.sub(r"(?<![0-9])0+(?=[0-9])", "", text),
    "rest-of-buffer": lambda text: re.sub(
        r"(?<=[0-9])[^A-Za-z0-9,:; ].*", "", text, flags=re.DOTALL
    ),
}
"""What makes a move of a text that is none, each by the hint for it."""


def _misspelt(state: State[Any], text: str) -> dict[str, Any]:
    """The hint for a text that would be a move but for one thing."""
    for hint, repair in _REPAIRS.items():
        better = repair(text)
        if better != text and _is_move(state, better):
            return {"hint": hint, "better": better}
    return {}


def _is_move(state: State[Any], text: str) -> bool:
    try:
        state.game.parse_turn(text)
    except NotationError:
        return False
    return True
