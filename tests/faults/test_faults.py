"""Every fault in every state of the game protocol, on both seats, over real connections.

All states are tried at once against one server, while another pair of clients plays on and must
not notice. A case whose *healthy* clients were too slow says something about the machine, not
about the server, and is played again.
"""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import pytest

from spielwerk.games import NOBODY, find_game
from spielwerk.store.records import Reason
from spielwerk.tables.arena import NewTable
from tests.faults.fault_clients import FAULTS, GONE, STATES, Player
from tests.faults.fault_server import LIMIT, Site, open_files, site
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from spielwerk.store.records import GameRecord
    from spielwerk.tables.table import Table

SLOW = ("silence", "drip", "deaf")  # faults that are only too slow
PROLOG = ("VERSION", "ID", "PLAYER")
TRIES = 4
LINGERING = 0.5  # seconds that a client without manners keeps its socket; less than the server

MISMATCH = "- Protocol mismatch - you probably didn't want to talk to the fabulous gameserver"
SHORT = round(LIMIT * 1000)


class TooSlow(Exception):
    """A client that did nothing wrong was too late: the machine is busy."""


@dataclass(frozen=True)
class Case:
    """Where, by whom, and at which kind of table it happens."""

    fault: str
    state: str
    seat: int
    tournament: bool
    pace: int

    @property
    def seated(self) -> bool:
        """Whether the faulty client has a seat to lose."""
        return self.state not in (*PROLOG, "OVER")

    @property
    def reason(self) -> set[Reason]:
        """What a tournament game must have ended with."""
        if not (self.tournament and self.seated):
            return {Reason.WIN, Reason.DRAW}
        if self.fault in ("fin", "reset", "half_close"):
            return {Reason.CONNECTION_LOST}
        if self.fault in SLOW:
            return {Reason.TIME_OUT if self.state == "PLAY" else Reason.STALLED}
        return {Reason.PROTOCOL_ERROR}

    def refusals(self) -> tuple[str, ...]:
        """How a refusal that the client can still hear may begin."""
        if self.fault in ("silence", "drip"):
            return ("- TIMEOUT ",)
        return (MISMATCH, "- Did not get the expected", "- We expected you to THINK!")


class Trial:
    """One case, played."""

    def __init__(self, place: Site, case: Case, rng: Random) -> None:
        self.place = place
        self.case = case
        self.rng = rng
        self.go_on = asyncio.Event()
        self.players: list[Player] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def run(self) -> None:
        self.table = await self._table()
        try:
            await self._play()
        finally:
            self.place.valve.open(self.table.id)
            for task in self.tasks:
                task.cancel()
            await asyncio.wait(self.tasks)
            for player in self.players:
                player.hang_up()
        self._check(*self.players[:2])

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    async def _play(self) -> None:
        case = self.case
        faulty = self._player(case.seat, self.place.strict, stop_at=case.state)
        faulty.deaf = case.fault == "deaf"
        waits = case.state in ("OKWAIT", "IDLE")
        healthy = self._player(1 - case.seat, self.place.patient, may_move=waits)
        playing = self._start(healthy.play())
        await self._go_wrong(faulty)
        self.go_on.set()
        if not (case.tournament and case.seated) and case.state != "OVER":
            await self._replace(case.seat)
        await playing

    async def _table(self) -> Table:
        late = self.case.state == "PLAY" and self.case.fault in SLOW
        wish = NewTable(
            "quarto",
            tournament=self.case.tournament,
            move_time=SHORT if late else 100_000,
        )
        return await self.place.server.arena.create(wish)

    def _player(
        self,
        seat: int,
        addresses: list[tuple[str, int]],
        *,
        stop_at: str = "",
        may_move: bool = False,
    ) -> Player:
        player = Player(addresses[self.case.pace], self.table, seat, self.rng, stop_at)
        player.may_move = self.go_on if may_move else None
        self.players.append(player)
        return player

    async def _go_wrong(self, faulty: Player) -> None:
        writing = self.case.state == "WRITING"
        if writing:
            self.place.valve.shut(self.table.id)
            self._start(self._let_through(faulty))
        await faulty.play()
        if any(line.startswith("- TIMEOUT") for line in faulty.lines):
            raise TooSlow(faulty.lines[-1])
        doing = self._start(self._do(faulty))
        if writing:
            await self.place.valve.caught(self.table.id)
            await asyncio.sleep(0.05)
            self.place.valve.open(self.table.id)
        await doing

    async def _let_through(self, faulty: Player) -> None:
        """Let moves pass until it is the faulty client's second that waits to be written."""
        valve, game = self.place.valve, self.table.id
        while True:
            await valve.caught(game)
            if len(faulty.played) == 2 and self.table.state.turn == self.case.seat:
                return
            valve.open(game)
            valve.shut(game)

    async def _do(self, faulty: Player) -> None:
        case, wire = self.case, faulty.wire
        await FAULTS[case.fault](wire, case.state)
        if case.fault == "deaf":
            await self._until_left(wire_lines=faulty)
        elif case.fault not in GONE:
            await wire.listen()
            await asyncio.sleep(LINGERING if case.fault == "silence" else 0)

    async def _until_left(self, wire_lines: Player) -> None:
        """Whoever does not read cannot know when it is over: look at the server instead."""
        name = wire_lines.wire.socket.getsockname()
        peer = f"{name[0]}:{name[1]}"
        sessions = [service._sessions for service in self.place.services]
        await until(lambda: all(one.peer != peer for some in sessions for one in some))

    async def _replace(self, seat: int) -> None:
        """A third client asks for the seat until it is free, and plays the game to its end."""
        while True:
            third = self._player(seat, self.place.patient)
            await third.play()
            if third.lines[-1] == "+ QUIT":
                return
            assert third.lines[-1].startswith("- No free computer player"), third.lines
            third.hang_up()
            self.players.remove(third)
            await asyncio.sleep(0.1)

    # what must be true afterwards

    def _check(self, faulty: Player, healthy: Player) -> None:
        prompt = [healthy] if self.case.fault in SLOW else [healthy, faulty]
        for player in prompt:
            if any(line.startswith("- TIMEOUT") for line in player.lines):
                raise TooSlow(player.lines[-1])
        record = self.place.server.archive.game(self.table.id)
        assert record
        assert record.result
        assert record.result.reason in self.case.reason, record.result
        if self.case.tournament and self.case.seated:
            assert (record.result.winner, record.result.culprit) == (
                1 - self.case.seat,
                self.case.seat,
            )
        self._check_told(record, faulty)
        self._check_positions(record)
        self._check_refusal(faulty)

    def _check_told(self, record: GameRecord, faulty: Player) -> None:
        """Everybody who stayed was told the stored end, and every acknowledged move is stored."""
        result = record.result
        assert result
        name = "" if result.winner is None else f" {result.winner} Player {result.winner + 1}"
        stayed = [p for p in self.players if p is not faulty]
        for player in stayed:
            assert f"+ GAMEOVER{name}" in player.lines
            assert player.lines[-1] == "+ QUIT"
            assert player.confirmed == len(player.played)
        for seat in (0, 1):
            stored = [move.move for move in record.moves if move.seat == seat]
            there = [player for player in self.players if player.seat == seat]
            told = [move for p in there for move in p.played[: p.confirmed]]
            unsure = [move for p in there for move in p.played[p.confirmed :]]
            assert len(unsure) <= 1
            assert [m for m in stored if m not in unsure] == told

    def _check_positions(self, record: GameRecord) -> None:
        """Every field that was shown is one that the game went through."""
        game = find_game(record.game).from_text(record.options)
        state = game.start()
        seen = set()
        for move in record.moves:
            state = state.play(game.parse_move(move.move))
            rows = str(state).rpartition(" next ")[0].split(" / ")
            seen.add(tuple(f"+ {4 - y} {row}" for y, row in enumerate(rows)))
        assert state.turn == NOBODY or record.result
        for player in self.players:
            for first, *rows, last in player.positions:
                if last == "+ ENDFIELD":
                    assert first == "+ FIELD 4,4"
                    assert tuple(rows) in seen

    def _check_refusal(self, faulty: Player) -> None:
        """Who could still hear was told what was wrong, and nothing after it."""
        if self.case.fault in GONE or self.case.fault == "deaf":
            return
        if self.case.state == "OVER":
            assert faulty.lines[-1] == "+ QUIT"
        elif self.case.fault != "half_close":
            assert faulty.lines[-1].startswith(self.case.refusals()), faulty.lines
        refusals = [line for line in faulty.lines if not line.startswith("+ ")]
        assert len(refusals) <= 1


async def tried(place: Site, case: Case, rng: Random) -> None:
    """Play a case; again, if the machine was too busy for it."""
    for _ in range(TRIES):
        try:
            await Trial(place, case, rng).run()
        except TooSlow:
            continue
        except AssertionError as error:
            raise AssertionError(f"{case}: {error}") from error
        else:
            return
    raise AssertionError(f"{case}: the machine was too slow {TRIES} times")


async def bystanders(place: Site, rng: Random, waits: list[float]) -> None:
    """Two clients who play one game after another, until they are cancelled."""
    while True:
        table = await place.server.arena.create(NewTable("quarto", move_time=100_000))
        pair = [Player(place.patient[1], table, seat, rng) for seat in (0, 1)]
        try:
            await asyncio.gather(*(player.play() for player in pair))
        finally:
            for player in pair:
                player.hang_up()
        for player in pair:
            assert player.lines[-1] == "+ QUIT"
            assert player.confirmed == len(player.played)
            waits += player.waits
        await asyncio.sleep(0.05)


async def all_states(folder: Path, fault: str) -> None:
    """Try one fault everywhere at once."""
    rng = Random(1)
    async with site(folder) as place:
        before, tasks = open_files(), len(asyncio.all_tasks())
        waits: list[float] = []
        others = asyncio.create_task(bystanders(place, rng, waits))
        paces = itertools.cycle(range(3))
        cases = [
            Case(fault, state, seat, tournament, next(paces))
            for state in STATES
            for seat in (0, 1)
            for tournament in (False, True)
        ]
        async with asyncio.TaskGroup() as trials:
            for case in cases:
                trials.create_task(tried(place, case, rng))
        assert not others.done(), others
        others.cancel()
        await asyncio.wait([others])
        print(f"{fault}: {len(waits)} answers, the slowest {max(waits) * 1000:.0f} ms")  # noqa: T201
        await place.quiet()
        assert len(asyncio.all_tasks()) == tasks
        assert open_files() == before


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_in_every_state(fault: str, tmp_path: Path) -> None:
    async def limited() -> None:
        async with asyncio.timeout(120):
            await all_states(tmp_path, fault)

    asyncio.run(limited())
