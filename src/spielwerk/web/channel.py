"""A table with viewers: news are put into words once for all, and moves come in from players."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import IllegalMove, NotationError, SpielwerkError
from spielwerk.messages import coded
from spielwerk.tables.parts import NotNow
from spielwerk.web import views
from spielwerk.web.feed import Feed
from spielwerk.web.viewers import Audience, encode, in_thread, said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.games import State
    from spielwerk.store.records import MoveRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site
    from spielwerk.web.viewers import Viewer

    Message = dict[str, Any]
    Tell = Callable[[str], None]

log = logging.getLogger(__name__)

VIEWED: Final = 50  # plies that come with the position after them
LONGEST: Final = 1 << 18  # characters of all of them; solid boards may be large
TEXT: Final = 64  # characters of a move, and of a message's name
INCOMPLETE: Final = "a move needs id, seat, ply and move"
FOREIGN: Final = "this seat is not yours"
STALE: Final = "the game has moved on in the meantime"
UNWRITTEN: Final = "the move could not be saved; try again"


class Channel(Audience):
    """The viewers of a table, and what they have been told."""

    def __init__(self, table: Table, site: Site, contest: object = None) -> None:
        super().__init__()
        self.table = table
        self.feed = Feed(table, site)
        self.count = 0  # of viewers without a seat, as it was told
        self.empty_since = self._now
        self._contest = contest  # and which game of it this is
        self._moves = Moves(table)
        self._site = site
        self._plain: list[str] = []  # every ply without the position after it
        self._viewed: deque[str] = deque(maxlen=VIEWED)  # the last ones with it
        self._times: list[int] = []  # when each was played
        self._cuts = 0  # how often moves were taken back
        self._start = self._view = ""  # the positions before the first and after the last
        self._described = ""
        self._facts: dict[str, Any] = {}
        self._owners: list[str] = []  # of the seats
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    @property
    def _version(self) -> int:
        """What has been told: the plies, and the end."""
        return len(self._plain) + (self._facts["result"] is not None)

    async def open(self) -> None:
        """Put into words what has happened so far, and follow the table from now on."""
        table = self.table
        start = table.history.start
        self._start = self._view = await in_thread(lambda: encode(views.view(start)))
        self._described = self._describe()
        await self._catch_up()
        table.watchers.append(self._look)
        self._task = asyncio.create_task(self._follow(), name="live table")

    def close(self) -> None:
        """Follow no more."""
        if self._look in self.table.watchers:
            self.table.watchers.remove(self._look)
        if self._task:
            self._task.cancel()

    # viewers

    def join(self, viewer: Viewer, seen: int, at: int) -> None:
        """From now on the viewer hears everything; first what it has missed.

        It has seen so many plies, the last of them played at that moment: another one may stand
        there by now.
        """
        self.viewers[viewer] = None
        same = 0 < seen <= len(self._times) and at in (self._times[seen - 1], 0)
        viewer.offer(self._whole(seen if same else 0))
        self._tell_seats(viewer)
        viewer.offer(said("viewers", count=self.count))
        self._attend()

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        super().leave(viewer)
        self.feed.leave(viewer)
        self.empty_since = self._now
        self._attend()

    def hear(self, viewer: Viewer, message: Message) -> None:
        """Answer a message, perhaps later."""
        match message["type"]:
            case "move":
                self._moves.play(message, self._own(viewer), viewer.offer)
            case "why":
                viewer.offer(self._moves.why(message))
            case "wire" if message.get("on") is True:
                self.feed.follow(viewer)
            case "wire":
                self.feed.leave(viewer)
            case _:
                super().hear(viewer, message)

    def _own(self, viewer: Viewer) -> list[int]:
        """The seats that belong to the viewer's browser."""
        browser = viewer.browser
        return [seat.number for seat in self.table.seats if browser and seat.owner == browser]

    def _tell_seats(self, viewer: Viewer) -> None:
        viewer.seats = self._own(viewer)
        viewer.offer(said("you", seats=viewer.seats, operator=viewer.operator))

    def _attend(self) -> None:
        """Let the table know how many look, and which owners of seats."""
        self.table.viewers = len(self.viewers)
        pages = Counter(viewer.browser for viewer in self.viewers)
        for seat in self.table.seats:
            if seat.owner and seat.watching != pages[seat.owner]:
                self.table.owners.attend(seat.owner, pages[seat.owner])

    # what is told

    def _whole(self, seen: int) -> str:
        """Everything, or what a page has not seen that knows so many plies."""
        start = f'"start":{self._start},' if seen == 0 else ""
        return (
            f'{{"type":"table","v":{self._version},"table":{self._described},"from":{seen},'
            f'"plies":[{self._plies(seen)}],{start}"view":{self._view},'
            f'"state":{self._state()}}}'
        )

    def _moved(self, first: int) -> str:
        return (
            f'{{"type":"moved","v":{self._version},"from":{first},"plies":[{self._plies(first)}],'
            f'"state":{self._state()}}}'
        )

    def _plies(self, first: int) -> str:
        """The plies from there on, the last ones with their positions."""
        rest = min(len(self._plain) - first, len(self._viewed))
        bare = self._plain[first : len(self._plain) - rest]
        return ",".join((*bare, *list(self._viewed)[len(self._viewed) - rest :]))

    def _state(self) -> str:
        return encode(views.told(self._facts, self._now))

    def _describe(self) -> str:
        return encode(views.described(self.table, self._site.services, self._contest))

    # news

    def _look(self, _table: Table) -> None:
        self._news.set()

    async def check(self) -> None:
        """Look for what the table does not announce: viewers, passing of time, addresses."""
        self._attend()
        self._news.set()
        if (now_described := self._describe()) != self._described:
            self._described = now_described
            await self.tell(self._whole(len(self._plain)))
        count = sum(not viewer.seats for viewer in self.viewers)
        if count != self.count:
            self.count = count
            await self.tell(said("viewers", count=count))

    async def _follow(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                await self._bring()
            except Exception:
                log.exception("cannot tell news %s", self.table)

    async def _bring(self) -> None:
        """Tell all viewers what is new."""
        self._hand_over()
        count, known = len(self._plain), self._facts
        first = await self._catch_up()
        if first < max(count, len(self._plain)):
            await self.tell(self._moved(first))
        elif self._facts != known:
            await self.tell(f'{{"type":"state","v":{self._version},"state":{self._state()}}}')

    def _hand_over(self) -> None:
        """Tell viewers which seats are theirs, if that has changed."""
        owners = [seat.owner for seat in self.table.seats]
        if owners == self._owners:
            return
        self._owners = owners
        self._attend()
        for viewer in self.viewers:
            if viewer.seats != self._own(viewer):
                self._tell_seats(viewer)

    async def _catch_up(self) -> int:
        """Take in what has happened at the table, all of it at one moment; from which ply on."""
        table, history = self.table, self.table.history
        cuts = history.cuts[self._cuts :]
        kept = min((*cuts, len(self._plain)))
        moves = history.records(kept)
        reached = [state for state, _ in history[kept:]] + [table.state]
        facts = views.facts(table, self._now, self._site.arena.rematches.of(table.id))
        if moves or cuts:
            last = history[-1][1] if history else None
            plain, viewed, view = await in_thread(_put, moves, reached, last)
            self._cut(kept)
            self._cuts += len(cuts)
            self._times += [move.at for move in moves]
            self._plain += plain
            self._viewed += viewed
            self._view = view
            while sum(map(len, self._viewed)) > LONGEST and len(self._viewed) > 1:
                self._viewed.popleft()
        self._facts = facts
        return kept

    def _cut(self, kept: int) -> None:
        """Forget the plies after the first so many."""
        for _ in range(min(len(self._plain) - kept, len(self._viewed))):
            self._viewed.pop()
        del self._plain[kept:], self._times[kept:]


def _put(
    moves: Sequence[MoveRecord], reached: Sequence[State[Any]], last: Any
) -> tuple[list[str], list[str], str]:
    """The decisions in words, without and with views, and the last view alone; in a thread."""
    plies = views.plies(moves, reached, VIEWED)
    viewed = [encode(ply) for ply in plies[-VIEWED:]]
    shown = [ply.pop("view", None) for ply in plies] or [views.view(reached[-1], last)]
    return [encode(ply) for ply in plies], viewed, encode(shown[-1])


# a person's move: acknowledged when it is kept, never played twice, refused with the rule


class Moves:
    """The moves that come through sockets to one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._written: dict[tuple[int, int, str], list[tuple[str, Tell]]] = {}  # being written

    def play(self, message: Message, own: list[int], tell: Tell) -> None:
        """Offer a move from one of these seats; `tell` gets the answer, perhaps later."""
        name, move = _text(message, "id"), _text(message, "move")
        seat, ply = message.get("seat"), message.get("ply")
        if name is None or move is None or type(seat) is not int or type(ply) is not int:
            tell(_refusal(name, INCOMPLETE))
        elif seat not in own:
            tell(_refusal(name, FOREIGN))
        elif (seat, ply, move) in self._written:
            self._written[seat, ply, move].append((name, tell))
        elif ply == len(self._table.history):
            self._offer(seat, ply, move, (name, tell))
        elif _was_played(self._table, seat, ply, move):
            tell(self._ack(name))
        else:
            tell(_refusal(name, STALE, stale=True))

    def _ack(self, name: str) -> str:
        return said("ack", id=name, v=views.version(self._table))

    def _offer(self, seat: int, ply: int, move: str, asked: tuple[str, Tell]) -> None:
        name, tell = asked

        def done(error: BaseException | None) -> None:
            for name, tell in self._written.pop((seat, ply, move)):
                tell(self._ack(name) if error is None else _refusal(name, UNWRITTEN))

        self._written[seat, ply, move] = [asked]
        try:
            self._table.play(self._table.seats[seat], move, done)
        except SpielwerkError as error:
            del self._written[seat, ply, move]
            stale = isinstance(error, NotNow)
            tell(_refusal(name, str(error), rule=_rule(error), stale=stale))

    def why(self, message: Message) -> str:
        """Which rule forbids a move where the game stands, if one does."""
        name, move = _text(message, "id"), _text(message, "move")
        rule = "a question needs id and move" if None in (name, move) else None
        try:
            self._table.state.play_turn(self._table.game.parse_turn(move or ""))
        except SpielwerkError as error:
            rule = rule or _rule(error) or str(error)
        return said("why", id=name, rule=rule, said=coded(rule))


def _text(message: Message, key: str) -> str | None:
    value = message.get(key)
    return value if isinstance(value, str) and len(value) <= TEXT else None


def _rule(error: SpielwerkError) -> str | None:
    if isinstance(error, NotationError):
        return error.problem
    return error.rule if isinstance(error, IllegalMove) else None


def _refusal(name: str | None, error: str, *, rule: str | None = None, stale: bool = False) -> str:
    told = coded(rule or error)
    return said("refused", id=name, error=error, rule=rule, stale=stale, said=told)


def _was_played(table: Table, seat: int, ply: int, text: str) -> bool:
    """Whether these decisions were that seat's turn, beginning with that ply."""
    if not 0 <= ply < len(table.history):
        return False
    try:
        turn = table.game.parse_turn(text)
    except SpielwerkError:
        return False
    end = ply + len(turn)
    whole = all(one.seat != seat for one in table.history.records(end, end + 1))
    return whole and [(one.seat, one.move) for one in table.history.records(ply, end)] == [
        (seat, table.game.format_move(move)) for move in turn
    ]
