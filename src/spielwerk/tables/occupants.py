"""Engines that sit at tables, and players elsewhere: they move when it is their turn."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE, PlayerFailed
from spielwerk.messages import english
from spielwerk.net.connection import Direction, Line, Transcript
from spielwerk.store.records import Reason, WireRecord
from spielwerk.tables.offers import What
from spielwerk.tables.parts import NotNow
from spielwerk.tables.thinking import Asker, Urgency

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from spielwerk.tables.engines import EnginePool
    from spielwerk.tables.parts import Seat
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds before a move is offered again that could not be written
UNLIMITED: Final = 10.0  # seconds that an engine takes at most where a move has no limit
JUDGING: Final = 0.5  # seconds for the question who stands better
ELSEWHERE: Final = 60.0  # and that a player elsewhere is waited for
TRAFFIC: Final = 65_536  # bytes kept of what a player elsewhere says and hears in a game


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[..., None], *arguments: Any) -> None:
    """Have the work done on the loop, from another thread."""
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(work, *arguments)


def _urgency(table: Table) -> Urgency:
    """For whom the table's engines think."""
    if not table.deserted:
        return Urgency.PLAYER
    return Urgency.WATCHED if table.viewers else Urgency.UNWATCHED


class EngineOccupant:
    """An engine that sits at a table and moves when it is its turn.

    Until it is compiled, no clock runs.
    """

    def __init__(self, table: Table, seat: Seat, pool: EnginePool) -> None:
        self._table = table
        self._seat = seat
        self._pool = pool
        self._task: asyncio.Task[None] | None = None
        self._began = (0, 0)  # the moment of the game that the task is about
        self._dismissed = False
        self._loading: asyncio.Task[None] | None = None
        self._preparation = pool.prepare(table.game, seat.record.player)
        if self._preparation:
            loop = asyncio.get_running_loop()
            self._preparation.listen(lambda: _soon(loop, self._prepared))

    @property
    def preparing(self) -> int | None:
        """How far its preparation is, in percent; None if it is ready."""
        return self._preparation.percent if self._preparation else None

    def _prepared(self) -> None:
        """There is progress, or an end."""
        if self._preparation and self._preparation.settled.is_set():
            self._loading = self._loading or asyncio.create_task(self._load())
        else:
            self._table.tell_watchers()

    async def _load(self) -> None:
        """Have it ready in this process, too; if that goes wrong, thinking will say so."""
        with suppress(Exception):
            await self._pool.warm(self._table.game, self._seat.record.player)
        self._preparation = None
        self._table.announce()

    def look(self) -> None:
        """Think, if it is our turn and we do not yet; stop when that is not needed any more."""
        moment = self._table.history.moment
        if self._task and (self._table.over or self._began != moment):
            self._task.cancel()
            self._task = None
        if self._dismissed or self._task or self._table.over:
            return
        if self._preparation is not None:
            return
        if self._table.offers.awaiting(self._seat):
            self._begin(self._answer())
        elif self._table.turn == self._seat.number:
            self._begin(self._move())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._began = self._table.history.moment
        self._task = asyncio.get_running_loop().create_task(work)

    def dismiss(self, why: str) -> None:  # noqa: ARG002
        """Stop thinking: the move is not needed any more."""
        self._dismissed = True
        if self._task:
            self._task.cancel()

    async def _move(self) -> None:
        table, seat = self._table, self._seat
        try:
            move = await self._choose()
            await self._decide()
            pause = min(table.record.pause / 1000, table.clocks.share(seat.number))
            await asyncio.sleep(table.changed + pause - table.now)
            table.play(seat, table.game.format_move(move), self._moved)
        except NotNow:
            log.debug("the move came too late %s seat=%d", table, seat.number)
            self._task = None  # if the game goes on all the same, so do we
        except PlayerFailed as error:
            log.info("player failed %s seat=%d error=%r", table, seat.number, str(error))
            table.fail(seat, Reason(error.fault), str(error))
        except Exception as error:
            log.exception("engine failed %s seat=%d", table, seat.number)
            table.abort(Reason.SERVER_ERROR, english("engine-failed", error=type(error).__name__))

    async def _answer(self) -> None:
        """Answer what the other player has offered, and go on."""
        await self._decide()
        self._task = None
        self.look()

    async def _decide(self) -> None:
        """Take a draw that has been offered, unless we stand better."""
        offers, seat = self._table.offers, self._seat
        if offers.awaiting(seat):
            state, player, number = self._table.state, seat.record.player, seat.number
            within = min(JUDGING, self._table.clocks.share(number))  # its own clock may run
            accept = await self._pool.agrees(player, state, number, within, self._asker)
            with suppress(NotNow):  # it has lapsed meanwhile
                offers.answer(seat, What.DRAW, self._table.note, accept=accept)

    async def _choose(self) -> Any:
        share = self._table.clocks.share(self._seat.number)
        return await self._ask(min(share, self._limit or UNLIMITED))

    @property
    def _asker(self) -> Asker:
        table = self._table
        return Asker(table.creator.address or table.id, partial(_urgency, table))

    @property
    def _limit(self) -> float:
        """Seconds for the move; 0: no limit."""
        return self._table.clocks.limit(self._seat.number) / 1000

    async def _ask(self, within: float, *heard: Callable[[bool, bytes], None]) -> Any:
        """The move, in these seconds; its clock runs as soon as it thinks."""
        record, began = self._table.history.record(), partial(self._table.ask, self._seat)
        player = self._seat.record.player
        return await self._pool.choose(player, record, within, self._asker, began, *heard)

    def _moved(self, error: BaseException | None) -> None:
        if error is None:
            self._task = None
        else:
            asyncio.get_running_loop().call_later(PAUSE, self._again)

    def _again(self) -> None:
        self._task = None
        self.look()


class RemoteOccupant(EngineOccupant):
    """A player elsewhere; what is said in all its exchanges is one transcript."""

    peer: str

    def __init__(self, table: Table, seat: Seat, pool: EnginePool) -> None:
        super().__init__(table, seat, pool)
        self.peer = seat.record.player.removeprefix(REMOTE).partition(",")[0]
        self.transcript = Transcript(TRAFFIC)
        self._loop = asyncio.get_running_loop()
        self._opened = (table.now, table.wall)
        self._kept = False

    async def _choose(self) -> Any:
        return await self._ask(self._limit or ELSEWHERE, self._heard)

    def _heard(self, sent: bool, data: bytes) -> None:
        """Called in the thread that waits."""
        _soon(self._loop, self._note, sent, data)

    def _note(self, sent: bool, data: bytes) -> None:
        direction = Direction.SENT if sent else Direction.RECEIVED
        self.transcript.add(self._table.now - self._opened[0], direction, data)

    def line(self) -> Line:
        """The transcript so far."""
        number, opened = self._seat.number, self._opened[1]
        service = self._table.game.name  # a player elsewhere speaks its game's own protocol
        return Line(self._table.id, number, service, self.peer, opened, self.transcript)

    def look(self) -> None:
        """Think, or write down what was said."""
        super().look()
        if self._table.over:
            self._keep()

    def dismiss(self, why: str) -> None:
        """Stop thinking: the move is not needed any more."""
        super().dismiss(why)
        self._keep()

    def _keep(self) -> None:
        record = WireRecord.of(self.line())
        if record.traffic and not self._kept:
            self._kept = True
            self._table.keep(record)
