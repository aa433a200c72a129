"""Every fault in every state of the dice protocol, on every seat, over real connections.

All states and seats are tried at once against one server, while other bots meet and play on and
must not notice. A case whose *healthy* phase was too slow says something about the machine, not
about the server, and is played again.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pytest

from spielwerk.store.records import Reason
from spielwerk.wire.dice import words
from tests.faults.dice_peers import FAULTS, LOST, MUTE, NOTICED, SLOW, Bot
from tests.faults.dice_server import PATIENCE, Site, site
from tests.faults.fault_server import open_files
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from spielwerk.servers.dice import DiceService
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.table import Table
    from tests.faults.dice_peers import Peer

STATES = ("AUTH", "LONELY", "SEATED", "IDLE", "TURN", "WRITING", "BYE", "PARTED", "OVER")
MEETING = ("AUTH", "LONELY")  # there is no table yet
TRIES = 4
MOMENT = 0.05  # seconds for a fault to happen before the others go on

DID = {
    "garbage": ("sent a wrong message",),
    "wrong": ("sent a wrong message", "gave wrong points in BYE"),
    "no_newline": ("sent a line that is too long",),
    "many_lines": ("sent far too much", "sent a wrong message"),
    "empty_lines": ("sent far too much", "sent a wrong message"),
}
TOLD = {
    "silence": ("ERR Your answer is too late: ",),
    "drip": ("ERR Your answer is too late: ",),
    "garbage": ("ERR Expected ",),
    "wrong": ("ERR Expected ", "ERR Wrong points in BYE: you said '1 2 3'", "ERR 'b@d' is no name"),
    "no_newline": ("ERR Your line is longer than 100 characters.",),
    "many_lines": ("ERR You sent more than 4096 characters", "ERR Expected "),
    "empty_lines": ("ERR You sent more than 4096 characters", "ERR Expected "),
}


class TooSlow(Exception):
    """A bot that did nothing wrong yet was too late: the machine is busy."""


@dataclass(frozen=True)
class Case:
    """What happens, where, and to whom."""

    fault: str
    state: str
    seat: int

    @property
    def harmless(self) -> bool:
        """Whether the game is decided already, or the bot is not in it any more."""
        return self.state in ("AUTH", "PARTED", "OVER") or (
            self.state in ("LONELY", "SEATED") and self.fault in NOTICED
        )

    @property
    def reason(self) -> Reason:
        """What the game must have ended with."""
        if self.harmless:
            return Reason.WIN
        if self.fault in LOST:
            return Reason.CONNECTION_LOST
        return Reason.TIME_OUT if self.fault in SLOW else Reason.PROTOCOL_ERROR

    @property
    def did(self) -> tuple[str, ...]:
        """What the others may be told that it did."""
        if self.fault in LOST:
            return (words.LEFT,)
        return ("answered too late",) if self.fault in SLOW else DID[self.fault]


class Trial:
    """One case, played."""

    def __init__(self, place: Site, case: Case) -> None:
        self.place = place
        self.case = case
        self.go_on = asyncio.Event()
        self.bots: list[Bot] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.table: Table | None = None
        self._fault_has_begun = False
        self.service = place.strict if case.fault in SLOW else place.patient
        self.faulty = self._bot("faulty", self.service)
        self.faulty.stop_at = case.state
        self.faulty.deaf = case.fault == "deaf"

    async def run(self) -> None:
        try:
            await (self._meet() if self.case.state in MEETING else self._sit())
        finally:
            if self.table:
                self.place.valve.open(self.table.id)
            await self._clean_up()
        self._check()

    async def _clean_up(self) -> None:
        for task in self.tasks:
            task.cancel()
        for result in await asyncio.gather(*self.tasks, return_exceptions=True):
            assert result is None or isinstance(result, asyncio.CancelledError), result
        for bot in self.bots:
            bot.hang_up()

    def _bot(self, kind: str, service: DiceService) -> Bot:
        bot = Bot(self.place.addresses[service], self.place.name(kind))
        self.bots.append(bot)
        return bot

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    # bots that meet

    async def _meet(self) -> None:
        """The bot goes wrong before there is a game."""
        async with self.place.door:
            await self._stop(self.faulty)
            if self.case.state == "LONELY":
                await until(lambda: self.place.waits(self.faulty.name))
            wrong = self._start(self._go_wrong())
            await asyncio.sleep(MOMENT)
            if self.case.state == "LONELY" and self.case.fault in NOTICED:
                await until(lambda: not self.place.waits(self.faulty.name))
            healthy = [self._bot("healthy", self.service) for _ in range(3 - self._stays)]
            playing = [self._start(bot.play()) for bot in healthy]
            await until(lambda: self.place.table_of(healthy[0].name))
        self.table = self.place.table_of(healthy[0].name)
        await asyncio.gather(wrong, *playing)

    @property
    def _stays(self) -> bool:
        """Whether the faulty bot still is one of the three."""
        return self.case.state == "LONELY" and self.case.fault not in NOTICED

    # bots at a table of their own

    async def _sit(self) -> None:
        """Everybody takes a seat; the faulty bot does not come first in the game if it waits."""
        case = self.case
        begins = (case.seat + (case.state in ("SEATED", "IDLE"))) % 3
        async with self.place.door:
            self.table = table = await self.place.open_table(begins)
            wrong = self._stop_and_go_wrong()
            for seat in range(3):
                self._start(wrong if seat == case.seat else self._healthy().play())
                await until(partial(self._seated, seat + 1))
            if self._leaves_early:
                self._start(self._healthy().play())
                await until(lambda: table.begun)
        await self._others_go_on()
        await asyncio.gather(*self.tasks)

    @property
    def _leaves_early(self) -> bool:
        """Whether the faulty bot gives its seat back before the game begins."""
        return self.case.state == "SEATED" and self.case.fault in NOTICED

    def _seated(self, arrived: int) -> bool:
        """Whether all who have come sit there, or the game has begun or even ended."""
        assert self.table
        there = sum(seat.ready for seat in self.table.seats)
        if self._leaves_early and arrived > self.case.seat:
            return self._fault_has_begun and there == arrived - 1
        return self.table.begun or there == arrived

    def _healthy(self) -> Bot:
        bot = self._bot("healthy", self.place.patient)
        bot.may_decide = self.go_on if self.case.state == "IDLE" else None
        bot.may_part = self.go_on if self.case.state == "PARTED" else None
        return bot

    async def _stop_and_go_wrong(self) -> None:
        assert self.table
        table, valve = self.table, self.place.valve
        if self.case.state == "WRITING":
            self.faulty.before_decision = lambda: valve.shut(table.id)
        await self._stop(self.faulty)
        if self.case.state == "SEATED":
            await until(lambda: table.seats[self.case.seat].ready)
        if self.case.state == "IDLE":
            await until(lambda: table.turn >= 0)  # and it is another's
        if self.case.state == "WRITING":
            await valve.caught(table.id)
        self._fault_has_begun = True
        await self._go_wrong()

    async def _others_go_on(self) -> None:
        """Let those who are held back go on, when the fault has happened or is happening."""
        assert self.table
        await until(lambda: self._fault_has_begun)
        await asyncio.sleep(MOMENT)
        self.place.valve.open(self.table.id)
        self.go_on.set()

    # the fault

    async def _stop(self, faulty: Bot) -> None:
        await faulty.play()
        if "too late" in faulty.last:
            raise TooSlow(faulty.last)

    async def _go_wrong(self) -> None:
        case, wire = self.case, self.faulty.wire
        await FAULTS[case.fault](wire, case.state)
        if case.fault not in ("fin", "reset", "deaf"):
            await wire.listen()

    # what must be true afterwards

    def _check(self) -> None:
        assert self.table
        others = [bot for bot in self.bots if bot is not self.faulty]
        prompt = others if self.case.fault in SLOW else self.bots
        for bot in prompt:
            if bot.last.startswith("ERR Your answer is too late"):
                raise TooSlow(bot.last)
        record = self.place.server.archive.game(self.table.id)
        assert record
        self._check_record(record)
        for bot in others:
            self._check_other(bot, record)
        self._check_told()

    def _check_record(self, record: GameRecord) -> None:
        """The end stands there once, with the right reason and the right name."""
        result = record.result
        assert result
        assert result.reason is self.case.reason, result
        names = [seat.name for seat in record.seats]
        culprits = [] if result.culprit is None else [names[result.culprit]]
        assert culprits == ([] if self.case.harmless else [self.faulty.name])
        if self.case.harmless:
            assert result.winner is not None
            (winner,) = (bot.name for bot in self.bots if bot.won)
            assert names[result.winner] == winner
        else:
            assert result.winner is None
        stored = sum(move.seat >= 0 for move in record.moves)
        came_too_late = sum(bot.decisions for bot in self.bots) - stored
        assert 0 <= came_too_late <= (not self.case.harmless)

    def _check_other(self, bot: Bot, record: GameRecord) -> None:
        """Whoever did nothing wrong is told the end, or that it was somebody else."""
        if self.case.harmless:
            assert bot.last == "BYE", bot.lines
            return
        expected = [words.error(words.not_you(self.faulty.name, did)) for did in self.case.did]
        assert bot.last in expected, bot.lines
        assert sum(line.startswith("ERR") for line in bot.lines) == 1
        if self.case.fault not in LOST:
            assert record.result
            assert record.result.detail in bot.last

    def _check_told(self) -> None:
        """Whoever could still hear was told what was wrong, and nothing after it."""
        case, faulty = self.case, self.faulty
        assert sum(line.startswith("ERR") for line in faulty.lines) <= 1
        if case.fault in MUTE:
            return
        if case.state in ("PARTED", "OVER"):
            assert faulty.last == "BYE", faulty.lines
        else:
            assert faulty.last.startswith(TOLD[case.fault]), faulty.lines


async def tried(place: Site, case: Case) -> None:
    """Play a case; again, if the machine was too busy for it."""
    for _ in range(TRIES):
        try:
            await Trial(place, case).run()
        except TooSlow:
            continue
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error
        else:
            return
    raise AssertionError(f"{case}: the machine was too slow {TRIES} times")


async def bystanders(place: Site) -> int:
    """Three bots who meet and play one game after another; how many until it is enough."""
    games = 0
    while not place.enough:
        bots = [Bot(place.addresses[place.patient], place.name("bystander")) for _ in range(3)]
        async with place.door:
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await until(partial(place.table_of, bots[0].name))
        await asyncio.gather(*playing)
        check_game(place, bots)
        games += 1
    return games


def check_game(place: Site, bots: list[Bot]) -> None:
    """A game that nobody disturbed: won, agreed on, and all of it stored."""
    table = place.table_of(bots[0].name)
    assert table
    record = place.server.archive.game(table.id)
    assert record
    assert record.result
    assert record.result.reason is Reason.WIN
    assert {seat.name for seat in record.seats} == {bot.name for bot in bots}
    (winner,) = (bot.name for bot in bots if bot.won)
    assert record.seats[record.result.winner or 0].name == winner
    assert sum(move.seat >= 0 for move in record.moves) == sum(bot.decisions for bot in bots)
    for bot in bots:
        assert bot.last == "BYE"
        bot.hang_up()


def cases(fault: str) -> list[Case]:
    """Every state on every seat, where the seat makes a difference; the last has none to wait."""
    seats = {"AUTH": (0,), "LONELY": (0,), "SEATED": (0, 1)}
    return [Case(fault, state, seat) for state in STATES for seat in seats.get(state, (0, 1, 2))]


async def all_states(folder: Path, fault: str) -> None:
    """Try one fault everywhere at once."""
    async with site(folder) as place:
        before, tasks = open_files(), len(asyncio.all_tasks())
        others = asyncio.create_task(bystanders(place))
        async with asyncio.TaskGroup() as trials:
            for case in cases(fault):
                trials.create_task(tried(place, case))
        place.enough = True
        assert await others
        await until(lambda: not place.sessions())
        assert not place.patient._waiting
        assert not place.strict._waiting
        assert all(table.over for table in place.server.arena)
        assert b"spielwerk_journal_failures_total 0.0" in place.server.metrics.text()
        assert len(asyncio.all_tasks()) == tasks
        assert open_files() == before


def limited(work: Coroutine[None, None, None]) -> None:
    async def main() -> None:
        async with asyncio.timeout(PATIENCE):
            await work

    asyncio.run(main())


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_in_every_state(fault: str, tmp_path: Path) -> None:
    limited(all_states(tmp_path, fault))


# what needs a script of its own


async def met(place: Site, *names: str) -> tuple[Table, dict[str, Peer]]:
    """Three scripted bots that have met; those of them who wait have heard HELO."""
    peers = {name: await arrived(place, name) for name in names}
    await until(lambda: place.table_of(names[0]))
    table = place.table_of(names[0])
    assert table
    return table, peers


async def arrived(place: Site, name: str) -> Peer:
    peer = await place.guest()
    await peer.expect("HELO", f"AUTH {name}")
    await until(lambda: place.waits(name) or place.table_of(name) or place.valve.held)
    return peer


def test_nobody_is_given_a_seat_in_a_game_that_is_ending(tmp_path: Path) -> None:
    async def script() -> None:
        async with site(tmp_path) as place:
            table, peers = await met(place, "early1", "early2", "early3")
            turn = table.turn
            culprit = table.seats[turn].name
            place.valve.shut(table.id)
            await peers[culprit].expect("TURN 0", "ROLL")
            await place.valve.caught(table.id)
            peers.pop(culprit).wire.reset()
            await until(lambda: not table.seats[turn].ready)
            late = {name: await arrived(place, name) for name in ("late1", "late2")}
            assert place.table_of("late1") is None
            place.valve.open(table.id)
            told = words.error(words.not_you(culprit, words.LEFT))
            for peer in peers.values():
                assert (await peer.ends())[-1] == told
            record = place.server.archive.game(table.id)
            assert record
            assert record.result
            assert (record.result.culprit, record.seats[turn].name) == (turn, culprit)
            late["late3"] = await arrived(place, "late3")
            await until(lambda: place.table_of("late1"))
            following = place.table_of("late1")
            assert following
            await late[following.seats[following.turn].name].expect("TURN 0")

    limited(script())


def test_a_bot_that_leaves_while_its_game_is_being_set_up(tmp_path: Path) -> None:
    async def script() -> None:
        async with site(tmp_path) as place:
            place.valve.closed = True
            peers = {name: await arrived(place, name) for name in ("stays1", "stays2", "leaves")}
            peers.pop("leaves").wire.reset()
            await until(lambda: len(place.sessions()) == 2)
            place.valve.let_in()
            await until(lambda: place.table_of("stays1"))
            peers["comes"] = await arrived(place, "comes")
            table = place.table_of("comes")
            assert table
            assert table is place.table_of("stays1")
            names = [seat.name for seat in table.seats]
            assert sorted(names) == ["comes", "stays1", "stays2"]
            await peers[names[table.turn]].expect("TURN 0")

    limited(script())


def test_a_bot_that_never_reads_is_dropped(tmp_path: Path) -> None:
    """It has said its decisions beforehand; its own buffers are full long before the game ends."""

    async def script() -> None:
        async with site(tmp_path, target=10_000, rounds=10_000) as place:
            name = "deaf".ljust(80, "x")
            deaf = await place.guest(deaf=True)
            await deaf.say(f"AUTH {name}")
            await deaf.say("SAVE\n" * 800)
            await until(lambda: place.waits(name))
            (session,) = place.sessions()
            room = session.transport.get_extra_info("socket")
            room.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
            others = [
                Bot(place.addresses[place.patient], f"hearing{n}".ljust(80, "x")) for n in (1, 2)
            ]
            await asyncio.gather(*(bot.play() for bot in others))
            table = place.table_of(name)
            assert table
            assert table.result
            assert table.result.reason is Reason.CONNECTION_LOST
            assert table.seats[table.result.culprit or 0].name == name
            for bot in others:
                assert bot.last == words.error(words.not_you(name, words.LEFT))
                bot.hang_up()

    limited(script())
