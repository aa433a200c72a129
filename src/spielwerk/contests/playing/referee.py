"""The referee: plays one game to its end, whatever the players do, and says how it ended."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import Played, our_fault
from spielwerk.contests.playing.game import GONE, NO_BYE, SETTLING, ContestGame, ended_at_start
from spielwerk.contests.playing.seats import seats_for
from spielwerk.store.records import Ending, Kind, Reason, SeatKind, SeatReport

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.contest import Assignment, Tell
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.game import ContestTable
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.contests.programs.program import Program
    from spielwerk.games.interface import Outcome
    from spielwerk.store.records import GameRecord

log = logging.getLogger(__name__)

BY_RULE: Final = (Reason.WIN, Reason.DRAW)
WRITING: Final = 5.0  # seconds for an end to be kept that we have brought about
NOT_ALL: Final = "not everyone has shown up"
UNWELCOME: Final = "open seats need an open port, and no opponent that is itself a host"
CLOSED: Final = "the game is over"


async def play(
    assignment: Assignment,
    tell: Tell,
    facilities: Facilities,
    door: OpenDoor | None = None,
) -> Played:
    """Play the game; whatever goes wrong on our side is its ending, too.

    `tell` hears once how it begins, then every turn. Games with open seats need a `door`.
    """
    clock = facilities.clock
    began, since = clock.wall(), clock.monotonic()

    def timed(ending: Ending) -> Ending:
        took = round(1000 * (clock.monotonic() - since))  # the other clock may be set
        return replace(ending, at=began + took)

    number, attempt = assignment.number, assignment.attempt
    try:
        game = ContestGame(assignment, facilities, tell)
    except Exception as error:
        log.exception("cannot set up game=%d", number)
        return Played(number, attempt, timed(our_fault(error)), broken=True, started=began)
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
        meeting = self._loop.create_task(self._meet(number))
        try:
            return await self._game.attendance[number].within(self._terms.start)
        finally:
            await _cancelled([meeting])

    async def _meet(self, number: int) -> None:
        player, attendance = self._game.player(number), self._game.attendance[number]
        try:
            if player.kind is not Kind.OPEN:
                await self._seats.receive(number)
            elif self._door is None or self._game.table is None:
                attendance.failed(Reason.SERVER_ERROR, UNWELCOME)
            else:
                attendance.tell(await self._door.seat(player, self._game.table, number))
        except Exception as error:
            log.exception("cannot meet %s", player.name)
            self._broken = True
            attendance.tell(our_fault(error))

    async def _begun(self) -> dict[int, Ending]:
        """Let the game begin; who has gone in the last moment, and why."""
        failures = await self._seats.begin()
        return {n: await self._explained(n, failure) for n, failure in failures.items()}

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
        """Let them play until the game is over, and hear what they say of its end."""
        left = self._began + self._terms.total - self._loop.time()
        programs = self._game.programs.items()
        watches = [self._loop.create_task(self._watch(table, *one)) for one in programs]
        try:
            async with asyncio.timeout(left):
                await table.ended.wait()
        except TimeoutError:
            self._too_long(table)
            await self._kept(table)
        finally:
            await _cancelled(watches)
        ending = await self._judged(table)
        lies = await self._seats.conclude() if ending.reason in BY_RULE else {}
        return self._blamed(lies) if lies else ending

    async def _watch(self, table: ContestTable, number: int, program: Program) -> None:
        """A program that has ended cannot play on, even if its connection is open."""
        await program.ended
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
            table.abort(Reason.SERVER_ERROR, f"{why}, and no player was to move")

    async def _kept(self, table: ContestTable) -> None:
        async with asyncio.timeout(WRITING):
            await table.ended.wait()

    async def _judged(self, table: ContestTable) -> Ending:
        assert table.result is not None  # noqa: S101 - it is over
        ending = judged(table.result, table.state.outcome, len(table.seats))
        culprit = ending.culprit
        if culprit is None:
            return replace(ending, detail=self._seats.told(ending.detail))
        if remark := table.remarks.get(culprit):
            detail = f"{NO_BYE}: {remark}" if ending.detail == NO_BYE else remark
            ending = replace(ending, detail=detail)
        return await self._explained(culprit, ending)

    async def _explained(self, number: int, ending: Ending) -> Ending:
        """The same in the words of contests: how a program ended says more than what its wire does.

        What it said itself says most.
        """
        reason, detail = ending.reason, ending.detail
        said = self._seats.reason(detail)
        gone = reason in (Reason.NO_START, Reason.CONNECTION_LOST) or detail == NO_BYE
        status = await self._game.exit_status(number) if gone and not said else ""
        if reason is Reason.TIME_OUT:
            detail = f"no move within {self._terms.move_time / 1000:g} s"
        elif status and reason is Reason.NO_START:
            return ended_at_start(status)
        elif status and detail == NO_BYE:
            detail = f"{NO_BYE}: {status}"
        elif status:
            stopped = self._game.programs[number].over_limit
            detail = status if stopped else f"{status} before the end of the game"
        return replace(ending, detail=said or self._seats.told(detail))

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
        for seat in table.seats if table else ():
            if seat.occupant and not hasattr(seat.occupant, "transport"):
                seat.occupant.dismiss(CLOSED)  # an engine
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
        """The game; one that never began is kept as one that was aborted."""
        record, journal = self._game.record, self._game.journal
        result = journal.result
        if result is None or ending.reason not in BY_RULE:
            never = ending.reason is Reason.NO_START
            result = replace(ending, reason=Reason.ABORTED) if never else ending
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


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


# how a game ended


def judged(ending: Ending, by_rule: Outcome | None, players: int) -> Ending:
    """The ending of a game as a contest has it, which may have one by the rules (`by_rule`)."""
    reason = ending.reason
    if reason is Reason.ABORTED and ending.culprit is None:
        reason = Reason.DRAW if by_rule and by_rule.void else Reason.SERVER_ERROR
    elif reason in (Reason.ABORTED, Reason.RESIGNATION):
        reason = Reason.CONNECTION_LOST  # it will not go on
    if reason in (*BY_RULE, Reason.SERVER_ERROR):
        winner = ending.winner if reason is Reason.WIN else None
        return Ending(reason, winner, ending.detail)
    return blamed(reason, ending.culprits, players, ending.detail)


def absent(failures: Mapping[int, Ending], names: Mapping[int, str], players: int) -> Ending:
    """The ending of a game to which these have not come.

    A game has one ending. Where they failed in different ways, it is what they have in common: none
    is to be disqualified for what another one has done.
    """
    ours = [failure for failure in failures.values() if failure.reason is Reason.SERVER_ERROR]
    if ours:
        return ours[0]
    reasons = {failure.reason for failure in failures.values()}
    reason = reasons.pop() if len(reasons) == 1 else Reason.NO_START
    details = [f"{names[number]}: {failures[number].detail}" for number in sorted(failures)]
    detail = failures[min(failures)].detail if len(failures) == 1 else "; ".join(details)
    return blamed(reason, tuple(sorted(failures)), players, detail)


def blamed(reason: Reason, culprits: tuple[int, ...], players: int, detail: str) -> Ending:
    """The ending of a game that these have spoilt: of two players, the other one has won."""
    others = [number for number in range(players) if number not in culprits]
    winner = others[0] if players == 2 and len(others) == 1 else None
    return Ending(reason, winner, detail, culprits=culprits)
