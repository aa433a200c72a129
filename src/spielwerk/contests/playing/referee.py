"""The referee: plays one game to its end, whatever the players do, and says how it ended."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.assignment import Played, our_fault
from spielwerk.contests.playing.game import SETTLING, ContestGame, ended_at_start
from spielwerk.contests.playing.outcomes import BY_RULE, absent, as_result, judged
from spielwerk.contests.playing.seats import seats_for
from spielwerk.contests.playing.table import GONE, NO_BYE
from spielwerk.store.contest_records import Kind, SeatReport
from spielwerk.store.records import Ending, Reason, SeatKind

if TYPE_CHECKING:
    from spielwerk.contests.assignment import AssignedPlayer, Assignment, Tell
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.store.records import GameRecord

log = logging.getLogger(__name__)

WRITING: Final = 5.0  # seconds for an end to be kept that we have brought about
NOT_ALL: Final = "not everybody has come"
UNWELCOME: Final = "open seats need an open door, and no opponent that hosts"
CLOSED: Final = "the game is over"


async def play(
    assignment: Assignment,
    tell: Tell,
    facilities: Facilities,
    door: OpenDoor | None = None,
) -> Played:
    """Play the game; whatever goes wrong on our side is its outcome, too.

    `tell` hears once how it begins, then every turn. Games with open seats need a `door`.
    """
    clock = facilities.clock
    began, since = clock.wall(), clock.monotonic()

    def timed(ending: Ending) -> Ending:
        took = round(1000 * (clock.monotonic() - since))  # the other clock may be set
        return replace(ending, at=began + took)

    try:
        game = ContestGame(assignment, facilities, tell)
    except Exception as error:
        log.exception("cannot set up game=%d", assignment.number)
        ending = timed(our_fault(error))
        return Played(assignment.number, assignment.attempt, ending, broken=True, started=began)
    referee = Referee(game, door)
    try:
        ending = await referee.ending()
    finally:
        await referee.close()
    return replace(referee.played(timed(ending)), started=began)


class Referee:
    """Sees a game from the start of its programs to their end."""

    def __init__(self, game: ContestGame, door: OpenDoor | None) -> None:
        self._game = game
        self._terms = game.terms
        self._seats = seats_for(game)
        self._door = door
        self._broken = False  # by an error of ours
        self._overloaded = False  # the machine was, when a player was late
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    async def ending(self) -> Ending:
        """How it ended, when all players have had a moment to leave."""
        try:
            ending = await self._ending()
            self._overloaded = self._is_overloaded(ending)
        except Exception as error:
            log.exception("cannot play %s", self._game.assignment.number)
            self._broken, ending = True, our_fault(error)
        if self._seats.leaving:
            await self._game.programs_left(besides=ending.culprits)
        return ending

    async def _ending(self) -> Ending:
        await self._game.prepare()
        await self._seats.open()
        self._began = self._loop.time()
        await self._game.start_programs(self._seats.places)
        failures = await self._gathered() or await self._begun()
        if failures:
            return await self._not_begun(failures)
        assert self._game.table is not None  # noqa: S101 - all players sit there
        return await self._played_out(self._game.table)

    # coming

    async def _gathered(self) -> dict[int, Ending]:
        """Wait for all players; who has not come, and why."""
        numbers = self._game.attendance
        found = await asyncio.gather(*map(self._arrival, numbers))
        return {n: failure for n, failure in zip(numbers, found, strict=True) if failure}

    async def _arrival(self, number: int) -> Ending | None:
        """Wait for one, and go to meet it where that is due."""
        attendance, ended = self._game.attendance[number], self._game.ended(number)
        meeting = self._loop.create_task(self._meet(number))
        try:
            return await attendance.within(self._terms.start, ended)
        finally:
            meeting.cancel()
            await asyncio.wait([meeting])

    async def _meet(self, number: int) -> None:
        player, attendance = self._game.player(number), self._game.attendance[number]
        try:
            if player.kind is not Kind.OPEN:
                await self._seats.receive(number)
            elif failure := await self._welcomed(player, number):
                attendance.failed(failure.reason, failure.detail)
            else:
                attendance.came()
        except Exception as error:
            log.exception("cannot meet %s", player.name)
            self._broken = True
            attendance.failed(Reason.SERVER_ERROR, our_fault(error).detail)

    async def _welcomed(self, player: AssignedPlayer, number: int) -> Ending | None:
        if self._door is None or self._game.table is None:
            return Ending(Reason.SERVER_ERROR, detail=UNWELCOME)
        return await self._door.seat(player, self._game.table, number)

    async def _begun(self) -> dict[int, Ending]:
        """Let the game begin; who has gone in the last moment, and why."""
        failures = await self._seats.begin()
        for number, failure in failures.items():
            if failure.reason is Reason.NO_START:
                if status := await self._game.exit_status(number):
                    failures[number] = ended_at_start(status)
            elif failure.reason is Reason.CONNECTION_LOST:
                how = await self._farewell(number, failure.detail) or failure.detail
                failures[number] = replace(failure, detail=how)
        return failures

    async def _farewell(self, number: int, detail: str) -> str:
        """How a program has left: as it says itself, or else as it ended."""
        return self._seats.reason(detail) or await self._game.crash(number)

    async def _not_begun(self, failures: dict[int, Ending]) -> Ending:
        """A player is missing: those who have come are told."""
        table = self._game.table
        if table:
            table.abort(Reason.ABORTED, NOT_ALL)
            await self._kept(table)
            left = await self._judged(table)  # who had come may be gone already
            failures = failures | dict.fromkeys(left.culprits, left)
        else:
            self._seats.call_off(NOT_ALL)
        return self._blamed(failures)

    def _blamed(self, failures: dict[int, Ending]) -> Ending:
        names = {number: self._game.player(number).name for number in failures}
        return absent(failures, names, self._game.game.players)

    # playing

    async def _played_out(self, table: ContestTable) -> Ending:
        """Let them play until the game is over."""
        left = self._began + self._terms.total - self._loop.time()
        watches = [self._loop.create_task(self._watch(table, n)) for n in self._game.programs]
        try:
            async with asyncio.timeout(left):
                await table.ended.wait()
        except TimeoutError:
            self._too_long(table)
            await self._kept(table)
        finally:
            await _cancelled(watches)
        return await self._concluded(await self._judged(table))

    async def _concluded(self, ending: Ending) -> Ending:
        """The same, unless a player has told another end than that of the rules."""
        failures = await self._seats.conclude() if ending.reason in BY_RULE else {}
        return self._blamed(failures) if failures else ending

    async def _watch(self, table: ContestTable, number: int) -> None:
        """A program that has ended cannot play on, even if its connection is open."""
        ended = self._game.ended(number)
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

    async def _judged(self, table: ContestTable) -> Ending:
        assert table.result is not None  # noqa: S101 - it is over
        ending = judged(table.result, table.state.outcome, len(table.seats))
        told = replace(ending, detail=await self._detail(ending, table))
        return replace(told, reason=Reason.NO_START) if self._never_met(told) else told

    async def _detail(self, ending: Ending, table: ContestTable) -> str:
        """What is told: how a program ended says more than what became of its connection."""
        if ending.reason is Reason.TIME_OUT:
            return f"no move within {self._terms.move_time / 1000:g} s"
        detail = ending.detail
        for culprit in ending.culprits:  # one at most
            if ending.reason is Reason.CONNECTION_LOST and (
                how := await self._farewell(culprit, detail)
            ):
                return how
            remark = table.remarks.get(culprit, "")
            if detail == NO_BYE:
                how = remark or await self._game.exit_status(culprit)
                return f"{NO_BYE}: {how}" if how else NO_BYE
            detail = remark or detail
        return self._seats.told(detail)

    def _never_met(self, ending: Ending) -> bool:
        """Whether there was not even a connection to a server elsewhere: it has not come."""
        if ending.reason not in (Reason.CONNECTION_LOST, Reason.TIME_OUT):
            return False
        (culprit,) = ending.culprits
        heard = any(wire.seat == culprit and wire.traffic for wire in self._game.journal.wires)
        return self._game.player(culprit).kind is Kind.REMOTE and not heard

    def _is_overloaded(self, ending: Ending) -> bool:
        """Whether a player was late because the machine was."""
        now = self._loop.time()
        since = self._late_since(ending, now)
        return since is not None and self._game.facilities.load.during(since, now)

    def _late_since(self, ending: Ending, now: float) -> float | None:
        """From when on a player was waited for that did not come, or answer, in time."""
        table = self._game.table
        if table and ending.reason is Reason.TIME_OUT:
            return table.last_asked
        if table and table.late_bye in ending.culprits:
            return table.changed
        too_late = now >= self._began + self._terms.start
        late = (Reason.STALLED, Reason.NO_START) if too_late else (Reason.STALLED,)
        return self._began if ending.reason in late else None

    # leaving

    async def close(self) -> None:
        """Nothing of the game is left after this but what is told about it."""
        table = self._game.table
        if table:
            table.abort(Reason.ABORTED, CLOSED)  # if we are stopped, it is not over yet
        await self._game.stop_programs()
        if table:
            _dismiss_engines(table)
        try:
            if table and self._door:
                await self._door.leave(table)
            await self._seats.close()
        except Exception:  # how it ended is known, and that counts
            log.exception("cannot close the seats of game=%d", self._game.assignment.number)

    def played(self, ending: Ending) -> Played:
        """Everything that is told about it."""
        assignment = self._game.assignment
        return Played(
            assignment.number,
            assignment.attempt,
            ending,
            self._record(ending),
            tuple(self._game.journal.wires),
            tuple(map(self._report, range(len(assignment.seats)))),
            self._broken,
            overloaded=self._overloaded,
        )

    def _record(self, ending: Ending) -> GameRecord:
        record, journal = self._game.record, self._game.journal
        result = journal.result
        if result is None or ending.reason not in BY_RULE:
            result = as_result(ending)
        return replace(record, moves=(*record.moves, *journal.moves), result=result)

    def _report(self, seat: int) -> SeatReport:
        moves = [move for move in self._game.journal.moves if move.seat == seat]
        known = SeatReport(seat, len(moves), sum(move.took for move in moves))
        if program := self._game.programs.get(seat):
            return replace(
                known,
                cpu=program.cpu(),
                memory=program.memory,
                status=program.status,
                output=program.output,
            )
        if self._game.record.seats[seat].kind is not SeatKind.ENGINE:
            return known
        return replace(known, cpu=round(1000 * self._game.meter.engines.get(seat, 0.0)))


def _dismiss_engines(table: ContestTable) -> None:
    for seat in table.seats:
        if seat.occupant and not hasattr(seat.occupant, "transport"):
            seat.occupant.dismiss(CLOSED)


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
