"""Contests: a schedule is data, and each of its games is begun, settled and counted once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event, func, select, text

from spielwerk.store import contests as contest_reading
from spielwerk.store import reading, scheduling, schema
from spielwerk.store.opening import Store, open_store
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError
from spielwerk.store.records import (
    ContestRecord,
    Ending,
    EntrantRecord,
    Kind,
    Pairing,
    PairingState,
    Reason,
    Removed,
    Scheduled,
    SeatReport,
    Settled,
)
from tests.store.contest_samples import (
    CONTEST,
    CRASHED,
    DONE,
    LATE,
    begun,
    contest,
    disqualified,
    entrants,
    pairing,
    played,
    reports_of,
    scheduled,
    settled,
)
from tests.store.contest_samples import AnyEntry as Entry
from tests.store.contest_samples import BothWriters as Writer
from tests.store.samples import wire

NEW, RUNNING, FAILED, REPEAT = (
    PairingState.NEW,
    PairingState.RUNNING,
    PairingState.FAILED,
    PairingState.REPEAT,
)


def kinds(outcomes: list[StoreError | None]) -> list[type[StoreError] | None]:
    return [None if outcome is None else type(outcome) for outcome in outcomes]


def write(store: Store, *entries: Entry) -> None:
    assert Writer(store).write(entries) == [None] * len(entries)


def find(store: Store, number: int) -> Pairing:
    return contest_reading.pairings(store, CONTEST)[number]


def states(store: Store) -> list[PairingState]:
    return [found.state for found in contest_reading.pairings(store, CONTEST)]


def meeting(*seats: tuple[int, ...]) -> Scheduled:
    """A contest in which these play, two games a meeting."""
    games = [replace(pairing(number), seats=who) for number, who in enumerate(seats)]
    return replace(scheduled(0), pairings=tuple(games))


def kept(store: Store) -> dict[str, int]:
    """How many rows there are of everything that comes with a game."""
    tables = (schema.games, schema.moves, schema.results, schema.wires, schema.reports)
    with store.reading() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables
        }


# the schedule


def test_a_schedule_is_read_as_it_was_written(store: Store) -> None:
    write(store, scheduled(8))
    assert contest_reading.contest(store, CONTEST) == contest()
    assert contest_reading.entrants(store, CONTEST) == [*entrants()]
    assert contest_reading.pairings(store, CONTEST) == [pairing(number) for number in range(8)]


def test_contests_are_newest_first_and_know_nothing_of_each_other(file_store: Store) -> None:
    for when, identity in enumerate(("old", "young")):
        write(file_store, replace(scheduled(4, identity), record=contest(identity, when)))
    write(file_store, begun(1, identity="young"))
    assert [found.id for found in contest_reading.contests(file_store)] == ["young", "old"]
    assert {found.state for found in contest_reading.pairings(file_store, "old")} == {NEW}
    assert contest_reading.counts(file_store, "young")[RUNNING] == 1


def test_a_contest_that_does_not_exist_has_nothing(file_store: Store) -> None:
    assert contest_reading.contests(file_store) == []
    assert contest_reading.contest(file_store, "none") is None
    assert contest_reading.entrants(file_store, "none") == []
    assert contest_reading.pairings(file_store, "none") == []
    assert contest_reading.counts(file_store, "none") == dict.fromkeys(PairingState, 0)
    assert scheduling.put_back(file_store, "none") == 0


def test_more_games_of_no_contest_are_refused(store: Store) -> None:
    entry = Scheduled("none", None, (), (pairing(0, "none"),))
    assert kinds(Writer(store).write([entry])) == [StoreConflict]


@pytest.mark.parametrize(
    "wrong",
    [
        replace(scheduled(4), record=replace(contest(), name="Oware")),
        replace(scheduled(4), entrants=(replace(entrants()[0], name="Anna"),)),
        replace(scheduled(4), pairings=(replace(pairing(0), seed="43"),)),
        replace(scheduled(4), pairings=(replace(pairing(3), seats=(0, 0)),)),
        scheduled(5),
    ],
)
def test_another_schedule_of_that_contest_is_refused_whole(
    file_store: Store, wrong: Scheduled
) -> None:
    write(file_store, scheduled(4))
    assert kinds(Writer(file_store).write([wrong])) == [StoreConflict]
    assert contest_reading.pairings(file_store, CONTEST) == [pairing(number) for number in range(4)]


def test_a_description_that_is_no_json_is_refused_and_harms_nobody(store: Store) -> None:
    bad = Scheduled("c", ContestRecord("c", "", "quarto", (), {"path": object()}, 1))
    outcomes = Writer(store).write([scheduled(1), bad, begun(0)])
    assert kinds(outcomes) == [None, StoreError, None]


def test_hostile_texts_are_kept_as_well_as_possible(store: Store) -> None:
    text, kept = "Zoë \U0001f3b2 \0'\udc80\r\n", "Zoë \U0001f3b2 \ufffd'\ufffd\r\n"
    first = EntrantRecord(CONTEST, 0, text, Kind.COMMAND, text)
    write(store, Scheduled(CONTEST, contest(), (first,), (replace(pairing(0), opening=(text,)),)))
    report = SeatReport(0, status=text, output=text)
    outcome = replace(CRASHED, detail=text)
    ended = settled(0).pairing.cleared(PairingState.DONE, outcome)
    write(store, begun(0), Settled(ended, reports=(report,)))
    write(store, disqualified(0, why=text))
    (entrant,) = contest_reading.entrants(store, CONTEST)
    assert (entrant.name, entrant.text, entrant.disqualified) == (kept, kept, kept)
    assert find(store, 0).opening == (kept,)
    assert find(store, 0).ending == replace(CRASHED, detail=kept)
    assert contest_reading.reports(store, CONTEST, 0) == [SeatReport(0, status=kept, output=kept)]


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [("pairings", "state", "lost"), ("pairings", "end", "bad luck"), ("entrants", "kind", "human")],
)
def test_there_are_no_other_words(store: Store, table: str, column: str, value: str) -> None:
    write(store, scheduled(1))
    change = text(f'UPDATE {table} SET "{column}" = :value')  # noqa: S608
    with pytest.raises(StoreError, match=f"ck_{table}_{column}"), store.writing() as connection:
        connection.execute(change, {"value": value})


def test_a_large_schedule_is_written_in_few_statements(file_store: Store) -> None:
    statements: list[str] = []
    event.listen(
        file_store._engine,
        "before_cursor_execute",
        lambda *arguments: statements.append(arguments[2]),
    )
    write(file_store, scheduled(2000))
    assert len([statement for statement in statements if statement.startswith("INSERT")]) == 3
    assert contest_reading.counts(file_store, CONTEST)[NEW] == 2000


# a game of the schedule


def test_a_game_is_begun_and_settled_with_all_that_was_in_it(store: Store) -> None:
    write(store, scheduled(4), begun(2))
    assert find(store, 2) == replace(pairing(2), state=RUNNING, attempt=1)
    write(store, settled(2))
    game = played(2)
    assert find(store, 2) == replace(
        pairing(2), state=PairingState.DONE, attempt=1, game=game.id, ending=DONE, started=5000
    )
    assert reading.game(store, game.id) == game
    assert reading.wires(store, game.id) == [*settled(2).wires]
    assert contest_reading.reports(store, CONTEST, 2) == [*reports_of(2)]
    assert contest_reading.pairing_of_game(store, game.id) == find(store, 2)
    assert states(store) == [NEW, NEW, PairingState.DONE, NEW]


def test_a_game_is_read_with_the_seat_that_began_it(file_store: Store) -> None:
    write(file_store, scheduled(4))
    for number, options in enumerate((("n=4",), ("width=4", "begins=1"), ("begins=0",))):
        record = replace(played(number), options=options)
        write(file_store, begun(number), replace(settled(number), record=record))
    read = contest_reading.pairings(file_store, CONTEST)
    assert [pairing.begins for pairing in read] == [0, 1, 0, 0]
    assert find(file_store, 1) == read[1]


def test_a_repeated_game_has_the_result_of_the_last_attempt(file_store: Store) -> None:
    write(file_store, scheduled(1), begun(0), settled(0, 1, REPEAT, LATE, repeated=True))
    assert find(file_store, 0) == replace(
        pairing(0),
        state=REPEAT,
        attempt=1,
        repeated=True,
        game=played(0, 1).id,
        ending=LATE,
        started=5000,
        overloaded=True,
    )
    write(file_store, begun(0, 2))
    assert find(file_store, 0) == replace(pairing(0), state=RUNNING, attempt=2, repeated=True)
    assert contest_reading.reports(file_store, CONTEST, 0) == []
    write(file_store, replace(settled(0, 2), reports=reports_of(1)))
    assert find(file_store, 0) == replace(
        pairing(0),
        state=PairingState.DONE,
        attempt=2,
        repeated=True,
        game=played(0, 2).id,
        ending=DONE,
        started=5000,
    )
    assert contest_reading.reports(file_store, CONTEST, 0) == [*reports_of(1)]
    for attempt in (1, 2):
        assert contest_reading.pairing_of_game(file_store, played(0, attempt).id) == find(
            file_store, 0
        )
    assert contest_reading.earlier(file_store, CONTEST) == {0: [played(0, 1).id]}
    assert reading.finished(file_store, 9) == ([], 0)
    assert kept(file_store)["games"] == 2


def test_a_game_that_we_could_not_play_is_found_after_it_was_played(file_store: Store) -> None:
    ours = Ending(Reason.SERVER_ERROR, detail="the disk is full")
    write(file_store, scheduled(1), begun(0), settled(0, 1, FAILED, ours))
    assert contest_reading.earlier(file_store, CONTEST) == {}  # it is what the game has now
    assert scheduling.put_back(file_store, CONTEST) == 1
    write(file_store, begun(0, 2), settled(0, 2))
    assert contest_reading.earlier(file_store, CONTEST) == {0: [played(0, 1).id]}
    write(file_store, Removed(played(0, 1).id))
    assert contest_reading.earlier(file_store, CONTEST) == {}


# failures


def test_nothing_of_a_settled_game_is_written_if_a_part_cannot_be(store: Store) -> None:
    writer = Writer(store)
    writer.write([scheduled(1), begun(0)])
    before = kept(store)
    bad = replace(settled(0), reports=(SeatReport(0, took=2**70),))
    (outcome,) = writer.write([bad])
    assert isinstance(outcome, StoreError)
    assert not isinstance(outcome, NotRunning)
    assert find(store, 0).state is RUNNING
    assert kept(store) == before
    assert writer.write([settled(0)]) == [None]


def test_transcripts_are_numbered_on(store_url: str) -> None:
    for number in range(2):
        with open_store(store_url) as store:
            schedule = [scheduled(2)] if number == 0 else []
            write(store, *schedule, begun(number), settled(number), wire("other"))
    with open_store(store_url) as store:
        assert kept(store)["wires"] == 6
        assert reading.wires(store, played(1).id) == [*settled(1).wires]


# disqualified


def test_the_first_reason_stays(file_store: Store) -> None:
    write(file_store, scheduled(2), disqualified(1), disqualified(1, 5, "It crashed."))
    entrant = contest_reading.entrants(file_store, CONTEST)[1]
    assert (entrant.disqualified, entrant.disqualified_in) == ("It sent garbage.", 0)


# reading


def test_games_are_chosen_by_number_players_and_end(store: Store) -> None:
    met = [(0, 1), (1, 0), (10, 1), (1, 10), (2, 1, 0), (0, 12, 1)]
    write(store, meeting(*met), begun(4), settled(4))

    def numbers(most: int = 9, **chosen: Any) -> list[int]:
        found = contest_reading.some_pairings(store, CONTEST, most, **chosen)
        return [one.number for one in found]

    assert numbers(entrants=(0, 1)) == [0, 1, 4, 5]
    assert numbers(entrants=(1,), after=3) == [4, 5]
    assert numbers(most=2) == [0, 1]
    assert numbers(entrants=(1, 0), end=DONE.reason) == [4]
    assert numbers(entrants=(3,)) == []


def test_what_ended_last_comes_first(store: Store) -> None:
    ends = {0: 50, 1: 70, 2: 70, 3: 20}
    steps = [settled(number, ending=replace(DONE, at=at)) for number, at in ends.items()]
    write(store, scheduled(6), *(begun(number) for number in (*ends, 4)), *steps)
    write(store, settled(4, state=REPEAT, ending=replace(DONE, at=90)))
    assert [one.number for one in contest_reading.latest(store, CONTEST, 3)] == [2, 1, 0]


def test_meetings_are_counted_of_those_who_are_not_out(store: Store) -> None:
    met = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 1), (1, 0)]
    write(store, meeting(*met))
    assert contest_reading.meetings(store, CONTEST) == {0: 2, 1: 3, 2: 1, 3: 0}
    write(store, disqualified(1))
    assert contest_reading.meetings(store, CONTEST) == {0: 2, 2: 1, 3: 0}


def test_how_far_it_is_tells_what_was_dropped_from_what_was_lost(store: Store) -> None:
    write(store, scheduled(8), *(begun(number) for number in range(3)))
    ours = replace(DONE, reason=Reason.SERVER_ERROR, winner=None)
    write(store, settled(0), settled(1, state=FAILED, ending=ours), disqualified(2))
    far = contest_reading.far(store, CONTEST)
    dropped = sum(
        one.state is FAILED and one.ending is None
        for one in contest_reading.pairings(store, CONTEST)
    )
    assert dropped
    assert (far.counts[PairingState.DONE], far.counts[FAILED], far.lost) == (1, dropped + 1, 1)
    assert (far.entrants, far.disqualified) == (len(entrants()), 1)
    assert contest_reading.far(store, "none") == (dict.fromkeys(PairingState, 0), 0, 0, 0)


def test_entrants_and_games_are_those_of_one_moment(store: Store) -> None:
    """Whoever joins a ladder comes with games, and these must not be read without their player."""
    write(store, scheduled(4))
    newcomer = EntrantRecord(CONTEST, 4, "late", Kind.OPEN, "")
    joins = Scheduled(CONTEST, None, (newcomer,), (replace(pairing(4), seats=(4, 0)),))
    told = list[str]()

    def join(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if "FROM entrants" in statement and not told:
            told.append(statement)
            write(store, joins)

    with store.reading() as connection:
        engine = connection.engine
    event.listen(engine, "after_cursor_execute", join)
    people, games = contest_reading.schedule(store, CONTEST)
    event.remove(engine, "after_cursor_execute", join)
    assert told
    known = {one.number for one in people}
    assert all(known >= {*one.seats} for one in games)


def test_moves_are_read_of_some_games_and_counted_of_all(store: Store) -> None:
    write(store, scheduled(6), *(begun(number) for number in range(4)))
    write(store, *(settled(number) for number in range(4)))
    moves = contest_reading.moves(store, CONTEST, range(1, 3))
    assert {number: len(made) for number, made in moves.items()} == {1: 2, 2: 3}
    assert contest_reading.move_counts(store, CONTEST) == {0: 1, 1: 2, 2: 3, 3: 4}


def test_games_with_the_same_moves_have_the_same_trace(file_store: Store) -> None:
    write(file_store, scheduled(8), *(begun(number) for number in range(6)))
    write(file_store, *(settled(number) for number in range(6)))
    first, *others, again = contest_reading.traces(file_store, CONTEST).values()
    assert len(others) == 4
    assert first == again
    assert len({first, *others}) == 5


def test_a_deleted_contest_is_deleted_whole_but_its_games_stay(store: Store) -> None:
    write(store, scheduled(2), begun(0), settled(0))
    with store.writing() as connection:
        connection.execute(schema.contests.delete())
    assert contest_reading.pairings(store, CONTEST) == []
    assert contest_reading.entrants(store, CONTEST) == []
    assert contest_reading.reports(store, CONTEST, 0) == []
    assert reading.game(store, played(0).id) == played(0)


# going on


def test_what_was_left_running_is_put_back(file_store: Store) -> None:
    write(file_store, scheduled(5), *(begun(number) for number in range(4)), settled(0))
    write(file_store, settled(1, state=REPEAT, ending=LATE))
    assert scheduling.put_back(file_store, CONTEST) == 2
    assert states(file_store) == [PairingState.DONE, REPEAT, NEW, NEW, NEW]
    assert [found.attempt for found in contest_reading.pairings(file_store, CONTEST)] == [
        1,
        1,
        1,
        1,
        0,
    ]
    assert scheduling.put_back(file_store, CONTEST) == 0


def test_a_late_result_of_the_dead_process_fits_nowhere(file_store: Store) -> None:
    write(file_store, scheduled(1), begun(0))
    scheduling.put_back(file_store, CONTEST)
    writer = Writer(file_store)
    assert kinds(writer.write([settled(0, 1)])) == [NotRunning]
    assert kinds(writer.write([begun(0, 2), settled(0, 1)])) == [None, NotRunning]
    assert writer.write([settled(0, 2)]) == [None]
    assert kept(file_store)["games"] == 1


def test_games_of_the_disqualified_are_not_put_back(file_store: Store) -> None:
    write(file_store, scheduled(8), begun(0), begun(4), disqualified(0))
    assert scheduling.put_back(file_store, CONTEST) == 1
    assert (find(file_store, 0).state, find(file_store, 4).state) == (FAILED, NEW)


def test_other_contests_are_not_put_back(file_store: Store) -> None:
    write(file_store, scheduled(1), scheduled(1, "other"), begun(0), begun(0, identity="other"))
    assert scheduling.put_back(file_store, CONTEST) == 1
    assert contest_reading.counts(file_store, "other")[RUNNING] == 1
