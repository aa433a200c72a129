"""A contest being played: every game exactly once, whatever happens on the way."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

import pytest

from spielwerk.contests import agenda as drawing
from spielwerk.contests import run as module
from spielwerk.contests.agenda import Agenda, LadderDraw
from spielwerk.contests.contest import (
    Assignment,
    Contest,
    ContestError,
    Entrant,
    Format,
    Phase,
    Played,
    Progress,
    Tell,
    WorkerLost,
)
from spielwerk.contests.live import Guests, Mirrors
from spielwerk.contests.run import HOPELESS, ContestRun
from spielwerk.errors import SpielwerkError
from spielwerk.store import scheduling as writing
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError
from spielwerk.store.records import (
    Begun,
    ContestEntry,
    Disqualified,
    Ending,
    EntrantRecord,
    Kind,
    PairingState,
    Reason,
    Scheduled,
    Settled,
)
from spielwerk.store.scheduling import NotWritten
from spielwerk.tables.arena import Arena
from tests.contests.contests import (
    ID,
    NAMES,
    WON,
    FakePool,
    MemoryJournal,
    a_contest,
    games,
    in_loop,
)
from tests.contests.contests import (
    entrants as known,
)
from tests.contests.fake_worker import assignment, record
from tests.contests.test_live import NoJournal
from tests.tables.test_mirror import Clock
from tests.waiting import until

ERROR = Ending(Reason.SERVER_ERROR, detail="no idea")
KILLED = WorkerLost("killed by SIGKILL")
NEW, REPEAT, DONE, FAILED = (
    PairingState.NEW,
    PairingState.REPEAT,
    PairingState.DONE,
    PairingState.FAILED,
)


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
        self.arena = Arena(NoJournal(), Clock())
        self.arena.engines.close()
        mirrors = Mirrors(self.arena, Clock())
        self.run = ContestRun(
            self.contest, ID, self.agenda, self.journal, self.pool, mirrors, **others
        )

    def start(self) -> asyncio.Task[None]:
        return asyncio.create_task(self.run.run())

    async def holding(self, *numbers: int) -> asyncio.Task[None]:
        """Start, and wait until these games are played, which last until the pool's `go`."""
        self.pool.hold = {*numbers}
        task = self.start()
        await until(lambda: self.pool.hold <= {*self.pool.begun})
        return task

    def fail_all(self, numbers: Iterable[int], *results: Ending | BaseException) -> None:
        self.pool.results.update({number: [*results] for number in numbers})


@in_loop
async def test_every_game_is_begun_played_and_written_once() -> None:
    world = World()
    await world.run.run()
    assert world.pool.begun == world.journal.begun() == [0, 1, 2, 3, 4, 5]
    assert all(world.journal.settled(n) == [DONE] for n in range(6))
    assert world.run.counts() == {DONE: 6}
    assert not world.run.stopped.is_set()
    assert (world.run.playing, world.run.eta) == (0, 0.0)


@in_loop
async def test_nothing_is_played_before_it_is_written_that_it_has_begun() -> None:
    world, go = World(jobs=1), threading.Event()

    def slow(entry: ContestEntry) -> StoreError | None:
        if isinstance(entry, Begun):
            go.wait(10)
        return None

    world.journal.broken = slow
    task = world.start()
    await asyncio.sleep(0.05)
    assert world.pool.begun == []
    go.set()
    await task
    assert world.journal.begun() == world.pool.begun


@in_loop
async def test_the_assignment_has_all_that_the_contest_says() -> None:
    contest = a_contest(2, move_time=700, start=3.0, total=99.0)
    world, seen = World(contest), list[Any]()
    play = world.pool.play

    async def note(game: Any, tell: Any) -> Any:
        seen.append(game)
        return await play(game, tell)

    world.pool.play = note  # type: ignore[method-assign, assignment]
    await world.run.run()
    first, second = seen
    assert [player.name for player in first.seats] != [player.name for player in second.seats]
    assert (first.contest, first.number, first.attempt, first.name) == (ID, 0, 1, "Spring 0")
    assert (first.terms.move_time, first.terms.start, first.terms.total) == (700, 3.0, 99.0)
    assert first.seed == second.seed == games(contest)[0].seed


@in_loop
async def test_jobs_are_kept_to_and_can_be_changed_and_be_none_for_a_while() -> None:
    world = World(a_contest(5), jobs=0)
    world.pool.hold = {*range(20)}
    task = world.start()
    await asyncio.sleep(0.02)
    assert world.pool.begun == []
    lacking = [world.run.lacks_workers]
    world.run.set_jobs(2)
    await until(lambda: world.run.playing == 2)
    world.run.set_jobs(4)
    await until(lambda: len(world.pool.begun) == 4)
    world.run.set_jobs(0)
    lacking.append(world.run.lacks_workers)
    assert lacking == [True, False]  # the second time it is held
    world.run.set_jobs(3)
    world.pool.go.set()
    await task
    assert world.pool.most == 4
    assert world.run.counts() == {DONE: 20}


# what goes wrong


@in_loop
async def test_our_own_fault_is_repeated_and_then_given_up() -> None:
    world = World()
    world.pool.results[1] = [ERROR, ERROR, WON]
    world.pool.results[2] = [ERROR, ERROR, ERROR]
    await world.run.run()
    assert world.journal.settled(1) == [REPEAT, REPEAT, DONE]
    assert world.journal.settled(2) == [REPEAT, REPEAT, FAILED]
    assert (world.agenda[2].state, world.agenda.lost) == (FAILED, 1)
    settled = [one.pairing for one in world.journal.of(Settled)]
    assert [one.attempt for one in settled if one.number == 1] == [1, 2, 3]


@in_loop
async def test_a_lost_worker_has_the_game_played_again() -> None:
    world = World(jobs=1)
    world.pool.results[0] = [KILLED, WON]
    world.pool.results[1] = [KILLED] * 3
    await world.run.run()
    assert world.journal.settled(0) == [NEW, DONE]
    assert world.journal.settled(1) == [NEW, NEW, FAILED]
    why = Ending(Reason.SERVER_ERROR, detail="its worker process died 3 times: killed by SIGKILL")
    assert (world.agenda[0].ending, world.agenda[1].ending) == (WON, why)
    assert sorted(world.pool.begun) == [0, 0, 1, 1, 1, 2, 3, 4, 5]


@in_loop
async def test_only_errors_of_ours_end_the_contest_before_all_is_given_up() -> None:
    world = World(a_contest(5))
    world.fail_all(range(20), *[ERROR] * 3)
    await world.run.run()  # players may do that to each other
    assert world.run.counts() == {FAILED: 20}
    world = World(a_contest(5))
    world.fail_all(range(20), *[ERROR] * 3)
    world.pool.broken = [ERROR]
    with pytest.raises(ContestError, match="nothing can be played here: no idea; --sandbox keeps"):
        await world.run.run()
    assert world.run.counts()[FAILED] == 0


@in_loop
async def test_workers_that_are_lost_at_one_moment_are_not_lost_in_a_row() -> None:
    world = World(a_contest(5), jobs=HOPELESS)
    world.fail_all(range(HOPELESS), KILLED)
    await world.run.run()
    assert world.run.counts() == {DONE: 20}


@in_loop
async def test_workers_that_are_lost_while_it_stops_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "HOPELESS", 0)
    world = World()
    world.fail_all(range(2), KILLED)
    task = await world.holding(0, 1)
    world.run.stop()
    world.pool.go.set()
    await task
    assert world.run.counts() == {NEW: 6}


@pytest.mark.parametrize(
    "error",
    [
        ContestError("no worker can be started"),
        SpielwerkError("the scheduler is gone"),
        ZeroDivisionError("a mistake of ours"),
    ],
)
@in_loop
async def test_an_error_of_the_pool_ends_the_contest_and_puts_everything_back(
    error: Exception,
) -> None:
    world = World()
    world.pool.hold = {1}
    world.pool.results[0] = [error]
    with pytest.raises(type(error), match=str(error)):
        await world.run.run()
    assert world.journal.settled(0) == world.journal.settled(1) == [NEW]
    assert world.run.counts() == {NEW: 6}


@in_loop
async def test_a_pool_that_is_lost_while_nothing_is_played_is_noticed_too() -> None:
    world = World(jobs=0)
    task = world.start()
    await asyncio.sleep(0.01)
    world.pool.lost = SpielwerkError("the scheduler is gone")
    world.pool.changed()
    with pytest.raises(SpielwerkError, match="scheduler is gone"):
        await task


@pytest.mark.parametrize("kind", [Begun, Settled])
@in_loop
async def test_an_attempt_that_is_not_ours_is_not_counted(kind: type[Begun | Settled]) -> None:
    world = World()

    def refuse(entry: ContestEntry) -> StoreError | None:
        number = getattr(getattr(entry, "pairing", entry), "number", None)
        ours = not isinstance(entry, kind) or number != 2
        return None if ours else NotRunning("games.db", "not now")

    world.journal.broken = refuse
    await world.run.run()
    assert (2 in world.pool.begun) == (kind is Settled)
    assert world.journal.settled(2) == []
    assert world.agenda[2].ending is None


# a store that fails

FULL = StoreError("games.db", "the disk is full")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "PAUSE", 0.01)
    monkeypatch.setattr(writing, "LAST", 0.05)


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_store_that_fails_for_a_while_costs_nothing() -> None:
    world, full = World(a_contest(5), jobs=1), False
    world.journal.broken = lambda _: FULL if full else None
    task = await world.holding(4)
    full = True
    world.pool.go.set()
    await until(lambda: world.journal.problem and not world.run.playing)
    assert "disk is full" in world.journal.problem
    assert world.run.counts()[DONE] == 4
    assert (world.run.rate, world.run.eta) == (None, None)
    full = False
    await task
    assert world.journal.problem == ""
    assert world.pool.begun == [*range(20)]
    assert all(world.journal.settled(n) == [DONE] for n in range(20))


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("error", [StoreError, StoreConflict])
@in_loop
async def test_a_game_that_cannot_be_written_is_our_fault(error: type[StoreError]) -> None:
    world = World()
    world.journal.broken = lambda entry: (
        error("games.db", "a strange value")
        if isinstance(entry, Settled) and entry.pairing.number == 0 and entry.record
        else None
    )
    await world.run.run()
    assert world.journal.settled(0) == [REPEAT, REPEAT, FAILED]
    assert world.agenda[0].ending
    assert "a strange value" in world.agenda[0].ending.detail
    assert world.run.counts() == {DONE: 5, FAILED: 1}


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_store_that_fails_does_not_keep_the_contest_from_stopping() -> None:
    world = World()
    world.journal.broken = lambda _entry: FULL
    task = world.start()
    await until(lambda: world.journal.problem)
    world.run.stop()
    world.run.stop()
    with pytest.raises(NotWritten, match="disk is full"):
        await task


# disqualification


def strict() -> Contest:
    return a_contest(4, phase=Phase.COMPETITION)


@in_loop
async def test_a_violation_disqualifies_and_no_new_game_of_the_culprit_begins() -> None:
    contest = strict()
    world = World(contest, jobs=1)
    world.pool.results[0] = [Ending(Reason.PROTOCOL_ERROR, 0, "a wrong BYE", culprits=(1,))]
    await world.run.run()
    out = games(contest)[0].seats[1]
    (entry,) = world.journal.of(Disqualified)
    assert (entry.entrant, entry.number) == (out, 0)
    fit = [one.number for one in games(contest) if out not in one.seats]
    assert world.pool.begun == [0, *fit]
    assert world.agenda.lost == 0


@in_loop
async def test_its_running_games_come_to_their_end_and_it_is_disqualified_once() -> None:
    contest = strict()
    culprit = games(contest)[0].seats[1]
    world, held = World(contest, jobs=12), list[int]()
    for pairing in games(contest):
        if culprit in pairing.seats:
            seat = pairing.seats.index(culprit)
            world.pool.results[pairing.number] = [
                Ending(Reason.PROTOCOL_ERROR, 1 - seat, culprits=(seat,))
            ]
            held.append(pairing.number)
    task = await world.holding(*held[1:])
    await until(lambda: world.journal.of(Disqualified))
    world.pool.go.set()
    await task
    assert all(world.journal.settled(number) == [DONE] for number in held)
    assert len(world.journal.of(Disqualified)) == 1


@in_loop
async def test_a_disqualification_that_was_not_written_any_more_is_made_up_for() -> None:
    contest = strict()
    pairings = games(contest)
    outcome = Ending(Reason.PROTOCOL_ERROR, 0, culprits=(1,))
    pairings[0] = replace(pairings[0], state=DONE, attempt=1, ending=outcome)
    world = World(contest, agenda=Agenda(pairings, known(contest)))
    await world.run.run()
    assert len(world.journal.of(Disqualified)) == 1
    out = pairings[0].seats[1]
    assert all(out not in pairings[number].seats for number in world.pool.begun)


# stopping


@in_loop
async def test_a_contest_that_is_stopped_lets_running_games_end() -> None:
    world = World()
    task = await world.holding(0, 1)
    world.run.stop()
    world.pool.go.set()
    await task
    assert world.pool.begun == [0, 1]
    assert world.run.counts() == {DONE: 2, NEW: 4}


@pytest.mark.parametrize(("grace", "calls"), [(0.05, 1), (60.0, 2)], ids=["grace", "second"])
@in_loop
async def test_but_not_for_long_and_at_a_second_call_at_once(
    grace: float, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE", grace)
    world = World()
    task = await world.holding(0, 1)
    for _ in range(calls):
        world.run.stop()
    await task
    assert world.journal.settled(0) == world.journal.settled(1) == [NEW]
    assert world.run.counts() == {NEW: 6}


@in_loop
async def test_a_run_that_is_cancelled_puts_everything_back() -> None:
    world = World(a_contest(5), jobs=1)
    task = await world.holding(4)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert world.journal.begun() == world.pool.begun == [*range(5)]
    assert world.run.counts() == {DONE: 4, NEW: 16}


@in_loop
async def test_the_next_run_plays_the_rest_and_nothing_twice() -> None:
    world = World()
    task = await world.holding(2, 3)
    world.run.stop()
    world.run.stop()
    await task
    later = World(agenda=Agenda(world.agenda))
    await later.run.run()
    assert sorted(later.pool.begun) == [2, 3, 4, 5]
    settled = world.journal.of(Settled) + later.journal.of(Settled)
    done = [one.pairing.number for one in settled if one.pairing.state is DONE]
    assert sorted(done) == [*range(6)]


# to be watched


@in_loop
async def test_a_running_game_can_be_watched_and_ends_as_it_was_written() -> None:
    world = World(jobs=1)
    task = await world.holding(0)
    game = replace(assignment("x", 0), contest=ID)
    (tell,) = world.pool.told
    tell(Progress(0, 9, record(game, 2)))  # of another attempt
    assert world.run.running() == {}
    tell(Progress(0, 1, record(game, 2)))
    table = world.arena.find(record(game).id)
    assert table
    assert world.run.running() == {table.id: 0}
    world.pool.go.set()
    await task
    assert table.result == record(game).result
    tell(Progress(0, 1, record(game, 2)))  # too late
    assert world.run.running() == {}


@in_loop
async def test_a_game_that_is_broken_off_says_so_to_spectators() -> None:
    world = World(jobs=1)
    world.pool.results[0] = [KILLED]
    task = await world.holding(0)
    game = record(assignment("x", 0), 2)
    world.pool.told[0](Progress(0, 1, game))
    world.pool.go.set()
    await task
    table = world.arena.find(game.id)
    assert table
    assert table.result
    assert table.result.reason is Reason.ABORTED


# a ladder


def a_ladder(contest: Contest, **others: Any) -> World:
    agenda = Agenda([], known(contest))
    return World(contest, agenda=agenda, ladder=LadderDraw(contest, ID, agenda), **others)


def drawn_up(world: World) -> list[tuple[int, ...]]:
    """The seats of all games in their order."""
    return [game.seats for entry in world.journal.of(Scheduled) for game in entry.pairings]


@in_loop
async def test_a_ladder_draws_up_its_games_as_it_goes() -> None:
    world = a_ladder(a_contest(4, format=Format.LADDER, rounds=10))
    assert (world.run.coming, world.run.eta) == (40, None)  # the pace is not known yet
    task = world.start()
    await until(lambda: world.run.counts()[DONE] >= 10)
    done, coming = world.run.counts()[DONE], world.run.coming
    assert coming
    assert 38 <= sum(world.run.counts().values()) + coming <= 42
    assert world.run.rate
    assert world.run.eta == pytest.approx(60 * (40 - done) / world.run.rate, rel=0.3)
    await task
    assert world.pool.begun == [*range(len(drawn_up(world)))]
    meetings = Counter(seat for seats in drawn_up(world) for seat in seats)
    assert sorted(meetings) == [0, 1, 2, 3]
    assert min(meetings.values()) >= 2 * 10
    assert world.run.coming == 0


@in_loop
async def test_a_ladder_without_end_goes_on_until_it_is_stopped_and_then_from_there() -> None:
    contest = a_contest(4, format=Format.LADDER, rounds=0)
    world = a_ladder(contest)
    task = world.start()
    await until(lambda: world.run.counts()[DONE] > 20)
    assert world.run.rate
    assert (world.run.coming, world.run.eta) == (None, None)
    world.run.stop()
    await task
    agenda = Agenda(world.agenda, world.agenda.entrants)
    later = World(contest, agenda=agenda, ladder=LadderDraw(contest, ID, agenda))
    task = later.start()
    await until(lambda: later.journal.of(Scheduled))
    assert later.journal.of(Scheduled)[0].pairings[0].number == len(world.agenda)
    later.run.stop()
    await task


@in_loop
async def test_a_ladder_ends_when_too_few_are_left_to_meet() -> None:
    world = a_ladder(a_contest(2, format=Format.LADDER, rounds=0))
    world.agenda.disqualify(Disqualified(ID, 0, "crash", 0))
    await world.run.run()
    assert world.pool.begun == []


def test_one_ranking_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking, alone = threading.Semaphore(1), list[bool]()

    def slow(_pairings: object) -> tuple[int, ...]:
        alone.append(ranking.acquire(blocking=False))
        threading.Event().wait(0.005)
        ranking.release()
        return ()

    monkeypatch.setattr(drawing, "FRESH", 0.0)
    monkeypatch.setattr(drawing, "strongest_first", slow)
    world = in_loop(
        lambda: a_ladder(a_contest(5, format=Format.LADDER, rounds=6), jobs=4).run.run()
    )
    world()
    assert all(alone)
    assert len(alone) > 10


# guests


class Door:
    """Where guests come and go as a test wants it."""

    def __init__(self) -> None:
        self.here: list[str] = []
        self.changed: Callable[[], None] = lambda: None
        self.is_welcome: Callable[[str], bool] = lambda _name: False

    def admit(self, name: str) -> str:
        return name

    def present(self) -> list[str]:
        return self.here

    def watch(self, changed: Callable[[], None]) -> None:
        self.changed = changed

    def welcome(self, newcomer: Callable[[str], bool]) -> None:
        self.is_welcome = newcomer

    def come(self, *names: str) -> None:
        self.here = [*names]
        self.changed()


class Visitors(Guests):
    """Guests whose games a pool plays."""

    def __init__(self, door: Door) -> None:
        super().__init__(None, door)  # type: ignore[arg-type]
        self.pool = FakePool()

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        return await self.pool.play(assignment, tell)


def visited(*entrants: Entrant, **others: Any) -> tuple[World, Door, Visitors]:
    """A contest with these guests, and where they come."""
    contest = Contest("Spring", "connect4", entrants, opening=0, **others)
    door = Door()
    visitors = Visitors(door)
    list(visitors.invite(known(contest)))
    make = a_ladder if contest.format is Format.LADDER else World
    return make(contest, guests=visitors), door, visitors


ANNA, BERT, CORA = (Entrant(name, Kind.OPEN) for name in NAMES[:3])
ENGINES = tuple(Entrant(name, Kind.ENGINE, "random") for name in ("e1", "e2"))
LADDER = Format.LADDER


@in_loop
async def test_a_game_waits_for_its_guests_and_others_do_not_wait() -> None:
    world, door, visitors = visited(*ENGINES, ANNA)
    task = world.start()
    await until(lambda: world.run.counts()[DONE] == 2)
    assert world.run.absent() == ["anna"]
    assert (world.run.rate, world.run.eta) == (None, None)
    assert len(world.pool.begun) == 2
    door.come("anna")
    await task
    assert len(visitors.pool.begun) == 4  # they are played here
    assert visitors.pool.most == 1  # one at a time
    assert world.run.counts() == {DONE: 6}


@in_loop
async def test_newcomers_take_part_in_a_ladder_that_is_open() -> None:
    world, door, _ = visited(ENGINES[0], format=LADDER, rounds=0, newcomers=True)
    task = world.start()
    await asyncio.sleep(0.02)
    assert world.journal.begun() == []
    assert door.is_welcome("zoe")
    assert not door.is_welcome("ZOE")  # the name is taken
    door.come("zoe")
    await until(lambda: world.run.counts()[DONE] >= 2)
    new = [one for entry in world.journal.of(Scheduled) for one in entry.entrants]
    assert new == [EntrantRecord(ID, 1, "zoe", Kind.OPEN, "")]
    assert world.run.contest.entrants[1] == Entrant("zoe", Kind.OPEN)
    world.run.stop()
    assert not door.is_welcome("late")
    await task


@in_loop
async def test_a_guest_that_comes_while_none_can_meet_is_not_overlooked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ranked = asyncio.get_running_loop().create_future()

    async def rank(_function: object, _pairings: Collection[object]) -> tuple[int, ...]:
        await ranked
        return ()

    monkeypatch.setattr(asyncio, "to_thread", rank)
    world, door, _ = visited(ANNA, BERT, format=LADDER, rounds=0)
    task = world.start()
    await asyncio.sleep(0.01)
    ranked.set_result(None)  # in the same turn of the loop
    door.come("anna", "bert")
    await until(lambda: world.run.counts()[DONE])
    world.run.stop()
    await task


@in_loop
async def test_a_ladder_with_open_seats_ends_when_all_have_had_their_meetings() -> None:
    world, door, _ = visited(ANNA, BERT, CORA, format=LADDER, rounds=2)
    task = world.start()
    door.come("anna")
    await asyncio.sleep(0.01)
    assert drawn_up(world) == []
    door.come("anna", "bert")
    await until(lambda: len(drawn_up(world)) == 4 == world.run.counts()[DONE])
    await asyncio.sleep(0.02)
    assert not task.done()  # cora has had no meeting
    door.come("anna", "bert", "cora")
    await task
    assert {*world.run.counts()} == {DONE}
