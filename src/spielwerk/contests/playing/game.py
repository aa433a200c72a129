"""Playing one game to its end, whatever the players do, and telling exactly how it ended."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.contests.assignment import Played, our_fault
from spielwerk.contests.playing import ends
from spielwerk.contests.playing.arrival import SETTLING, Failure, ended_at_start
from spielwerk.contests.playing.cast import Cast
from spielwerk.contests.playing.manners import CROWDED, Manners
from spielwerk.contests.playing.seats import seating_for
from spielwerk.contests.playing.sitting import Sitting
from spielwerk.contests.playing.table import GONE, NO_BYE
from spielwerk.store.contest_records import End, Kind, Outcome, SeatReport
from spielwerk.store.records import Reason, SeatKind

if TYPE_CHECKING:
    from spielwerk.contests.assignment import Assignment, Player, Tell
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.store.records import GameRecord

log = logging.getLogger(__name__)

WRITING: Final = 5.0  # seconds for an end to be kept that we have brought about
NOT_ALL: Final = "not everybody has come"
UNWELCOME: Final = "open seats need an open door, and no opponent that hosts"
CLOSED: Final = "the game is over"


class Arrivals(Protocol):
    """Where players come by themselves that their authors have started somewhere else."""

    async def seat(self, player: Player, table: ContestTable, number: int) -> Failure | None:
        """Wait until the player has come and sits on its seat; or why it does not."""

    async def leave(self, table: ContestTable) -> None:
        """The game is over: wait a moment until everybody has gone, and keep what was said."""


async def play(
    assignment: Assignment, tell: Tell, venue: Venue, arrivals: Arrivals | None = None
) -> Played:
    """Play the game; whatever goes wrong on our side is its outcome, too.

    `tell` hears once how it begins, then every turn. With open seats there must be `arrivals`.
    """
    began, since = venue.clock.wall(), venue.clock.monotonic()

    def timed(outcome: Outcome) -> Outcome:
        took = round(1000 * (venue.clock.monotonic() - since))  # somebody may set the other clock
        return replace(outcome, started=began, ended=began + took)

    try:
        sitting = Sitting(assignment, venue, tell)
    except Exception as error:
        log.exception("cannot set up game=%d", assignment.number)
        outcome = timed(our_fault(error))
        return Played(assignment.number, assignment.attempt, outcome, broken=True)
    game = _Game(sitting, arrivals)
    try:
        outcome = await game.outcome()
    finally:
        await game.close()
    return game.played(timed(outcome))


class _Game:
    """A game from the opening of its doors to their closing."""

    def __init__(self, sitting: Sitting, arrivals: Arrivals | None) -> None:
        self._sitting = sitting
        self._terms = sitting.terms
        self._seating = seating_for(sitting)
        self._arrivals = arrivals
        self._cast = Cast()
        self._manners: Manners | None = None
        self._broken = False  # by an error of ours
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    async def outcome(self) -> Outcome:
        """How it ended, when everybody has had a moment to leave."""
        try:
            outcome = self._rightly_blamed(await self._ending())
            outcome = self._seen_with_load(outcome)
        except Exception as error:
            log.exception("cannot play %s", self._sitting.assignment.number)
            self._broken, outcome = True, our_fault(error)
        if self._seating.leaving:
            await self._cast.leave(besides=outcome.culprits)
        return outcome

    async def _ending(self) -> Outcome:
        await self._sitting.warm()
        await self._seating.open()
        self._began = self._loop.time()
        await self._cast.start(self._seating)
        caught = self._sitting.caught
        failures = await self._gathered() or caught or await self._begun() or caught
        if failures:
            return await self._not_begun(failures)
        return await self._played_out(self._table())

    def _table(self) -> ContestTable:
        table = self._sitting.table
        assert table is not None  # noqa: S101 - everybody has come to it
        return table

    # coming

    async def _gathered(self) -> dict[int, Failure]:
        """Wait for everybody; who has not come, and why."""
        numbers = self._sitting.arrivals
        found = await asyncio.gather(*map(self._arrival, numbers))
        return {n: failure for n, failure in zip(numbers, found, strict=True) if failure}

    async def _arrival(self, number: int) -> Failure | None:
        """Wait for one, and go to meet it where that is due."""
        arrival, ended = self._sitting.arrivals[number], self._cast.ended(number)
        if ended:
            ended.add_done_callback(partial(self._early_leave, number))
        meeting = self._loop.create_task(self._meet(number))
        try:
            failure = await arrival.within(self._terms.start, ended)
            if failure:
                self._seating.inspect(number)
            return failure
        finally:
            meeting.cancel()
            await asyncio.wait([meeting])

    def _early_leave(self, number: int, _ended: asyncio.Future[str]) -> None:
        """Look at once: whoever was in the program's way may not stay for long."""
        if self._sitting.arrivals[number].open:
            self._seating.inspect(number)

    async def _meet(self, number: int) -> None:
        player, arrival = self._sitting.player(number), self._sitting.arrivals[number]
        try:
            if player.kind is not Kind.OPEN:
                await self._seating.receive(number)
            elif failure := await self._welcomed(player, number):
                arrival.failed(*failure)
            else:
                arrival.came()
        except Exception as error:
            log.exception("cannot meet %s", player.name)
            self._broken = True
            arrival.failed(End.SERVER_ERROR, our_fault(error).detail)

    async def _welcomed(self, player: Player, number: int) -> Failure | None:
        if self._arrivals is None or self._sitting.table is None:
            return Failure(End.SERVER_ERROR, UNWELCOME)
        return await self._arrivals.seat(player, self._sitting.table, number)

    async def _begun(self) -> dict[int, Failure]:
        """Let the game begin; who has gone in the last moment, and why."""
        failures = await self._seating.begin()
        for number in failures:
            self._seating.inspect(number)
        for number, (end, detail) in failures.items():
            if end is End.NO_START and (status := await self._cast.obituary(number)):
                failures[number] = ended_at_start(status)
            elif end is End.CRASH and (how := await self._farewell(number, detail)):
                failures[number] = Failure(end, how)
        return failures

    async def _farewell(self, number: int, detail: str) -> str:
        """How a program has left: as it says itself, or else as it ended."""
        return self._seating.reason(detail) or await self._cast.crash(number)

    async def _not_begun(self, failures: dict[int, Failure]) -> Outcome:
        """Somebody is missing: those who have come are told."""
        table = self._sitting.table
        if table:
            table.abort(Reason.ABORTED, NOT_ALL)
            await self._kept(table)
            left = await self._judged(table)  # who had come may be gone already
            gone = {number: Failure(left.end, left.detail) for number in left.culprits}
            failures = failures | gone
        else:
            self._seating.call_off(NOT_ALL)
        return self._blamed(failures)

    def _blamed(self, failures: dict[int, Failure]) -> Outcome:
        names = {number: self._sitting.player(number).name for number in failures}
        return ends.absent(failures, names, self._sitting.game.players)

    def _rightly_blamed(self, outcome: Outcome) -> Outcome:
        """The same, unless somebody has spoilt the game for the one who seems to have failed."""
        for number in outcome.culprits:
            self._seating.inspect(number)
        by_rule = outcome.end in (End.WIN, End.DRAW)
        return (
            self._blamed(self._sitting.caught) if self._sitting.caught and not by_rule else outcome
        )

    # playing

    async def _played_out(self, table: ContestTable) -> Outcome:
        """Let them play until the game is over."""
        left = self._began + self._terms.total - self._loop.time()
        self._manners = manners = Manners(table, self._cast.programs)
        watches = [self._loop.create_task(self._watch(table, n)) for n in self._cast.programs]
        watches.append(self._loop.create_task(manners.mind()))
        try:
            async with asyncio.timeout(left):
                await table.ended.wait()
        except TimeoutError:
            self._too_long(table)
            await self._kept(table)
        finally:
            await _cancelled(watches)
        return await self._concluded(await self._judged(table))

    async def _concluded(self, outcome: Outcome) -> Outcome:
        """The same, unless somebody has told another end than that of the rules."""
        by_rule = outcome.end in (End.WIN, End.DRAW)
        failures = await self._seating.conclude() if by_rule else {}
        return self._blamed(failures) if failures else outcome

    async def _watch(self, table: ContestTable, number: int) -> None:
        """A program that has ended cannot play on, even if somebody holds its connection."""
        ended = self._cast.ended(number)
        if ended:
            await ended
            table.abandon(number)
            await asyncio.sleep(SETTLING)
            if not table.agreed(number):
                table.lose(table.seats[number], Reason.CONNECTION_LOST, GONE)

    def _too_long(self, table: ContestTable) -> None:
        number = table.asked[0].number if table.asked else table.state.turn
        why = f"the game took longer than {self._terms.total:g} s"
        if table.begun and number in range(len(table.seats)):
            table.lose(table.seats[number], Reason.STALLED, why)
        else:
            table.abort(Reason.SERVER_ERROR, f"{why}, and nobody was asked")

    async def _kept(self, table: ContestTable) -> None:
        async with asyncio.timeout(WRITING):
            await table.ended.wait()

    async def _judged(self, table: ContestTable) -> Outcome:
        assert table.result is not None  # noqa: S101 - it is over
        outcome = ends.judged(table.result, table.state.outcome, len(table.seats))
        told = replace(outcome, detail=await self._detail(outcome, table))
        return replace(told, end=End.NO_START) if self._never_met(told) else told

    async def _detail(self, outcome: Outcome, table: ContestTable) -> str:
        """What is told: how a program ended says more than what became of its connection."""
        if outcome.end is End.TIME_OUT:
            return f"no move within {self._terms.move_time / 1000:g} s"
        detail = outcome.detail
        for culprit in outcome.culprits:  # one at most
            if outcome.end is End.CRASH and (how := await self._farewell(culprit, detail)):
                return how
            remark = table.remarks.get(culprit, "")
            if detail == NO_BYE:
                how = remark or await self._cast.obituary(culprit)
                return f"{NO_BYE}: {how}" if how else NO_BYE
            detail = remark or detail
        return self._seating.told(detail)

    def _never_met(self, outcome: Outcome) -> bool:
        """Whether there was not even a connection to a server elsewhere: it has not come."""
        if outcome.end not in (End.CRASH, End.TIME_OUT):
            return False
        (culprit,) = outcome.culprits
        heard = any(wire.seat == culprit and wire.traffic for wire in self._sitting.minutes.wires)
        return self._sitting.player(culprit).kind is Kind.REMOTE and not heard

    def _seen_with_load(self, outcome: Outcome) -> Outcome:
        """Whether somebody was late because the machine was."""
        now = self._loop.time()
        since = self._late_since(outcome, now)
        overloaded = since is not None and self._sitting.venue.load.during(since, now)
        if overloaded and (crowd := self._crowd(outcome)):
            return Outcome(End.SERVER_ERROR, detail=crowd)
        return replace(outcome, overloaded=overloaded)

    def _late_since(self, outcome: Outcome, now: float) -> float | None:
        """From when on somebody was waited for who did not come, or answer, in time."""
        table = self._sitting.table
        if table and outcome.end is End.TIME_OUT:
            return table.last_asked
        if table and table.late_bye in outcome.culprits:
            return table.changed
        too_late = now >= self._began + self._terms.start
        late = outcome.end is End.STALL or (outcome.end is End.NO_START and too_late)
        return self._began if late else None

    def _crowd(self, outcome: Outcome) -> str:
        """Who has kept the machine busy while another one ran out of time: that counts for nobody.

        The other one may have been too slow by itself, so they are not to blame either.
        """
        crowding = self._manners.crowding() if self._manners else set()
        names = [self._sitting.player(n).name for n in crowding - {*outcome.culprits}]
        late = outcome.end is End.TIME_OUT
        return "; ".join(f"{name}: {CROWDED}" for name in sorted(names)) if late else ""

    # leaving

    async def close(self) -> None:
        """Nothing of the game is left after this but what is told about it."""
        table = self._sitting.table
        if table:
            table.abort(Reason.ABORTED, CLOSED)  # if we are stopped, it is not over yet
        await self._cast.stop()
        if table:
            _dismiss_engines(table)
        try:
            if table and self._arrivals:
                await self._arrivals.leave(table)
            await self._seating.close()
        except Exception:  # how it ended is known, and that counts
            log.exception("cannot close the doors of game=%d", self._sitting.assignment.number)

    def played(self, outcome: Outcome) -> Played:
        """Everything that is told about it."""
        assignment = self._sitting.assignment
        return Played(
            assignment.number,
            assignment.attempt,
            outcome,
            self._record(outcome),
            tuple(self._sitting.minutes.wires),
            tuple(map(self._report, range(len(assignment.seats)))),
            self._broken,
        )

    def _record(self, outcome: Outcome) -> GameRecord:
        record, minutes = self._sitting.record, self._sitting.minutes
        result = minutes.result
        if result is None or outcome.end not in (End.WIN, End.DRAW):
            result = ends.as_result(outcome, outcome.ended)
        return replace(record, moves=(*record.moves, *minutes.moves), result=result)

    def _report(self, seat: int) -> SeatReport:
        moves = [move for move in self._sitting.minutes.moves if move.seat == seat]
        known = SeatReport(seat, len(moves), sum(move.took for move in moves))
        if program := self._cast.programs.get(seat):
            return replace(
                known,
                cpu=program.cpu(),
                memory=program.memory,
                status=program.status,
                output=program.output,
            )
        if self._sitting.record.seats[seat].kind is not SeatKind.ENGINE:
            return known
        return replace(known, cpu=round(1000 * self._sitting.efforts.engines.get(seat, 0.0)))


def _dismiss_engines(table: ContestTable) -> None:
    for seat in table.seats:
        if seat.occupant and not hasattr(seat.occupant, "transport"):
            seat.occupant.dismiss(CLOSED)


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
