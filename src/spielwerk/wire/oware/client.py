"""The remote player's side: writing a request, and believing nothing of what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, quote
from spielwerk.games.oware.rules import collected, format_board
from spielwerk.wire.oware import words

if TYPE_CHECKING:
    from spielwerk.games.oware.rules import Board, OwareState

LONGEST: Final = 65536 + 4096  # bytes of an answer: a repeated line and what stands around it


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

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self.data = b""

    def receive(self, data: bytes) -> bool:
        """Take bytes from the server; True when the answer is there, AnswerError if it is none."""
        self.data += data
        lines = self.data.split(b"\n", len(words.ANSWER_LINES))
        complete = len(lines) > len(words.ANSWER_LINES)
        if complete:
            self.data = self.data[: len(self.data) - len(lines[-1])]
        if len(self.data) > self._longest:
            raise AnswerError(f"the answer is longer than {self._longest} bytes")
        return complete

    @property
    def missing(self) -> str:
        """The first line that has not come whole, as one would name it."""
        number = self.data.count(b"\n")
        return f"line {number + 1}, <{words.ANSWER_LINES[number]}>"


def read_answer(data: bytes, state: OwareState) -> Answer:
    """The move in an answer to a request about this state, or AnswerError."""
    status, author, strategy, details, board = _lines(data)
    if status.startswith("ERROR"):
        raise AnswerError(f"the server reports {quote(status)} for {quote(details)}")
    if status != words.OK:
        raise AnswerError(f"the status is {quote(status)}, neither OK nor an ERROR")
    if details == words.FINISH:
        final = format_board(collected(state.board))
        agreed = "as it would be" if board == final else f"not the {quote(final)} that it would be"
        problem = f"the server says the game is over with {quote(board)}, {agreed}"
        raise AnswerError(f"{problem}; but {state.game.sides[state.player]} can move")
    return Answer(_checked_move(details, board, state), author, strategy)


def _lines(data: bytes) -> list[str]:
    """The five lines, each with its newline and nothing after them."""
    *lines, rest = data.decode("latin-1").split("\n")
    if len(lines) < len(words.ANSWER_LINES):
        missing = words.ANSWER_LINES[len(lines)]
        raise AnswerError(f"the answer ends before the end of line {len(lines) + 1}, <{missing}>")
    if rest or len(lines) > len(words.ANSWER_LINES):
        extra = "\n".join([*lines[len(words.ANSWER_LINES) :], rest])
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
