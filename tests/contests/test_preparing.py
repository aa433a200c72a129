"""Taking contests up into a store: new ones, known ones, grown ones, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.contest import Entrant, Format, Phase, unpack
from spielwerk.contests.programs import sandbox
from spielwerk.contests.running import preparing
from spielwerk.contests.running.preparing import (
    ContestChanged,
    NoSuchContest,
    find,
    store_of,
    take_up,
)
from spielwerk.contests.running.reaching import Unreachable, reachable, tell_jobs
from spielwerk.contests.schedule import draw_up
from spielwerk.errors import SpielwerkError
from spielwerk.store import contests as reading
from spielwerk.store.contest_records import (
    Begun,
    Disqualified,
    End,
    EntrantRecord,
    Kind,
    Outcome,
    Scheduled,
    Settled,
    State,
)
from spielwerk.store.opening import open_store
from spielwerk.store.writing import Writer
from tests.contests.contests import ID, WON, a_contest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spielwerk.contests.contest import Contest
    from spielwerk.store.opening import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "contest.db") as opened:
        yield opened


def test_a_new_contest_is_drawn_up_and_kept(store: Store) -> None:
    contest = a_contest(4, rounds=2)
    taken = take_up(store, contest)
    assert (taken.id, taken.games, taken.added, taken.new) == (ID, 24, 24, True)
    assert [one.name for one in reading.entrants(store, ID)] == ["anna", "bert", "cora", "dirk"]
    assert reading.pairings(store, ID) == list(draw_up(contest, ID))
    record = reading.contest(store, ID)
    assert record
    assert unpack(record.description) == contest
    assert record.created > 1_600_000_000_000


def test_a_known_contest_is_taken_as_it_is(store: Store) -> None:
    take_up(store, a_contest())
    taken = take_up(store, a_contest())
    assert (taken.games, taken.added, taken.new) == (6, 0, False)


def test_the_sandbox_is_remembered_until_somebody_says_otherwise(store: Store) -> None:
    assert not take_up(store, a_contest()).sandbox
    assert take_up(store, a_contest(), sandbox=True).sandbox
    assert take_up(store, a_contest()).sandbox
    assert not take_up(store, replace(a_contest(), name="Autumn")).sandbox
    assert not take_up(store, a_contest(), sandbox=False).sandbox
    assert not take_up(store, a_contest()).sandbox


def test_what_a_dead_process_left_running_is_put_back(store: Store) -> None:
    take_up(store, a_contest())
    writer = Writer(store)
    writer.write([Begun(ID, 0, 1), Begun(ID, 1, 1), Settled(ID, 0, 1, State.DONE, WON)])
    take_up(store, a_contest())
    states = [(one.state, one.attempt) for one in reading.pairings(store, ID)]
    assert states[:3] == [(State.DONE, 1), (State.NEW, 1), (State.NEW, 0)]


def test_where_a_dead_process_was_reached_is_forgotten(store: Store) -> None:
    take_up(store, a_contest())
    with reachable(store, ID, ("127.0.0.1", 1), "secret"):
        take_up(store, a_contest())
        with pytest.raises(Unreachable, match="not running, or without its pages"):
            tell_jobs(store, ID, 3)


def test_what_was_given_up_by_our_own_fault_is_tried_again(store: Store) -> None:
    take_up(store, a_contest())
    ours = Outcome(End.SERVER_ERROR, detail="the disk was full")
    writer = Writer(store)
    for number in (0, 1):
        writer.write([Begun(ID, number, 1), Settled(ID, number, 1, State.FAILED, ours)])
    out = reading.pairings(store, ID)[1].seats[0]
    writer.write([Disqualified(ID, out, "crash", 5)])
    take_up(store, a_contest())
    states = [one.state for one in reading.pairings(store, ID)]
    again = out not in reading.pairings(store, ID)[0].seats
    assert states[0] is (State.REPEAT if again else State.FAILED)
    assert states[1] is State.FAILED


def test_several_contests_share_a_store(store: Store) -> None:
    take_up(store, a_contest())
    other = take_up(store, replace(a_contest(2), name="Autumn"))
    assert other.id == "autumn"
    assert len(reading.contests(store)) == 2
    assert len(reading.pairings(store, ID)) == 6


def test_contests_whose_names_look_alike_in_addresses_share_a_store(store: Store) -> None:
    names = ("C++ Cup", "C# Cup")
    taken = [take_up(store, replace(a_contest(), name=name)) for name in names]
    first, second = (one.id for one in taken)
    assert first == "c-cup"
    assert re.fullmatch("c-cup-[0-9a-f]{8}", second)
    assert [find(store, name).name for name in names] == [*names]
    again = [take_up(store, replace(a_contest(), name=name)) for name in names]
    assert [(one.id, one.new) for one in again] == [(first, False), (second, False)]
    with pytest.raises(NoSuchContest, match=r"'C- Cup': .* there are: "):
        find(store, "C- Cup")


# what has changed


def test_more_rounds_are_added_in_training(store: Store) -> None:
    take_up(store, a_contest(rounds=1))
    Writer(store).write([Begun(ID, 0, 1), Settled(ID, 0, 1, State.DONE, WON)])
    grown = a_contest(rounds=3)
    taken = take_up(store, grown)
    assert (taken.games, taken.added) == (18, 12)
    pairings = reading.pairings(store, ID)
    assert pairings[0].state is State.DONE
    assert pairings[1:] == list(draw_up(grown, ID))[1:]
    assert take_up(store, grown).added == 0
    with pytest.raises(ContestChanged, match="rounds was 3, is 1"):
        take_up(store, a_contest(rounds=1))


def test_more_entrants_are_added_to_a_ladder(store: Store) -> None:
    take_up(store, a_contest(3, format=Format.LADDER, rounds=0))
    taken = take_up(store, a_contest(5, format=Format.LADDER, rounds=0))
    assert len(reading.entrants(store, ID)) == 5
    assert taken.games == 0
    assert len(taken.contest.entrants) == 5


def test_a_ladder_may_go_on_for_ever(store: Store) -> None:
    take_up(store, a_contest(3, format=Format.LADDER, rounds=5))
    take_up(store, a_contest(3, format=Format.LADDER, rounds=0))
    record = reading.contest(store, ID)
    assert record
    assert unpack(record.description).rounds == 0


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"seed": 5}, "seed was 0, is 5"),
        ({"move_time": 9000}, "time.move was 3"),
        ({"rounds": 0, "format": Format.LADDER}, "format was"),
        ({"phase": Phase.COMPETITION}, "phase was"),
    ],
)
def test_other_changes_are_refused(store: Store, changes: dict[str, object], told: str) -> None:
    take_up(store, a_contest())
    with pytest.raises(ContestChanged, match=told):
        take_up(store, replace(a_contest(), **changes))  # type: ignore[arg-type]


def test_more_entrants_meet_all_others_in_training(store: Store) -> None:
    take_up(store, a_contest(3))
    taken = take_up(store, a_contest(4))
    assert (taken.games, taken.added) == (12, 6)
    met = {frozenset(one.seats) for one in reading.pairings(store, ID)}
    assert len(met) == 6


def test_an_entrant_in_the_middle_of_a_ladder_is_refused(store: Store) -> None:
    contest = a_contest(3, format=Format.LADDER, rounds=0)
    take_up(store, contest)
    first, *others = contest.entrants
    new = Entrant("zoe", Kind.ENGINE, "random")
    with pytest.raises(ContestChanged, match="at the end"):
        take_up(store, replace(contest, entrants=(first, new, *others)))


@pytest.mark.parametrize("name", ["Eva", "eva"])
def test_nobody_is_added_under_the_name_of_a_newcomer(store: Store, name: str) -> None:
    contest = a_contest(format=Format.LADDER, newcomers=True)
    take_up(store, contest)
    Writer(store).write([Scheduled(ID, entrants=(EntrantRecord(ID, 3, "Eva", Kind.OPEN, ""),))])
    described = Entrant(name, Kind.ENGINE, "random")
    with pytest.raises(ContestChanged, match=f"entrant '{name}': a newcomer 'Eva' has that name"):
        take_up(store, replace(contest, entrants=(*contest.entrants, described)))
    herself = Entrant("Eva", Kind.OPEN)
    taken = take_up(store, replace(contest, entrants=(*contest.entrants, herself)))
    assert taken.contest.entrants[3:] == (herself,)


def test_nothing_is_added_to_a_competition(store: Store) -> None:
    take_up(store, a_contest(phase=Phase.COMPETITION))
    with pytest.raises(ContestChanged, match="stays as it was"):
        take_up(store, a_contest(phase=Phase.COMPETITION, rounds=2))


def test_what_has_changed_is_what_is_to_be_put_back(store: Store) -> None:
    def competition(digest: str, seed: int = 0) -> Contest:
        program = Entrant("zoe", Kind.COMMAND, "./bot", digest=digest)
        contest = a_contest(phase=Phase.COMPETITION, seed=seed)
        return replace(contest, entrants=(*contest.entrants, program))

    take_up(store, competition("a"))
    with pytest.raises(ContestChanged, match=r"another program: .*or put the program back$"):
        take_up(store, competition("b"))
    with pytest.raises(ContestChanged, match=r"or put the description back$"):
        take_up(store, competition("a", seed=3))
    with pytest.raises(ContestChanged, match=r"or put the description and the program back$"):
        take_up(store, competition("b", seed=3))


def test_of_many_changes_the_first_are_told(store: Store) -> None:
    take_up(store, a_contest(2))
    changed = a_contest(5, seed=1, move_time=5000, start=2.0)
    with pytest.raises(ContestChanged, match="and 1 more") as raised:
        take_up(store, changed)
    assert "\n" not in str(raised.value)


# finding it


def test_a_contest_that_is_not_there_is_told_with_those_that_are(store: Store) -> None:
    with pytest.raises(NoSuchContest, match="there are: none"):
        find(store, "Spring")
    take_up(store, replace(a_contest(), name="Autumn"))
    with pytest.raises(NoSuchContest, match=r"'Spring': .* no contest spring; there are: autumn"):
        find(store, "Spring")
    take_up(store, a_contest())
    assert find(store, "Spring").id == ID


def test_the_store_lies_beside_the_description(tmp_path: Path) -> None:
    assert store_of(tmp_path / "cup.toml", None) == str(tmp_path / "cup.db")
    assert store_of(tmp_path / "cup.toml", "sqlite:///x.db") == "sqlite:///x.db"
    with pytest.raises(SpielwerkError, match="name of a store"):
        store_of(tmp_path / "cup.db", None)


# where it is played


def test_a_sandbox_that_is_not_there_is_told_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "available", lambda: "there is no bwrap")
    preparing.check_place(a_contest(), sandboxed=False)
    with pytest.raises(SpielwerkError, match="--sandbox: there is no bwrap"):
        preparing.check_place(a_contest(), sandboxed=True)


def test_nobody_is_reached_from_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "available", lambda: None)
    far = Entrant("hagen", Kind.REMOTE, "oware.example.org:7889")
    contest = replace(a_contest(), entrants=(*a_contest().entrants, far))
    with pytest.raises(SpielwerkError, match=r"'hagen'.*no network"):
        preparing.check_place(contest, sandboxed=True)
