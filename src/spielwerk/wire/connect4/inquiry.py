"""Lines, one at a time, and the other side of the index server: one request and its answer.

inquiry = Inquiry(SealGame(guid))
send(inquiry.data)
while (answer := inquiry.receive(more())) is None: ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NoReturn, TypeVar

from spielwerk.errors import SpielwerkError, quote
from spielwerk.wire.connect4.messages import (
    AnswerGameList,
    MessageError,
    RegisterFailed,
    RegisterGame,
    RegisterSuccess,
    RequestGameList,
    SealGame,
    SealGameFailed,
    SealGameSuccess,
    UnregisterGame,
    UnregisterGameFailed,
    UnregisterGameSuccess,
    read_message,
    write_message,
)
from spielwerk.wire.lines import LineTooLong

if TYPE_CHECKING:
    from spielwerk.wire.connect4.messages import Message

AnswerT = TypeVar("AnswerT", bound="Message")

ERROR: Final = "error"  # no word of the document: it can be mistaken for nothing else
LONGEST_ANSWER: Final = 16 * 2**20  # bytes: a list of a hundred thousand games

_FAILURE: Final = (RegisterFailed, SealGameFailed, UnregisterGameFailed)


class IndexRefused(SpielwerkError):
    """The index server did not do what it was asked, and why."""


class Lines:
    """Collects bytes and cuts them into lines when they are asked for, one at a time.

    What comes is not looked at until then: a flood costs nothing but its room.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting = bytearray()
        self._seen = 0  # so far there is no newline

    @property
    def waiting(self) -> int:
        """How many bytes have not been taken."""
        return len(self._waiting)

    @property
    def ready(self) -> bool:
        """Whether there is a line, or one that is too long."""
        return self._end() >= 0 or len(self._waiting) > self._limit

    def feed(self, data: bytes) -> None:
        """Take what has come."""
        self._waiting += data

    def _end(self) -> int:
        return self._waiting.find(b"\n", self._seen, self._limit + 1)

    def take(self) -> bytes | None:
        """The next line without its newline, None while there is none, or LineTooLong."""
        end = self._end()
        if end < 0:
            if len(self._waiting) > self._limit:
                raise LineTooLong(self._limit)
            self._seen = len(self._waiting)
            return None
        line = bytes(self._waiting[:end])
        del self._waiting[: end + 1]
        self._seen = 0
        return line

    def rest(self) -> bytes:
        """What has come and was not taken."""
        return bytes(self._waiting)


class Inquiry(Generic[AnswerT]):
    """A request to an index server, and the wait for its answer."""

    def __init__(
        self, request: Message, wanted: type[AnswerT], longest: int = LONGEST_ANSWER
    ) -> None:
        self.request = request
        self.data = write_message(request)
        self._wanted = wanted
        self._lines = Lines(longest)

    @property
    def rest(self) -> bytes:
        """What has come after the answer: nothing, if the server keeps to the document."""
        return self._lines.rest()

    def receive(self, data: bytes) -> AnswerT | None:
        """The answer once it is whole; IndexRefused if it says no, MessageError if it is none."""
        self._lines.feed(data)
        try:
            line = self._lines.take()
            while line == b"":
                line = self._lines.take()
        except LineTooLong as error:
            raise MessageError(
                f"the index server's answer is longer than {error.limit} bytes"
            ) from None
        return None if line is None else self._judge(line)

    def end(self) -> NoReturn:
        """The connection has ended before the answer came: MessageError."""
        begun = f" after {quote(self._lines.rest().decode('utf-8', 'replace'))}"
        raise MessageError(
            f"the index server closed the connection{begun if self._lines.waiting else ''} "
            f"without an answer to {self.request.header}"
        )

    def _judge(self, line: bytes) -> AnswerT:
        header, _, explanation = line.decode("utf-8", "replace").partition(";")
        if header == ERROR:
            raise IndexRefused(f"the index server says: {explanation}")
        answer = read_message(line)
        if isinstance(answer, _FAILURE):
            raise IndexRefused(f"{self.request.header}: {answer.explanation}")
        if not isinstance(answer, self._wanted):
            raise MessageError(
                f"the index server answered {self.request.header} with {quote(header)}, "
                f"not with {self._wanted.header}"
            )
        return answer


def registering(game: RegisterGame) -> Inquiry[RegisterSuccess]:
    """Offer a game; the answer has its GUID."""
    return Inquiry(game, RegisterSuccess)


def listing() -> Inquiry[AnswerGameList]:
    """Ask for all games."""
    return Inquiry(RequestGameList(), AnswerGameList)


def sealing(guid: str) -> Inquiry[SealGameSuccess]:
    """Say that a game cannot be joined any more."""
    return Inquiry(SealGame(guid), SealGameSuccess)


def unregistering(guid: str) -> Inquiry[UnregisterGameSuccess]:
    """Take a game out of the list."""
    return Inquiry(UnregisterGame(guid), UnregisterGameSuccess)
