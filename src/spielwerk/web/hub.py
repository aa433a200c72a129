"""All sockets: which table or contest each looks at, or the lobby, and when news are looked for."""

from __future__ import annotations

import asyncio
import logging
from random import Random
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse
from starlette.routing import WebSocketRoute

from spielwerk.errors import SpielwerkError
from spielwerk.store import reading
from spielwerk.store.problems import StoreError
from spielwerk.tables.table import Table
from spielwerk.web.bodies import digits
from spielwerk.web.browsers import browser_of, is_operator
from spielwerk.web.channel import Channel
from spielwerk.web.contests.audience import ContestAudience
from spielwerk.web.contests.contests import Contests
from spielwerk.web.lobby import Lobby
from spielwerk.web.viewers import Audience, Close, Viewer, in_thread, said
from spielwerk.wire.mnm.words import GAME_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.routing import BaseRoute
    from starlette.websockets import WebSocket

    from spielwerk.net.connection import Line
    from spielwerk.store.records import Entry, GameRecord
    from spielwerk.web.site import Site

log = logging.getLogger(__name__)

TICK: Final = 0.5  # seconds between two looks at what is not announced
WIRE: Final = 0.1  # and at the transcripts, while a viewer follows one
CONTEST: Final = 1.0  # and at contests
SILENCE: Final = 150.0  # seconds; hidden pages may speak only once a minute
TABLES: Final = 20  # that are looked at between two turns of the loop
KEPT: Final = 5.0  # seconds that a table is followed after its last viewer: it may come back
UNSENT: Final = 1 << 27  # bytes that may wait for all pages together


class Hub:
    """The sockets of this server."""

    def __init__(self, site: Site) -> None:
        self.lobby = Lobby(site, self._watching)
        self.contests = Contests(site)
        self._site = site
        self._viewers: set[Viewer] = set()
        self._audiences: dict[str, ContestAudience] = {}  # by the contests' IDs
        self._channels: dict[str, Channel] = {}  # by Game-ID
        self._opening: dict[str, asyncio.Task[Channel | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._door = asyncio.Lock()
        self._stopping = False

    def routes(self) -> list[BaseRoute]:
        """Where the socket and the lobby are."""
        return [WebSocketRoute("/live", self._attend), *self.lobby.routes()]

    def _watching(self, game_id: str) -> int:
        """How many look at a table without playing there."""
        channel = self._channels.get(game_id)
        return channel.count if channel else 0

    async def find_id(self, game_id: str) -> str | None:
        """The whole ID of the game that is called so, being played or kept."""
        if self._site.arena.find(game_id):
            return game_id
        record = await self._kept(game_id)
        return record.id if record else None

    # a socket's life

    async def _attend(self, socket: WebSocket) -> None:
        """Serve one socket to its end."""
        await self._turn()  # before we count: many may wait here
        if self._stopping:
            refusal = JSONResponse({"error": "the server is stopping"}, 503)
            await socket.send_denial_response(refusal)
            return
        await socket.accept()
        viewer = Viewer(socket, browser_of(socket), operator=is_operator(socket))
        audience = Audience()
        self._viewers.add(viewer)
        self._start()
        try:
            audience = await self._join(viewer, socket)
            await viewer.attend(lambda message: audience.hear(viewer, message))
        finally:
            self._viewers.discard(viewer)
            audience.leave(viewer)

    async def _turn(self) -> None:
        """Wait a turn of the loop: many who come at once must not hold up the others."""
        async with self._door:
            await asyncio.sleep(0)

    async def _join(self, viewer: Viewer, socket: WebSocket) -> Audience:
        """Begin with what was asked for: the lobby, a contest, or a table."""
        contest, table = (socket.query_params.get(name) for name in ("contest", "table"))
        found: Audience | None
        try:
            if contest is not None:
                found = await self._join_contest(viewer, contest)
            elif table is not None:
                seen, at = (_count(socket, name) for name in ("seen", "at"))
                found = await self._join_table(viewer, table, seen, at)
            else:
                found = self.lobby
                await self.lobby.join(viewer, socket.scope)
        except StoreError as error:
            log.error("live cannot use the store error=%r", str(error))  # noqa: TRY400
            viewer.close(Close.TRY_AGAIN, "the database does not answer; try again later")
            return Audience()
        if found is None:
            what = "game" if contest is None else "contest"
            viewer.close(Close.NO_SUCH_GAME, f"there is no such {what}")
        return found or Audience()

    async def _join_contest(self, viewer: Viewer, contest: str) -> ContestAudience | None:
        found = await self.contests.follow(contest)
        if found is None:
            return None
        if contest not in self._audiences:
            audience = ContestAudience(self.contests, found, self._site.arena)
            self._audiences[contest] = audience
        self._audiences[contest].join(viewer)
        return self._audiences[contest]

    async def _join_table(self, viewer: Viewer, game_id: str, seen: int, at: int) -> Channel | None:
        if await self._channel(game_id) is None:
            return None
        await self._turn()
        channel = await self._channel(game_id)  # again: it may have been closed meanwhile
        if channel:
            channel.join(viewer, seen, at)
        return channel

    # tables

    async def _channel(self, game_id: str) -> Channel | None:
        """The table's channel, opened if need be; nothing if there is no such game."""
        if game_id in self._channels:
            return self._channels[game_id]
        if game_id not in self._opening:
            self._opening[game_id] = asyncio.create_task(self._open(game_id))
        return await asyncio.shield(self._opening[game_id])

    async def _open(self, game_id: str) -> Channel | None:
        try:
            table = self._site.arena.find(game_id) or await self._archived(game_id)
            if table is None:
                return None
            contest = await self.contests.place_of(game_id) if table.record.tournament else None
            channel = Channel(table, self._site, contest)
            await channel.open()
            self._channels[game_id] = channel
            return channel
        finally:
            del self._opening[game_id]

    async def _archived(self, game_id: str) -> Table | None:
        """A game that is not in the arena any more, as a table where nothing happens."""
        record = await self._kept(game_id)
        if record is None or record.id != game_id:
            return None
        try:
            # Long games take a while to be played again.
            table: Table = await in_thread(Table, record, _Still(), _Still(), Random(0))
        except SpielwerkError as error:
            log.warning("cannot show a game of another version error=%r", str(error))
            return None
        return table

    async def _kept(self, game_id: str) -> GameRecord | None:
        if not GAME_ID.fullmatch(game_id):
            return None
        record: GameRecord | None = await in_thread(reading.game, self._site.store, game_id)
        return record

    # time

    def _start(self) -> None:
        """Begin to look, when the first socket comes."""
        if not self._tasks:
            self._work(self._every(TICK, self._look))
            self._work(self._every(WIRE, self._tell_wires))
            self._work(self._every(CONTEST, self._tell_contests))

    async def _every(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception:
                log.exception("cannot tell news")

    async def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        for viewer in list(self._viewers):
            if now - viewer.heard > SILENCE:
                viewer.close(Close.TOO_SLOW, "nothing was heard")
        self._relieve()
        for number, (game_id, channel) in enumerate(list(self._channels.items())):
            if number % TABLES == 0:
                await asyncio.sleep(0)
            await channel.check()
            if not channel.viewers and now - channel.empty_since > KEPT:
                channel.close()
                del self._channels[game_id]
        self.lobby.play_show()
        await self.lobby.tell_news()

    def _relieve(self) -> None:
        """Drop those with most to read, if all of them together would fill the memory."""
        unsent = sum(viewer.unsent for viewer in self._viewers)
        waiting = sorted(self._viewers, key=lambda viewer: viewer.unsent)
        while unsent > UNSENT:
            viewer = waiting.pop()
            unsent -= viewer.unsent
            viewer.abort()

    async def _tell_wires(self) -> None:
        feeds = {key: one.feed for key, one in self._channels.items() if one.feed.viewers}
        lines: dict[str, list[Line]] = {key: [] for key in feeds}
        for line in self._site.services.lines() if feeds else ():
            if line.game in lines:
                lines[line.game].append(line)
        for key, feed in feeds.items():
            await feed.tell_news(lines[key])

    async def _tell_contests(self) -> None:
        """Tell viewers of contests what is new; one that takes long keeps no other waiting."""
        self._audiences = {key: one for key, one in self._audiences.items() if one.viewers}
        for audience in self._audiences.values():
            if not audience.busy:
                self._work(audience.tell_news())

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("live work failed", exc_info=error)

    async def stop(self) -> None:
        """Tell all viewers that the server goes down."""
        self._stopping = True
        for task in list(self._tasks):
            task.cancel()
        for channel in self._channels.values():
            channel.close()
        if self.lobby.show:
            self.lobby.show.close()
        for viewer in list(self._viewers):
            viewer.offer(said("stopping"))
            viewer.close(Close.RESTART, "the server is stopping")


class _Still:
    """The journal and the clock of a game in which nothing happens any more."""

    def add(self, _entry: Entry, done: Callable[[BaseException | None], None], /) -> None:
        """Nothing is written."""
        done(SpielwerkError("this game cannot go on"))

    def monotonic(self) -> float:
        """No time passes."""
        return 0.0

    def wall(self) -> int:
        """No time passes."""
        return 0


def _count(socket: WebSocket, name: str) -> int:
    return digits(socket.query_params.get(name, ""), 15) or 0
