"""All tables of a server."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from datetime import datetime

import pytest

from spielwerk.errors import NotationError, OptionError, UnknownGame, UsageError
from spielwerk.games import CHANCE, find_game
from spielwerk.store.records import Created, Reason, SeatKind, SeatRecord
from spielwerk.tables.arena import Arena, ArenaRules, Unavailable
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.parts import Creator
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import World
from tests.tables.test_table import StubOccupant

QUARTO = NewTable("quarto")


@pytest.fixture
def world() -> World:
    return World()


def test_the_first_11_characters_find_a_table_and_no_others_do(world: World) -> None:
    table = world.table(QUARTO)
    start = table.id[:11]
    assert world.arena.find_short(start) is world.arena.find_short(table.id) is table
    assert world.arena.find(start) is None
    for wrong in (table.id[:12], table.id[:10], start.upper(), f"{start}--", f"{table.id}0"):
        assert world.arena.find_short(wrong) is None


def test_games_and_seats_have_usual_names(world: World) -> None:
    record = world.table(QUARTO).record
    made = datetime.fromtimestamp(record.created / 1000)  # noqa: DTZ006 - the machine's own time
    assert record.name == f"Game from {made:%Y-%m-%d %H:%M}"
    assert [seat.name for seat in record.seats] == ["Player 1", "Player 2"]


def test_a_table_is_in_the_journal_before_it_is_anywhere_else(world: World) -> None:
    table = world.table(QUARTO)
    (entry,) = world.journal.entries
    assert isinstance(entry, Created)
    assert entry.record == table.record
    assert world.arena.find(table.id) is table


def test_a_table_that_cannot_be_kept_is_not_there(world: World) -> None:
    world.journal.broken = OSError("disk full")
    with pytest.raises(OSError, match="disk full"):
        world.table(QUARTO)
    assert len(world.arena) == 0


def test_who_begins_and_with_which_stone_is_drawn() -> None:
    drawn = set()
    for seed in range(40):
        table = World(seed=seed).table(QUARTO)
        drawn.add((table.turn, str(table.state).split()[-1]))
    assert {turn for turn, _ in drawn} == {0, 1}
    assert len({stone for _, stone in drawn}) > 8


# games that start elsewhere

FLYING = "0.0.0.../1.1.1.1./........ hand 0 0 player 0 capture 0 quiet 0"
ENGINES = (SeatRecord(SeatKind.ENGINE, "", "random"),) * 3


def test_a_start_is_kept_and_survives_a_restart(world: World) -> None:
    table = world.table(NewTable("morris", start=FLYING))
    assert (str(table.state), table.turn) == (FLYING, 0)
    table.play(table.seats[0], "A0:C7", lambda _: None)
    reborn = World()
    moves = tuple(world.journal.moves(table.id))
    reborn.arena.restore([replace(table.record, moves=moves)])
    (again,) = reborn.arena
    assert (again.state, str(again.history.start)) == (table.state, FLYING)


def test_the_usual_start_is_nothing_to_keep(world: World) -> None:
    usual = str(find_game("dice")().start())
    assert world.table(NewTable("dice", start=usual)).record.start == ""


def test_what_chance_has_to_decide_at_a_start_is_drawn(world: World) -> None:
    start = "saved 5 0 0 points 7 turns 0 throw"
    wish = NewTable("dice", ("begins=0",), seats=ENGINES, start=start, pause=60_000)
    table = world.table(wish)
    (thrown,) = table.history.records()
    assert (table.record.start, thrown.seat) == (start, CHANCE)


def test_a_start_says_itself_whose_turn_it_is() -> None:
    one = "......./......./......./......./......./...1..."
    persons = (SeatRecord(SeatKind.PERSON, ""),) * 2
    for seed in range(6):  # who begins is not drawn
        table = World(seed=seed).table(NewTable("connect4", seats=persons, start=one))
        assert table.turn == 1


@pytest.mark.parametrize(
    ("game", "start", "problem"),
    [
        ("morris", FLYING.replace("0.0.0", "0.0.."), "the game is over there: the seventh"),
        ("morris", FLYING.replace("0.0.0", "0...."), "is no Morris position: who loses"),
        ("morris", "." * 5000, "4096 characters"),
        ("connect4", "......./......./......./......./......./...1...", "cannot be told a board"),
        ("dice", "saved 1 0 0 points 0 turns 0 choose", "count their points from 0"),
    ],
)
def test_starts_that_cannot_be(world: World, game: str, start: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        world.table(NewTable(game, start=start))
    assert len(world.arena) == 0


def test_names_that_would_break_a_line(world: World) -> None:
    for name in ("a\nb", "a\0", "\x1b[2J", "x" * 81, "\u2028"):
        seats = (SeatRecord(SeatKind.CLIENT, name), SeatRecord(SeatKind.CLIENT, ""))
        for wish in (replace(QUARTO, name=name), replace(QUARTO, seats=seats)):
            with pytest.raises(UsageError):
                world.table(wish)
    assert world.journal.entries == []


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        (NewTable("chess"), UnknownGame),
        (replace(QUARTO, options=("n=17",)), OptionError),
        (replace(QUARTO, move_time=9), OptionError),
        (replace(QUARTO, move_time=10**9), OptionError),
        (replace(QUARTO, seats=(SeatRecord(SeatKind.CLIENT, ""),)), UsageError),
    ],
)
def test_tables_that_cannot_be(world: World, wish: NewTable, error: type[Exception]) -> None:
    with pytest.raises(error):
        world.table(wish)
    assert len(world.arena) == 0


def test_an_engine_that_cannot_be(world: World) -> None:
    seats = (SeatRecord(SeatKind.ENGINE, "", "level=11"), SeatRecord(SeatKind.CLIENT, ""))
    with pytest.raises(NotationError, match="level goes from 1 to 10"):
        world.table(replace(QUARTO, seats=seats))


def test_no_new_games_when_the_server_stops(world: World) -> None:
    world.arena.stop("closing time")
    with pytest.raises(Unavailable):
        world.table(QUARTO)


# shares


def of(address: str, browser: str = "") -> NewTable:
    return replace(QUARTO, creator=Creator(address, browser))


def test_there_may_be_so_many_unfinished_games(world: World) -> None:
    world.arena.rules = ArenaRules(tables=2)
    first = world.table(of("anna"))
    world.table(of("bert"))
    with pytest.raises(UsageError, match="there are 2 unfinished games"):
        world.table(of("eve"))
    first.abort(Reason.ABORTED, "")
    world.run()
    world.table(of("eve"))


def test_one_who_has_most_games_makes_room_for_others(world: World) -> None:
    world.arena.rules = ArenaRules(tables=5)
    honest = world.table(of("anna"))  # deserted longest, but her only one
    flood = [world.table(of("eve", browser)) for browser in ("one", "two", "two", "two")]
    world.run(10)
    flood[1].visited()
    new = [world.table(of("bert")), world.table(of("carl"))]
    world.run()
    assert [table.over for table in (honest, *flood, *new)] == [
        *(False, False, False, True, True, False, False)
    ]
    (ending,) = world.journal.results(flood[2].id)
    assert (ending.reason, ending.detail) == (
        Reason.ABORTED,
        "the table was needed for another game: nobody had been there for 10 s",
    )


def test_those_who_play_many_games_are_not_kept_out_by_many_who_left_theirs(world: World) -> None:
    world.arena.rules = ArenaRules(tables=8)
    played = [world.table(of("class")) for _ in range(4)]
    for table in played:
        table.viewers = 1
    left = [world.table(of(f"eve {n % 2}")) for n in range(4)]
    world.run(10)
    world.table(of("class"))
    world.run()
    assert not any(table.over for table in played)
    assert [table.over for table in left].count(True) == 1


def test_a_move_of_an_engine_does_not_keep_a_deserted_game(world: World) -> None:
    world.arena.rules = ArenaRules(tables=2)
    wish = replace(with_seats("random", ""), pause=60_000, creator=Creator("eve"))
    games = [world.table(wish) for _ in range(2)]
    world.run(10)
    for table in games:
        table.play(table.seats[0], "A0", lambda _: None)
    world.run()
    assert all(table.history for table in games)
    world.table(of("anna"))


def test_an_address_has_a_share_whatever_room_there_is(world: World) -> None:
    world.arena.rules = ArenaRules(tables_each=2)
    own = [world.table(of("eve")) for _ in range(2)]
    with pytest.raises(UsageError, match="2 unfinished games were set up from your address"):
        world.table(of("eve"))
    world.table(of("anna"))
    world.run(10)
    own.append(world.table(of("eve")))
    world.run()
    assert [table.over for table in own] == [True, False, False]


def test_an_address_has_so_many_games_between_engines(world: World) -> None:
    world.arena.rules = ArenaRules(engine_tables=2)
    wish = replace(with_seats("random", "random"), pause=60_000)
    own = [world.table(replace(wish, creator=Creator("eve"))) for _ in range(2)]
    with pytest.raises(UsageError, match=r"2 games between engines .* your address are running"):
        world.table(replace(wish, creator=Creator("eve")))
    for other in (replace(wish, creator=Creator("anna")), wish, wish, of("eve")):
        world.table(other)
    own[0].abort(Reason.ABORTED, "enough")
    world.run()
    world.table(replace(wish, creator=Creator("eve")))


def test_games_that_are_played_or_watched_never_make_room(world: World) -> None:
    world.arena.rules = ArenaRules(tables=3)
    tables = [world.table(of("eve")) for _ in range(3)]
    tables[1].viewers = 1
    world.run(10)
    world.join(tables[0], 0)
    world.join(tables[2], 0).reset()  # it may come back for a while
    with pytest.raises(UsageError, match="there are 3 unfinished games"):
        world.table(of("anna"))
    assert not any(table.over for table in tables)


def test_the_operator_is_never_refused_and_games_of_an_earlier_run_make_room(world: World) -> None:
    kept = [world.table(of("eve")).record for _ in range(3)]
    reborn = World()
    reborn.arena.rules = ArenaRules(tables=3)
    reborn.arena.restore(kept)
    own = [reborn.table(QUARTO) for _ in range(4)]
    assert len(reborn.arena) == 7
    reborn.run(10)
    reborn.table(of("anna"))
    reborn.run()
    assert [bool(reborn.journal.results(one.id)) for one in kept] == [True, False, False]
    assert not any(table.over for table in own)


@pytest.mark.parametrize(("hours", "there"), [(23.9, True), (24.1, False)])
def test_a_table_without_players_is_ended(world: World, hours: float, there: bool) -> None:
    table = world.table(QUARTO)
    world.run(hours * 3600)
    world.arena.sweep()
    world.run()
    assert table.over is not there
    if not there:
        (result,) = world.journal.results(table.id)
        assert result.reason is Reason.ABORTED
        world.run(61)
        world.arena.sweep()
        assert world.arena.find(table.id) is None


def test_the_age_counts_from_when_the_last_one_left(world: World) -> None:
    table = world.table(QUARTO)
    peer = world.join(table, 1 - table.turn)
    for _ in range(100):
        peer.say("OKWAIT", wait=1.0)
    peer.reset()
    left = table.deserted_since
    assert left == world.monotonic()


def test_finished_games_are_forgotten_one_after_the_other(world: World) -> None:
    tables = [world.table(QUARTO) for _ in range(3)]
    for table in tables:
        table.abort(Reason.ABORTED, "")
        world.run(20)
    world.run(1)
    world.arena.sweep()
    assert [world.arena.find(table.id) is table for table in tables] == [False, True, True]


def test_a_game_that_cannot_be_read_does_not_stop_the_others(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    good = world.table(QUARTO).record
    world.arena.restore([replace(good, id="x" * 11, game="chess"), replace(good, id="y" * 11)])
    assert world.arena.find("y" * 11)
    assert "cannot restore game=xxxx..." in caplog.text
    assert "x" * 11 not in caplog.text


def reason(table: Table) -> Reason | None:
    return table.result.reason if table.result else None


def with_seats(*players: str) -> NewTable:
    """Morris with these engines; an empty text is a client's seat."""
    kinds = [(SeatKind.ENGINE if player else SeatKind.CLIENT, player) for player in players]
    return NewTable("morris", seats=tuple(SeatRecord(kind, "", player) for kind, player in kinds))


def test_engines_play_each_other_to_the_end() -> None:
    """In real threads."""

    async def play() -> Reason | None:
        world = World()
        arena = Arena(world.journal, world)
        table = await world.made(arena, with_seats("random", "random"))
        await world.until(lambda: table.over)
        arena.stop("done")
        return reason(table)

    assert asyncio.run(play()) in (Reason.WIN, Reason.DRAW)


def test_an_engine_that_fails_ends_its_game_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("out of ideas")

    async def play() -> list[Reason | None]:
        world = World()
        arena = Arena(world.journal, world)
        monkeypatch.setattr(arena.engines, "choose", fail)
        broken = await world.made(arena, with_seats("random", ""))
        await world.until(lambda: broken.over)
        other = await world.made(arena, QUARTO)
        arena.stop("done")
        return [reason(broken), reason(other)]

    assert asyncio.run(play()) == [Reason.SERVER_ERROR, None]
    assert "engine failed" in caplog.text


def test_an_engines_move_that_cannot_be_kept_is_offered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("spielwerk.tables.occupants.PAUSE", 0.001)

    async def play() -> int:
        world = World()
        arena = Arena(world.journal, world)
        table = await world.made(arena, with_seats("", "random"))
        seat = table.sit(StubOccupant())
        world.journal.hold = True
        table.play(seat, "A1", lambda _error: None)
        world.journal.release()
        await world.until(lambda: world.journal.held)
        world.journal.broken = OSError("disk full")
        world.journal.release()
        world.journal.broken, world.journal.hold = None, False
        await world.until(lambda: table.turn == 0)
        arena.stop("done")
        return len(table.history)

    assert asyncio.run(play()) == 2


def test_a_new_game_does_not_wait_for_engines_that_think() -> None:
    async def check() -> None:
        pool, thought = EnginePool(1), threading.Event()
        thinking = asyncio.ensure_future(pool.thinking.think(lambda *_: thought.wait()))
        try:
            async with asyncio.timeout(30):
                await pool.check(find_game("dice").from_text(()), "random")
            assert not thinking.done()
        finally:
            thought.set()
            await thinking
            pool.close()

    asyncio.run(check())


@pytest.mark.parametrize(("wanted", "processors", "threads"), [(0, 8, 7), (0, None, 1), (3, 8, 3)])
def test_engines_leave_a_processor_to_the_players(
    wanted: int, processors: int | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    pool = EnginePool(wanted)
    assert pool.thinking.threads == threads
    pool.close()
