"""Asking the index server: one request, one answer, on a connection of its own.

A server that cannot be reached and one that says no are two things: the first ends games
(Connect Four protocol, section 3.3), the second is only told.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, cast

from spielwerk.errors import SpielwerkError, cause, quote
from spielwerk.wire.connect4.host import explained
from spielwerk.wire.connect4.messages import (
    GAME_LIST,
    GameMessage,
    MessageError,
    message,
    read_message,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from spielwerk.net.addresses import Endpoint
    from spielwerk.wire.connect4.messages import ListedGame

INDEX_PORT: Final = 9090
HOST_PORT: Final = 8080
LONGEST: Final = 8_000_000  # bytes of an answer: a list of very many games


class IndexLost(SpielwerkError):
    """The index server cannot be reached, or does not answer."""


class IndexRefused(SpielwerkError):
    """The index server says no, or what it must not say."""


class NoIndexServer(IndexRefused):
    """Something else answers there; what it says is quoted."""


class IndexClient:
    """The index server at a place; `patience` is for connecting and answering together."""

    def __init__(self, place: Endpoint, patience: float = 5.0) -> None:
        self.place = place
        self._patience = patience

    async def addresses(self) -> tuple[tuple[str, int], str]:
        """The index server's own address and port, and our address as it sees us."""
        async with self._connected() as (_, writer):
            there, here = (writer.get_extra_info(end)[:2] for end in ("peername", "sockname"))
            return (there[0], there[1]), here[0]

    async def register(self, game: GameMessage) -> str:
        """The GUID of the game, which is now in the list."""
        guid: str = await self._ask(game, "register_success", "register_failed")
        return guid

    async def seal(self, guid: str) -> None:
        """The game has begun."""
        await self._ask(message("seal_game", guid), "seal_game_success", "seal_game_failed")

    async def unregister(self, guid: str) -> None:
        """The game is over."""
        asked = message("unregister_game", guid)
        await self._ask(asked, "unregister_game_success", "unregister_game_failed")

    async def games(self) -> tuple[ListedGame, ...]:
        """All games in the list."""
        games: tuple[ListedGame, ...] = await self._ask(message("request_game_list"), GAME_LIST)
        return games

    async def _ask(self, request: GameMessage, success: str, failure: str = "") -> Any:
        """The value of the answer that says yes, if it has one; IndexRefused for any other."""
        answer = await self._exchange(request)
        if answer.header == success:
            return answer.values[0] if answer.values else None
        if answer.header == failure:
            problem = quote(explained(answer.values[0]))
            raise IndexRefused(f"the index server refused {request.header}: {problem}")
        raise NoIndexServer(f"{self._name} answers {quote(str(answer))} to {request.header}")

    async def _exchange(self, request: GameMessage) -> GameMessage:
        async with self._connected() as (reader, writer):
            writer.write(write_message(request))
            return await self._answer(reader)

    async def _answer(self, reader: asyncio.StreamReader) -> GameMessage:
        try:
            return read_message((await reader.readuntil(b"\n")).removesuffix(b"\n"))
        except asyncio.IncompleteReadError:
            raise IndexLost(f"{self._name} closed the connection without answering") from None
        except asyncio.LimitOverrunError:
            raise NoIndexServer(f"{self._name} answers more than {LONGEST} bytes") from None
        except MessageError as error:
            raise NoIndexServer(
                f"{self._name} sent something that is not a message: {error}"
            ) from None

    @property
    def _name(self) -> str:
        return f"the index server {self.place}"

    @asynccontextmanager
    async def _connected(
        self,
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A connection; whatever goes wrong with it is IndexLost."""
        writer: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(self._patience):
                reader, writer = await asyncio.open_connection(*self.place, limit=LONGEST)
                yield reader, writer
        except TimeoutError:
            raise IndexLost(f"{self._name} did not answer within {self._patience:g} s") from None
        except (OSError, UnicodeError) as error:
            raise IndexLost(f"{self._name} cannot be reached: {no_connection(error)}") from None
        finally:
            if writer:
                with suppress(OSError):
                    writer.close()


def no_connection(error: Exception) -> str:
    """Why there is no connection; asyncio would put the address into words of its own."""
    refused = isinstance(error, ConnectionRefusedError)
    return os.strerror(errno.ECONNREFUSED) if refused else cause(error)


log = logging.getLogger(__name__)

BEAT: Final = write_message(message("heartbeat"))
FORMS: Final = (BEAT, BEAT.strip(), BEAT.replace(b"\n", b"\r\n"))


class Heartbeats(asyncio.DatagramProtocol):
    """Beats every so often; `silent` is called once after each stretch of silence.

    Silence counts only while heartbeats are `expected`: while a game is registered.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        index: tuple[str, int],
        silent: Callable[[], None],
        expected: Callable[[], bool],
        *,
        every: float = 10.0,
        silence: float = 60.0,  # seconds; 0: never mind
    ) -> None:
        self._loop = loop
        self._index = index
        self._silent = silent
        self._expected = expected
        self._every = every
        self._silence = silence
        self._heard = loop.time()
        self._transport: asyncio.DatagramTransport | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self._beat()

    def datagram_received(self, data: bytes, address: tuple[str | Any, int]) -> None:
        """See asyncio; the sender can be forged, but then only silence is lost."""
        if address[:2] == self._index and data in FORMS:
            self._heard = self._loop.time()

    def error_received(self, error: Exception) -> None:
        """See asyncio; a datagram may be lost, and a dead index server is silent."""
        log.debug("heartbeat not delivered error=%r", error)

    def stop(self) -> None:
        """Beat no more."""
        if self._timer:
            self._timer.cancel()
        if self._transport:
            self._transport.close()
        self._transport = None

    def _beat(self) -> None:
        now = self._loop.time()
        if self._transport is None:
            return
        self._transport.sendto(BEAT, self._index)
        if not self._expected():
            self._heard = now
        elif self._silence and now - self._heard >= self._silence:
            self._heard = now  # the next complaint after as much silence again
            self._silent()
        self._timer = self._loop.call_at(now + self._every, self._beat)
