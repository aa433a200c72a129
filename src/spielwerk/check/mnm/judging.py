"""What is wrong with a client's move: the rule that it breaks, its first wrong byte, legal moves.

The server's own words are used: what it would refuse is wrong here, and nothing else is.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.check.case import Wording
from spielwerk.check.texts import sentence
from spielwerk.errors import IllegalMove, NotationError, printable, quote
from spielwerk.messages import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from spielwerk.games import State

    Expected = tuple[bytes | str, ...]

_PACKAGE: Final = __package__ or ""
SOME: Final = 4  # legal moves that are named
_LEFT_OVER: Final = "The turn is over, this decision is left over"


class Pitfall(NamedTuple):
    """A wrong move that shows how it came about."""

    hint: Wording
    move: str = "*"  # with * and ?
    rule: str = "*"  # that it breaks
    advice: bool = False  # what a client may do that has played the game from its start


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
        return _misspelt(state, text, _in_both(str(error)))
    if not {*map(type, moves)} <= {*map(type, state.legal_moves())}:  # chance decides so, perhaps
        return _misspelt(state, text, _unlike(state, text))
    for move, part in zip(moves, _parts(text, len(moves)), strict=True):
        try:
            if state.turn != player:
                return _left_over(state, text, column)
            state = state.play(move)
        except IllegalMove as error:
            right, expected = _nearest(state, part)
            hint = _given(text, error.rule, pitfalls)
            return _broken(state, text, error.rule, expected, column + right, hint)
        column += len(part) + 1
    return None


def _parts(text: str, count: int) -> list[str]:
    """The decisions of a turn, as they were written."""
    parts = text.split(";")
    return parts if len(parts) == count else [text] * count


def _broken(
    state: State[Any],
    text: str,
    rule: str,
    expected: Expected,
    column: int,
    hint: Mapping[str, Any],
) -> WrongMove:
    """The fault of breaking a rule; the kind says which."""
    fault = {
        "kind": f"illegal-move:{re.sub(r'[^a-z]+', '-', rule.lower())}",
        "said": printable(text),
        "rule": _in_both(rule),
        "shown": str(state),
        "expected": expected,
        **hint,
    }
    return WrongMove(column, fault)


def _left_over(state: State[Any], text: str, column: int) -> WrongMove:
    """The decisions of a chain are right, but there are too many."""
    right = f"PLAY {text[: column - 1]}\n".encode()
    return _broken(state, text, _LEFT_OVER, (right,), column, {})


def _misspelt(state: State[Any], text: str, problem: Wording) -> WrongMove:
    """The fault of a text that is no move at all."""
    hint, better = _repaired(state, text)
    column, expected = _nearest(state, text)
    if better:
        column, expected = _common(text, better), (f"PLAY {better}\n".encode(),)
    fault = {"rule": problem, "hint": hint, "better": better, "expected": expected}
    return WrongMove(column, {"kind": "no-move", **fault})


def _in_both(english: str) -> Wording:
    """A sentence of the rules in both languages."""
    return Wording(english, said(english, "de"))


def _unlike(state: State[Any], text: str) -> Wording:
    """What is said of a text that no player's move looks like."""
    legal = state.game.format_move(state.legal_moves()[0])
    return sentence(_PACKAGE, "expected", "other-form", {"said": quote(text), "some": legal})


def _nearest(state: State[Any], text: str) -> tuple[int, Expected]:
    """How many characters a legal move can have in common with a text, and such moves."""
    legal = [state.game.format_move(move) for move in state.legal_moves()]
    legal.sort(key=lambda move: -_common(text, move))
    return _common(text, legal[0]) if legal else 0, _expected(legal)


def _expected(legal: list[str]) -> Expected:
    if len(legal) == 1:
        return (f"PLAY {legal[0]}\n".encode(),)
    values = {"some": ", ".join(legal[:SOME]), "count": len(legal)}
    code = "legal-moves" if len(legal) > SOME else "few-legal-moves"
    return (sentence(_PACKAGE, "expected", code, values),) if legal else ()


def _common(one: str, other: str) -> int:
    """How many characters at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


# hints, from the move itself


def _given(text: str, rule: str, pitfalls: Iterable[Pitfall]) -> dict[str, Any]:
    """The hint of the position, if the move is one that shows its cause."""
    for one in pitfalls:
        if fnmatchcase(text, one.move) and fnmatchcase(rule, one.rule):
            return {"hint": "given", "cause": one.hint, "advice": one.advice}
    return {}


_REPAIRS: Final[dict[str, Callable[[str], str]]] = {
    "lower-case": str.upper,
    "blank-in-move": lambda text: re.sub(r"\s", "", text),
    "leading-zero": lambda text: re.sub(r"(?<![0-9])0+(?=[0-9])", "", text),
    "rest-of-buffer": lambda text: re.sub(
        r"(?<=[0-9])[^A-Za-z0-9,:; ].*", "", text, flags=re.DOTALL
    ),
}
"""What makes a move of a text that is none, each by the hint for it."""


def _repaired(state: State[Any], text: str) -> tuple[str, str]:
    """The hint for a text that would be a legal move but for one thing, and that move."""
    for hint, repair in _REPAIRS.items():
        better = repair(text)
        if better != text and _is_legal(state, better):
            return hint, better
    return "", ""


def _is_legal(state: State[Any], text: str) -> bool:
    try:
        state.play_turn(state.game.parse_turn(text))
    except (IllegalMove, NotationError):
        return False
    return True
