"""All tables of a server: made, found, restored after a crash, and cleared away."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.errors import NotationError, OptionError, SpielwerkError, UsageError, quote
from spielwerk.games import CHANCE, find_game, find_kit
from spielwerk.messages import english
from spielwerk.store.records import (
    Created,
    GameRecord,
    MoveRecord,
    Reason,
    Removed,
    Reviewed,
    SeatKind,
    SeatRecord,
)
from spielwerk.tables.clocks import begins_together, check_times
from spielwerk.tables.engines import EngineOccupant, EnginePool, RemoteOccupant
from spielwerk.tables.mirror import ShownTable
from spielwerk.tables.names import usual_game_name, usual_seat_name
from spielwerk.tables.offers import Rematches
from spielwerk.tables.parts import FairDice, Rules, draw, new_id, real_timer, short, shown, tenure
from spielwerk.tables.table import Table
from spielwerk.wire import checked_options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from spielwerk.games import Game, State
    from spielwerk.store.records import Entry
    from spielwerk.tables.parts import Clock, Journal, SetTimer

log = logging.getLogger(__name__)

NAME_LIMIT: Final = 80
PAUSES: Final = range(60_001)
START_LIMIT: Final = 4096  # characters: reading a position takes some milliseconds at most
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
    start: str = ""  # the first position, if it is not where the rules begin
    training: bool = False  # seated players may see the analysis
    rematch: bool = False  # persons sit down when their pages come: until then no clock runs


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
        self._shown: set[str] = set()  # unfinished ones that are only looked at

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
        if len(self._tables) - len(self._finished) - len(self._shown) >= self.rules.tables:
            raise UsageError(f"there are {self.rules.tables} unfinished games, the most allowed")
        rng = rng or self._rng
        record = _record(wish, self._clock.wall(), new_id(), rng)

        def kept(error: BaseException | None) -> None:
            if error is None:
                log.info("created game=%s kind=%s", shown(record.id), record.game)
            done(self._open(record, rng, waits=wish.rematch) if error is None else error)

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

    def _open(self, record: GameRecord, rng: Random, *, waits: bool) -> Table:
        table = self._set(record, rng, waits=waits)
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
        record = _record(wish, self._clock.wall(), new_id(), self._rng)
        table = ShownTable(record, self._clock, self._rng)
        self.show(table)
        return table

    def show(self, table: Table) -> None:
        """Have a table that is only looked at; it does not count, and goes after its end."""
        self._tables[short(table.id)] = table
        self._shown.add(table.id)
        table.watchers.append(self._changed)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        if not table.gathering:
            self._gathering.pop(table.id, None)
        if table.over and self._changed in table.watchers:
            table.watchers.remove(self._changed)
            self._shown.discard(table.id)
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


def _record(wish: NewTable, now: int, game_id: str, rng: Random) -> GameRecord:
    """The table as it is wished, everything that is left to chance drawn."""
    if wish.pause not in PAUSES:
        problem = f"must be {PAUSES[0]} to {PAUSES[-1]} milliseconds"
        raise OptionError("pause", str(wish.pause), problem)
    game = _chosen(find_game(wish.game), wish, rng)
    seats = _seats(game, wish.seats)
    start = _start(game, wish.start, seats)
    draws = [game.format_move(move) for move in draw(start, rng)]
    record = GameRecord(
        id=game_id,
        game=game.name,
        options=tuple(game.assignments()),
        name=checked_name(wish.name) or usual_game_name(now),
        seats=seats,
        move_time=wish.move_time,
        tournament=wish.tournament,
        created=now,
        moves=tuple(MoveRecord(n, CHANCE, move, now) for n, move in enumerate(draws)),
        pause=wish.pause,
        wire_options=checked_options(game.name, wish.wire_options),
        game_time=wish.game_time,
        increment=wish.increment,
        start="" if start == game.start() else str(start),
        training=wish.training,
    )
    check_times(record)
    return record


def _chosen(kind: type[Game[Any]], wish: NewTable, rng: Random) -> Game[Any]:
    """The game; who begins is drawn, unless it is given, or the rules or a start say it."""
    chosen = wish.options
    begins = next((option for option in kind.options() if option.name == "begins"), None)
    if begins and not wish.start and not any(text.startswith("begins=") for text in chosen):
        chosen += (f"begins={rng.randint(begins.low, begins.high)}",)
    return kind.from_text(chosen)


def parsed_start(game: Game[Any], text: str) -> State[Any]:
    """The position where a game is to start, or NotationError; an empty text is the usual one."""
    if len(text) > START_LIMIT:
        raise NotationError("start", text, f"it may have {START_LIMIT} characters at most")
    return game.parse_state(text) if text else game.start()


def _start(game: Game[Any], text: str, seats: Iterable[SeatRecord]) -> State[Any]:
    """Where the game starts, if it can go on from there and all players can be told."""
    state = parsed_start(game, text)
    if state.outcome:
        raise NotationError("start", text, f"the game is over there: {state.outcome.reason}")
    why, clients = find_kit(game.name).why_no_start, any(s.kind is SeatKind.CLIENT for s in seats)
    if why and clients and state != game.start():
        raise NotationError("start", text, f"{why}; seat persons and engines only")
    return state


def checked_name(name: str) -> str:
    """The name without blanks around it, or UsageError if it cannot stand in a line."""
    name = name.strip(" ")
    if len(name) > NAME_LIMIT:
        raise UsageError(f"{quote(name)}: a name can have at most {NAME_LIMIT} characters")
    if not name.isprintable():
        raise UsageError(f"{quote(name)}: a name cannot contain control characters")
    return name


def _seats(game: Game[Any], wanted: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
    """The seats, every one with a name; all are for clients if none are wanted in particular."""
    seats = wanted or tuple(SeatRecord(SeatKind.CLIENT, "") for _ in game.sides)
    if len(seats) != game.players:
        raise UsageError(f"{game.name} has {game.players} seats, not {len(seats)}")
    return tuple(
        replace(
            seat,
            name=checked_name(seat.name) or usual_seat_name(number),
            owner=tenure(seat.owner),
        )
        for number, seat in enumerate(seats)
    )


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
