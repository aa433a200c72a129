"""Requests to an Oware move server, what they must be answered with, and where an answer differs.

The rules and the protocol decide everything but the author, the names of the strategies and which
legal move is chosen; names stay open until the server has told them, and must then stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Wording
from spielwerk.check.visible import alike, lines_of, locate, visible
from spielwerk.games.oware.rules import STONES, format_board
from spielwerk.wire import oware as words
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spielwerk.games.oware.rules import OwareState

Text = str | bytes

NO_HOUSE: Final = "6"  # as the last move it makes the server show the board before it
Wanted = tuple[bytes | str, ...]

DETAILS: Final = 3
QUOTED: Final = 120  # bytes of a line that are quoted in a sentence
STRATEGIES: Final = 2  # that every server must have
BEFORE_STRATEGY: Final = (words.READ_FAILURE.encode(), words.BAD_STRATEGY.encode())


@dataclass(frozen=True, slots=True)
class Sending:
    """A request in pieces with pauses between them, and whether nothing will follow."""

    pieces: tuple[bytes, ...]
    pause: float = 0.0
    half_close: bool = False
    manner: str = ""  # the event that tells how it is sent

    @property
    def request(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces)


def ended(request: bytes) -> Sending:
    """The request in one piece, and the client has closed its sending side."""
    return Sending((request,), half_close=True, manner="half-closed")


def as_bytes(text: Text) -> bytes:
    """The bytes of a line; text is what a careless client would send, UTF-8."""
    return text.encode() if isinstance(text, str) else text


def message(
    strategy: Text = "0", depth: Text = "1", board: Text = words.STANDARD_BOARD, history: Text = ""
) -> bytes:
    """A request of four lines, right where nothing else is said."""
    return b"".join(as_bytes(line) + b"\n" for line in (strategy, depth, board, history))


def shows(board: str, moves: str, strategy: str = "0") -> Sending:
    """A request that makes the server show the board after the moves: a wrong one follows them."""
    request = message(strategy, board=board, history=moves + NO_HOUSE)
    return Sending((request,), manner="no-house")


def plays(board: str, moves: str = "", strategy: str = "0", depth: str = "1") -> bytes:
    """A request for a move, or for the end."""
    return message(strategy, depth, board, moves)


def cut_short(*lines: Text, rest: Text = b"") -> Sending:
    """Fewer lines than a request has, perhaps with the beginning of one more, and then the end."""
    return ended(b"".join(as_bytes(line) + b"\n" for line in lines) + as_bytes(rest))


def houses(a: Sequence[int], b: Sequence[int]) -> str:
    """A board with these houses, the other stones taken by both; B has the odd one."""
    rest = STONES - sum(a) - sum(b)
    return format_board((rest // 2, rest - rest // 2, *a, *b))


def drawing(seed: int, name: str) -> Random:
    """The random numbers of a case; the same whatever other cases are run."""
    return Random(f"{seed} {name}")


# answers


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
            Wording("the author's name", "der Name des Autors")
            if author is None
            else author + b"\n",
            Wording(f"the name of strategy {which}", f"der Name der Strategie {which}")
            if name is None
            else name + b"\n",
            *self._ending(answer),
        )

    def _ending(self, answer: bytes) -> Wanted:
        if self.state is None:
            return self.details + b"\n", self.board + b"\n"
        legal = {str(move).encode() + b"\n": move for move in self.state.legal_moves()}
        chosen = lines_of(answer)[DETAILS : DETAILS + 1]
        if not chosen or chosen[0].removesuffix(b"\n") + b"\n" not in legal:
            moves = ", ".join(map(str, legal.values()))
            return (
                Wording(f"a legal move: {moves}", f"ein erlaubter Zug: {moves}"),
                Wording("the board after that move", "das Brett nach diesem Zug"),
            )
        move = chosen[0].removesuffix(b"\n") + b"\n"
        return move, format_board(self.state.play(legal[move]).board).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an answer differs from what is wanted, and what that means."""

    kind: str
    position: int | None
    everywhere: bool = False
    values: Mapping[str, object] = field(default_factory=dict)


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
            same = alike(answer[offset : offset + len(line)], line)
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


def _framing(answer: bytes, ruling: Ruling, names: Names, position: int) -> Difference | None:
    """Faults that have nothing to do with the request."""

    def right(changed: bytes) -> bool:
        return _first_different(changed, ruling.wanted(names, changed)) is None

    count = answer.count(b"\n")
    if right(answer.replace(b"\r\n", b"\n")):
        return Difference("line-ends", position, True)
    if right(answer + b"\n"):
        return Difference("final-newline", position, True)
    five = b"".join(lines_of(answer)[:5])
    if len(answer) > len(five) and right(five):
        return Difference("too-much", position, True, {"more": len(answer) - len(five)})
    if count < 5 and position == len(answer):
        values = {"number": count + 1, "name": words.ANSWER_LINES[count]}
        return Difference("cut-off", position, True, values)
    return None


def _content(answer: bytes, wanted: Wanted, position: int) -> Difference:
    """A line that says something else."""
    number = min(locate(answer, position)[0], len(wanted) - 1)
    got = _quoted(b"".join(lines_of(answer)[number : number + 1]))
    due = wanted[number]
    expected = due if isinstance(due, str) else _quoted(due)
    name = words.ANSWER_LINES[number]
    cause = f"{expected}, {got}" if name == "status" else name
    values = {"name": name, "got": got, "due": expected}
    return Difference(f"differs:{cause}", position, values=values)


def _quoted(line: bytes) -> str:
    content = line.removesuffix(b"\n")
    if len(content) > QUOTED:
        return Wording(f"a line of {len(content)} bytes", f"eine Zeile von {len(content)} Bytes")
    return f"'{visible(content)}'"
