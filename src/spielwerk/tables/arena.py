"""All tables of a server: made, found, restored after a crash, and cleared away."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game
from spielwerk.messages import english
from spielwerk.store.records import (
    Created,
    GameRecord,
    Reason,
    Removed,
    Reviewed,
    SeatKind,
)
from spielwerk.tables.clocks import begins_together
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.mirror import ShownTable
from spielwerk.tables.occupants import EngineOccupant, RemoteOccupant
from spielwerk.tables.offers import Rematches
from spielwerk.tables.parts import (
    RESTORED,
    FairDice,
    Rules,
    new_id,
    real_timer,
    short,
    shown,
)
from spielwerk.tables.shares import TableShares
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from spielwerk.store.records import Entry
    from spielwerk.tables.parts import Clock, Creator, Journal, SetTimer

log = logging.getLogger(__name__)

FINISHED_KEPT: Final = 1000
PATIENCE: Final = 5.0  # seconds for a game's end to be written


class Unavailable(SpielwerkError):
    """What cannot be done at the moment: the server stops, or its journal does not write."""


@dataclass(frozen=True, slots=True)
class ArenaRules:
    """How long tables are kept, and how many there may be."""

    reservation: float = 5.0
    age_limit: float = 24 * 3600.0  # seconds that an unfinished game waits without players
    finished_kept: float = 60.0  # seconds that a finished game still tells its result
    tables: int = 10_000
    tables_each: int = 10_000  # set up by one address
    engine_tables: int = 10_000  # of these at which only engines sit


class Arena:
    """The tables of a server, by Game-ID."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        rules: ArenaRules | None = None,
        *,
        engines: EnginePool | None = None,
        rng: Random | None = None,
        timer: SetTimer = real_timer,
    ) -> None:
        self.rules = rules or ArenaRules()
        self.engines = engines or EnginePool()
        self.closing = False
        self._journal = journal
        self._clock = clock
        self._rng = rng or FairDice()
        self._timer = timer
        self._tables: dict[str, Table] = {}  # by the short form of their IDs
        self._finished: deque[tuple[float, str]] = deque()
        self._gathering: dict[str, Table] = {}  # of one sitting, not begun
        self.rematches = Rematches(self.find)
        self._shares = TableShares(self._deserted)  # of those that are kept, and unfinished

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._tables.values()))

    def __len__(self) -> int:
        return len(self._tables)

    def find(self, game_id: str) -> Table | None:
        """The table with this Game-ID, if there is one."""
        table = self.find_short(game_id)
        return table if table and table.id == game_id else None

    def find_short(self, game_id: str) -> Table | None:
        """The table with this Game-ID, or whose short Game-ID it is."""
        table = self._tables.get(short(game_id))
        return table if table and game_id in (table.id, short(table.id)) else None

    def gathering(self) -> list[Table]:
        """The games of one sitting that wait for players, the oldest first."""
        return [table for table in self._gathering.values() if table.gathering]

    async def create(self, wish: NewTable) -> Table:
        """Set up a table; it is in the journal before its ID is told."""
        game = find_game(wish.game).from_text(wish.options)
        for seat in wish.seats:
            if seat.kind is SeatKind.ENGINE:
                await self.engines.check(game, seat.player)
        made: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self.set_up(wish, partial(_settle, made))
        return await made

    def set_up(
        self,
        wish: NewTable,
        done: Callable[[Table | BaseException], None],
        rng: Random | None = None,
    ) -> None:
        """Set up a table whose engines are known to exist; `done` gets it when it is kept."""
        if self.closing:
            raise Unavailable(english("server-stops"))
        rng = rng or self._rng
        record = record_of(wish, self._clock.wall(), new_id(), rng)
        engines_only = all(seat.kind is SeatKind.ENGINE for seat in record.seats)
        if engines_only:
            self._shares.limit_engines(wish.creator, self.rules.engine_tables)
        self._make_room(wish.creator)
        self._shares.enter(record.id, wish.creator, engines_only=engines_only)

        def kept(error: BaseException | None) -> None:
            if error is None:
                log.info("created game=%s kind=%s", shown(record.id), record.game)
            else:
                self._shares.leave(record.id)
            done(self._open(record, rng, wish) if error is None else error)

        self._journal.add(Created(record), kept)

    def _make_room(self, creator: Creator) -> None:
        """End a deserted game, if there is no room for another otherwise."""
        rules = self.rules
        game_id = self._shares.make_room(creator, rules.tables, rules.tables_each)
        table = self.find(game_id) if game_id else None
        if table:
            self._shares.leave(table.id)
            waited = round(self._clock.monotonic() - table.deserted_since)
            table.abort(Reason.ABORTED, english("made-room", seconds=waited))

    def _deserted(self, game_id: str) -> float | None:
        """Since when a table is deserted, and none of its players may still come back."""
        table = self.find(game_id)
        if table is None or not table.deserted or table.viewers:
            return None
        since = table.deserted_since
        return since if self._clock.monotonic() - since > self.rules.reservation else None

    def restore(self, records: Iterable[GameRecord]) -> None:
        """Take up games from the store; games that clients cannot come back to are ended.

        They go on with `wake`: an engine may be a remote player at a server of our own.
        """
        for record in records:
            try:
                table = self._set(record, self._rng)
                self._shares.enter(table.id, RESTORED)
                if _torn(table):
                    table.abort(Reason.ABORTED, english("server-stopped"))
            except SpielwerkError as error:
                log.error("cannot restore game=%s error=%r", shown(record.id), str(error))  # noqa: TRY400

    def wake(self) -> None:
        """Let the games go on that were taken up."""
        for table in self:
            _look(table)

    def _open(self, record: GameRecord, rng: Random, wish: NewTable) -> Table:
        table = self._set(record, rng, waits=wish.rematch)
        table.creator = wish.creator
        _look(table)
        return table

    def _set(self, record: GameRecord, rng: Random, *, waits: bool = False) -> Table:
        rules = Rules(self.rules.reservation, self._timer, begins_together(record))
        table = Table(record, self._journal, self._clock, rng, rules)
        self._tables[short(table.id)] = table
        if table.gathering:
            self._gathering[table.id] = table
        table.watchers.append(self._changed)
        for seat in table.seats:
            if seat.record.kind is SeatKind.ENGINE:
                remote = seat.record.player.startswith(REMOTE)
                kind = RemoteOccupant if remote else EngineOccupant
                seat.occupant = kind(table, seat, self.engines)
        for seat in () if waits else table.seats:
            table.owners.welcome(seat)
        self._changed(table)
        table.gather()
        return table

    def exhibit(self, wish: NewTable) -> Table:
        """Set up a table to be looked at: nothing of it is kept."""
        record = record_of(wish, self._clock.wall(), new_id(), self._rng)
        table = ShownTable(record, self._clock, self._rng)
        self.show(table)
        return table

    def show(self, table: Table) -> None:
        """Have a table that is only looked at; it does not count, and goes after its end."""
        self._tables[short(table.id)] = table
        table.watchers.append(self._changed)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        if not table.gathering:
            self._gathering.pop(table.id, None)
        if table.over and self._changed in table.watchers:
            table.watchers.remove(self._changed)
            self._shares.leave(table.id)
            self._finished.append((self._clock.monotonic(), table.id))
            while len(self._finished) > FINISHED_KEPT:
                self._tables.pop(short(self._finished.popleft()[1]), None)
            if table.result:
                log.info("ended %s reason=%r", table, str(table.result.reason))

    async def remove(self, game_id: str) -> None:
        """End the game, if it is being played, and keep nothing of it."""
        table = self.find(game_id)
        if table:
            await _ended(table, english("game-deleted"))
        await self._keep(Removed(game_id))
        self._tables.pop(short(game_id), None)
        self._finished = deque(one for one in self._finished if one[1] != game_id)
        self.rematches.forget(game_id)
        log.info("removed game=%s", shown(game_id))

    async def keep_review(self, game_id: str, effort: int, found: dict[str, Any]) -> Reviewed:
        """Write down what a review has found, and only then tell it."""
        regret = [player["phases"] for player in found["players"]]
        entry = Reviewed(game_id, effort, found, self._clock.wall(), regret)
        await self._keep(entry)
        return entry

    async def _keep(self, entry: Entry) -> None:
        """Wait until the entry is in the journal."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._journal.add(entry, partial(_settle, kept))
        await kept

    def sweep(self) -> None:
        """Forget finished games, and end those that have had no players for too long."""
        now = self._clock.monotonic()
        while self._finished and now - self._finished[0][0] > self.rules.finished_kept:
            self._tables.pop(short(self._finished.popleft()[1]), None)
        for table in self:
            table.retry()
            waited = now - table.deserted_since
            if table.deserted and not table.over and waited > self.rules.age_limit:
                table.abort(Reason.ABORTED, english("no-player-came", seconds=round(waited)))

    def stop(self, why: str) -> None:
        """Take no new games, and dismiss all players."""
        self.closing = True
        for table in self:
            table.clocks.close()
            for seat in table.seats:
                if seat.occupant:
                    seat.occupant.dismiss(why)
        self.engines.close()


def _look(table: Table) -> None:
    for seat in table.seats:
        if seat.occupant:
            seat.occupant.look()


def _torn(table: Table) -> bool:
    """Whether clients were in the middle of a game that knows no second sitting."""
    clients = any(seat.record.kind is SeatKind.CLIENT for seat in table.seats)
    return table.game.one_sitting and clients and bool(table.history) and not table.over


async def _ended(table: Table, why: str) -> None:
    """Wait until the table's game is over, which it is made to be now."""
    over = asyncio.Event()

    def look(table: Table) -> None:
        if table.over:
            over.set()

    table.watchers.append(look)
    try:
        table.abort(Reason.ABORTED, why)
        look(table)
        async with asyncio.timeout(PATIENCE):
            await over.wait()
    except TimeoutError:
        raise Unavailable(english("end-not-written")) from None
    finally:
        table.watchers.remove(look)


def _settle(future: asyncio.Future[Any], made: Table | BaseException | None) -> None:
    if future.cancelled():
        return
    if isinstance(made, BaseException):
        future.set_exception(made)
    else:
        future.set_result(made)
