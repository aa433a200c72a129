"""What a request must be answered with, and where an answer begins to differ from it.

The rules and the protocol decide everything but the author, the names of the strategies and which
legal move is chosen; names stay open until the server has told them, and must then stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from spielwerk.check.report import lines_of, locate, visible
from spielwerk.games.oware.rules import format_board
from spielwerk.wire import oware as words
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

if TYPE_CHECKING:
    from spielwerk.games.oware.rules import OwareState

Wanted = tuple[bytes | str, ...]

DETAILS: Final = 3
QUOTED: Final = 120  # bytes of a line that are quoted in a sentence
STRATEGIES: Final = 2  # that every server must have
BEFORE_STRATEGY: Final = (words.READ_FAILURE.encode(), words.BAD_STRATEGY.encode())


@dataclass(slots=True)
class Names:
    """What a server has told about itself."""

    author: bytes | None = None
    default: bytes | None = None  # the strategy's name while none has been asked for
    strategies: dict[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the document wants as the answer to a request."""

    status: bytes
    strategy: int | None  # whose name is due; None for the default
    details: bytes = b""
    board: bytes = b""
    state: OwareState | None = None  # where any legal move will do

    @classmethod
    def of(cls, request: bytes, strategies: int = STRATEGIES) -> Ruling:
        """Judge a request, for a server with so many strategies."""
        reading = RequestReading()
        reading.receive(request)
        identity = ServerIdentity("author", tuple(str(n) for n in range(strategies)))
        judged = judge(reading.lines, identity)
        if isinstance(judged, Task):
            return cls(words.OK.encode(), judged.strategy, state=judged.state)
        status, _, name, details, board, _ = judged.split(b"\n")
        strategy = None if status in BEFORE_STRATEGY else int(name)
        return cls(status, strategy, details, board)

    def wanted(self, names: Names, answer: bytes) -> Wanted:
        """The five lines; the last two follow the move in the answer, if it is a legal one."""
        author = names.author
        name = names.default if self.strategy is None else names.strategies.get(self.strategy)
        which = "default" if self.strategy is None else self.strategy
        return (
            self.status + b"\n",
            "the author's name" if author is None else author + b"\n",
            f"the name of strategy {which}" if name is None else name + b"\n",
            *self._ending(answer),
        )

    def _ending(self, answer: bytes) -> Wanted:
        if self.state is None:
            return self.details + b"\n", self.board + b"\n"
        legal = {str(move).encode() + b"\n": move for move in self.state.legal_moves()}
        chosen = lines_of(answer)[DETAILS : DETAILS + 1]
        if not chosen or chosen[0].removesuffix(b"\n") + b"\n" not in legal:
            moves = ", ".join(map(str, legal.values()))
            return f"a legal move: {moves}", "the board after that move"
        move = chosen[0].removesuffix(b"\n") + b"\n"
        return move, format_board(self.state.play(legal[move]).board).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an answer differs from what is wanted, and what that means."""

    kind: str
    problem: str
    position: int
    everywhere: bool = False


def difference(answer: bytes, ruling: Ruling, names: Names) -> Difference | None:
    """The first difference, or None if the answer is right."""
    wanted = ruling.wanted(names, answer)
    position = _first_different(answer, wanted)
    if position is None:
        return None
    return _framing(answer, ruling, names, position) or _content(answer, wanted, position)


def _first_different(answer: bytes, wanted: Wanted) -> int | None:
    offset = 0
    for number, line in enumerate(wanted):
        if isinstance(line, bytes):
            same = _common(answer[offset : offset + len(line)], line)
            if same < len(line):
                return offset + same
            offset += same
        elif number >= DETAILS:
            return offset
        else:
            end = answer.find(b"\n", offset)
            if end < 0:
                return len(answer)
            offset = end + 1
    return offset if len(answer) > offset else None


def _common(one: bytes, other: bytes) -> int:
    """How many bytes are the same from the start."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _framing(answer: bytes, ruling: Ruling, names: Names, position: int) -> Difference | None:
    """Faults that have nothing to do with the request."""

    def right(changed: bytes) -> bool:
        return _first_different(changed, ruling.wanted(names, changed)) is None

    count = answer.count(b"\n")
    if right(answer.replace(b"\r\n", b"\n")):
        return Difference("line ends", "lines end in \\r\\n instead of \\n alone", position, True)
    if right(answer + b"\n"):
        return Difference("final newline", "the fifth line has no \\n at its end", position, True)
    five = b"".join(lines_of(answer)[:5])
    if len(answer) > len(five) and right(five):
        problem = f"after the five lines the answer goes on ({len(answer) - len(five)} bytes)"
        return Difference("too much", problem, position, True)
    if count < 5 and position == len(answer):
        problem = f"the answer ends in line {count + 1}, <{words.ANSWER_LINES[count]}>"
        return Difference("cut off", problem, position, True)
    return None


def _content(answer: bytes, wanted: Wanted, position: int) -> Difference:
    """A line that says something else."""
    number = min(locate(answer, position)[0], len(wanted) - 1)
    got = _quoted(b"".join(lines_of(answer)[number : number + 1]))
    due = wanted[number]
    expected = due if isinstance(due, str) else _quoted(due)
    name = words.ANSWER_LINES[number]
    kind = f"{expected} expected, got {got}" if name == "status" else f"<{name}>"
    return Difference(kind, f"<{name}> is {got}, not {expected}", position)


def _quoted(line: bytes) -> str:
    content = line.removesuffix(b"\n")
    if len(content) > QUOTED:
        return f"a line of {len(content)} bytes"
    return f"'{visible(content)}'"
