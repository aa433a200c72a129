"""Requests to an Oware move server, what they must be answered with, and where an answer differs.

The rules and the protocol decide everything but the author, the names of the strategies and which
legal move is chosen; names stay open until the server has told them, and must then stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Case, Wording, in_language
from spielwerk.check.visible import lines_of, locate, visible
from spielwerk.games.oware.rules import STONES, format_board
from spielwerk.wire import oware as words
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from spielwerk.check.oware.peer import OwareProbe
    from spielwerk.games.oware.rules import OwareState

Text = str | bytes

HALF_CLOSED: Final = Wording(
    "then the client closes its sending side", "dann schließt der Client seine Senderichtung"
)
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
    manner: str = ""

    @property
    def request(self) -> bytes:
        """All of it."""
        return b"".join(self.pieces)


def whole(request: bytes) -> Sending:
    """The request in one piece; the client goes on listening and could say more."""
    return Sending((request,))


def ended(request: bytes) -> Sending:
    """The request in one piece, and the client has closed its sending side."""
    return Sending((request,), half_close=True, manner=HALF_CLOSED)


def split(pieces: Sequence[bytes], pause: float, manner: str) -> Sending:
    """The request in pieces."""
    return Sending(tuple(pieces), pause, manner=manner)


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
    manner = Wording(
        f"there is no house {NO_HOUSE}: the error shows the board before it",
        f"ein Haus {NO_HOUSE} gibt es nicht: der Fehler zeigt das Brett davor",
    )
    return Sending((request,), manner=manner)


def plays(board: str, moves: str = "", strategy: str = "0", depth: str = "1") -> bytes:
    """A request for a move, or for the end."""
    return message(strategy, depth, board, moves)


def asking(
    name: str,
    rule: str,
    source: str,
    requests: Iterable[bytes | Sending],
    *,
    decided: bool = False,
) -> Case:
    """A case of requests that are made one after the other."""
    listed = tuple(requests)

    async def run(probe: OwareProbe) -> None:
        for request in listed:
            if not probe.gave_up:
                await probe.ask(request)

    return Case(name, rule, source, run, decided)


def doing(
    name: str,
    rule: str,
    source: str,
    run: Callable[[OwareProbe], Awaitable[None]],
    *,
    decided: bool = False,
    alone: bool = True,
) -> Case:
    """A case that does more than to ask one thing after the other."""
    return Case(name, rule, source, run, decided, alone)


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


LINE_ENDS: Final = Wording(
    "lines end in \\r\\n instead of \\n alone", "Zeilen enden mit \\r\\n statt mit \\n allein"
)
FINAL_NEWLINE: Final = Wording(
    "the fifth line has no \\n at its end", "die fünfte Zeile hat kein \\n am Ende"
)


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
        return Difference("line ends", LINE_ENDS, position, True)
    if right(answer + b"\n"):
        return Difference("final newline", FINAL_NEWLINE, position, True)
    five = b"".join(lines_of(answer)[:5])
    if len(answer) > len(five) and right(five):
        more = len(answer) - len(five)
        problem = Wording(
            f"after the five lines the answer goes on ({more} bytes)",
            f"nach den fünf Zeilen geht die Antwort weiter ({more} Bytes)",
        )
        return Difference("too much", problem, position, True)
    if count < 5 and position == len(answer):
        where = f"{count + 1}, <{words.ANSWER_LINES[count]}>"
        problem = Wording(f"the answer ends in line {where}", f"die Antwort endet in Zeile {where}")
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
    german = in_language(expected, "de")
    problem = Wording(
        f"<{name}> is {got}, not {expected}",
        f"<{name}> ist {in_language(got, 'de')}, nicht {german}",
    )
    return Difference(kind, problem, position)


def _quoted(line: bytes) -> str:
    content = line.removesuffix(b"\n")
    if len(content) > QUOTED:
        return Wording(f"a line of {len(content)} bytes", f"eine Zeile von {len(content)} Bytes")
    return f"'{visible(content)}'"
