"""Bots that are as light as Python allows: they look at fixed places of a line and count.

A bot rolls until it has a few points in its turn and then saves, thinks for the same time before
every decision, and comes back for another game after BYE. A roll is answered by its THRW at the bot
itself, a SAVE by the TURN at the next bot, the last of three BYE by BYE at each.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from benchmarks.load.clients import Client

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

OWN: Final = 2  # what a bot is called in its own THRW
PREVIOUS: Final = 1  # and the bot that comes before it
HOLD: Final = 20  # points of a turn that are saved
ZERO: Final = ord("0")


class Crowd:
    """All bots of a process, who meet each other; nobody else may be at the server."""

    def __init__(self, load: Load, orders: Orders) -> None:
        self.load = load
        self.by_name: dict[bytes, Bot] = {}
        self._port = orders.port
        self._seed = orders.seed
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0

    async def join(self) -> None:
        """Have one more bot come."""
        self._count += 1
        bot = Bot(self, b"load%dbot%d" % (self._seed, self._count))
        self.by_name[bot.name] = bot
        await bot.connect(self._port)

    def left(self, bot: Bot) -> None:
        """A game is over for a bot; another comes in its place."""
        bot.expected = True
        bot.transport.close()
        if not self.load.over:
            task = self.load.loop.create_task(self._again())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _again(self) -> None:
        try:
            await self.join()
        except OSError as error:
            self.load.fail(f"no new connection: {error}")


class Bot(Client):
    """One bot in one game; it keeps everybody's score as the document asks."""

    def __init__(self, crowd: Crowd, name: bytes) -> None:
        super().__init__(crowd.load)
        self.name = name
        self.saving = False  # whether its SAVE has not been answered yet
        self._crowd = crowd
        self._saved = [0, 0, 0]
        self._names = [b"", b"", name]
        self._thrower = OWN
        self._points = 0  # of the thrower's turn

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            word = line[:4]
            if word == b"THRW":
                self._threw(line)
            elif word == b"TURN":
                self._asked(line)
            else:
                self._other(word, line)

    def _other(self, word: bytes, line: bytes) -> None:
        if word == b"HELO":
            self.transport.write(b"AUTH %b\n" % self.name)
        elif word in (b"WIN ", b"DEF "):
            self._part()
        elif word == b"BYE":
            self._parted()
        elif not self.load.over:  # then the others go as they like
            self.load.fail(f"the server said {line!r}")

    def _threw(self, line: bytes) -> None:
        thrower, first, second = line[5] - ZERO, line[7] - ZERO, line[9] - ZERO
        if thrower != self._thrower:
            self._settle()
            self._thrower, self._names[thrower] = thrower, line[11:]
        self._points = 0 if first == second else self._points + first + second
        if thrower == OWN:
            self.load.answered(self.since)
            self.load.counts["decisions"] += 1
            self.load.counts["throws"] += 1

    def _asked(self, line: bytes) -> None:
        if self._thrower != OWN:
            self._settle()
            self._thrower = OWN
            self._follow(self._crowd.by_name[self._names[PREVIOUS]])
        if int(line[5 : line.index(b" ", 5)]) != self._saved[OWN] + self._points:
            self.load.fail(f"{line!r} with {self._saved} and {self._points} points")
        self.load.when_begun(self._decide)

    def _follow(self, previous: Bot) -> None:
        """If the bot before this one has saved, this is its answer."""
        if previous.saving:
            previous.saving = False
            self.load.answered(previous.since)
            self.load.counts["decisions"] += 1

    def _decide(self) -> None:
        self.saving = self._points >= HOLD
        line = b"SAVE\n" if self.saving else b"ROLL\n"
        interval = self.load.interval
        if interval is None:
            self._send(line, None)
        else:
            spread = 1 if self.since else self.load.rng.random()  # the first ones not all at once
            self.send_when(self.load.loop.time() + interval * spread, line)

    def _settle(self) -> None:
        """The thrower's turn is over; what there is of it counts."""
        self._saved[self._thrower] += self._points
        self._points = 0

    def _part(self) -> None:
        self._settle()
        self.load.outstanding += 1
        self.since = self.load.loop.time()
        next_one, previous, own = self._saved
        self.transport.write(b"BYE %d %d %d\n" % (own, next_one, previous))

    def _parted(self) -> None:
        """The end is told when all three have parted."""
        self.load.answered(max(self._crowd.by_name[name].since for name in self._names))
        self.load.counts["byes"] += 1
        self._crowd.left(self)


async def begin(load: Load, orders: Orders) -> None:
    """Have three bots come for every game."""
    crowd = Crowd(load, orders)
    for _ in range(3 * orders.groups):
        await crowd.join()
