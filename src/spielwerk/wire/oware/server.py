"""The move server's side: reading a request, judging it in the document's order, and answering."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.games.oware.rules import Oware, collected, format_board, parse_board
from spielwerk.wire.lines import LineSplitter, LineTooLong
from spielwerk.wire.oware import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.oware.rules import OwareState

LONGEST: Final = 65536  # bytes in a line

_STRATEGY: Final = re.compile(rb"0|[1-9][0-9]{0,8}")
_DEPTH: Final = re.compile(rb"[1-9]")


class Reading:
    """Collects the lines of one request; what follows the fourth is ignored."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._splitter = LineSplitter(longest)
        self._broken = False
        self.lines: list[bytes] = []

    def receive(self, data: bytes) -> bool:
        """Take bytes from the client; True when there is nothing more to be read."""
        if not self.complete:
            self._splitter.feed(data, 0.0)
            self._take()
        return self.complete

    def _take(self) -> None:
        try:
            while not self.complete and (line := self._splitter.take()):
                self.lines.append(line.content)
        except LineTooLong:
            self._broken = True

    @property
    def complete(self) -> bool:
        """Whether all lines are there, or one is too long to go on."""
        return self._broken or len(self.lines) == len(words.REQUEST_LINES)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers, and what its strategies are called; all of it ASCII, 0 the default."""

    author: str
    strategies: tuple[str, ...]

    def answer(self, status: str, details: bytes, board: str, strategy: int = 0) -> bytes:
        """The five lines of an answer."""
        head = f"{status}\n{self.author}\n{self.strategies[strategy]}\n"
        return head.encode("ascii") + details + f"\n{board}\n".encode("ascii")


@dataclass(frozen=True, slots=True)
class Task:
    """A request without fault: somebody has to find the move."""

    identity: Identity
    strategy: int
    depth: int
    state: OwareState

    def answer(self, move: int) -> bytes:
        """The answer with this move, which must be legal."""
        board = format_board(self.state.play(move).board)
        return self.identity.answer(words.OK, str(move).encode(), board, self.strategy)


def judge(lines: Sequence[bytes], identity: Identity) -> bytes | Task:
    """The answer if the request can be answered as it stands, else the task to find a move."""
    if len(lines) < len(words.REQUEST_LINES):
        where = words.REQUEST_LINES[len(lines)].encode()
        return identity.answer(words.READ_FAILURE, where, words.STANDARD_BOARD)
    strategy_line, depth_line, board_line, history = lines
    if not _STRATEGY.fullmatch(strategy_line) or int(strategy_line) >= len(identity.strategies):
        return identity.answer(words.BAD_STRATEGY, strategy_line, words.STANDARD_BOARD)
    strategy = int(strategy_line)
    if not _DEPTH.fullmatch(depth_line):
        return identity.answer(words.BAD_DEPTH, depth_line, words.STANDARD_BOARD, strategy)
    board = parse_board(board_line.decode("ascii", "replace"))
    if board is None:
        return identity.answer(words.BAD_BOARD, board_line, words.STANDARD_BOARD, strategy)
    start = Oware().parse_state(format_board(board))
    return _replay(Task(identity, strategy, int(depth_line), start), history)


def _replay(task: Task, history: bytes) -> bytes | Task:
    """Follow the history from the left, and see whether the game is over then."""
    state, identity, strategy = task.state, task.identity, task.strategy
    for m, character in enumerate(history):
        house = character - ord("0")
        if house not in state.legal_moves():
            status = f"{words.BAD_HISTORY} {m}"
            return identity.answer(status, history, format_board(state.board), strategy)
        state = state.play(house)
    if state.outcome:
        final = format_board(collected(state.board))
        return identity.answer(words.OK, words.FINISH.encode(), final, strategy)
    return Task(identity, strategy, task.depth, state)
