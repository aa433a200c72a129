"""Prepared positions: every game of the game server brings its own, in `check.toml` in its folder.

An entry has what `cases.toml` has, and besides

position   as `str(state)` writes it; the player whose turn it is there is the checked client
options    of the game, each NAME=VALUE
pitfalls   wrong moves that show how they came about: `move` and `rule` (both with * and ?), `hint`
           and `hint_de`, and `advice` if a client could do so that has seen the game from its start
shown      lines of the position that are written otherwise

The pitfalls of all positions stand in `pitfall` in the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spielwerk.check.case import Wording
from spielwerk.check.mnm.judging import Pitfall
from spielwerk.check.texts import entries_of
from spielwerk.games import find_kit
from spielwerk.wire.mnm.words import Board, board_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.games import State
    from spielwerk.wire.mnm.words import Dialect


@dataclass(frozen=True)
class Prepared:
    """One position, and what is known about it."""

    entry: Mapping[str, Any]  # its case
    state: State[Any]
    pitfalls: tuple[Pitfall, ...] = ()
    shown: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_forced(self) -> bool:
        """Whether the client has only one move."""
        return len(self.state.legal_moves()) == 1

    @property
    def board(self) -> Board:
        """What writes the position, and those after it."""
        board = board_at(self.state)
        return _Retold(board, self.shown) if self.shown else board


def prepared(game: str) -> list[Prepared]:
    """The positions of a game, in the order of its file; none if it has no such file."""
    kit = find_kit(game)
    usual = entries_of(kit.package, "check.toml", "pitfall")
    return [
        Prepared(
            one,
            kit.game.from_text(one.get("options", ())).parse_state(one["position"]),
            tuple(_pitfall(wrong) for wrong in (*one.get("pitfalls", ()), *usual)),
            one.get("shown", {}),
        )
        for one in entries_of(kit.package, "check.toml")
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
