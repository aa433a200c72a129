"""A client of the index server.

Every connection is served one request at a time and then waits for its next turn, so that a flood
of requests delays no other client. A long list is sent in pieces as its reader takes them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from spielwerk.net.connection import NEVER
from spielwerk.servers.sessions import Session
from spielwerk.wire.connect4.index import Change, Reply
from spielwerk.wire.connect4.initiators import numeric
from spielwerk.wire.lines import Lines, LineTooLong

if TYPE_CHECKING:
    from spielwerk.servers.index import IndexService

log = logging.getLogger(__name__)

PIECE: Final = 32_768  # bytes of a list that are sent at once

# what is counted
REFUSED: Final = "request refused"
NO_REQUEST: Final = "no request"


class IndexSession(Session):
    """A client's connection."""

    _service: IndexService

    def __init__(self, service: IndexService) -> None:
        super().__init__(service)
        self._lines = Lines(service.settings.line_limit)
        self.owner = ""
        self._asked = self.now
        self._waits = False  # for the journal
        self._unsent = memoryview(b"")
        self._congested: float | None = None  # since when the client does not read
        self._paused = False
        self._queued = False  # for the next turn
        self._last = False  # after this answer the connection closes
        self._refusals = 0

    # the connection's hooks

    def opened(self) -> None:
        """Take the client in, if there is room."""
        self.owner = numeric(self.host) or ""
        if self.owner:
            super().opened()
        else:
            self.drop()  # it has gone already, and its address with it

    def received(self, data: bytes) -> None:
        """Collect requests; who sends them faster than we answer has to wait."""
        self._lines.feed(data)
        if self._lines.waiting > self._service.settings.backlog and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        if not self._queued:
            self._step()

    def pause_writing(self) -> None:
        """See asyncio; the client reads slowly, or not at all."""
        self._congested = self.now

    def resume_writing(self) -> None:
        """See asyncio."""
        self._congested = None
        self._step()

    def dismiss(self, why: str) -> None:
        """The protocol has no word for this: what is asked now is answered, then we close."""
        log.info("dismissed %s why=%r", self, why)
        self._last = True
        self._step()

    # one step after the other

    def _advance(self) -> None:
        self._pour()
        if self._overdue():
            log.info("too slow %s", self)
            self.drop()
        elif not self._busy and not self._last:
            self._take_one()

    @property
    def _busy(self) -> bool:
        return self._waits or bool(self._unsent) or self._congested is not None

    def _overdue(self) -> bool:
        since = self._congested
        return since is not None and self.now >= since + self._service.settings.reading

    def _take_one(self) -> None:
        """Handle one request; the next one has to wait for its turn."""
        try:
            line = self._lines.take()
        except LineTooLong as error:
            self._reply(self._service.index.refuse(b"", f"a line has at most {error.limit} bytes"))
            return
        if line is not None:
            self._handle(line)
        elif self._ended:
            self._no_more()
        elif self._idle_until() <= self.now:
            self._last = True

    def _no_more(self) -> None:
        """No more will come."""
        self._last = True
        if rest := self._lines.rest():
            self._reply(self._service.index.refuse(rest, "the line is not ended by a newline"))

    def _handle(self, line: bytes) -> None:
        self._asked = self.now
        outcome = self._service.index.handle(line, self.owner, self.now)
        if isinstance(outcome, Change):
            self._waits = True
            self._service.keep(outcome, self._kept)
        elif outcome is not None:
            self._reply(outcome)

    def _kept(self, reply: Reply) -> None:
        self._waits = False
        if not self.closed:
            self._reply(reply)
            self._step()

    def _reply(self, reply: Reply) -> None:
        self._unsent = memoryview(reply.line)
        self._last = self._last or reply.last
        self._pour()
        if reply.refused:
            self._complain(reply)
        else:
            self._service.metrics.answered(self._service.name, self.now - self._asked)

    def _complain(self, reply: Reply) -> None:
        """Count what was wrong; of each connection only the first is worth a line."""
        self._refusals += 1
        level = logging.INFO if self._refusals == 1 else logging.DEBUG
        log.log(level, "refused %s why=%r", self, reply.refused)
        fault = REFUSED if reply.answers_request else NO_REQUEST
        self._service.metrics.refused(self._service.name, fault)

    def _pour(self) -> None:
        """Send as much as the client takes."""
        while self._unsent and self._congested is None and not self.closed:
            piece, self._unsent = self._unsent[:PIECE], self._unsent[PIECE:]
            self.send(bytes(piece))

    def _rest(self) -> None:
        if self.closed:
            return
        if self._paused and (self._last or not self._lines.ready):
            self._paused = False
            self.transport.resume_reading()
        if self._busy:
            congested = self._congested
            self.wake_at(NEVER if congested is None else congested + self._service.settings.reading)
        elif self._last:
            self.close()
        elif self._lines.ready or self._ended:
            self._queue()
        else:
            self.wake_at(self._idle_until())

    def _queue(self) -> None:
        """Have the next request handled after all others had a turn."""
        if not self._queued:
            self._queued = True
            self.loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._queued = False
        self._step()

    def _idle_until(self) -> float:
        return self.heard + (self._service.settings.idle or NEVER)

    def _fail(self) -> None:
        if self._unsent:
            self.drop()  # in the middle of a line nothing else can be said
        else:
            self._reply(self._service.index.refuse(b"", "internal error"))

    def __str__(self) -> str:
        return f"service={self._service.name} peer={self.peer}"
