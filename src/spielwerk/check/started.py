"""A case with a program that is started for it: it connects, is watched, and must end by itself."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

from spielwerk.check.connection import TrialConnection, stop_listening
from spielwerk.check.program import CheckedProgram, command_words
from spielwerk.check.trial import LONGEST, CaseOver, CheckSettings, Trial
from spielwerk.contests.programs.processes import in_words
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LATER: Final = 600.0  # seconds for an author to start the program by hand
ENDING: Final = 5.0  # seconds for a program to end by itself,
BRIEF: Final = 3.0  # and for one that never does
SETTLED: Final = 0.3  # seconds for a program to do what it does after the last message
BUSY: Final = 0.6  # of a processor, in the last second
GENTLE: Final = frozenset(  # what processes end each other with, and what a lost connection brings
    {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGPIPE}
    | {signal.SIGUSR1, signal.SIGUSR2}
)
_CALM: Final = 0.02  # seconds between two looks at a program that shall connect
_AT_WORK: Final = 1.0  # seconds in which a program that is about to connect
_WORK: Final = 50  # milliseconds of a processor uses
_QUESTION: Final = re.compile(
    r"[:?>] *$|EOF when reading|EOFError|/dev/tty|not a (tty|terminal)|Inappropriate ioctl|"
    r"NoSuchElementException"
)  # what programs say that wait for a line to be typed


class ProgramTrial(Trial):
    """A case with a program that we start, or its author does when told to.

    `begin` to `finish` lead it through a short game; a protocol has them for cases about processes.
    """

    one_connection: ClassVar = False  # whether a second connection is one too many

    def __init__(self, settings: CheckSettings) -> None:
        super().__init__()
        self.settings = settings
        self.patience = settings.patience if settings.command else LATER
        self.limit = LONGEST if settings.command else LATER + LONGEST
        self._server: asyncio.Server | None = None
        self._arrived: asyncio.Queue[TrialConnection] = asyncio.Queue()
        self._place = ""

    async def closed(self) -> None:
        """We close the connection when the program has settled."""
        await asyncio.sleep(SETTLED)
        self.connection.close()
        await self.bereft("connection-closed")

    async def reset(self) -> None:
        """The connection breaks when the program has settled."""
        await asyncio.sleep(SETTLED)
        self.connection.reset()
        await self.bereft("connection-reset")

    async def bereft(self, moment: str) -> None:
        """We are gone; the program must end."""
        await self.ends(moment)

    # a short game

    async def begin(self) -> None:
        """Start the program and go on until it is in the game and waits for us."""
        raise NotImplementedError

    async def idle(self, seconds: float) -> None:
        """Keep it waiting for so many seconds, as a server does."""
        await asyncio.sleep(seconds)

    async def next_move(self, number: int) -> None:
        """Ask for its next move, which is easily found; the first has the number 0."""
        raise NotImplementedError

    async def finish(self) -> None:
        """End the game in good order; the program must end then."""
        raise NotImplementedError

    def lengthen(self) -> None:
        """Have a game with room for many moves, before it begins."""

    # the start

    def uses(self, placeholder: str) -> bool:
        """Whether the program is told this; not known where the author starts it."""
        return any(f"{{{placeholder}}}" in word for word in self.settings.command)

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
            reason = os.strerror(error.errno).lower() if error.errno else str(error)
            problem = f"cannot listen on port {self.settings.port}: {reason}"
            raise UsageError(f"{problem}; is another server running there?") from None
        port: int = self._server.sockets[0].getsockname()[1]
        self._place = f"{self.settings.host}:{port}"
        return port

    @contextmanager
    def deaf_port(self) -> Iterator[int]:
        """A port where nothing listens, and nothing else can meanwhile."""
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind((self.settings.host, self.settings.port))
            yield taken.getsockname()[1]

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
        connection = await self._come(self._loop.time() + self.patience)
        if connection is None:
            self.not_there("ended-before-connecting", "never-connected", self._place)
        return connection

    def not_there(self, ended: str, late: str, place: str) -> NoReturn:
        """Blame a program that has not come to this place; it has ended, or is late."""
        self.look_for_crash()
        over = self._is_over()
        self.fail(
            ended if over else late,
            place=place,
            seconds=self.patience,
            status=self.program.status if self.program else "",
            everywhere=True,
            timed=not over,
            **self._silent_words(),
        )

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

    @property
    def names(self) -> set[str]:
        """See the base."""
        return self.program.traces.named if self.program else set()

    # the end

    async def ends(self, moment: str, patience: float = ENDING, *, advice: bool = False) -> None:
        """The program must end by itself now; of one that runs elsewhere the connection shows it.

        The moment is told by its sentence. A program that has never ended so gets less time.
        """
        experience = self.settings.experience
        hopeless = experience.hopeless(moment)
        patience = BRIEF if hopeless else patience
        ended = await self.has_ended(patience - 1)
        used = self._used()
        ended = ended or await self.has_ended(1.0)
        experience.note(moment, happened=ended)
        if not ended:
            kind = "did-not-end" if self.program else "did-not-close"
            busy = "busy" if self._used() - used > BUSY else ""
            what = self.told("moment", moment)
            told: dict[str, Any] = {"seconds": patience, "what": what}
            self.blame(kind, hint=busy, advice=advice, timed=not hopeless, **told)
        elif self.program:
            self.happened("ended", status=self.program.status)

    async def has_ended(self, patience: float) -> bool:
        """Whether the program ends within so many seconds."""
        if self.program:
            return await self.program.ended(patience)
        return await self.hung_up(patience)

    def _used(self) -> float:
        """Seconds of a processor that the program has used."""
        return self.program.tree.cpu() / 1000 if self.program else 0.0

    def look_back(self) -> None:
        """See the base; a server would take a further connection for another player."""
        self.look_for_crash(over=True)
        count = self._arrived.qsize() + self._refused
        if self.one_connection and count:
            self.blame("connected-again", count=count, advice=True)

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
                if -program.code != signal.SIGPIPE:  # it may write once more when we are gone
                    self.blame("ended-by-signal", signal=killed, advice=True)
                return
            self.fail("crashed", signal=killed, **self.last_words())

    # what it has written

    @property
    def written(self) -> int:
        """How many bytes the program has written for its user."""
        return self.program.stdout.total + self.program.stderr.total if self.program else 0

    def complains(self, written: int = 0) -> None:
        """Advise a program that has ended for a problem to say so: in words, and by its status."""
        if self.program and not self.program.running:
            if self.written == written:
                self.blame("said-nothing", advice=True)
            if self.program.code == 0:
                self.blame("exit-zero", advice=True)

    def last_words(self) -> dict[str, Any]:
        """The last line that the program has written, as a hint."""
        if self.program:
            written = f"{self.program.stdout.text}\n{self.program.stderr.text}".split("\n")
            if lines := [line for line in written if line.strip()]:
                return {"hint": "output", "line": lines[-1]}
        return {}

    def parting_words(self) -> dict[str, Any]:
        """A hint why the program has gone: a piece of a line, or what it has written last."""
        return {"hint": "early"} if self.reading_hint() == "early" else self.last_words()

    def _silent_words(self) -> dict[str, Any]:
        """A hint why the program has not connected."""
        words = self.last_words()
        if _QUESTION.search(words.get("line", "")):
            return {**words, "hint": "asks"}
        return words

    async def _close(self) -> None:
        if self._server:
            self._over = True
            await stop_listening(self._server)
        await super()._close()
        if self.program:
            await self.program.stop()
            self.output = self.program.output


def the_program(trial: ProgramTrial) -> CheckedProgram:
    """The program of a case that only makes sense with one that we start."""
    if trial.program is None:
        raise CaseOver
    return trial.program
