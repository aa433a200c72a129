"""One case while it is carried out: what is said, what is seen, and what was wrong.

A protocol's trial has verbs, built on the protocol's machine of `wire`. A case is a list of them,
or a script where that is not enough: a coroutine that is given the trial. What is wrong is told
by `blame`; `fail` also ends the case.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, Self

from spielwerk.check.case import CaseFault, Side, TranscriptEntry
from spielwerk.check.texts import sentence

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from spielwerk.check.case import Measurement
    from spielwerk.check.connection import TrialConnection
    from spielwerk.check.program import CheckedProgram
    from spielwerk.check.texts import Scripts

    Step = str | Mapping[str, Any]

HERE: Final = "127.0.0.1"
LONGEST: Final = 90.0  # seconds of a case
CONNECTIONS: Final = 1000  # further ones are closed at once
WHOLE: Final = ".+"  # how a segment is cut that is not: pieces are what a pattern matches
ENOUGH: Final = 2  # times that something is waited for with all patience


class CaseOver(Exception):
    """The script cannot go on; what was wrong has been told."""


class Experience:
    """What all cases of a check have waited for: what never happens gets less time."""

    def __init__(self) -> None:
        self._missed: Counter[str] = Counter()

    def note(self, what: str, *, happened: bool) -> None:
        """It has happened, or it has not though there was time enough."""
        self._missed[what] += 1 if not happened else -(10**9)

    def hopeless(self, what: str) -> bool:
        """Whether more patience is useless."""
        return self._missed[what] >= ENOUGH


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
    experience: Experience = field(default_factory=Experience)


class Trial:
    """A case while it is carried out."""

    package: ClassVar[str]  # whose sentences are used
    scripts: ClassVar[Scripts]  # of the protocol
    most_connections: ClassVar = CONNECTIONS
    connection: TrialConnection  # the one that the case is about
    program: CheckedProgram | None = None  # None if we have not started it

    def __init__(self) -> None:
        self.case = ""  # its name
        self.faults: list[CaseFault] = []
        self.transcript: list[TranscriptEntry] = []
        self.measured: list[Measurement] = []
        self.requests = 0
        self.output = ""  # the end of what the program has written
        self.only_advice = False  # the document only suggests what this case is about
        self.limit: float | None = LONGEST
        self.cut = WHOLE
        self.pause = 0.0  # seconds between the pieces of a segment
        self._paused = 0.0  # all of them together
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._connections: list[TrialConnection] = []
        self._refused = 0  # connections beyond all measure
        self._over = False  # and what connects now comes too late

    async def carry_out(self, script: Callable[[Self], Awaitable[None]]) -> None:
        """Run a script to its end or its failure, and leave nothing running."""
        try:
            async with asyncio.timeout(self.limit):
                await script(self)
                self.look_back()
        except CaseOver:
            pass
        except TimeoutError:
            self.blame("stuck", seconds=self.limit)
        finally:
            await self._close()

    async def take(self, step: Step) -> None:
        """Take a step of a case: a script or state of the protocol, or else the verb of this name.

        `connection.close` and the like are verbs of our parts. A table has the name with its
        argument, or with a table of all arguments.
        """
        name, given = (step, {}) if isinstance(step, str) else next(iter(step.items()))
        known = self.scripts.get(name)
        verb = partial(known, self) if known else attrgetter(name)(self)
        done = verb(**given) if isinstance(given, dict) else verb(given)
        if isawaitable(done):
            await done

    def look_back(self) -> None:
        """See what can only be told when the script has come to its end."""

    async def _close(self) -> None:
        self._over = True
        for connection in self._connections:
            connection.drop()

    @property
    def names(self) -> set[str]:
        """The names of what the program shares with all that know them, perhaps other runs."""
        return set()

    @property
    def now(self) -> float:
        """The loop's time, which stands still between the pieces of a segment."""
        return self._loop.time() - self._paused

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
                self.told("problem", kind.partition(":")[0], **values),
                expected=expected,
                hint=self.told("hint", hint, **values) if hint else "",
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

    def skip(self, why: str, **values: object) -> NoReturn:
        """The case makes no sense with this program; nothing is blamed."""
        self.happened(why, **values)
        raise CaseOver

    def told(self, group: str, code: str, **values: object) -> str:
        """A sentence of the protocol, or one of all protocols."""
        return sentence(self.package, group, code, values)

    # the transcript

    def note(self, event: str) -> None:
        """Write an event into the transcript, in any words."""
        self.add(Side.EVENT, "", event.encode(errors="backslashreplace"), event)

    def happened(self, event: str, **values: object) -> None:
        """Write an event into the transcript by the code of its sentence."""
        self.note(self.told("event", event, **values))

    def add(self, side: Side, channel: str, data: bytes, told: str = "") -> None:
        """Write into the transcript."""
        self.transcript.append(
            TranscriptEntry(self._loop.time() - self._began, side, channel, data, told)
        )

    def _said(self, channel: str) -> list[int]:
        """The entries of what the program has said on a channel, or on all."""
        return [
            number
            for number, one in enumerate(self.transcript)
            if one.side is Side.PROGRAM and channel in ("", one.channel)
        ]

    def said(self, channel: str = "") -> bytes:
        """All that the program has said, on a channel or on all."""
        return b"".join(self.transcript[number].data for number in self._said(channel))

    def where(self, line: bytes, column: int = 0, channel: str = "") -> dict[str, Any]:
        """Where a byte of what the program said last stands, in whatever pieces that came."""
        found = {"entry": len(self.transcript) - 1}
        place = max(0, self.said(channel).rfind(line)) + column
        for entry in self._said(channel):
            size = len(self.transcript[entry].data)
            found = {"entry": entry, "position": min(place, size)}
            if place < size:
                break
            place -= size
        return found

    # talking

    def speaks(self, **manner: Any) -> None:
        """Set how the trial speaks, as a case has it."""
        for name, value in manner.items():
            setattr(self, name, value)

    async def say(self, data: bytes) -> None:
        """Write a segment, in the pieces that the case wants."""
        for number, piece in enumerate(re.findall(self.cut.encode(), data, re.DOTALL)):
            if number:
                before = self._loop.time()
                await asyncio.sleep(self.pause)
                self._paused += self._loop.time() - before
            if not self.connection.gone:
                self.connection.send(piece)

    def heard(self) -> list[tuple[float, bytes]]:
        """What has come since, and when, in the time of `now`."""
        return [(at - self._paused, data) for at, data in self.connection.take()]

    async def hung_up(self, seconds: float) -> bool:
        """Whether the program closes its connection within so many seconds, whatever it says."""
        until = self._loop.time() + seconds
        while not self.connection.gone and self._loop.time() < until:
            self.connection.take()
            await self.connection.changed(until - self._loop.time())
        return bool(self.connection.gone)

    def reading_hint(self) -> str:
        """The hint that what we said last was not one line in one segment, if that was new to it.

        A program that takes what one recv brings for a line stumbles over the first that is not.
        """
        sent: list[bytes] = []
        managed = {""}
        for one in self.transcript:
            if one.side is Side.CHECKER:
                sent.append(one.data)
            elif one.side is Side.PROGRAM and sent:
                if not sent[-1].endswith(b"\n"):
                    break
                managed.add(_manner(sent))
                sent.clear()
        if sent and not sent[-1].endswith(b"\n"):
            return "early"
        return "" if _manner(sent) in managed else _manner(sent)

    def hang_up(self) -> None:
        """Close all connections, as a server does that goes down."""
        for connection in self._connections:
            connection.close()

    def opened(self, connection: TrialConnection) -> bool:
        """Keep a connection, to close it in the end; False if there are too many, or too late."""
        if self._over:
            return False
        if len(self._connections) < self.most_connections:
            self._connections.append(connection)
            return True
        self._refused += 1
        if self._refused == 1:
            self.happened("too-many-connections", count=self.most_connections)
        return False


def _manner(sent: Sequence[bytes]) -> str:
    """How lines were sent, if not each in a segment of its own."""
    if any(piece.count(b"\n") > 1 for piece in sent):
        return "together"
    return "" if all(piece.endswith(b"\n") for piece in sent) else "pieces"
