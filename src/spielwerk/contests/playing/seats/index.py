"""Index servers of Connect Four for one program each: nobody else is let in.

Of datagrams nothing comes, whoever sends them: in these lists nobody falls away for silence.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from spielwerk.clients.connect4.index import AnswerT, IndexClient, IndexRefused
from spielwerk.contests.playing.seats.seating import Doors
from spielwerk.contests.playing.venue import HERE
from spielwerk.errors import quote
from spielwerk.net.addresses import Endpoint
from spielwerk.servers.index import IndexService, IndexSettings
from spielwerk.wire.connect4.index import Change
from spielwerk.wire.connect4.messages import RegisterGame, read_message, write_message
from spielwerk.wire.options import chosen

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.playing.sitting import Sitting
    from spielwerk.servers.sessions import Session
    from spielwerk.wire.connect4.index import Reply
    from spielwerk.wire.connect4.messages import Message


class SeatIndex(IndexService, Doors):
    """An index server for one program; `registered` is set when that offers a game."""

    def __init__(self, sitting: Sitting, number: int) -> None:
        venue = sitting.venue
        settings = IndexSettings(
            ports=("0",),
            silence=0.0,  # whether it beats is nobody's concern
            spelling=chosen(sitting.player(number).options, "spelling") or sitting.terms.spelling,
        )
        super().__init__(venue.arena, sitting.minutes, settings, venue.metrics)
        self.registered = asyncio.Event()
        self.place = Endpoint(HERE, 0)
        self._admits = partial(sitting.keeper.admits, number)

    async def begin(self) -> None:
        """Listen."""
        ((host, port),) = await self.start(HERE)
        self.place = Endpoint(host, port)

    def admit(self, session: Session) -> bool:
        """Whether it is the program that has come; nobody else is told anything."""
        if self._admits(session.transport):
            return super().admit(session)
        session.drop()
        return False

    def keep(self, change: Change, done: Callable[[Reply], None]) -> None:
        """Make a change of the list."""

        def kept(reply: Reply) -> None:
            done(reply)
            if change.request is RegisterGame:
                self.registered.set()

        super().keep(change, kept)

    async def answer(self, request: Message) -> bytes:
        """The answer to a request of our own."""
        line = write_message(request).removesuffix(b"\n")
        outcome = self.index.handle(line, HERE, self.loop.time())
        if isinstance(outcome, Change):
            settled: asyncio.Future[Reply] = self.loop.create_future()
            self.keep(outcome, settled.set_result)
            outcome = await settled
        return outcome.line.removesuffix(b"\n") if outcome else b""


class OwnIndex(IndexClient):
    """A program's index server as we ask it ourselves: not at the door, which is not ours."""

    def __init__(self, index: SeatIndex) -> None:
        super().__init__(index.place)
        self._index = index

    async def addresses(self) -> tuple[tuple[str, int], str]:
        """Everybody is here."""
        return (self.place.host, self.place.port), HERE

    async def _ask(
        self,
        request: Message,
        success: type[AnswerT],
        failure: type[Message] | None,  # noqa: ARG002
    ) -> AnswerT:
        answer = read_message(await self._index.answer(request))
        if isinstance(answer, success):
            return answer
        said = quote(str(answer))
        raise IndexRefused(f"the index server of a seat answers {said} to {request.header}")
