"""The remote player of the Oware task, section 3.7: Oware moves from a server somewhere else.

`make_remote` makes it from a text like `remote:HOST:PORT,strategy=0,depth=5`.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from spielwerk.engines.players import REMOTE, Fault, Player, PlayerFailed
from spielwerk.errors import NotationError, cause, quote
from spielwerk.games.interface import number
from spielwerk.games.oware.rules import Oware, format_board
from spielwerk.games.record import Record
from spielwerk.net.addresses import ANY_PORT, Endpoint, written
from spielwerk.wire.oware import AnswerError, AnswerReading, IllegalAnswer, read_answer, request

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.games import Game, State
    from spielwerk.games.oware.rules import Board, OwareState
    from spielwerk.net.destinations import Destinations

    Heard = Callable[[bool, bytes], None]
    Stream = Callable[[int], socket.socket]


PORT: Final = 7889

_FORM: Final = "expected remote:HOST:PORT or remote:[IPV6]:PORT, then strategy=0,depth=5"
_WISHES: Final[dict[str, tuple[type[int | float], float, float]]] = {
    "strategy": (int, 0, 999_999_999),
    "depth": (int, 1, 9),
    "connect": (float, 0.01, 3600),
    "timeout": (float, 0.01, 86400),
}
"""What may stand behind the place: numbers of a kind, from the least to the greatest."""


@dataclass(frozen=True, slots=True)
class Address:
    """A move server and what is asked of it; limits in seconds."""

    host: str
    port: int = PORT
    strategy: int = 0
    depth: int = 5
    connect: float = 10.0
    timeout: float = 60.0

    def __str__(self) -> str:
        return written(self.host, self.port)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read a description, or raise NotationError."""
        place, *wishes = text.removeprefix(REMOTE).split(",")
        if not text.startswith(REMOTE) or not place:
            raise NotationError("remote player", text, _FORM)
        try:
            host, port = Endpoint.parse(place, PORT, ANY_PORT)
        except NotationError as error:
            problem = error.problem if "expected" not in error.problem else _FORM
            raise NotationError("remote player", text, problem) from None
        return cls(host, port, **_wishes(text, wishes))


def _wishes(text: str, parts: list[str]) -> dict[str, Any]:
    """What stands behind the place, the numbers read and checked."""
    values: dict[str, Any] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key in values:
            raise NotationError("remote player", text, f"{key} is given twice")
        if key not in _WISHES:
            known = ", ".join(_WISHES)
            problem = f"{quote(part)} is none of its settings; they are {known}, each =NUMBER"
            raise NotationError("remote player", text, problem)
        kind, least, most = _WISHES[key]
        values[key] = _number(value, kind)
        if not least <= values[key] <= most:
            seconds = " seconds" if kind is float else ""
            problem = f"{key} goes from {least} to {most}{seconds}, not {quote(value)}"
            raise NotationError("remote player", text, problem)
    return values


def _number(text: str, kind: type[int | float]) -> float:
    """The number, -1 if the text is none."""
    if kind is int:
        whole = number(text)
        return -1 if whole is None else whole
    try:
        return float(text)
    except ValueError:
        return -1


async def pinned(text: str, destinations: Destinations) -> str:
    """The description with the address that its host has; NotAllowed if not for visitors."""
    address = Address.parse(text)
    place = await destinations.find(Endpoint(address.host, address.port), Oware.name)
    _, comma, wishes = text.partition(",")
    return f"{REMOTE}{place}{comma}{wishes}"


CHUNK: Final = 4096
LEAST: Final = 0.001  # seconds: a socket takes no time-out of 0 for one


def exchange(
    address: Address,
    request: bytes,
    within: float | None = None,
    heard: Heard | None = None,
    stream: Stream = socket.socket,
) -> bytes:
    """The five lines of the answer, or PlayerFailed; AnswerError if it never ends.

    `within` seconds it must be there, or within the address's own limits if those are shorter.
    `heard` is told what goes over the connection: whether we send it, and the bytes. `stream`
    makes a TCP socket for a family of addresses.
    """
    end = None if within is None else time.monotonic() + within
    with _connected(address, _Deadline(address.connect, end), stream) as connection:
        deadline = _Deadline(address.timeout, end)
        if heard:
            heard(True, request)
        _send(connection, request, address, deadline)
        return _receive(connection, address, deadline, heard)


def knock(address: Address, within: float) -> None:
    """See whether a connection can be made in these seconds; PlayerFailed says why not."""
    _connected(address, _Deadline(min(address.connect, within))).close()


class _Deadline:
    """A number of seconds from now on, cut short by an end."""

    def __init__(self, seconds: float, end: float | None = None) -> None:
        now = time.monotonic()
        self._until = now + seconds if end is None else min(now + seconds, end)
        self.seconds = max(self._until - now, 0.0)

    def arm(self, connection: socket.socket, parts: int = 1) -> None:
        """Have the next operation end in time, one of so many; TimeoutError if it is too late."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        connection.settimeout(max(left / parts, LEAST))

    def __str__(self) -> str:
        return f"{self.seconds:.3g} s"


def _connected(
    address: Address, deadline: _Deadline, stream: Stream = socket.socket
) -> socket.socket:
    """A connection to the first of the host's addresses that takes it; each gets its share."""
    places = _look_up(address)
    errors: list[OSError] = []
    for tried, (family, _, _, _, place) in enumerate(places):
        try:
            return _connect(stream(family), place, deadline, len(places) - tried)
        except OSError as error:
            errors.append(error)
    if all(map(_timed_out, errors)):
        raise PlayerFailed(Fault.LATE, f"no connection to {address} within {deadline}")
    causes = ", ".join(dict.fromkeys(map(cause, errors)))
    raise PlayerFailed(Fault.LOST, f"cannot connect to {address}: {causes}")


def _connect(
    connection: socket.socket, place: Any, deadline: _Deadline, parts: int
) -> socket.socket:
    try:
        deadline.arm(connection, parts)
        connection.connect(place)
    except BaseException:
        connection.close()
        raise
    return connection


def _look_up(address: Address) -> list[Any]:
    try:
        return socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # the latter for a part too long for a name
        problem = f"unknown host {quote(address.host)}: {cause(error)}"
        raise PlayerFailed(Fault.LOST, problem) from None


def _send(connection: socket.socket, request: bytes, address: Address, deadline: _Deadline) -> None:
    """Send the request; that the server has gone shows when one reads what it said last."""
    try:
        deadline.arm(connection)
        connection.sendall(request)
    except OSError as error:
        if _timed_out(error):
            problem = f"{address} did not accept the request within {deadline}"
            raise PlayerFailed(Fault.LATE, problem) from None
        if not isinstance(error, ConnectionError):
            raise _lost(address, error) from None


def _receive(
    connection: socket.socket, address: Address, deadline: _Deadline, heard: Heard | None
) -> bytes:
    reading = AnswerReading()
    try:
        complete = False
        while not complete:
            deadline.arm(connection)
            data = connection.recv(CHUNK)
            if not data:
                raise PlayerFailed(Fault.LOST, f"{address} closed the connection {_cut(reading)}")
            if heard:
                heard(False, data)
            complete = reading.receive(data)
    except OSError as error:
        if _timed_out(error):
            raise PlayerFailed(Fault.LATE, _late(address, reading, deadline)) from None
        raise _lost(address, error) from None
    return reading.data


def _cut(reading: AnswerReading) -> str:
    return f"before the end of {reading.missing}" if reading.data else "without an answer"


def _late(address: Address, reading: AnswerReading, deadline: _Deadline) -> str:
    if not reading.data:
        return f"{address} did not answer within {deadline}"
    some = f"only {len(reading.data)} bytes of an answer came within {deadline}"
    return f"{address} is too slow: {some}, not to the end of {reading.missing}"


def _lost(address: Address, error: OSError) -> PlayerFailed:
    return PlayerFailed(Fault.LOST, f"connection to {address} lost: {cause(error)}")


def _timed_out(error: OSError) -> bool:
    """Whether it was our own limit; what the system gives up by itself has a number."""
    return isinstance(error, TimeoutError) and error.errno is None


class RemotePlayer(Player):
    """Asks the server at an address for every move, each time with the whole game so far."""

    def __init__(self, name: str, address: Address, stream: Stream = socket.socket) -> None:
        super().__init__(name)
        self.address = address
        self._stream = stream

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:
        """The server's move; of the game it is told as much as the state remembers."""
        return self.decide(Record((state,)), rng, within)

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:  # noqa: ARG002
        """The server's move where the record stands, or PlayerFailed."""
        address = self.address
        initial, history, state = game_so_far(record)
        asked = request(address.strategy, address.depth, initial, history)
        try:
            answer = exchange(address, asked, within, self.heard, self._stream)
            return read_answer(answer, state).move
        except AnswerError as error:
            fault = Fault.ILLEGAL if isinstance(error, IllegalAnswer) else Fault.PROTOCOL
            raise PlayerFailed(fault, f"{address}: {error}") from None


def game_so_far(record: Record) -> tuple[Board, str, OwareState]:
    """The first board, all moves from there, and where they lead, as the protocol tells a game.

    There A always begins. Where B began, the sides change their names and nothing else.
    """
    first, state = cast("OwareState", record.states[0]), cast("OwareState", record.state)
    initial = first.seen[0] if first.seen else first.board
    history = first.moves + "".join(map(str, record.moves))
    if (state.player + len(history)) % 2:
        initial = (initial[1], initial[0], *initial[8:], *initial[2:8])
        moves = f" moves {history}" if history else ""
        state = Oware().parse_state(f"{format_board(initial)}{moves}")
    return initial, history, state


def make_remote(text: str, game: Game[Any]) -> Player:  # noqa: ARG001 - as the kit wants it
    """The remote player that the text describes, or NotationError."""
    return RemotePlayer(text, Address.parse(text))
