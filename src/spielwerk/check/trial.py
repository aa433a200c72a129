"""One case with one program: it is started, spoken to, watched and stopped, and faults are kept.

A protocol's trial has verbs for its scripts, built on the protocol's machine of `wire`; a script is
a coroutine that is given the trial. What is wrong is told by `blame`; `fail` also ends the script.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self

from spielwerk.check.case import CaseFault, Side, TranscriptEntry
from spielwerk.check.connection import TrialConnection, stop_listening
from spielwerk.check.program import CheckedProgram, command_words
from spielwerk.check.texts import sentence
from spielwerk.contests.programs.processes import in_words
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

HERE: Final = "127.0.0.1"
LONGEST: Final = 90.0  # seconds of a case
LATER: Final = 600.0  # seconds for an author to start the program by hand
ENDING: Final = 5.0  # seconds for a program to end by itself
GENTLE: Final = frozenset(  # what processes end each other with, and what a lost connection brings
    {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGPIPE}
    | {signal.SIGUSR1, signal.SIGUSR2}
)
CONNECTIONS: Final = 64  # of a program that needs one; further ones are closed at once
MANY_CONNECTIONS: Final = 1000  # of a program that may open one for each request
_CALM: Final = 0.02  # seconds between two looks at a program that shall connect
_AT_WORK: Final = 1.0  # seconds in which a program that is about to connect
_WORK: Final = 50  # milliseconds of a processor uses
_QUESTION: Final = re.compile(
    r"[:?>] *$|EOF when reading|EOFError|/dev/tty|not a (tty|terminal)|Inappropriate ioctl|"
    r"NoSuchElementException"
)  # what programs say that wait for a line to be typed


class CaseOver(Exception):
    """The script cannot go on; what was wrong has been told."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What all cases of a check have in common.

    Without a command the author starts the program, and `tell` says for each case how: it is given
    the placeholders with their values, and `case`, the name of the case.
    """

    command: tuple[str, ...] = ()
    folder: Path = field(default_factory=Path.cwd)
    port: int = 0  # 0 is a new one for each case
    patience: float = 10.0  # seconds for the program to come
    seed: int = 0
    host: str = HERE  # where the program finds us
    tell: Callable[[Mapping[str, str]], None] | None = None


class Trial:
    """A case while it is carried out."""

    package: ClassVar[str]  # whose sentences are used
    one_connection: ClassVar = False  # whether a second connection is one too many

    def __init__(self, settings: CheckSettings) -> None:
        self.settings = settings
        self.case = ""  # its name
        self.faults: list[CaseFault] = []
        self.transcript: list[TranscriptEntry] = []
        self.requests = 0
        self.output = ""  # the end of what the program has written
        self.only_advice = False  # the document only suggests what this case is about
        self.program: CheckedProgram | None = None  # None if its author has started it
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._server: asyncio.Server | None = None
        self._arrived: asyncio.Queue[TrialConnection] = asyncio.Queue()
        self._connections: list[TrialConnection] = []
        self._refused = 0  # connections beyond all measure
        self._over = False  # and what connects now comes too late
        self._place = ""

    async def carry_out(self, script: Callable[[Self], Awaitable[None]]) -> None:
        """Run a script to its end or its failure, and leave nothing running."""
        limit = LONGEST if self.settings.command else LATER + LONGEST
        try:
            async with asyncio.timeout(limit):
                await script(self)
                self.look_for_crash(over=True)
                self._count_connections()
        except CaseOver:
            pass
        except TimeoutError:
            self.blame("stuck", seconds=limit)
        finally:
            await self._close()

    # what was wrong

    def blame(
        self,
        kind: str,
        *,
        hint: str = "",
        advice: bool = False,
        timed: bool = False,
        everywhere: bool = False,
        expected: tuple[bytes | str, ...] = (),
        entry: int | None = None,
        position: int | None = None,
        **values: object,
    ) -> None:
        """Remember a fault: its sentences are those of its kind, and of the hint.

        What follows a colon in the kind tells causes apart that share a sentence.
        """
        self.faults.append(
            CaseFault(
                kind,
                sentence(self.package, "problem", kind.partition(":")[0], values),
                expected=expected,
                hint=sentence(self.package, "hint", hint, values) if hint else "",
                advice=advice or self.only_advice,
                timed=timed,
                everywhere=everywhere,
                entry=len(self.transcript) - 1 if entry is None else entry,
                position=position,
            )
        )

    def fail(self, kind: str, **values: Any) -> NoReturn:
        """Remember a fault after which the script makes no sense."""
        self.blame(kind, **values)
        raise CaseOver

    def note(self, event: str) -> None:
        """Write an event into the transcript, in any words."""
        self.add(Side.EVENT, "", event.encode(errors="backslashreplace"), event)

    def happened(self, event: str, **values: object) -> None:
        """Write an event into the transcript by the code of its sentence."""
        self.note(sentence(self.package, "event", event, values))

    def add(self, side: Side, channel: str, data: bytes, told: str = "") -> None:
        """Write into the transcript."""
        self.transcript.append(
            TranscriptEntry(self._loop.time() - self._began, side, channel, data, told)
        )

    # the program

    async def listen(self, channel: str = "") -> int:
        """Listen where the program shall connect; the port."""
        try:
            self._server = await self._loop.create_server(
                lambda: TrialConnection(self, channel, self._arrived),
                self.settings.host,
                self.settings.port,
                reuse_address=True,
                start_serving=False,  # a check that is given up meanwhile must know it to close it
            )
            await self._server.start_serving()
        except OSError as error:
            raise UsageError(
                f"cannot listen on port {self.settings.port}: {_reason(error)}; "
                "is another server running there?"
            ) from None
        port: int = self._server.sockets[0].getsockname()[1]
        self._place = f"{self.settings.host}:{port}"
        return port

    def start(self, places: Mapping[str, str]) -> None:
        """Start the program with these placeholders, or tell its author to."""
        known = {"host": self.settings.host, "folder": str(self.settings.folder), **places}
        if self.settings.command:
            words = command_words(self.settings.command, known, self.settings.folder)
            program = CheckedProgram(words, self.settings.folder)
            program.start()
            self.program = program
            self.happened("started", command=" ".join(words))
        elif self.settings.tell:
            self.settings.tell({"case": self.case, **known})

    async def accept(self) -> TrialConnection:
        """The program's connection, or a fault."""
        patience = self.settings.patience if self.settings.command else LATER
        connection = await self._come(self._loop.time() + patience)
        if connection is None:
            self.look_for_crash()
            ended = self._is_over()
            self.fail(
                "ended-before-connecting" if ended else "never-connected",
                place=self._place,
                seconds=patience,
                status=self.program.status if self.program else "",
                everywhere=True,
                timed=not ended,
                **self._silent_words(),
            )
        return connection

    async def _come(self, deadline: float) -> TrialConnection | None:
        """The next connection; a program that is kept from working by others gets more time."""
        patience, spent = deadline - self._loop.time(), 0
        last = deadline + 2 * patience
        while self._loop.time() < deadline:
            with suppress(TimeoutError):
                async with asyncio.timeout(_CALM if self.program else patience):
                    return await self._arrived.get()
            if self._is_over() and self._arrived.empty():
                return None
            if self.program and self._loop.time() >= deadline:
                before, spent = spent, self.program.tree.cpu()
                if before + _WORK < spent < 1000 * patience:
                    deadline = min(self._loop.time() + _AT_WORK, last)
        return None

    def _is_over(self) -> bool:
        """Whether no process is left that could connect; the first one may have gone ahead."""
        program = self.program
        return program is not None and not program.running and not program.others()

    async def ends(self, moment: str, patience: float = ENDING, *, advice: bool = False) -> None:
        """The program must end by itself now; the moment is told by its sentence."""
        if self.program and not await self.program.ended(patience):
            what = sentence(self.package, "moment", moment, {})
            self.blame("did-not-end", seconds=patience, what=what, timed=True, advice=advice)
        elif self.program:
            self.happened("ended", status=self.program.status)

    @property
    def names(self) -> set[str]:
        """The names of what the program shares with all that know them, perhaps other runs."""
        return self.program.traces.named if self.program else set()

    def look_for_crash(self, *, over: bool = False) -> None:
        """Blame a program that was killed by a signal that we have not sent.

        When its work is over, its own processes may end each other by signals that are no crash.
        """
        program = self.program
        if program is None or program.dismissed:
            return
        if program.over_limit:
            self.fail("over-limit", problem=program.over_limit, everywhere=True)
        if program.code is not None and program.code < 0:
            killed = in_words(program.code).removeprefix("killed by ")
            if over and -program.code in GENTLE:
                self.blame("ended-by-signal", signal=killed, advice=True)
                return
            self.fail("crashed", signal=killed, **self._last_words())

    def _silent_words(self) -> dict[str, str]:
        """A hint why the program has not connected."""
        words = self._last_words()
        if _QUESTION.search(words.get("line", "")):
            return {**words, "hint": "asks"}
        if self.program and self.program.reads_input():
            return {**words, "hint": "reads-input"}
        return words

    def _last_words(self) -> dict[str, str]:
        """The last line that the program has written, as a hint."""
        if self.program:
            written = f"{self.program.stdout.text}\n{self.program.stderr.text}".split("\n")
            if lines := [line for line in written if line.strip()]:
                return {"hint": "output", "line": lines[-1]}
        return {}

    def _count_connections(self) -> None:
        """A server would take a further connection for another player."""
        count = self._arrived.qsize() + self._refused
        if self.one_connection and count:
            self.blame("connected-again", count=count, advice=True)

    async def _close(self) -> None:
        self._over = True
        if self._server:
            await stop_listening(self._server)
        for connection in self._connections:
            connection.drop()
        if self.program:
            await self.program.stop()
            self.output = self.program.output

    def hang_up(self) -> None:
        """Close all connections, as a server does that goes down."""
        for connection in self._connections:
            connection.close()

    def opened(self, connection: TrialConnection) -> bool:
        """Keep a connection, to close it in the end; False if there are too many, or too late."""
        if self._over:
            return False
        most = CONNECTIONS if self.one_connection else MANY_CONNECTIONS
        if len(self._connections) < most:
            self._connections.append(connection)
            return True
        self._refused += 1
        if self._refused == 1:
            self.happened("too-many-connections", count=most)
        return False


def _reason(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
