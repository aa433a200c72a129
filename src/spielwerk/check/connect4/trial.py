"""What the trials of both roles share: an index server, the talk with the program, and crashes."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NoReturn, TypeVar

from spielwerk.check.connect4.hints import first_wrong, hint_for
from spielwerk.check.connect4.listing import CHANNEL, ScriptedIndex
from spielwerk.check.started import ProgramTrial
from spielwerk.check.trial import WHOLE
from spielwerk.games.connect4.rules import FREE, STONES, ConnectFour, ConnectFourState
from spielwerk.wire.connect4.host import PeerBreach, PeerSide
from spielwerk.wire.connect4.messages import (
    WHOLE_BOARD,
    GameMessage,
    MessageError,
    Version,
    read_message,
)
from spielwerk.wire.lines import LineSplitter, LineTooLong

if TYPE_CHECKING:
    from spielwerk.check.trial import CheckSettings

MachineT = TypeVar("MachineT", bound=PeerSide[Any])

GAME: Final = "game"  # the channel between initiator and opponent
NAME: Final = "checked game"
PROGRAM: Final = "student"  # what the program is told to be called
LINE: Final = 1 << 20  # bytes of a line that we take
UNFINISHED: Final = 3.0  # seconds without a byte after which a line has no newline
AFTER: Final = 1.0  # seconds in which a program shows what something does to it
SETTLING: Final = 0.5  # seconds for a program that is about to end
PARTING: Final = 1.0  # seconds for a program to end when all is said

UNCAUGHT: Final = (
    'Exception in thread "',
    "Exception in thread Thread-",
    "terminate called",
    "panicked at",
    "goroutine 1 [running]",
)
"""What runtimes write when nothing has caught an exception."""
UNCAUGHT_AT_END: Final = ("Traceback (most recent call last)", "Unhandled exception")
"""The same, if the program ended with it; others print it and go on."""


@dataclass(frozen=True, slots=True)
class ConnectFourTerms:
    """What the author has chosen for all cases."""

    board: ConnectFour = field(default_factory=ConnectFour)
    versions: tuple[Version, ...] = tuple(Version)
    variant: bool = False  # some courses' spelling
    index_port: int = 0  # 0 is a new one for each case
    slow: bool = False  # wait a minute for a heartbeat
    begun: list[bool] = field(default_factory=list)  # of each game: whether the program began


class ConnectFourTrial(ProgramTrial, Generic[MachineT]):
    """A talk between initiator and opponent, one of them being the program."""

    package: ClassVar = "spielwerk.check.connect4"
    machine: MachineT
    state: ConnectFourState

    def __init__(self, settings: CheckSettings, terms: ConnectFourTerms) -> None:
        super().__init__(settings)
        self.terms = terms
        self.variant = terms.variant
        self.name = NAME
        self.game: ConnectFour = terms.board
        self.index = ScriptedIndex(self)
        self.drips = False  # the index server's answers come byte by byte
        self.random = Random(settings.seed)
        self.may_decline = False  # whether it is no fault to leave this game
        self._lines = LineSplitter(LINE)
        self._line = b""  # what was heard last
        self._heard_at = self.now

    def launch(self, port: int, seat: int) -> None:
        """Start the program."""
        self.start(
            {
                "port": str(port),
                "index_host": self.settings.host,
                "index_port": str(self.index.port),
                "game": self.name,
                "name": PROGRAM,
                "player": str(seat),
                "seat": str(seat + 1),
            }
        )

    async def _close(self) -> None:
        await self.index.close()
        await super()._close()

    async def open_index(self) -> None:
        """Have an index server."""
        await self.index.open(self.terms.index_port)

    def index_says(self, **answers: str) -> None:
        """The index server answers these requests so, whatever it should."""
        self.index.answers |= answers

    def other_spelling(self) -> None:
        """Use the words that the author has not chosen."""
        self.variant = not self.variant
        self.index = ScriptedIndex(self)

    # what we say

    async def flush(self) -> None:
        """Write what the machine has said."""
        if segment := self.machine.segment():
            await self.say(segment)

    async def says(self, line: str, times: int = 1) -> None:
        """Say what is wrong; the characters of the line are its bytes."""
        await self.say(line.encode("latin-1") * times)
        await self.survives()

    async def leave(self) -> None:
        """Leave; what the program makes of that is looked at elsewhere."""
        self.cut = WHOLE
        self.machine.abort("the check needs no more moves")
        await self.flush()

    # what the program says

    async def next_event(self, seconds: float) -> Any:
        """What the program says next; None if it hangs up, or says nothing for so long."""
        deadline = self.now + seconds
        while (event := self._step()) is None:
            if self.connection.gone or self.now >= deadline:
                return None
            if self._lines.waiting and self.now >= self._heard_at + UNFINISHED:
                return None
            wake = min(deadline, self.machine.due)
            if self._lines.waiting:
                wake = min(wake, self._heard_at + UNFINISHED)
            if await self.connection.changed(wake - self.now):
                for at, data in self.heard():
                    self._heard_at = at
                    self._lines.feed(data, at)
        return event

    def _step(self) -> Any:
        event = self.machine.next_event(float("-inf"))  # what the last line has told besides
        if event is None:
            try:
                line = self._lines.take()
            except LineTooLong:
                self.fail("endless-line", limit=LINE)
            if line is not None:
                self._line = line.content
                self.machine.receive(line.content + b"\n", line.arrived)
            event = self.machine.next_event(self.now)
        return event

    async def hear(self, wanted: str, header: str, *types: type, seconds: float = 600.0) -> Any:
        """What must come now: a message with this header, or an event of one of these types."""
        event = await self.next_event(seconds)
        if isinstance(event, PeerBreach):
            await self.breached(event, wanted)
        if event is None:
            await self.missing(wanted, seconds)
        if not isinstance(event, types):
            self._expected(event, header, wanted)
        return event

    def _expected(self, event: Any, header: str, wanted: str) -> None:
        heard = event.header if isinstance(event, GameMessage) else ""
        if heard == header:
            return
        gave_up = heard in ("abort_game", "join_game_failed", "moved_failed")
        values = {"line": self._shown(), "wanted": self.wanted(wanted), **self.here()}
        if gave_up:
            self.fail("gave-up", advice=self.may_decline, **values)
        self.fail("unexpected", **values)

    async def quiet(self, seconds: float) -> None:
        """The program must say nothing for a while."""
        event = await self.next_event(seconds)
        if isinstance(event, PeerBreach):
            await self.breached(event, "nothing")
        if event is not None:
            wanted = self.wanted("nothing")
            self.fail("unexpected", line=self._shown(), wanted=wanted, **self.here())
        if self.connection.gone:
            await self.missing("nothing", seconds)

    async def missing(self, wanted: str, seconds: float) -> NoReturn:
        """Blame the program for something that has not come."""
        await self.settle()
        what = self.wanted(wanted)
        if self._lines.waiting:
            self.fail("no-newline", wanted=what, hint="newline", **self.where(b"", channel=GAME))
        if self.connection.gone:
            self.fail("closed-early", wanted=what, advice=self.may_decline, **self.parting_words())
        self.fail("late", wanted=what, seconds=seconds, timed=True, hint=self.reading_hint())

    async def breached(self, breach: PeerBreach, wanted: str) -> NoReturn:
        """Blame the program for what the other side would not have taken."""
        if breach.late:
            found = re.search(r"within ([0-9.]+) s", breach.problem)
            await self.missing(wanted, float(found[1]) if found else 0.0)
        kind = self._kind(breach)
        hint = hint_for(self._line) if kind == "no-message" else ""
        where = self.here(first_wrong(self._line) if kind == "no-message" else 0)
        values = {"problem": breach.problem, "wanted": self.wanted(wanted), "line": self._shown()}
        self.fail(kind, hint=hint, **values, **where)

    def _kind(self, breach: PeerBreach) -> str:
        """What is wrong with the line, for the sentence that says so."""
        try:
            heard = read_message(self._line)
        except MessageError:
            return "no-message"
        if breach.problem == "It is not your turn":
            return "not-its-turn"
        if breach.problem.endswith("was agreed"):
            return "other-version"
        if breach.problem.startswith("unexpected"):
            return "unexpected"
        if heard.header in (WHOLE_BOARD, "updated_game_board"):
            return "wrong-board"
        return "wrong-outcome" if heard.header == "end_game" else "unexpected"

    def wanted(self, code: str) -> str:
        """What should have come, in both languages."""
        return self.told("wanted", code)

    def _shown(self) -> str:
        return self._line.decode("utf-8", "backslashreplace")

    def here(self, inside: int = 0) -> dict[str, Any]:
        """Where the last line stands in the transcript, and a byte inside it."""
        return self.where(self._line, inside)

    # the index server

    def index_refuses(self, request: GameMessage, line: bytes, why: str) -> None:
        """Blame the program for a request that no index server would grant."""
        self._line = line
        by_tcp = request.header == "heartbeat"
        kind = "beat-by-tcp" if by_tcp else "index-refuses"
        if any(fault.kind == kind for fault in self.faults):
            return
        hint = hint_for(line) if not request.header else ""
        inside = first_wrong(line) if not request.header else 0
        again = request.header != "register_game" and self.index.asked(request.header) is not None
        values = {"problem": why, "line": self._shown(), **self.here(inside)}
        self.blame(kind, hint=hint, advice=again, **values)

    def look_for_newline(self, wanted: str) -> None:
        """Blame a request to the index server that has no end."""
        if self.index.unfinished:
            what = self.wanted(wanted)
            self.fail("no-newline", wanted=what, hint="newline", **self.where(b"", channel=CHANNEL))

    # crashes and ends

    def look_for_crash(self, *, over: bool = False) -> None:
        """Blame a program that a signal has killed, or an exception that nothing has caught."""
        super().look_for_crash(over=over)
        program = self.program
        if program is None or program.dismissed:
            return
        signs = UNCAUGHT + (UNCAUGHT_AT_END if program.code else ())
        if any(sign in program.stderr.text for sign in signs):
            lines = [line for line in program.stderr.text.split("\n") if line.strip()]
            self.fail("uncaught", status=program.status, line=lines[-1])

    async def settle(self) -> None:
        """If the program is about to end, see how."""
        if self.program:
            await self.program.ended(SETTLING)
        self.look_for_crash()

    async def survives(self, seconds: float = AFTER) -> None:
        """The program may go on, give up or end, as it likes, but not crash."""
        if self.program:
            await self.program.ended(seconds)
            self.look_for_crash()
            self._look_for_words()
        else:
            await asyncio.sleep(seconds)

    def _look_for_words(self) -> None:
        program = self.program
        if program is None or program.running or program.stdout.text or program.stderr.text:
            return
        if b"abort_game" not in self.said():
            self.blame("no-words", status=program.status, advice=True)

    async def bereft(self, _: str) -> None:
        """See the base; that it ends is not asked for."""
        await self.survives()

    async def part(self) -> None:
        """All is said: close the connection, and see what the program does then."""
        self.connection.close()
        await self.survives(PARTING)


def states(board: str) -> list[int]:
    """A board as it stands on the wire: 0 free, 1 the initiator's, 2 the opponent's."""
    return [(FREE + STONES).index(stone) for stone in board]
