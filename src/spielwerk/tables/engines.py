"""Engines for all tables: they think in threads, in turn; the event loop never does.

A player elsewhere (`remote:HOST:PORT`) does not think here: a thread of its own waits for it, so
that a silent server keeps no engine from its work.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.analysis import share
from spielwerk.engines.interface import Limits
from spielwerk.engines.players import (
    RANDOM,
    REMOTE,
    EnginePlayer,
    Player,
    make_player,
)
from spielwerk.errors import NotationError
from spielwerk.tables.thinking import ANYBODY, Asker, Thinking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from spielwerk.engines.analysis import Interrupt
    from spielwerk.engines.players import Making
    from spielwerk.engines.warm import Preparation
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record

log = logging.getLogger(__name__)

KEPT: Final = 4  # players that are kept ready for a thread; engines hold large tables
SHARE: Final = 0.8  # of a move's time that an engine may use
EVEN: Final = 0.05  # of the way from even to won, and no more: a draw is as good
AWAITED: Final = 256  # players elsewhere that are waited for at the same time


class IdlePlayers:
    """Players that do not think at the moment, the latest few."""

    def __init__(self, make: Making, kept: int = KEPT) -> None:
        self._make = make
        self._kept = kept
        self._players: list[tuple[tuple[str, Game[Any]], Player]] = []
        self._lock = threading.Lock()

    @contextmanager
    def lend(self, text: str, game: Game[Any]) -> Iterator[Player]:
        """The player of that description for one thought; made if there is none."""
        key = text, game
        player = self._take(key) or self._make(text, game)
        try:
            yield player
        finally:
            with self._lock:
                self._players = [*self._players, (key, player)][-self._kept :]

    def _take(self, key: tuple[str, Game[Any]]) -> Player | None:
        with self._lock:
            found = next((one for one in reversed(self._players) if one[0] == key), None)
            if found:
                self._players.remove(found)
        return found[1] if found else None


class EnginePool:
    """Engines that think in turn; `remote` makes players elsewhere, if allowed."""

    def __init__(self, threads: int = 0, *, remote: Making | None = None) -> None:
        self._remote = remote
        self._awaited = asyncio.Semaphore(AWAITED)
        self.thinking = Thinking(threads)
        self._own = IdlePlayers(_warm, KEPT * self.thinking.threads)
        self.fresh: IdlePlayers | None = None  # engines for one game alone
        self.chance: Callable[[Record], Random] = _any_chance
        self.spent: Callable[[float], None] = _uncounted

    def lent(self, chance: Callable[[Record], Random], spent: Callable[[float], None]) -> Self:
        """The same threads for one game, whose chance is foreseen: it can be played again.

        So its engines know nothing of other games, and are never stopped for them. `spent` is told
        the processor's seconds of every move, in the thread that has found it.
        """
        pool = copy.copy(self)
        pool.chance, pool.spent, pool.fresh = chance, spent, IdlePlayers(make_player)
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
        asker: Asker = ANYBODY,
        began: Callable[[], None] = lambda: None,
        heard: Callable[[bool, bytes], None] | None = None,
    ) -> Any:
        """The player's move where the record stands, in these seconds or hardly more.

        `began` is called when it begins to think. `heard` is told what a player elsewhere hears
        (sent) and says, in another thread.
        """
        if player.startswith(REMOTE):
            chosen = self._elsewhere(record.game, player)
            chosen.heard = heard
            async with self._awaited:
                began()
                return await _alone(lambda: chosen.decide(record, self.chance(record), within))
        work = partial(self._choose, player, record)
        whole = self.fresh is not None
        return await self.thinking.think(work, asker, SHARE * within, began, whole=whole)

    def _choose(self, player: str, record: Record, interrupt: Interrupt, within: float) -> Any:
        with self._player(record.game, player) as chosen:
            began, chance = time.thread_time(), self.chance(record)
            if isinstance(chosen, EnginePlayer):
                move = chosen.choose(record.state, chance, within, interrupt.part())
            else:
                move = chosen.decide(record, chance, within)
            self.spent(time.thread_time() - began)
            return move

    async def agrees(
        self, player: str, state: State[Any], seat: int, within: float, asker: Asker = ANYBODY
    ) -> bool:
        """Whether the player on that seat takes a draw: who stands better plays on."""
        work = partial(self._agrees, player, state, seat)
        whole = self.fresh is not None
        return bool(await self.thinking.think(work, asker, within, whole=whole))

    def _agrees(
        self, player: str, state: State[Any], seat: int, interrupt: Interrupt, within: float
    ) -> bool:
        with self._player(state.game, player) as chosen:
            if not isinstance(chosen, EnginePlayer):
                return True  # it knows nothing better
            found = chosen.engine.search(state, Limits(time=within, seed=0), interrupt.part())
            value = share(found.score, chosen.engine.chance(found.score))
            return (value if state.turn == seat else -value) <= EVEN

    async def warm(self, game: Game[Any], player: str) -> None:
        """Have an engine ready before its first move is due."""
        await asyncio.to_thread(self._load, game, player)  # no move waits for it

    def _load(self, game: Game[Any], player: str) -> None:
        with self._player(game, player):
            pass

    @contextmanager
    def _player(self, game: Game[Any], text: str) -> Iterator[Player]:
        """A player of that description, warmed up."""
        with self._own.lend(text, game) as warm:
            if self.fresh is None or game.throws_dice:  # these engines remember nothing
                yield warm
                return
        with self.fresh.lend(text, game) as fresh:
            yield fresh

    def close(self) -> None:
        """Stop all that is being thought about, and take no more."""
        self.thinking.close()


def _warm(text: str, game: Game[Any]) -> Player:
    player = make_player(text, game)
    if isinstance(player, EnginePlayer):
        # Threads are shared out among all; no engine helps itself to more.
        single = replace(player.level.limits, threads=1)
        player.level = replace(player.level, limits=single)
        from spielwerk.engines.warm import compile_elsewhere  # a server without engines is lighter

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
