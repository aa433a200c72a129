"""Contests that were never played: random games, and results as strengths would have them."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from spielwerk.app.settings import DATABASE
from spielwerk.contests.contest import Contest, Entrant, Format, Phase, pack
from spielwerk.contests.schedule import draw_up
from spielwerk.games import CHANCE, find_game
from spielwerk.net.connection import Direction, Transcript
from spielwerk.store.opening import open_store
from spielwerk.store.records import (
    Begun,
    ContestRecord,
    Disqualified,
    Ending,
    EntrantRecord,
    GameRecord,
    Kind,
    MoveRecord,
    Pairing,
    PairingState,
    Reason,
    Scheduled,
    SeatKind,
    SeatRecord,
    SeatReport,
    Settled,
    WireRecord,
)
from spielwerk.store.scheduling import ScheduleWriter
from spielwerk.tables.mirror import MirrorTable
from spielwerk.tables.parts import SystemClock
from tests.servers.live import Live
from tests.store.contest_samples import BothWriters as Writer

NOW: Final = 1_790_000_000_000
NAMES: Final = (
    "perfect",
    "anna",
    "Rechenknecht 3000",
    "bert",
    "würfelfee",
    "team-7",
    "Zoë & Söhne",
    "karl",
    "minimax",
    "hagen",
    "tom",
    "lotte",
)
FAULTS: Final = {
    1: (Reason.TIME_OUT, 0.05),
    4: (Reason.CONNECTION_LOST, 0.12),
    5: (Reason.STALLED, 0.08),
    7: (Reason.ILLEGAL_MOVE, 0.08),
    9: (Reason.CONNECTION_LOST, 0.3),
    10: (Reason.NO_START, 0.1),
    11: (Reason.PROTOCOL_ERROR, 0.5),
}
TOOK: Final = 6000  # milliseconds that a game took
EARLIER: Final = 900_000  # more in the Game-IDs of attempts that did not count
_DETAILS: Final = {
    Reason.TIME_OUT: "no answer within 3000 ms",
    Reason.ILLEGAL_MOVE: "PLAY Z9: there is no such field",
    Reason.PROTOCOL_ERROR: "expected THINKING, got 'HELLO'",
    Reason.CONNECTION_LOST: "killed by SIGSEGV",
    Reason.STALLED: "nothing came after OKWAIT",
    Reason.NO_START: "it did not come to its seat within 10 s",
}
OUTPUT: Final = (
    "connecting to 127.0.0.1:40613\n"
    "bot.c:214: evaluating field 17\n"
    "=================================================================\n"
    "==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000051\n"
    "    #0 0x55d3c8 in evaluate bot.c:217\n"
)


@dataclass(frozen=True)
class Wish:
    """What a contest is to be like."""

    id: str = "probe"
    name: str = "Freitagsturnier"
    game: str = "connect4"
    names: tuple[str, ...] = NAMES
    rounds: int = 1
    done: float = 1.0  # the share of games that were played
    phase: Phase = Phase.COMPETITION
    ladder: int | None = None  # its rounds; those who met would have met in a round-robin, too
    faults: bool = True
    options: tuple[str, ...] = ()
    whole: int = 10**6  # of how many games there is a record with moves


def entrants(wish: Wish) -> tuple[Entrant, ...]:
    """The first and the ninth are engines, one is remote, one seat is open."""
    kinds = {0: Kind.ENGINE, 8: Kind.ENGINE, 10: Kind.OPEN}
    texts = {0: "level=10", 8: "level=5"}
    return tuple(
        Entrant(name, kinds.get(number, Kind.COMMAND), texts.get(number, f"./bot{number} {{port}}"))
        for number, name in enumerate(wish.names)
    )


def write(data: Path, *wishes: Wish) -> None:
    """Write contests into the store of a server whose data lie there."""
    with open_store(str(data / DATABASE)) as store:
        writer = Writer(store)
        for wish in wishes:
            maker = Maker(wish)
            _written(writer, [maker.scheduled()])
            for pairing in maker.played():
                _written(writer, [*maker.steps(pairing)])


def _written(writer: Writer, entries: list[object]) -> None:
    assert [error for error in writer.write(entries) if error] == []  # type: ignore[arg-type]


class Maker:
    """Makes a contest up, always the same one."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.contest = Contest(
            wish.name,
            wish.game,
            entrants(wish),
            options=wish.options,
            rounds=wish.rounds,
            phase=wish.phase,
            seed=7,
        )
        self.pairings = tuple(draw_up(self.contest, wish.id))
        if wish.ladder is not None:
            self.contest = replace(self.contest, format=Format.LADDER, rounds=wish.ladder)
        self._random = Random(wish.id)
        self._out: set[int] = set()

    def scheduled(self) -> Scheduled:
        """The contest, and who is to play whom."""
        wish = self.wish
        record = ContestRecord(
            wish.id, wish.name, wish.game, wish.options, pack(self.contest), NOW - 3_600_000
        )
        who = tuple(
            EntrantRecord(wish.id, number, one.name, one.kind, one.text)
            for number, one in enumerate(self.contest.entrants)
        )
        return Scheduled(wish.id, record, who, self.pairings)

    def played(self) -> list[Pairing]:
        """The games that have been played."""
        return [*self.pairings[: round(self.wish.done * len(self.pairings))]]

    def steps(self, pairing: Pairing) -> list[Begun | Settled | Disqualified]:
        """From the beginning of a game to what came of it."""
        if self._out & {*pairing.seats}:
            return []
        number = pairing.number
        outcome = self.outcome(pairing)
        record = self.record(pairing, outcome) if number < self.wish.whole else None
        wires = tuple(self._wires(record, outcome)) if record else ()
        reports = tuple(self._report(seat, outcome) for seat in range(len(pairing.seats)))
        ended = replace(
            pairing.cleared(PairingState.DONE, outcome),
            attempt=1,
            game=record.id if record else None,
            started=outcome.at - TOOK,
        )
        done = Settled(ended, record, wires, reports)
        steps: list[Begun | Settled | Disqualified] = [Begun(self.wish.id, number, 1), done]
        if outcome.reason is Reason.TIME_OUT and record:
            steps = [steps[0], _overloaded(done), Begun(self.wish.id, number, 2)]
            steps.append(replace(done, pairing=replace(ended, attempt=2, repeated=True)))
        if outcome.reason is Reason.PROTOCOL_ERROR and self.wish.phase is Phase.COMPETITION:
            (seat,) = outcome.culprits
            self._out.add(pairing.seats[seat])
            why = f"{outcome.reason}: {outcome.detail}"
            steps.append(Disqualified(self.wish.id, pairing.seats[seat], why, number))
        return steps

    # what came of it

    def outcome(self, pairing: Pairing) -> Ending:
        """What came of a game: the stronger wins more often, and some fail."""
        started = NOW - 3_600_000 + 7000 * pairing.number
        when = Ending(Reason.DRAW, at=started + TOOK)
        for seat, entrant in enumerate(pairing.seats):
            end, chance = FAULTS.get(entrant, (Reason.DRAW, 0.0))
            if self.wish.faults and self._random.random() < chance:
                winner = 1 - seat if len(pairing.seats) == 2 else None
                return replace(
                    when, reason=end, winner=winner, culprits=(seat,), detail=_DETAILS[end]
                )
        if len(pairing.seats) == 2 and self._random.random() < 0.12:
            return when
        weights = [math.exp(-0.22 * entrant) for entrant in pairing.seats]
        winner = self._random.choices(range(len(weights)), weights)[0]
        return replace(when, reason=Reason.WIN, winner=winner)

    def record(self, pairing: Pairing, outcome: Ending) -> GameRecord:
        """The game itself."""
        game = find_game(self.wish.game).from_text(self.wish.options)
        moves = self._moves(pairing, outcome)
        begun = outcome.reason is not Reason.NO_START
        result = outcome if begun else replace(outcome, reason=Reason.ABORTED)
        return GameRecord(
            id=f"{self.wish.id:x<5.5}{pairing.number:06d}".replace("-", "x"),
            game=self.wish.game,
            options=tuple(game.assignments()),
            name=f"{self.wish.name} {pairing.number}",
            seats=tuple(self._seat(entrant) for entrant in pairing.seats),
            move_time=3000,
            tournament=True,
            created=outcome.at - TOOK,
            moves=moves,
            result=result,
        )

    def _seat(self, entrant: int) -> SeatRecord:
        one = self.contest.entrants[entrant]
        engine = one.kind is Kind.ENGINE
        kind = SeatKind.ENGINE if engine else SeatKind.CLIENT
        return SeatRecord(kind, one.name, one.text if engine else "")

    def _moves(self, pairing: Pairing, outcome: Ending) -> tuple[MoveRecord, ...]:
        """Random moves; the winner they lead to may be another, for pages that is no matter."""
        game = find_game(self.wish.game).from_text(self.wish.options)
        random, state = Random(pairing.seed), game.start()
        moves: list[MoveRecord] = []
        limit = 4 + random.randrange(12) if outcome.culprits else 60
        while state.outcome is None and len(moves) < limit:
            move = random.choice([*state.legal_moves()])
            at = outcome.at - TOOK + 90 * len(moves)
            took = 0 if state.turn == CHANCE else 80
            moves.append(MoveRecord(len(moves), state.turn, game.format_move(move), at, took))
            state = state.play(move)
        return tuple(moves)

    def _wires(self, record: GameRecord, outcome: Ending) -> list[WireRecord]:
        wires = []
        for number, seat in enumerate(record.seats):
            if seat.kind is SeatKind.CLIENT:
                said = Transcript(10_000)
                said.add(0.001, Direction.SENT, b"+ WAIT\n")
                said.add(0.002, Direction.RECEIVED, b"OKWAIT\n")
                peer = f"127.0.0.1:{40_000 + number}"
                packed = said.pack()
                wires.append(WireRecord(record.id, number, "mnm", peer, outcome.at - TOOK, packed))
        return wires

    def _report(self, seat: int, outcome: Ending) -> SeatReport:
        guilty = seat in outcome.culprits
        crashed = guilty and outcome.reason is Reason.CONNECTION_LOST
        status = "killed by SIGSEGV" if crashed else "exit 0"
        output = OUTPUT if guilty else ""
        return SeatReport(seat, 14, 1130, 380, 23_400_000, status, output)


def _overloaded(settled: Settled) -> Settled:
    """The same as an attempt that does not count."""
    assert settled.record is not None
    pairing, repeat = settled.pairing, PairingState.REPEAT
    again = replace(settled.record, id=f"{settled.record.id[:-6]}{EARLIER + pairing.number}")
    late = replace(pairing, state=repeat, overloaded=True, repeated=True, game=again.id)
    return replace(settled, pairing=late, record=again, wires=())


class Playing:
    """A contest as the process that plays it shows it to the web; nothing is really played."""

    def __init__(self, contest: str) -> None:
        self.id = contest
        self.jobs = 4
        self.playing = 2
        self.rate: float | None = 34.25
        self.eta: float | None = 1512.4
        self.stops = 0
        self.waited_for: list[str] = []
        self.shown: dict[str, int] = {}

    def absent(self) -> list[str]:
        return self.waited_for

    def running(self) -> dict[str, int]:
        return dict(self.shown)

    def set_jobs(self, jobs: int) -> None:
        self.jobs = jobs

    def stop(self) -> None:
        self.stops += 1


def exhibit(server: Live, record: GameRecord) -> MirrorTable:
    """Show a game of a contest in the server's arena, as it is being played elsewhere."""

    async def shown() -> MirrorTable:
        table = MirrorTable(record, SystemClock())
        server.server.arena.show(table)
        return table

    table: MirrorTable = server.call(shown())
    return table


async def keep(own: Live, *steps: Begun | Settled | Disqualified) -> None:
    """Have steps of a contest written, as the process that plays it would."""
    write = ScheduleWriter(own.server.store).write
    assert await asyncio.to_thread(write, steps) == [None] * len(steps)
