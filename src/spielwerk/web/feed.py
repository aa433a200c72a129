"""The wire of a table: what its connections say is sent to those who follow, piece by piece."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from spielwerk.net.connection import Cursor, Direction, Line, unpack
from spielwerk.store import reading
from spielwerk.store.problems import StoreError
from spielwerk.web.matches import visible
from spielwerk.web.viewers import Audience, encode, in_thread

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spielwerk.net.connection import Piece
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site
    from spielwerk.web.viewers import Viewer

    Past = dict[str, tuple[int, str]]  # by connection: when it was opened, and all that was said

log = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds before a viewer hears the past again
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


class Feed(Audience):
    """The viewers who follow what is said on a table's connections."""

    def __init__(self, table: Table, site: Site) -> None:
        super().__init__()
        self._coming: dict[Viewer, asyncio.Task[None]] = {}  # who is to hear the past first
        self._table = table
        self._site = site
        self._followed: dict[str, _Followed] = {}

    def follow(self, viewer: Viewer) -> None:
        """Send everything that has been said so far, and from now on what is new."""
        if viewer not in self.viewers and viewer not in self._coming:
            self._coming[viewer] = asyncio.create_task(self._begin(viewer))

    def leave(self, viewer: Viewer) -> None:
        """Send no more."""
        super().leave(viewer)
        if task := self._coming.pop(viewer, None):
            task.cancel()

    async def _begin(self, viewer: Viewer) -> None:
        await asyncio.sleep(viewer.followed + PAUSE - viewer.now)
        viewer.followed = viewer.now
        # First those that are open: one that ends meanwhile is not missed.
        unwritten = self._site.open_wires(self._table.id)
        try:
            past = await in_thread(_past, self._site.store, self._table.id, unwritten)
        except StoreError:
            log.exception("cannot read the wires %s", self._table)
            del self._coming[viewer]  # so that it may ask again
            return
        del self._coming[viewer]
        if not self.viewers:
            self._followed.clear()
        news = self._news(self._site.services.lines())
        for other in self.viewers if news else ():
            other.offer(_message(news))
        viewer.offer(_message(self._whole(past)))
        self.viewers[viewer] = None

    async def tell_news(self, lines: Iterable[Line]) -> None:
        """Send what is new on these connections, those of this table among them."""
        if news := self._news(lines):
            await self.tell(_message(news))

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

    def _whole(self, past: Past) -> list[str]:
        """All connections from their beginnings; of very many the newest, as many as fit."""
        shown = dict(past)
        for key, followed in self._followed.items():
            pieces, _ = followed.line.transcript.after(START)
            text = _shown(followed.line, pieces, 0, still_open=followed.open)
            shown[key] = (followed.line.opened, text)
        # Those of the same millisecond stay in the order in which they came.
        chosen = [text for _, text in sorted(shown.values(), key=itemgetter(0))[-SHOWN:]]
        while len(chosen) > 1 and sum(map(len, chosen)) > CHARACTERS:
            del chosen[0]
        return chosen


def _past(store: Readable, game_id: str, unwritten: Sequence[WireRecord]) -> Past:
    """The newest connections that are kept; in a thread, because that may be long."""
    kept = sorted((*reading.wires(store, game_id), *unwritten), key=lambda wire: wire.opened)
    return {
        _key(wire): (wire.opened, _shown(wire, unpack(wire.traffic), 0, still_open=False))
        for wire in kept[-SHOWN:]
    }


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
