"""Positions, and what is wrong with a client's move: the rule that it breaks, its first wrong byte.

The server's own words are used: what it would refuse is wrong here, and nothing else is.

Every game of the game server brings its positions, in `check.toml` in its folder. An entry has what
`cases.toml` has, and besides

position   as `str(state)` writes it; the player whose turn it is there is the checked client
options    of the game, each NAME=VALUE
pitfalls   wrong moves that show how they came about: `move` and `rule` (both with * and ?), `hint`
           and `hint_de`, and `advice` if a client could do so that has seen the game from its start
shown      lines of the position that are written otherwise

The pitfalls of all positions stand in `pitfall` in the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.check.case import Wording
from spielwerk.check.texts import sentence, toml_of
from spielwerk.check.visible import alike
from spielwerk.errors import IllegalMove, NotationError, printable, quote
from spielwerk.games import find_kit
from spielwerk.messages import said
from spielwerk.wire.mnm.words import Board, board_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from spielwerk.games import State
    from spielwerk.wire.mnm.words import Dialect

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


@dataclass(frozen=True)
class Prepared:
    """One position, and what is known about it."""

    entry: Mapping[str, Any]  # its case
    state: State[Any]
    pitfalls: tuple[Pitfall, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_forced(self) -> bool:
        """Whether the client has only one move, and reads it in the usual lines."""
        return len(self.state.legal_moves()) == 1 and not self.shown

    @property
    def board(self) -> Board:
        """What writes the position, and those after it."""
        board = board_at(self.state)
        return _Retold(board, self.shown) if self.shown else board


def prepared(game: str) -> list[Prepared]:
    """The positions of a game, in the order of its file; none if it has no such file."""
    kit = find_kit(game)
    listed = toml_of(kit.package, "check.toml")
    usual = listed.get("pitfall", ())
    return [
        Prepared(
            one,
            kit.game.from_text(one.get("options", ())).parse_state(one["position"]),
            tuple(_pitfall(wrong) for wrong in (*one.get("pitfalls", ()), *usual)),
            one.get("shown", {}),
        )
        for one in listed.get("case", ())
    ]


def _pitfall(wrong: Mapping[str, Any]) -> Pitfall:
    hint = Wording(wrong["hint"], wrong["hint_de"])
    others = {name: wrong[name] for name in ("move", "rule", "advice") if name in wrong}
    return Pitfall(hint, **others)


class _Retold(Board):
    """A board that writes some lines otherwise."""

    def __init__(self, board: Board, shown: Mapping[str, str]) -> None:
        self._board = board
        self._shown = shown

    def played(self, before: State[Any], move: Any) -> None:
        """See the base."""
        self._board.played(before, move)

    def asked(self, state: State[Any]) -> list[str]:
        """The lines of the board, with others for some."""
        return [self._shown.get(line, line) for line in self._board.asked(state)]

    def ended(self, state: State[Any], dialect: Dialect) -> list[str]:
        """See the base."""
        return self._board.ended(state, dialect)


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
        column, expected = alike(text, better), (f"PLAY {better}\n".encode(),)
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
    legal.sort(key=lambda move: -alike(text, move))
    return alike(text, legal[0]) if legal else 0, _expected(legal)


def _expected(legal: list[str]) -> Expected:
    if len(legal) == 1:
        return (f"PLAY {legal[0]}\n".encode(),)
    values = {"some": ", ".join(legal[:SOME]), "count": len(legal)}
    code = "legal-moves" if len(legal) > SOME else "few-legal-moves"
    return (sentence(_PACKAGE, "expected", code, values),) if legal else ()


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
