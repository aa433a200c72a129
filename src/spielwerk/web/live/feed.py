"""The wire of a table: what its connections say is sent to those who follow, piece by piece."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.net.connection import Cursor, Direction, Line, unpack
from spielwerk.store.problems import StoreError
from spielwerk.web.live.messages import CHUNK, encode
from spielwerk.web.matches import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence

    from spielwerk.net.connection import Piece
    from spielwerk.store.records import WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.live.viewer import Viewer
    from spielwerk.web.site import Archive, Site

    InThread = Callable[..., Coroutine[Any, Any, Any]]

PAUSE: Final = 1.0  # seconds before somebody hears the past again
SHOWN: Final = 20  # connections, the newest
CHARACTERS: Final = 700_000  # in all of them together

START: Final = Cursor()

_WORDS: Final = {Direction.RECEIVED: "in", Direction.SENT: "out", Direction.LEFT_OUT: "gap"}


@dataclass(slots=True)
class _Followed:
    """A connection, and how far its transcript has been told."""

    line: Line
    place: Cursor
    open: bool


class Feed:
    """The connections of a table, and who follows what they say."""

    def __init__(self, table: Table, site: Site, in_thread: InThread) -> None:
        self.followers: set[Viewer] = set()
        self._coming: set[Viewer] = set()  # who wants to hear the past first
        self._reading: set[Viewer] = set()  # for whom it is just being read
        self._table = table
        self._site = site
        self._in_thread = in_thread
        self._followed: dict[str, _Followed] = {}

    def __contains__(self, viewer: Viewer) -> bool:
        return viewer in self.followers or viewer in self._coming

    async def follow(self, viewer: Viewer) -> None:
        """Send everything that has been said so far, and from now on what is new."""
        self._coming.add(viewer)
        if viewer in self._reading:
            return  # it left and came back while we did that
        self._reading.add(viewer)
        try:
            await asyncio.sleep(viewer.followed + PAUSE - viewer.now)
            viewer.followed = viewer.now
            await self._begin(viewer)
        except StoreError:
            self._coming.discard(viewer)  # so that it may ask again
            raise
        finally:
            self._reading.remove(viewer)

    async def _begin(self, viewer: Viewer) -> None:
        # First those that are open: one that ends meanwhile is not missed.
        unwritten = self._site.open_wires(self._table.id)
        past = await self._in_thread(_past, self._site.archive, self._table.id, unwritten)
        if viewer not in self._coming:
            return  # it has left meanwhile
        self._coming.remove(viewer)
        if not self.followers:
            self._followed.clear()
        news = self._news(self._site.services.lines())
        for other in self.followers if news else ():
            other.offer(_message(news))
        viewer.offer(_message(self._whole(past)))
        self.followers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """Send no more."""
        self._coming.discard(viewer)
        self.followers.discard(viewer)

    async def tell(self, lines: Iterable[Line]) -> None:
        """Send what is new on these connections, those of this table among them."""
        news = self._news(lines)
        if not news:
            return
        text = _message(news)
        for number, viewer in enumerate(list(self.followers), 1):
            viewer.offer(text)
            if number % CHUNK == 0:
                await asyncio.sleep(0)

    def _news(self, lines: Iterable[Line]) -> list[str]:
        lines = [line for line in lines if line.game == self._table.id]
        current = {_key(line): line for line in (*lines, *self._table.lines())}
        lost = {key: one.line for key, one in self._followed.items() if key not in current}
        news = [self._step(key, line, still_open=True) for key, line in current.items()]
        news += [self._step(key, line, still_open=False) for key, line in lost.items()]
        return [one for one in news if one]

    def _step(self, key: str, line: Line, *, still_open: bool) -> str | None:
        """What is new on one connection, if anything is."""
        known = self._followed.get(key)
        start = known.place if known else START
        pieces, place = line.transcript.after(start)
        self._followed[key] = _Followed(line, place, still_open)
        if known and not pieces and (known.open, known.line.seat) == (still_open, line.seat):
            return None
        return _shown(line, pieces, start.pieces, still_open=still_open)

    def _whole(self, past: dict[str, _Past]) -> list[str]:
        """All connections from their beginnings; of very many the newest."""
        shown = dict(past)
        for key, followed in self._followed.items():
            pieces, _ = followed.line.transcript.after(START)
            text = _shown(followed.line, pieces, 0, still_open=followed.open)
            shown[key] = _Past(followed.line.opened, text)
        return _few(sorted(shown.values()))


class _Past(NamedTuple):
    """All that was said on a connection, in words, and when that began."""

    opened: int
    text: str


def _past(archive: Archive, game_id: str, unwritten: Sequence[WireRecord]) -> dict[str, _Past]:
    """The newest connections that are kept; in a thread, because that may be long."""
    kept = sorted((*archive.wires(game_id), *unwritten), key=lambda wire: wire.opened)
    return {
        _key(wire): _Past(wire.opened, _shown(wire, unpack(wire.traffic), 0, still_open=False))
        for wire in kept[-SHOWN:]
    }


def _few(connections: list[_Past]) -> list[str]:
    """The newest, as many as fit in one message."""
    chosen: list[str] = []
    length = 0
    for one in reversed(connections[-SHOWN:]):
        length += len(one.text)
        if chosen and length > CHARACTERS:
            break
        chosen.insert(0, one.text)
    return chosen


def _key(line: Line | WireRecord) -> str:
    return f"{line.peer}@{line.opened}"


def _shown(
    line: Line | WireRecord, pieces: Iterable[Piece], first: int, *, still_open: bool
) -> str:
    return encode(
        {
            "key": _key(line),
            "seat": line.seat,
            "service": line.service,
            "peer": line.peer,
            "opened": line.opened,
            "open": still_open,
            "from": first,
            "pieces": [[round(at, 3), _WORDS[way], visible(data)] for at, way, data in pieces],
        }
    )


def _message(connections: list[str]) -> str:
    return f'{{"type":"wire","connections":[{",".join(connections)}]}}'
