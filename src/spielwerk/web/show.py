"""A show game between two engines, one after the other, as long as people watch.

It gets in no player's way: it thinks for a moment only and when no other table does, and games
whose engine would have to be compiled first are left out.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import NoEngine, find_engine
from spielwerk.games import kits
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.thinking import Asker, Urgency
from spielwerk.tables.wishes import NewTable

if TYPE_CHECKING:
    from spielwerk.games import Game
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

PLAYERS: Final = ("level=6", "level=5", "level=4")  # by seat
THOUGHT: Final = 0.4  # seconds for a move
PAUSE: Final = 1.5  # seconds that a position can be seen
STAY: Final = 6.0  # and the last one
RETRY: Final = 10.0  # seconds until it is looked again whether a game can be played
ASKER: Final = Asker("show", lambda: Urgency.SHOW)


class Show:
    """The game that is shown; `go_on` has it played while people watch."""

    def __init__(self, arena: Arena) -> None:
        self.table: Table | None = None
        self._arena = arena
        self._next = Random().randrange(len(kits()))  # the game that comes next
        self._task: asyncio.Task[None] | None = None
        self._due = 0.0  # when something is to happen, by the loop's clock

    def go_on(self) -> None:
        """People watch: let happen what is due."""
        now = asyncio.get_running_loop().time()
        if self._task is None and now >= self._due and not self._arena.closing:
            self._task = asyncio.create_task(self._step(), name="show")

    async def _step(self) -> None:
        try:
            if self.table is None or self.table.over:
                await self._begin()
            else:
                await self._move(self.table)
        except Exception:
            log.exception("the show game failed")
            self.table = None
        pause = RETRY if self.table is None else STAY if self.table.over else PAUSE
        self._due = asyncio.get_running_loop().time() + pause
        self._task = None

    async def _begin(self) -> None:
        """Set up the next game, if there is one that can be played."""
        game = await asyncio.to_thread(self._choose_game)
        if game is None:
            self.table = None
        else:
            chosen = PLAYERS[: game.players]
            seats = tuple(SeatRecord(SeatKind.ENGINE, "", player) for player in chosen)
            self.table = self._arena.exhibit(NewTable(game.name, seats=seats, move_time=0))

    def _choose_game(self) -> Game[Any] | None:
        """The next game whose engine is ready."""
        games = [kit.game.from_text(()) for kit in kits().values()]
        games = games[self._next :] + games[: self._next]
        place = next((place for place, game in enumerate(games) if _is_ready(game)), None)
        if place is None:
            return None
        self._next = (self._next + place + 1) % len(games)
        return games[place]

    async def _move(self, table: Table) -> None:
        seat = table.seats[table.turn]
        player, record = seat.record.player, table.history.record()
        move = await self._arena.engines.choose(player, record, THOUGHT, ASKER)
        table.play(seat, table.game.format_move(move), table.note)

    def close(self) -> None:
        """Play no more."""
        if self._task:
            self._task.cancel()


def _is_ready(game: Game[Any]) -> bool:
    """Whether the game has an engine that need not be compiled."""
    from spielwerk.engines.compiled import is_compiled  # heavy, and we are in a thread here

    try:
        return is_compiled(inspect.getfile(find_engine(game)))
    except NoEngine:
        return False
