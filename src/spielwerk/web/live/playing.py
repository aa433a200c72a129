"""A person's move: acknowledged when it is kept, never played twice, refused with the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import IllegalMove, NotationError, SpielwerkError
from spielwerk.games.playing import play_turn
from spielwerk.tables.table import NotNow
from spielwerk.web.live.messages import said, version

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.tables.table import Table

    Tell = Callable[[str], None]

LONGEST: Final = 64  # characters of a move, and of a message's name
INCOMPLETE: Final = "a move needs id, seat, ply and move"
FOREIGN: Final = "this seat is not yours"
STALE: Final = "the game has gone on meanwhile"
UNWRITTEN: Final = "the move could not be written; try again"


class Moves:
    """The moves that come through sockets to one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._written: dict[tuple[int, int, str], list[tuple[str, Tell]]] = {}  # being written

    def play(self, message: dict[str, Any], own: list[int], tell: Tell) -> None:
        """Offer a move from one of these seats; `tell` gets the answer, perhaps later."""
        name, move = _text(message, "id"), _text(message, "move")
        seat, ply = _number(message, "seat"), _number(message, "ply")
        if name is None or move is None or seat is None or ply is None:
            tell(_refusal(name, INCOMPLETE))
        elif seat not in own:
            tell(_refusal(name, FOREIGN))
        elif (seat, ply, move) in self._written:
            self._written[seat, ply, move].append((name, tell))
        elif ply == len(self._table.history):
            self._offer(seat, ply, move, (name, tell))
        elif _was_played(self._table, seat, ply, move):
            tell(said("ack", id=name, v=version(self._table)))
        else:
            tell(_refusal(name, STALE, stale=True))

    def _offer(self, seat: int, ply: int, move: str, asked: tuple[str, Tell]) -> None:
        name, tell = asked

        def done(error: BaseException | None) -> None:
            for name, tell in self._written.pop((seat, ply, move)):
                ack = said("ack", id=name, v=version(self._table))
                tell(ack if error is None else _refusal(name, UNWRITTEN))

        self._written[seat, ply, move] = [asked]
        try:
            self._table.play(self._table.seats[seat], move, done)
        except SpielwerkError as error:
            del self._written[seat, ply, move]
            stale = isinstance(error, NotNow)
            tell(_refusal(name, str(error), rule=_rule(error), stale=stale))

    def why(self, message: dict[str, Any]) -> str:
        """Which rule forbids a move where the game stands, if one does."""
        name, move = _text(message, "id"), _text(message, "move")
        if name is None or move is None:
            return said("why", id=name, rule="a question needs id and move")
        rule = None
        try:
            play_turn(self._table.state, self._table.game.parse_turn(move))
        except SpielwerkError as error:
            rule = _rule(error) or str(error)
        return said("why", id=name, rule=rule)


def _text(message: dict[str, Any], key: str) -> str | None:
    value = message.get(key)
    return value if isinstance(value, str) and len(value) <= LONGEST else None


def _number(message: dict[str, Any], key: str) -> int | None:
    value = message.get(key)
    return value if type(value) is int else None


def _rule(error: SpielwerkError) -> str | None:
    if isinstance(error, NotationError):
        return error.problem
    return error.rule if isinstance(error, IllegalMove) else None


def _refusal(name: str | None, error: str, *, rule: str | None = None, stale: bool = False) -> str:
    return said("refused", id=name, error=error, rule=rule, stale=stale)


def _was_played(table: Table, seat: int, ply: int, text: str) -> bool:
    """Whether these decisions were that seat's turn, beginning with that ply."""
    if not 0 <= ply < len(table.history):
        return False
    try:
        turn = table.game.parse_turn(text)
    except SpielwerkError:
        return False
    end = ply + len(turn)
    whole = all(one.seat != seat for one in table.moves(end, end + 1))
    return whole and [(one.seat, one.move) for one in table.moves(ply, end)] == [
        (seat, table.game.format_move(move)) for move in turn
    ]
