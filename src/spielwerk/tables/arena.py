"""All tables of a server: made, found, restored after a crash, and cleared away."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.errors import OptionError, SpielwerkError, UsageError, quote
from spielwerk.games import CHANCE, find_game
from spielwerk.messages import english
from spielwerk.store.records import (
    Created,
    GameRecord,
    MoveRecord,
    Reason,
    Removed,
    SeatKind,
    SeatRecord,
)
from spielwerk.tables.clocks import check_times
from spielwerk.tables.engines import EngineOccupant, EnginePool, RemoteOccupant
from spielwerk.tables.parts import FairDice, Rules, draw, new_id, real_timer, short, shown, tenure
from spielwerk.tables.table import Table
from spielwerk.wire import checked_options
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from spielwerk.games import Game
    from spielwerk.tables.parts import Clock, Journal, SetTimer

log = logging.getLogger(__name__)

NAME_LIMIT: Final = 80
PAUSES: Final = range(60_001)
REMATCHES_KEPT: Final = 10_000
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


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table as it is wished for."""

    game: str
    options: tuple[str, ...] = ()
    name: str = ""
    seats: tuple[SeatRecord, ...] = ()  # all for clients, if none are named
    move_time: int = 3000  # 0: as long as one likes
    tournament: bool = False
    pause: int = 0  # milliseconds that the position can be seen before an engine moves
    wire_options: tuple[str, ...] = ()  # like pace=block; what is not named, the service decides
    game_time: int = 0  # for all moves of a player; 0: as long as they like
    increment: int = 0  # that every turn adds to it


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
        self._rematches: dict[str, str] = {}  # the game that follows a game

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

    def rematch_of(self, game_id: str) -> str | None:
        """The game that follows this one."""
        return self._rematches.get(game_id)

    def follow(self, game_id: str, rematch: str) -> None:
        """Remember which game follows that one, and tell the players who are still there."""
        self._rematches[game_id] = rematch
        while len(self._rematches) > REMATCHES_KEPT:
            del self._rematches[next(iter(self._rematches))]
        if table := self.find(game_id):
            table.follow(rematch)

    def _unfollow(self, rematch: str) -> None:
        """Forget that this game follows another: there may be another rematch."""
        for game_id in [one for one, next_one in self._rematches.items() if next_one == rematch]:
            del self._rematches[game_id]
            if table := self.find(game_id):
                table.follow(None)

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
        if len(self._tables) - len(self._finished) >= self.rules.tables:
            raise UsageError(f"there are {self.rules.tables} unfinished games, the most allowed")
        rng = rng or self._rng
        record = _record(wish, self._clock.wall(), new_id(), rng)

        def kept(error: BaseException | None) -> None:
            if error is None:
                log.info("created game=%s kind=%s", shown(record.id), record.game)
            done(self._open(record, rng) if error is None else error)

        self._journal.add(Created(record), kept)

    def restore(self, records: Iterable[GameRecord]) -> None:
        """Take up games from the store; games that clients cannot come back to are ended.

        They go on with `wake`: an engine may be a remote player at a server of our own.
        """
        for record in records:
            try:
                table = self._set(record, self._rng)
                if _torn(table):
                    table.abort(Reason.ABORTED, english("server-stopped"))
            except SpielwerkError as error:
                log.error("cannot restore game=%s error=%r", shown(record.id), str(error))  # noqa: TRY400

    def wake(self) -> None:
        """Let the games go on that were taken up."""
        for table in self:
            _look(table)

    def _open(self, record: GameRecord, rng: Random) -> Table:
        table = self._set(record, rng)
        _look(table)
        return table

    def _set(self, record: GameRecord, rng: Random) -> Table:
        fresh = all(move.seat == CHANCE for move in record.moves)
        together = bool(record.game_time) and fresh
        rules = Rules(self.rules.reservation, self._timer, together)
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
        for seat in table.seats:
            table.owners.welcome(seat)
        self._changed(table)
        table.gather()
        return table

    def show(self, table: Table) -> None:
        """Have a table that is played elsewhere; after its end it goes like any other."""
        self._tables[short(table.id)] = table
        table.watchers.append(self._changed)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        if not table.gathering:
            self._gathering.pop(table.id, None)
        if table.over and self._changed in table.watchers:
            table.watchers.remove(self._changed)
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
        removed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._journal.add(Removed(game_id), partial(_settle, removed))
        await removed
        self._tables.pop(short(game_id), None)
        self._finished = deque(one for one in self._finished if one[1] != game_id)
        self._unfollow(game_id)
        log.info("removed game=%s", shown(game_id))

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


def _record(wish: NewTable, now: int, game_id: str, rng: Random) -> GameRecord:
    """The table as it is wished, everything that is left to chance drawn."""
    check_times(wish.move_time, wish.game_time, wish.increment)
    if wish.pause not in PAUSES:
        problem = f"must be {PAUSES[0]} to {PAUSES[-1]} milliseconds"
        raise OptionError("pause", str(wish.pause), problem)
    game = _drawn_start(find_game(wish.game), wish.options, rng)
    draws = [game.format_move(move) for move in draw(game.start(), rng)]
    seats = _seats(game, wish.seats)
    if wish.game_time and game.name not in game_kinds():
        _check_no_clients(game, seats)
    return GameRecord(
        id=game_id,
        game=game.name,
        options=tuple(game.assignments()),
        name=checked_name(wish.name) or _usual_name(now),
        seats=seats,
        move_time=wish.move_time,
        tournament=wish.tournament,
        created=now,
        moves=tuple(MoveRecord(n, CHANCE, move, now) for n, move in enumerate(draws)),
        pause=wish.pause,
        wire_options=checked_options(game.name, wish.wire_options),
        game_time=wish.game_time,
        increment=wish.increment,
    )


def _usual_name(now: int) -> str:
    """What the original game server called a game; old clients read it."""
    made = datetime.fromtimestamp(now / 1000, UTC).astimezone()
    return f"Game from {made:%Y-%m-%d %H:%M}"


def _drawn_start(kind: type[Game[Any]], options: Iterable[str], rng: Random) -> Game[Any]:
    """The game; who begins is drawn, unless it is given or the rules say it."""
    chosen = tuple(options)
    begins = next((option for option in kind.options() if option.name == "begins"), None)
    if begins and not any(option.startswith("begins=") for option in chosen):
        chosen += (f"begins={rng.randint(begins.low, begins.high)}",)
    return kind.from_text(chosen)


def checked_name(name: str) -> str:
    """The name without blanks around it, or UsageError if it cannot stand in a line."""
    name = name.strip(" ")
    if len(name) > NAME_LIMIT:
        raise UsageError(f"{quote(name)}: a name has at most {NAME_LIMIT} characters")
    if not name.isprintable():
        raise UsageError(f"{quote(name)}: a name must not contain control characters")
    return name


def _seats(game: Game[Any], wanted: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
    """The seats, every one with a name; all are for clients if none are wanted in particular."""
    seats = wanted or tuple(SeatRecord(SeatKind.CLIENT, "") for _ in game.sides)
    if len(seats) != game.players:
        raise UsageError(f"{game.name} has {game.players} seats, not {len(seats)}")
    return tuple(
        replace(
            seat,
            name=checked_name(seat.name) or f"Player {number + 1}",
            owner=tenure(seat.owner),
        )
        for number, seat in enumerate(seats)
    )


def _check_no_clients(game: Game[Any], seats: Iterable[SeatRecord]) -> None:
    """Raise UsageError for a client whose protocol has no place for the time that it has left."""
    if any(seat.kind is SeatKind.CLIENT for seat in seats):
        problem = "clients are not told how much time they have left; limit each move instead"
        raise UsageError(f"no game clock for {game.name} with clients: its {problem}")


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
