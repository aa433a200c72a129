"""Engines at tables: a few worker threads think for all of them, the event loop never does.

A player elsewhere (`remote:HOST:PORT`) does not think here: a thread of its own waits for it, so
that a silent server keeps no engine from its work.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.analysis import share
from spielwerk.engines.interface import Limits
from spielwerk.engines.players import (
    RANDOM,
    REMOTE,
    EnginePlayer,
    Player,
    PlayerFailed,
    make_player,
)
from spielwerk.errors import NotationError
from spielwerk.messages import english
from spielwerk.net.connection import Direction, Line, Transcript
from spielwerk.store.records import Reason, WireRecord
from spielwerk.tables.offers import What
from spielwerk.tables.parts import NotNow

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Self

    from spielwerk.engines.players import Making
    from spielwerk.engines.warm import Preparation
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record
    from spielwerk.tables.parts import Seat
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

KEPT: Final = 4  # players that a thread keeps ready; engines hold large tables
SHARE: Final = 0.8  # of a move's time that an engine may use
PAUSE: Final = 1.0  # seconds before a move is offered again that could not be written
UNLIMITED: Final = 10.0  # seconds that an engine takes at most where a move has no limit
JUDGING: Final = 0.5  # seconds for the question who stands better
EVEN: Final = 0.05  # of the way from even to won, and no more: a draw is as good
ELSEWHERE: Final = 60.0  # and that a player elsewhere is waited for
TRAFFIC: Final = 65_536  # bytes kept of what a player elsewhere says and hears in a game
AWAITED: Final = 256  # players elsewhere that are waited for at the same time


class ThreadPlayers(threading.local):
    """The latest few players of each thread, made when they are asked for."""

    def __init__(self, make: Making) -> None:
        self.player = lru_cache(KEPT)(make)


class EnginePool:
    """Worker threads with engines of their own; `remote` makes players elsewhere, if allowed."""

    def __init__(self, threads: int = 0, *, remote: Making | None = None) -> None:
        self._remote = remote
        self._awaited = asyncio.Semaphore(AWAITED)
        count = threads or max(1, (os.cpu_count() or 2) - 1)
        self._workers = ThreadPoolExecutor(count, thread_name_prefix="engine")
        self._own = ThreadPlayers(_warm)
        self.fresh: ThreadPlayers | None = None  # engines for one game alone
        self.chance: Callable[[Record], Random] = _any_chance
        self.spent: Callable[[float], None] = _uncounted

    def lent(self, chance: Callable[[Record], Random], spent: Callable[[float], None]) -> Self:
        """The same threads for one game, whose chance is foreseen: it can be played again.

        So its engines know nothing of other games. `spent` is told the processor's seconds of
        every move, in the thread that has found it.
        """
        pool = copy.copy(self)
        pool.chance, pool.spent, pool.fresh = chance, spent, ThreadPlayers(make_player)
        return pool

    def calling(self, remote: Making) -> Self:
        """The same threads with another way to reach players elsewhere."""
        pool = copy.copy(self)
        pool._remote = remote  # noqa: SLF001 - our own
        return pool

    async def check(self, game: Game[Any], player: str) -> None:
        """Raise what is wrong with the description of a player."""
        if player.startswith(REMOTE):
            self._elsewhere(game, player)
        else:  # not where engines think: setting up a game must not wait for moves
            await asyncio.to_thread(make_player, player, game)

    def _elsewhere(self, game: Game[Any], player: str) -> Player:
        if self._remote is None:
            raise NotationError("player", player, "remote players are not allowed here")
        return self._remote(player, game)

    def prepare(self, game: Game[Any], player: str) -> Preparation | None:
        """What is done before the player can think; None if that is nothing."""
        if player == RANDOM or player.startswith(REMOTE):
            return None
        from spielwerk.engines.warm import prepare  # a server without engines is lighter

        return prepare(game)

    async def choose(
        self,
        player: str,
        record: Record,
        within: float,
        heard: Callable[[bool, bytes], None] | None = None,
    ) -> Any:
        """The player's move where the record stands, in these seconds or hardly more.

        `heard` is told what a player elsewhere hears (sent) and says, in another thread.
        """
        if player.startswith(REMOTE):
            chosen = self._elsewhere(record.game, player)
            chosen.heard = heard
            async with self._awaited:
                return await _alone(lambda: chosen.decide(record, self.chance(record), within))
        return await self._run(self._choose, player, record, SHARE * within)

    async def _run(self, work: Any, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)

    def _choose(self, player: str, record: Record, within: float) -> Any:
        chosen = self._player(record.game, player)
        began = time.thread_time()
        move = chosen.decide(record, self.chance(record), within)
        self.spent(time.thread_time() - began)
        return move

    async def agrees(self, player: str, state: State[Any], seat: int, within: float) -> bool:
        """Whether the player on that seat takes a draw: who stands better plays on."""
        return bool(await self._run(self._agrees, player, state, seat, within))

    def _agrees(self, player: str, state: State[Any], seat: int, within: float) -> bool:
        chosen = self._player(state.game, player)
        if not isinstance(chosen, EnginePlayer):
            return True  # it knows nothing better
        found = chosen.engine.search(state, Limits(time=within, seed=0))
        value = share(found.score, chosen.engine.clear_advantage)
        return (value if state.turn == seat else -value) <= EVEN

    async def warm(self, game: Game[Any], player: str) -> None:
        """Have an engine ready before its first move is due."""
        await self._run(self._player, game, player)

    def _player(self, game: Game[Any], text: str) -> Player:
        """This thread's player of that description, warmed up."""
        warm = self._own.player(text, game)
        if self.fresh is None or game.throws_dice:  # these engines remember nothing
            return warm
        return self.fresh.player(text, game)

    def close(self) -> None:
        """Stop taking work; what is being thought about is not waited for."""
        self._workers.shutdown(wait=False, cancel_futures=True)


def _warm(text: str, game: Game[Any]) -> Player:
    from spielwerk.engines.warm import compile_elsewhere  # a server without engines is lighter

    player = make_player(text, game)
    if isinstance(player, EnginePlayer):
        compile_elsewhere(game)
        player.engine.warm_up()
        if game.throws_dice:  # what is looked up there depends on the game's options
            player.choose(game.start(), Random(0))
    return player


def _any_chance(_record: Record) -> Random:
    return Random()


def _uncounted(_seconds: float) -> None:
    """How long a move takes the processor matters to contests only."""


async def _alone(work: Callable[[], Any]) -> Any:
    """Do the work in a daemon thread, so that the program may end meanwhile."""
    done: Future[Any] = Future()

    def run() -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            done.set_result(work())
        except BaseException as error:  # raised again where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, name="remote", daemon=True).start()
    return await asyncio.wrap_future(done)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[..., None], *arguments: Any) -> None:
    """Have the work done on the loop, from another thread."""
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(work, *arguments)


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
            self._table.ask(self._seat)
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
            accept = await self._pool.agrees(player, state, number, within)
            with suppress(NotNow):  # it has lapsed meanwhile
                offers.answer(seat, What.DRAW, self._table.note, accept=accept)

    async def _choose(self) -> Any:
        share = self._table.clocks.share(self._seat.number)
        return await self._ask(min(share, self._limit or UNLIMITED))

    @property
    def _limit(self) -> float:
        """Seconds for the move; 0: no limit."""
        return self._table.clocks.limit(self._seat.number) / 1000

    async def _ask(self, within: float, *heard: Callable[[bool, bytes], None]) -> Any:
        """The move, in these seconds."""
        record = self._table.history.record()
        return await self._pool.choose(self._seat.record.player, record, within, *heard)

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
