from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import event, func, select

from spielwerk.store import reading, schema
from spielwerk.store.opening import Store
from spielwerk.store.records import Created, Ending, GameRecord, Reviewed, Seated, TakenBack
from tests.store.contest_samples import AnyEntry as Entry
from tests.store.contest_samples import BothWriters as Writer
from tests.store.contest_samples import begun, scheduled, settled
from tests.store.samples import ABORTED, SEATS, WON, after, created, ended, move, moved, wire


def write(store: Store, *entries: Entry) -> None:
    assert Writer(store).write(entries) == [None] * len(entries)


def test_unfinished_games_come_whole_and_oldest_first(store: Store) -> None:
    young, old, done = created("a", when=30), created("b", when=10), created("c", when=20)
    steps = [moved("a", 0, 1), moved("a", 2)]
    write(store, young, old, done, *steps, moved("c", 0, result=WON))
    assert reading.unfinished(store) == [old.record, after(young.record, *steps)]


def test_what_was_agreed_before_a_game_is_kept(store: Store) -> None:
    helped = (replace(move(0), hints=2),)
    timed = replace(created("a").record, game_time=300_000, increment=2000, moves=helped)
    record = replace(timed, start="........ 0", training=True)
    write(store, Created(record))
    assert reading.game(store, "a") == record


def test_many_games_take_few_queries(store: Store) -> None:
    games = [
        Created(replace(created(when=number).record, moves=tuple(map(move, range(10)))))
        for number in range(100)
    ]
    write(store, *games)
    queries: list[str] = []
    event.listen(
        store._engine, "before_cursor_execute", lambda *arguments: queries.append(arguments[2])
    )
    assert reading.unfinished(store) == [entry.record for entry in games]
    assert len([query for query in queries if query.startswith("SELECT")]) == 5


def test_moves_taken_back_never_were(store: Store) -> None:
    entry = created("a")
    write(store, entry, created("b"), moved("a", 0, 1, 2), moved("b", 0, 1, 2))
    write(store, TakenBack("a", 1))
    write(store, moved("a", 1))
    assert reading.game(store, "a") == after(entry.record, moved("a", 0, 1))
    other = reading.game(store, "b")
    assert other
    assert len(other.moves) == 3


def test_the_review_with_the_most_effort_counts(store: Store) -> None:
    write(store, created("a"), created("b"))
    assert reading.review(store, "a") is None
    for effort in (1, 2, 0):
        write(store, Reviewed("a", effort, {"effort": effort}, effort, [effort]))
    assert reading.review(store, "a") == Reviewed("a", 2, {"effort": 2}, 2, [2])
    assert reading.review(store, "b") is None


def test_games_that_ended_since(store: Store) -> None:
    for number in range(4):
        result = replace(WON, at=1000 + number)
        write(store, created(f"{number}", when=number), ended(f"{number}", result))
    write(store, created("unfinished"))
    assert [record.id for record in reading.finished_since(store, 1002)] == ["2", "3"]
    assert reading.finished_since(store, 1004) == []
    (last,) = reading.finished_since(store, 1003)
    assert last.result == Ending(WON.reason, WON.winner, WON.detail, at=1003)


def test_a_game_that_does_not_exist(store: Store) -> None:
    write(store, created("abc"))
    assert reading.game(store, "ABC") is None
    assert reading.game(store, "") is None
    assert reading.wires(store, "abc") == []


def test_summaries_are_newest_first(store: Store) -> None:
    write(store, created("a", when=10), created("b", when=30), created("c", when=20))
    write(store, moved("b", 0, 1, 2), ended("c"))
    newest, second, oldest = reading.games(store)
    assert newest == reading.GameSummary("b", "quarto", "Finale", 30, 3, SEATS, None, ("n=4",))
    assert (second.id, second.moves, second.result) == ("c", 0, ABORTED)
    assert oldest.id == "a"


@pytest.mark.parametrize("size", [2, 7])
def test_summaries_come_page_by_page(store: Store, size: int) -> None:
    write(store, *(created(f"game{number}", when=number // 3) for number in range(7)))
    seen: list[str] = []
    page = reading.games(store, limit=size)
    while page:
        assert len(page) <= size
        seen += [summary.id for summary in page]
        page = reading.games(store, limit=size, before=page[-1])
    assert seen == [f"game{number}" for number in reversed(range(7))]


def test_finished_games_are_found_by_text_and_moment(store: Store) -> None:
    for number in range(4):
        write(store, created(str(number), when=10 * number))
    renamed = replace(created("4", when=40).record, name="100%_\\'Ä")
    write(store, Created(renamed), *(ended(str(number)) for number in (0, 1, 2, 4)))
    write(store, Seated("1", 0, "Otto"))

    def found(limit: int = 9, text: str = "", before: int | None = None) -> list[str]:
        games, count = reading.finished(store, limit, text, before)
        assert count == 4
        return [game.id for game in games]

    assert found() == ["4", "2", "1", "0"]
    assert found(limit=2) == ["4", "2"]
    assert found(before=20) == ["1", "0"]
    assert found(text="FINALE", before=20) == ["1", "0"]
    assert found(text="otto") == ["1"]
    assert found(text="ULI") == ["4", "2", "1", "0"]
    for part in ("0%_", "%_", "\\", "'", "Ä"):
        assert found(text=part) == ["4"]
    assert found(text="%%") == found(text="F_nale") == []


def test_games_of_a_contest_are_not_among_the_finished_ones(store: Store) -> None:
    write(store, created("a", when=1), created("b", when=10**15), ended("a"), ended("b"))
    write(store, scheduled(3), *(entry for one in range(3) for entry in (begun(one), settled(one))))
    for limit, text in ((1, ""), (9, ""), (9, "finale")):
        games, count = reading.finished(store, limit, text)
        assert [game.id for game in games] == ["b", "a"][:limit]
        assert count == 2
    assert len(reading.games(store)) == 5


def test_a_seat_has_the_name_of_its_last_player(store: Store) -> None:
    write(store, created("a"), Seated("a", 0, "Anna"), created("b"), Seated("b", 1, "Bert"))
    write(store, Seated("a", 0, "Otto"), Seated("a", 1, "Anna"))
    write(store, Seated("a", 0, "Anna"))
    names = {game.id: [seat.name for seat in game.seats] for game in reading.unfinished(store)}
    assert names == {"a": ["Anna", "Anna"], "b": ["Uli", "Bert"]}
    assert reading.games(store)[0].seats == (SEATS[0], replace(SEATS[1], name="Bert"))


def test_transcripts_come_in_the_order_of_their_connections(store: Store) -> None:
    late, early = wire("abc", opened=20), wire("abc", opened=10, traffic=bytes(range(256)))
    seatless = replace(wire("abc", opened=15), seat=None)
    write(store, late, early, seatless, wire("other"))
    assert reading.wires(store, "abc") == [early, seatless, late]


def test_a_reader_sees_one_moment_and_blocks_no_writer(store: Store) -> None:
    write(store, created("a"))
    count = select(func.count()).select_from(schema.games)
    with store.reading() as connection:
        before = connection.scalar(count)
        write(store, created("b"))
        assert connection.scalar(count) == before == 1
    assert len(reading.unfinished(store)) == 2


def test_a_writer_blocks_no_reader(store: Store) -> None:
    write(store, created("a"))
    with store.writing() as connection:
        connection.execute(schema.results.delete())
        connection.execute(schema.games.delete())
        assert len(reading.unfinished(store)) == 1
        assert len(reading.games(store)) == 1


def test_many_threads_read_while_one_writes(store: Store) -> None:
    writer = Writer(store)
    writer.write([created("abc")])

    def look(_: int) -> bool:
        (record,) = reading.unfinished(store)
        return is_gapless(record)

    with ThreadPoolExecutor(8) as pool:
        looks = pool.map(look, range(80))
        for number in range(40):
            assert writer.write([moved("abc", number)]) == [None]
        assert all(looks)


def is_gapless(record: GameRecord) -> bool:
    return [move.number for move in record.moves] == [*range(len(record.moves))]
