"""Browsers that play: each has a table to itself, sits on all of its seats, and never thinks.

The game is the dice race, in which nobody ever throws: it goes on for as long as one likes. A page
may send 20 messages a second, so whoever plays faster does it with several pages.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from benchmarks.web_load.sockets import Socket, ask, said

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

SEATS: Final = 3
RATE: Final = 12.0  # moves a second by one page
FASTEST: Final = 500.0  # moves a second that we have pages for, as fast as it goes
WISH: Final = {
    "type": "dice",
    "gameGeneric": {"name": "load", "timeout": 0},
    "gameSpecific": {"target": 10_000, "rounds": 10_000, "begins": 0},
    "players": [{"type": "HUMAN", "here": True, "name": f"load {n}"} for n in range(SEATS)],
}
ACK: Final = b'{"type":"ack"'
REFUSED: Final = b'{"type":"refused"'


class Page(Socket):
    """A page of a table's browser."""

    table: Table

    def heard(self, text: bytes) -> None:
        """A move is acknowledged when it is kept."""
        super().heard(text)
        if text.startswith(ACK):
            self.load.answered(self.since)
            self.load.counts["decisions"] += 1
            self.table.go_on()
        elif text.startswith(REFUSED):
            self.load.fail(f"the server said {text!r}")


class Table:
    """A table with its pages, which move by turns."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._pages: list[Page] = []
        self._ply = 0
        self._due: float | None = None

    async def begin(self, port: int) -> None:
        """Have the table set up, and open its pages."""
        made, cookie = await ask(port, "POST", "/api/v1/matches", WISH)
        rate = 1 / self._load.interval if self._load.interval else FASTEST
        for _ in range(math.ceil(rate / RATE)):
            page = Page(self._load, f"/live?table={made['id']}&seen=0", cookie)
            page.table = self
            await page.connect(port)
            self._pages.append(page)
        self._load.when_begun(self._move)

    def go_on(self) -> None:
        """The last move is kept."""
        self._ply += 1
        self._move()

    def _move(self) -> None:
        seat, ply = self._ply % SEATS, self._ply
        move = said(type="move", id=str(ply), seat=seat, ply=ply, move="SAVE")
        self._due = self._load.due(self._due)
        self._pages[ply % len(self._pages)].send_when(self._due, move)


async def begin(load: Load, orders: Orders) -> None:
    """Set up all tables."""
    for _ in range(orders.groups):
        await Table(load).begin(orders.port)
