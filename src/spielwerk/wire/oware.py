"""The protocol of Oware's move servers (Oware task, section 5), both sides, without I/O.

One connection carries one request of four lines and one answer of five. The server's side are
`RequestReading` and `judge`, the client's `request`, `AnswerReading` and `read_answer`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, quote
from spielwerk.games.oware.rules import STANDARD, Oware, collected, format_board, parse_board
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.oware.rules import Board, OwareState


REQUEST_LINES: Final = ("strategy", "search-depth", "initial-board", "move-history")
ANSWER_LINES: Final = (
    "status",
    "server-author",
    "strategy-name",
    "response-details",
    "resulting-board",
)

STANDARD_BOARD: Final = format_board(STANDARD)

OK: Final = "OK"
FINISH: Final = "finish"
READ_FAILURE: Final = "ERROR read-failure"
BAD_STRATEGY: Final = "ERROR strategy"
BAD_DEPTH: Final = "ERROR search-depth"
BAD_BOARD: Final = "ERROR initial-board"
BAD_HISTORY: Final = "ERROR move-history"

LONGEST_LINE: Final = 65536  # bytes in a line

_STRATEGY: Final = re.compile(rb"0|[1-9][0-9]{0,8}")
_DEPTH: Final = re.compile(rb"[1-9]")


class RequestReading:
    """Collects the lines of one request; what follows the fourth is ignored."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
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
        return self._broken or len(self.lines) == len(REQUEST_LINES)


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """Who answers, and what its strategies are called; all of it ASCII, 0 the default."""

    author: str
    strategies: tuple[str, ...]

    def answer(self, status: str, details: bytes, board: str, strategy: int = 0) -> bytes:
        """The five lines of an answer."""
        head = f"{status}\n{self.author}\n{self.strategies[strategy]}\n"
        return head.encode("ascii") + details + f"\n{board}\n".encode("ascii")


@dataclass(frozen=True, slots=True)
class Task:
    """A request without fault, for which a move has to be found."""

    identity: ServerIdentity
    strategy: int
    depth: int
    state: OwareState

    def answer(self, move: int) -> bytes:
        """The answer with this move, which must be legal."""
        board = format_board(self.state.play(move).board)
        return self.identity.answer(OK, str(move).encode(), board, self.strategy)


def judge(lines: Sequence[bytes], identity: ServerIdentity) -> bytes | Task:
    """The answer if the request can be answered as it stands, else the task to find a move."""
    if len(lines) < len(REQUEST_LINES):
        where = REQUEST_LINES[len(lines)].encode()
        return identity.answer(READ_FAILURE, where, STANDARD_BOARD)
    strategy_line, depth_line, board_line, history = lines
    if not _STRATEGY.fullmatch(strategy_line) or int(strategy_line) >= len(identity.strategies):
        return identity.answer(BAD_STRATEGY, strategy_line, STANDARD_BOARD)
    strategy = int(strategy_line)
    if not _DEPTH.fullmatch(depth_line):
        return identity.answer(BAD_DEPTH, depth_line, STANDARD_BOARD, strategy)
    board = parse_board(board_line.decode("ascii", "replace"))
    if board is None:
        return identity.answer(BAD_BOARD, board_line, STANDARD_BOARD, strategy)
    start = Oware().parse_state(format_board(board))
    return _replay(Task(identity, strategy, int(depth_line), start), history)


def _replay(task: Task, history: bytes) -> bytes | Task:
    """Follow the history from the left, and see whether the game is over then."""
    state, identity, strategy = task.state, task.identity, task.strategy
    for m, character in enumerate(history):
        house = character - ord("0")
        if house not in state.legal_moves():
            status = f"{BAD_HISTORY} {m}"
            return identity.answer(status, history, format_board(state.board), strategy)
        state = state.play(house)
    if state.outcome:
        final = format_board(collected(state.board))
        return identity.answer(OK, FINISH.encode(), final, strategy)
    return Task(identity, strategy, task.depth, state)


LONGEST_ANSWER: Final = (
    65536 + 4096
)  # bytes of an answer: a repeated line and what stands around it


class AnswerError(SpielwerkError):
    """An answer that no correct server gives, or an error that the server reports."""


class IllegalAnswer(AnswerError):
    """A move that the rules forbid."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A move that a server has chosen, and as whom."""

    move: int
    author: str
    strategy: str


def request(strategy: int, depth: int, initial: Board, history: str) -> bytes:
    """The four lines of a request."""
    return f"{strategy}\n{depth}\n{format_board(initial)}\n{history}\n".encode("ascii")


class AnswerReading:
    """Collects an answer; what follows its five lines is not looked at."""

    def __init__(self, longest: int = LONGEST_ANSWER) -> None:
        self._longest = longest
        self.data = b""

    def receive(self, data: bytes) -> bool:
        """Take bytes from the server; True when the answer is there, AnswerError if it is none."""
        self.data += data
        lines = self.data.split(b"\n", len(ANSWER_LINES))
        complete = len(lines) > len(ANSWER_LINES)
        if complete:
            self.data = self.data[: len(self.data) - len(lines[-1])]
        if len(self.data) > self._longest:
            raise AnswerError(f"the answer is longer than {self._longest} bytes")
        return complete

    @property
    def missing(self) -> str:
        """The first line that has not come whole, as one would name it."""
        number = self.data.count(b"\n")
        return f"line {number + 1}, <{ANSWER_LINES[number]}>"


def read_answer(data: bytes, state: OwareState) -> Answer:
    """The move in an answer to a request about this state, or AnswerError."""
    status, author, strategy, details, board = _lines(data)
    if status.startswith("ERROR"):
        raise AnswerError(f"the server reports {quote(status)} for {quote(details)}")
    if status != OK:
        raise AnswerError(f"the status is {quote(status)}, neither OK nor an ERROR")
    if details == FINISH:
        final = format_board(collected(state.board))
        agreed = "as it would end" if board == final else f"but it would end with {quote(final)}"
        problem = f"the server says the game is over with {quote(board)}, {agreed}"
        raise AnswerError(f"{problem}; but {state.game.sides[state.player]} can move")
    return Answer(_checked_move(details, board, state), author, strategy)


def _lines(data: bytes) -> list[str]:
    """The five lines, each with its newline and nothing after them."""
    *lines, rest = data.decode("latin-1").split("\n")
    if len(lines) < len(ANSWER_LINES):
        missing = ANSWER_LINES[len(lines)]
        raise AnswerError(f"the answer ends before the end of line {len(lines) + 1}, <{missing}>")
    if rest or len(lines) > len(ANSWER_LINES):
        extra = "\n".join([*lines[len(ANSWER_LINES) :], rest])
        raise AnswerError(f"after its five lines the answer goes on with {quote(extra)}")
    return lines


def _checked_move(details: str, board: str, state: OwareState) -> int:
    legal = state.legal_moves()
    if details not in map(str, legal):
        allowed = ", ".join(map(str, legal))
        raise IllegalAnswer(f"the server's move {quote(details)} is not one of {allowed}")
    move = int(details)
    after = format_board(state.play(move).board)
    if board != after:
        raise AnswerError(
            f"after {move} the board is {quote(after)}, the server says {quote(board)}"
        )
    return move
