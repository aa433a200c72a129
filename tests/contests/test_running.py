"""The coordinator: every game exactly once, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.contests.assignment import Progress
from spielwerk.contests.contest import Format, Phase
from spielwerk.contests.running import keeping, trouble
from spielwerk.contests.running import run as module
from spielwerk.contests.running.agenda import Agenda
from spielwerk.contests.running.climbing import Climbing
from spielwerk.contests.running.keeping import NotKept
from spielwerk.contests.running.mirroring import SHOWN, Mirrors
from spielwerk.contests.running.run import ContestRun, NothingPlays
from spielwerk.contests.running.trouble import HINT, HOPELESS
from spielwerk.contests.workers.slot import NoWorker, WorkerLost
from spielwerk.errors import SpielwerkError
from spielwerk.store.contest_records import (
    Begun,
    Disqualified,
    End,
    Kind,
    Outcome,
    Scheduled,
    Settled,
    State,
)
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError
from spielwerk.store.records import Reason
from spielwerk.tables.arena import Arena
from tests.contests.contests import (
    ID,
    NAMES,
    WON,
    FakePool,
    MemoryJournal,
    a_contest,
    games,
)
from tests.contests.contests import (
    entrants as known,
)
from tests.contests.fake_worker import assignment, record
from tests.tables.test_mirror import Clock
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.contest import Contest
    from spielwerk.store.records import Entry

ERROR = Outcome(End.SERVER_ERROR, detail="no idea")


class World:
    """A contest with everything around it."""

    def __init__(
        self,
        contest: Contest | None = None,
        jobs: int = 2,
        agenda: Agenda | None = None,
        **others: Any,
    ) -> None:
        self.contest = contest or a_contest()
        self.journal = MemoryJournal()
        self.pool = FakePool(jobs)
        everything = Agenda(games(self.contest), known(self.contest))
        self.agenda = everything if agenda is None else agenda
        self.arena = Arena(self.journal, Clock())
        self.arena.engines.close()
        self.run = ContestRun(
            self.contest,
            ID,
            self.agenda,
            self.journal,
            self.pool,
            Mirrors(self.arena, Clock()),
            **others,
        )

    async def all(self) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.run.run()


def test_every_game_is_begun_played_and_written_once() -> None:
    async def run() -> None:
        world = World()
        await world.all()
        assert world.pool.begun == [0, 1, 2, 3, 4, 5]
        assert world.journal.begun() == [0, 1, 2, 3, 4, 5]
        assert all(world.journal.settled(n) == [State.DONE] for n in range(6))
        assert world.run.counts() == {State.DONE: 6}
        assert not world.run.stopped.is_set()
        assert world.run.playing == 0
        assert world.run.eta == 0.0

    asyncio.run(run())


def test_nothing_is_played_before_it_is_written_that_it_has_begun() -> None:
    async def run() -> None:
        world = World(jobs=1)
        held: list[Callable[[BaseException | None], None]] = []
        add = world.journal.add

        def slow(entry: Entry, done: Callable[[BaseException | None], None]) -> None:
            if isinstance(entry, Begun):
                held.append(lambda _error: add(entry, done))
            else:
                add(entry, done)

        world.journal.add = slow  # type: ignore[method-assign]
        task = asyncio.create_task(world.all())
        await until(lambda: held)
        await asyncio.sleep(0.02)
        assert world.pool.begun == []
        held.pop()(None)
        await until(lambda: world.pool.begun)
        assert world.journal.begun() == [0]
        world.run.stop()
        world.run.stop()
        while held:
            held.pop()(None)
        await task

    asyncio.run(run())


def test_the_assignment_has_all_that_the_contest_says() -> None:
    async def run() -> None:
        contest = a_contest(2, move_time=700, start=3.0, total=99.0)
        world = World(contest)
        seen = []
        play = world.pool.play

        async def note(game: Any, tell: Any) -> Any:
            seen.append(game)
            return await play(game, tell)

        world.pool.play = note  # type: ignore[method-assign, assignment]
        await world.all()
        first, second = seen
        assert [player.name for player in first.seats] != [p.name for p in second.seats]
        assert (first.contest, first.number, first.attempt) == (ID, 0, 1)
        assert (first.terms.move_time, first.terms.start, first.terms.total) == (700, 3.0, 99.0)
        assert first.name == "Spring 0"
        assert first.seed == second.seed == games(contest)[0].seed

    asyncio.run(run())


def test_no_more_games_at_once_than_the_pool_has_room_for() -> None:
    async def run() -> None:
        world = World(a_contest(5), jobs=3)
        await world.all()
        assert world.pool.most == 3

    asyncio.run(run())


def test_jobs_can_be_changed_and_be_none_for_a_while() -> None:
    async def run() -> None:
        world = World(jobs=0)
        task = asyncio.create_task(world.all())
        await asyncio.sleep(0.02)
        assert world.pool.begun == []
        assert world.run.jobs == 0
        world.pool.hold = {0, 1, 2, 3, 4, 5}
        world.run.set_jobs(2)
        await until(lambda: world.run.playing == 2)
        world.run.set_jobs(4)
        await until(lambda: len(world.pool.begun) == 4)
        world.run.set_jobs(1)
        world.pool.go.set()
        await task
        assert world.run.counts() == {State.DONE: 6}

    asyncio.run(run())


# what goes wrong


def test_our_own_fault_is_repeated_and_then_given_up() -> None:
    async def run() -> None:
        world = World()
        world.pool.results[1] = [ERROR, ERROR, WON]
        world.pool.results[2] = [ERROR, ERROR, ERROR]
        await world.all()
        repeat = State.REPEAT
        assert world.journal.settled(1) == [repeat, repeat, State.DONE]
        assert world.journal.settled(2) == [repeat, repeat, State.FAILED]
        assert [one.number for one in world.agenda.given_up()] == [2]
        attempts = [one.attempt for one in world.journal.of(Settled) if one.number == 1]
        assert attempts == [1, 2, 3]

    asyncio.run(run())


def test_a_time_out_under_load_is_played_again_and_marked() -> None:
    async def run() -> None:
        world = World()
        late = Outcome(End.TIME_OUT, 0, (1,), overloaded=True)
        world.pool.results[0] = [late, late]
        await world.all()
        assert world.journal.settled(0) == [State.REPEAT, State.DONE]
        assert world.agenda[0].repeated
        assert world.agenda[0].outcome == late
        assert world.pool.begun[-1] == 0  # after those few others

    asyncio.run(run())


def test_a_lost_worker_has_the_game_played_again() -> None:
    async def run() -> None:
        world = World(jobs=1)
        world.pool.results[0] = [WorkerLost("killed"), WON]
        world.pool.results[1] = [WorkerLost("killed")] * 3
        await world.all()
        assert world.journal.settled(0) == [State.NEW, State.DONE]
        assert world.journal.settled(1) == [State.NEW, State.NEW, State.FAILED]
        assert sorted(world.pool.begun) == [0, 0, 1, 1, 1, 2, 3, 4, 5]

    asyncio.run(run())


def with_killers(*killers: int) -> World:
    """Programs that play a gauntlet against an engine; some end their worker in every game."""
    contest = a_contest(5, format=Format.GAUNTLET, rounds=8)
    engine, *others = contest.entrants
    programs = (replace(one, kind=Kind.COMMAND) for one in others)
    contest = replace(contest, entrants=(replace(engine, reference=True), *programs))
    world = World(contest, jobs=1)
    for game in games(contest):
        if not {*killers}.isdisjoint(game.seats):
            world.pool.results[game.number] = [WorkerLost("killed by SIGKILL")] * 3
    return world


@pytest.mark.parametrize("killers", [(2,), (1, 3)])
def test_a_program_that_ends_its_workers_does_not_end_the_contest(killers: tuple[int, ...]) -> None:
    async def run() -> None:
        world = with_killers(*killers)
        await world.all()
        lost = [game.number for game in world.agenda if not {*killers}.isdisjoint(game.seats)]
        assert world.run.counts() == {State.DONE: 64 - len(lost), State.FAILED: len(lost)}
        assert world.run.blamed() == [NAMES[number] for number in killers]
        assert [game.number for game in world.agenda.given_up()] == lost
        first = next(n for n, number in enumerate(world.pool.begun) if number > lost[-1])
        assert world.pool.begun[first:].count(lost[-1]) == 3  # the others were played before

    asyncio.run(run())


def test_who_is_in_all_games_that_are_lost_is_named() -> None:
    async def run() -> None:
        world = with_killers(1, 2, 3, 4)
        for one in (2, 3, 4):
            world.agenda.disqualify(Disqualified(ID, one, "crash", 0))
        with pytest.raises(NothingPlays, match=f"SIGKILL; in all of these games: 'bert'; {HINT}"):
            await world.all()

    asyncio.run(run())


def test_what_players_do_to_each_other_does_not_end_the_contest() -> None:
    async def run() -> None:
        world = World(a_contest(5))
        world.pool.results.update({number: [ERROR] * 3 for number in range(len(world.agenda))})
        await world.all()
        assert world.run.counts() == {State.FAILED: 20}

    asyncio.run(run())


def test_a_machine_on_which_nothing_can_be_played_ends_it_before_all_is_given_up() -> None:
    async def run() -> None:
        world = World(a_contest(5))
        world.pool.broken = [ERROR]
        world.pool.results.update({number: [ERROR] * 3 for number in range(len(world.agenda))})
        with pytest.raises(NothingPlays, match="nothing can be played here: no idea"):
            await world.all()
        assert world.run.counts()[State.FAILED] == 0

    asyncio.run(run())


def test_workers_that_are_lost_at_one_moment_are_not_lost_in_a_row() -> None:
    async def run() -> None:
        world = World(a_contest(5), jobs=HOPELESS)
        world.pool.results.update({number: [WorkerLost("all")] for number in range(HOPELESS)})
        await world.all()
        assert world.run.counts() == {State.DONE: 20}

    asyncio.run(run())


def test_workers_that_are_lost_while_it_stops_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trouble, "HOPELESS", 0)

    async def run() -> None:
        world = World()
        world.pool.results.update({number: [WorkerLost("all")] for number in range(2)})
        world.pool.hold = {0, 1}
        task = asyncio.create_task(world.all())
        await until(lambda: len(world.pool.begun) == 2)
        world.run.stop()
        world.pool.go.set()
        await task
        assert world.run.counts() == {State.NEW: 6}

    asyncio.run(run())


def test_no_worker_at_all_is_nobodys_loss_and_ends_the_contest() -> None:
    async def run() -> None:
        world = World(jobs=1)
        world.pool.results[0] = [NoWorker("no worker can be started: no processes are left")]
        with pytest.raises(NoWorker, match="no processes are left"):
            await world.all()
        assert world.run.counts() == {State.NEW: 6}

    asyncio.run(run())


def test_a_pool_that_is_lost_ends_the_contest_and_puts_everything_back() -> None:
    async def run() -> None:
        world = World(jobs=2)
        world.pool.hold = {1}
        world.pool.results[0] = [SpielwerkError("the scheduler is gone")]
        with pytest.raises(SpielwerkError, match="scheduler is gone"):
            await world.all()
        assert world.journal.settled(0) == [State.NEW]
        assert world.journal.settled(1) == [State.NEW]
        assert world.run.counts() == {State.NEW: 6}

    asyncio.run(run())


def test_a_pool_that_is_lost_while_nothing_is_played_is_noticed_too() -> None:
    async def run() -> None:
        world = World(jobs=0)
        task = asyncio.create_task(world.all())
        await asyncio.sleep(0.01)
        world.pool.lost = SpielwerkError("the scheduler is gone")
        world.pool.changed()
        with pytest.raises(SpielwerkError, match="scheduler is gone"):
            await task

    asyncio.run(run())


def test_a_mistake_of_ours_does_not_go_unnoticed() -> None:
    async def run() -> None:
        world = World()
        world.pool.results[0] = [ZeroDivisionError("oops")]
        with pytest.raises(ZeroDivisionError):
            await world.all()

    asyncio.run(run())


def test_an_attempt_that_is_not_ours_is_neither_played_nor_counted() -> None:
    async def run() -> None:
        world = World()
        world.journal.broken = lambda entry: (
            NotRunning("games.db", "not now")
            if isinstance(entry, Begun) and entry.number == 2
            else None
        )
        await world.all()
        assert world.pool.begun == [0, 1, 3, 4, 5]
        assert world.journal.settled(2) == []

    asyncio.run(run())


def test_a_result_that_comes_too_late_is_not_counted() -> None:
    async def run() -> None:
        world = World()
        world.journal.broken = lambda entry: (
            NotRunning("games.db", "not now")
            if isinstance(entry, Settled) and entry.number == 2
            else None
        )
        await world.all()
        assert world.agenda[2].outcome is None

    asyncio.run(run())


# a store that fails


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "PAUSE", 0.01)
    monkeypatch.setattr(keeping, "LAST", 0.05)


@pytest.mark.usefixtures("impatient")
def test_a_store_that_fails_for_a_while_costs_nothing() -> None:
    async def run() -> None:
        world = World()
        failing = iter([True] * 12)
        world.journal.broken = lambda _entry: (
            StoreError("games.db", "the disk is full") if next(failing, False) else None
        )
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.keeper.problem)
        assert "disk is full" in world.run.keeper.problem
        await task
        assert world.run.keeper.problem == ""
        assert world.pool.begun == [0, 1, 2, 3, 4, 5]
        assert all(world.journal.settled(n) == [State.DONE] for n in range(6))

    asyncio.run(run())


@pytest.mark.usefixtures("impatient")
def test_games_that_cannot_be_written_are_not_running_any_more() -> None:
    async def run() -> None:
        world, full = World(a_contest(5), jobs=1), False
        world.journal.broken = lambda _: (
            StoreError("games.db", "the disk is full") if full else None
        )
        world.pool.hold = {4}
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.rate and 4 in world.pool.begun)
        full = True
        world.pool.go.set()
        await until(lambda: world.run.keeper.problem and not world.run.playing)
        assert (world.run.unwritten, world.run.counts()[State.DONE]) == (1, 4)
        assert figures(world.run) == (None, None)
        full = False
        await task
        assert (world.run.unwritten, world.run.counts()[State.DONE]) == (0, 20)

    asyncio.run(run())


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("error", [StoreError, StoreConflict])
def test_a_game_that_cannot_be_written_is_our_fault(error: type[StoreError]) -> None:
    async def run() -> None:
        world = World()
        world.journal.broken = lambda entry: (
            error("games.db", "a strange value")
            if isinstance(entry, Settled) and entry.number == 0 and entry.record
            else None
        )
        await world.all()
        assert world.journal.settled(0) == [State.REPEAT, State.REPEAT, State.FAILED]
        assert world.agenda[0].outcome
        assert "a strange value" in world.agenda[0].outcome.detail
        assert world.run.counts() == {State.DONE: 5, State.FAILED: 1}

    asyncio.run(run())


@pytest.mark.usefixtures("impatient")
def test_a_store_that_fails_does_not_keep_the_contest_from_stopping() -> None:
    async def run() -> None:
        world = World()
        world.journal.broken = lambda _entry: StoreError("games.db", "the disk is full")
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.keeper.problem)
        world.run.stop()
        world.run.stop()
        with pytest.raises(NotKept, match="disk is full"):
            await task

    asyncio.run(run())


# a ladder


def a_ladder(rounds: int, entrants: int = 4) -> World:
    contest = a_contest(entrants, format=Format.LADDER, rounds=rounds)
    agenda = Agenda([], known(contest))
    return World(contest, agenda=agenda, climbing=Climbing(contest, ID, agenda))


def test_a_ladder_draws_up_its_games_as_it_goes() -> None:
    async def run() -> None:
        world = a_ladder(rounds=3)
        await world.all()
        scheduled = [game for entry in world.journal.of(Scheduled) for game in entry.pairings]
        assert world.pool.begun == [game.number for game in scheduled]
        assert [game.number for game in scheduled] == [*range(len(scheduled))]
        meetings = Counter(seat for game in scheduled for seat in game.seats)
        assert min(meetings.values()) >= 2 * 3
        assert len(meetings) == 4

    asyncio.run(run())


def test_a_ladder_without_end_goes_on_until_it_is_stopped_and_then_from_there() -> None:
    async def run() -> None:
        world = a_ladder(rounds=0)
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.counts()[State.DONE] > 20)
        assert world.run.rate
        assert world.run.eta is None
        world.run.stop()
        await task
        contest, agenda = world.contest, Agenda(world.agenda, world.agenda.entrants)
        later = World(contest, agenda=agenda, climbing=Climbing(contest, ID, agenda))
        task = asyncio.create_task(later.all())
        await until(lambda: later.journal.of(Scheduled))
        assert later.journal.of(Scheduled)[0].pairings[0].number == len(world.agenda)
        later.run.stop()
        await task

    asyncio.run(run())


def test_nobody_is_left_to_be_met_when_too_few_are_fit() -> None:
    async def run() -> None:
        world = a_ladder(rounds=0, entrants=2)
        world.agenda.disqualify(Disqualified(ID, 0, "crash", 0))
        await world.all()
        assert world.pool.begun == []

    asyncio.run(run())


# disqualification


def strict(**others: Any) -> Contest:
    return a_contest(4, phase=Phase.COMPETITION, **others)


def test_a_violation_disqualifies_and_no_new_game_of_the_culprit_begins() -> None:
    async def run() -> None:
        contest = strict()
        world = World(contest, jobs=1)
        world.pool.results[0] = [Outcome(End.PROTOCOL_ERROR, 0, (1,), "a wrong BYE")]
        await world.all()
        out = games(contest)[0].seats[1]
        (entry,) = world.journal.of(Disqualified)
        assert (entry.entrant, entry.number) == (out, 0)
        fit = [one.number for one in games(contest) if out not in one.seats]
        assert world.pool.begun == [0, *fit]
        assert world.agenda.given_up() == []

    asyncio.run(run())


def test_its_running_games_may_come_to_their_end() -> None:
    async def run() -> None:
        contest = strict()
        first = games(contest)[0]
        other = next(one.number for one in games(contest)[1:] if first.seats[1] in one.seats)
        world = World(contest, jobs=12)
        world.pool.hold = {other}
        world.pool.results[0] = [Outcome(End.PROTOCOL_ERROR, 0, (1,))]
        task = asyncio.create_task(world.all())
        await until(lambda: world.journal.of(Disqualified))
        world.pool.go.set()
        await task
        assert world.journal.settled(other) == [State.DONE]

    asyncio.run(run())


def test_who_is_out_already_is_not_disqualified_again() -> None:
    async def run() -> None:
        contest = strict()
        first = games(contest)[0]
        world = World(contest, jobs=12)
        for pairing in games(contest):
            if first.seats[1] in pairing.seats:
                culprit = pairing.seats.index(first.seats[1])
                end = Outcome(End.PROTOCOL_ERROR, 1 - culprit, (culprit,))
                world.pool.results[pairing.number] = [end]
        await world.all()
        assert len(world.journal.of(Disqualified)) == 1

    asyncio.run(run())


def test_a_disqualification_that_was_not_written_any_more_is_made_up_for() -> None:
    async def run() -> None:
        contest = strict()
        pairings = games(contest)
        outcome = Outcome(End.PROTOCOL_ERROR, 0, (1,))
        pairings[0] = replace(pairings[0], state=State.DONE, attempt=1, outcome=outcome)
        world = World(contest, agenda=Agenda(pairings, known(contest)))
        await world.all()
        assert len(world.journal.of(Disqualified)) == 1
        out = pairings[0].seats[1]
        assert all(out not in pairings[number].seats for number in world.pool.begun)

    asyncio.run(run())


# stopping


def test_a_contest_that_is_stopped_lets_running_games_end() -> None:
    async def run() -> None:
        world = World()
        world.pool.hold = {0, 1}
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.playing == 2)
        await until(lambda: len(world.pool.begun) == 2)
        world.run.stop()
        world.pool.go.set()
        await task
        assert world.pool.begun == [0, 1]
        assert world.run.counts() == {State.DONE: 2, State.NEW: 4}

    asyncio.run(run())


def test_but_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE", 0.05)

    async def run() -> None:
        world = World()
        world.pool.hold = {0, 1}
        task = asyncio.create_task(world.all())
        await until(lambda: len(world.pool.begun) == 2)
        world.run.stop()
        await task
        assert world.journal.settled(0) == world.journal.settled(1) == [State.NEW]
        assert world.run.counts() == {State.NEW: 6}

    asyncio.run(run())


def test_a_second_time_means_at_once() -> None:
    async def run() -> None:
        world = World()
        world.pool.hold = {0, 1}
        task = asyncio.create_task(world.all())
        await until(lambda: len(world.pool.begun) == 2)
        world.run.stop()
        world.run.stop()
        async with asyncio.timeout(module.GRACE / 2):
            await task
        assert world.run.counts() == {State.NEW: 6}

    asyncio.run(run())


def test_a_coordinator_that_is_cancelled_puts_everything_back() -> None:
    async def run() -> None:
        world = World(a_contest(5), jobs=1)
        world.pool.hold = {4}
        for number in range(4):
            world.pool.results[number] = [replace(WON, ended=1001)]  # quick: begun ahead of time
        task = asyncio.create_task(world.all())
        await until(lambda: 4 in world.pool.begun and len(world.journal.begun()) > 5)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert max(world.pool.begun) == 4  # what was begun ahead is not played any more
        assert world.run.counts() == {State.DONE: 4, State.NEW: 16}

    asyncio.run(run())


def test_whoever_goes_on_plays_the_rest_and_nothing_twice() -> None:
    async def run() -> None:
        world = World()
        world.pool.hold = {2, 3}
        task = asyncio.create_task(world.all())
        await until(lambda: 3 in world.pool.begun)
        world.run.stop()
        world.run.stop()
        await task
        later = World(agenda=Agenda(world.agenda))
        await later.all()
        assert sorted(later.pool.begun) == [2, 3, 4, 5]
        done = world.journal.of(Settled) + later.journal.of(Settled)
        assert sorted(one.number for one in done if one.state is State.DONE) == [*range(6)]

    asyncio.run(run())


# to be watched


def test_a_running_game_can_be_watched_and_ends_as_it_was_written() -> None:
    async def run() -> None:
        world = World(jobs=1)
        world.pool.hold = {0}
        task = asyncio.create_task(world.all())
        await until(lambda: world.pool.told)
        game = replace(assignment("x", 0), contest=ID)
        (tell,) = world.pool.told
        tell(Progress(0, 1, record(game, 2)))
        table = world.arena.find(record(game).id)
        assert table
        assert world.run.running() == {table.id: 0}
        tell(Progress(0, 1, moves=record(game).moves[2:4]))
        assert len(table.history) == 4
        world.pool.go.set()
        await task
        assert table.result == record(game).result
        assert len(table.history) == 7
        assert world.run.running() == {}

    asyncio.run(run())


def test_news_of_an_attempt_that_is_over_are_not_shown() -> None:
    async def run() -> None:
        world = World(jobs=1)
        world.pool.hold = {1}
        task = asyncio.create_task(world.all())
        await until(lambda: len(world.pool.told) == 2)
        world.pool.told[0](Progress(0, 1, record(assignment("x", 0), 2)))
        world.pool.told[0](Progress(1, 9, record(assignment("x", 1), 2)))
        assert world.run.running() == {}
        world.pool.go.set()
        await task

    asyncio.run(run())


def test_a_game_that_is_broken_off_says_so_to_those_who_watch() -> None:
    async def run() -> None:
        world = World(jobs=1)
        world.pool.hold = {0}
        world.pool.results[0] = [WorkerLost("killed")]
        task = asyncio.create_task(world.all())
        await until(lambda: world.pool.told)
        game = record(assignment("x", 0), 2)
        world.pool.told[0](Progress(0, 1, game))
        world.pool.go.set()
        await task
        table = world.arena.find(game.id)
        assert table
        assert table.result
        assert table.result.reason is Reason.ABORTED

    asyncio.run(run())


def test_not_more_games_are_shown_than_anybody_looks_at() -> None:
    async def run() -> None:
        world = World(a_contest(5, rounds=2), jobs=20)
        world.pool.hold = {*range(40)}
        task = asyncio.create_task(world.all())
        await until(lambda: len(world.pool.told) == 20)
        for number in range(20):
            world.pool.told[number](Progress(number, 1, record(assignment("x", number), 2)))
        assert len(world.run.running()) == SHOWN
        world.pool.go.set()
        await task

    asyncio.run(run())


# how long it takes


def figures(run: ContestRun) -> tuple[float | None, float | None]:
    return run.rate, run.eta


def test_the_time_left_follows_from_the_last_games() -> None:
    async def run() -> None:
        world = World(a_contest(5), jobs=1)
        assert figures(world.run) == (None, None)
        world.pool.hold = {10}
        task = asyncio.create_task(world.all())
        await until(lambda: 10 in world.pool.begun)
        rate, left = figures(world.run)
        assert rate
        games = sum(one.state is not State.DONE for one in world.agenda)
        assert left == pytest.approx(60 * games / rate, rel=0.5)
        world.pool.go.set()
        await task

    asyncio.run(run())
