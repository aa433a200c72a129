"""All sockets: who looks at which table, contest or at the lobby, and what is told to them."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse
from starlette.routing import WebSocketRoute

from spielwerk.errors import SpielwerkError
from spielwerk.store.problems import StoreError
from spielwerk.tables.table import Table
from spielwerk.web.browsers import browser_of, is_operator
from spielwerk.web.contests.boards import Boards
from spielwerk.web.contests.contests import Contests
from spielwerk.web.live.audience import Audience
from spielwerk.web.live.channel import Channel
from spielwerk.web.live.messages import CHUNK, STOPPING, said
from spielwerk.web.live.viewer import Close, Viewer
from spielwerk.web.lobby import Lobby
from spielwerk.wire.mnm.words import GAME_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starlette.routing import BaseRoute
    from starlette.websockets import WebSocket

    from spielwerk.net.connection import Line
    from spielwerk.store.records import Entry, GameRecord
    from spielwerk.web.site import Site

log = logging.getLogger(__name__)

TICK: Final = 0.25  # seconds between two looks at what nobody announces
WIRE: Final = 0.1  # and at the transcripts, while somebody follows one
CONTEST: Final = 1.0  # and at contests
SILENCE: Final = 150.0  # seconds; hidden pages may speak only once a minute
TABLES: Final = 20  # that are looked at between two turns of the loop
KEPT: Final = 5.0  # seconds that a table is followed after its last viewer: it may come back
UNSENT: Final = 1 << 27  # bytes that may wait for all pages together
THREADS: Final = 2


class Hub:
    """The sockets of this server."""

    def __init__(self, site: Site) -> None:
        self.lobby = Lobby(site, self.watching)
        self.contests = Contests(site)
        self._site = site
        self._viewers: set[Viewer] = set()
        self._guests: dict[Viewer, bool] = {}  # who looks at the lobby; whether at all of it
        self._lobby_told = 0  # its version
        self._audiences: dict[str, Audience] = {}  # of contests
        self._channels: dict[str, Channel] = {}
        self._opening: dict[str, asyncio.Task[Channel | None]] = {}
        self._threads = ThreadPoolExecutor(THREADS, "live")
        self._tasks: set[asyncio.Task[None]] = set()
        self._door = asyncio.Lock()
        self._stopping = False

    def routes(self) -> list[BaseRoute]:
        """Where the socket and the lobby are."""
        return [WebSocketRoute("/live", self.attend), *self.lobby.routes()]

    def watching(self, game_id: str) -> int:
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

    async def attend(self, socket: WebSocket) -> None:
        """Serve one socket to its end."""
        await self._turn()  # before we count: many may wait here
        if self._stopping or len(self._viewers) >= self._site.limits.sockets:
            refusal = JSONResponse({"error": "there is no room for another page"}, 503)
            await socket.send_denial_response(refusal)
            return
        await socket.accept()
        viewer = Viewer(socket, browser_of(socket), operator=is_operator(socket))
        self._viewers.add(viewer)
        self._start()
        try:
            await self._serve(viewer, socket)
        finally:
            self._viewers.discard(viewer)

    async def _join(self, viewer: Viewer, game_id: str, seen: int) -> Channel | None:
        if await self._channel(game_id) is None:
            return None
        await self._turn()
        channel = await self._channel(game_id)  # again: it may have been closed meanwhile
        if channel:
            channel.join(viewer, seen)
        return channel

    async def _turn(self) -> None:
        """Wait a turn of the loop: many who come at once must not keep everybody waiting."""
        async with self._door:
            await asyncio.sleep(0)

    async def _serve(self, viewer: Viewer, socket: WebSocket) -> None:
        """Show what was asked for, and go on as long as somebody looks."""
        channel = None
        try:
            channel = await self._show(viewer, socket)
        except StoreError as error:
            log.error("live cannot use the store error=%r", str(error))  # noqa: TRY400
            viewer.close(Close.TRY_AGAIN, "the database does not answer; try again later")
        try:
            await viewer.attend(lambda message: self._hear(viewer, channel, message))
        finally:
            self._guests.pop(viewer, None)
            self._leave_contest(viewer)
            if channel:
                channel.leave(viewer)

    async def _show(self, viewer: Viewer, socket: WebSocket) -> Channel | None:
        """Begin with what was asked for: the lobby, a contest, or a table."""
        contest, asked = (socket.query_params.get(name) for name in ("contest", "table"))
        if contest is not None:
            await self._join_contest(viewer, contest)
            return None
        if asked is None:
            await self._welcome(viewer, socket)
            return None
        channel = await self._join(viewer, asked, _seen(socket))
        if channel is None:
            viewer.close(Close.NO_SUCH_GAME, "there is no such game")
        return channel

    def _hear(self, viewer: Viewer, channel: Channel | None, message: dict[str, Any]) -> None:
        """Answer a message; what we do not know may come from a newer page."""
        match message["type"], channel:
            case "ping", _:
                viewer.offer(said("pong", t=_echo(message.get("t"))))
            case "move", Channel():
                channel.moves.play(message, channel.own(viewer), viewer.offer)
            case "why", Channel():
                viewer.offer(channel.moves.why(message))
            case "wire", Channel() if message.get("on") is not True:
                channel.feed.leave(viewer)
            case "wire", Channel() if viewer not in channel.feed:
                self._work(channel.feed.follow(viewer))

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
            channel = Channel(table, self._site, self._in_thread, contest)
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
            table: Table = await self._in_thread(_shown, record)
        except SpielwerkError as error:
            log.warning("cannot show a game of another version error=%r", str(error))
            return None
        return table

    async def _kept(self, game_id: str) -> GameRecord | None:
        if not GAME_ID.fullmatch(game_id):
            return None
        record: GameRecord | None = await self._in_thread(self._site.archive.game, game_id)
        return record

    async def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    # contests

    async def _join_contest(self, viewer: Viewer, contest: str) -> None:
        found = await self.contests.follow(contest)
        if found is None:
            viewer.close(Close.NO_SUCH_GAME, "there is no such contest")
            return
        if contest not in self._audiences:
            boards = Boards(self._site.arena, self._in_thread)
            self._audiences[contest] = Audience(self.contests, found, boards)
        self._audiences[contest].join(viewer)

    def _leave_contest(self, viewer: Viewer) -> None:
        for contest, audience in list(self._audiences.items()):
            audience.leave(viewer)
            if not audience.viewers:
                del self._audiences[contest]

    async def _tell_contests(self) -> None:
        """Tell those who look at them what is new; one that takes long keeps no other waiting."""
        for audience in self._audiences.values():
            if not audience.busy:
                self._work(audience.tell())

    # the lobby

    async def _welcome(self, viewer: Viewer, socket: WebSocket) -> None:
        await self.lobby.current()
        self._guests[viewer] = self.lobby.may_list(socket.scope)
        self._show_lobby(viewer)

    def _show_lobby(self, viewer: Viewer) -> None:
        shown = self.lobby.shown(viewer.browser, listing=self._guests[viewer])
        viewer.offer(f'{{"type":"lobby",{shown}}}')

    async def _tell_lobby(self) -> None:
        """Show it again to those who look at it, if something is new there."""
        version = await self.lobby.current() if self._guests else self._lobby_told
        if version == self._lobby_told:
            return
        self._lobby_told = version
        for number, viewer in enumerate(list(self._guests), 1):
            if viewer in self._guests:
                self._show_lobby(viewer)
            if number % CHUNK == 0:
                await asyncio.sleep(0)

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
        await self._tell_lobby()

    def _relieve(self) -> None:
        """Drop those with most to read, if all of them together would fill the memory."""
        waiting = sorted((viewer.unsent, id(viewer), viewer) for viewer in self._viewers)
        unsent = sum(each for each, _, _ in waiting)
        while unsent > UNSENT:
            each, _, viewer = waiting.pop()
            unsent -= each
            viewer.abort()

    async def _tell_wires(self) -> None:
        feeds = {key: one.feed for key, one in self._channels.items() if one.feed.followers}
        lines: dict[str, list[Line]] = {key: [] for key in feeds}
        for line in self._site.services.lines() if feeds else ():
            if line.game in lines:
                lines[line.game].append(line)
        for key, feed in feeds.items():
            await feed.tell(lines[key])

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("live work failed", exc_info=error)

    async def stop(self) -> None:
        """Tell everybody that the server goes down."""
        self._stopping = True
        for task in list(self._tasks):
            task.cancel()
        for channel in self._channels.values():
            channel.close()
        for viewer in list(self._viewers):
            viewer.offer(STOPPING)
            viewer.close(Close.RESTART, "the server is stopping")
        self._threads.shutdown(wait=False, cancel_futures=True)


def _shown(record: GameRecord) -> Table:
    """The table of a game that was kept; long games take a while to be played again."""
    return Table(record, _Still(), _Still(), Random(0))


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


def _seen(socket: WebSocket) -> int:
    text = socket.query_params.get("seen", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _echo(value: object) -> object:
    """A number as it came; what else somebody sends is not sent back."""
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf:
        return value
    return None
