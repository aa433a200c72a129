"""A contest in its store: drawn up, taken up again or grown, and reached while it runs."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from spielwerk.contests.contest import Contest, ContestError, Entrant, Format, Phase, unpack
from spielwerk.contests.programs import sandbox
from spielwerk.contests.schedule import draw_up
from spielwerk.contests.stored import (
    ContestUnreachable,
    check_place,
    find,
    jobs_of,
    reachable,
    store_of,
    take_up,
    tell_jobs,
)
from spielwerk.errors import SpielwerkError
from spielwerk.store import contests as reading
from spielwerk.store.opening import Store, open_store
from spielwerk.store.records import (
    Begun,
    Disqualified,
    Ending,
    EntrantRecord,
    Kind,
    PairingState,
    Reason,
    Scheduled,
)
from spielwerk.store.scheduling import ScheduleWriter
from tests.contests.contests import ID, a_contest, first_attempt


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
    with reachable(store, ID, ("127.0.0.1", 1), "secret"):
        taken = take_up(store, a_contest())
        assert (taken.games, taken.added, taken.new) == (6, 0, False)
        with pytest.raises(ContestUnreachable, match="not running, or without its pages"):
            tell_jobs(store, ID, 3)  # where a dead process was reached is forgotten


def test_the_sandbox_is_remembered_until_somebody_says_otherwise(store: Store) -> None:
    assert not take_up(store, a_contest()).sandbox
    assert take_up(store, a_contest(), sandbox=True).sandbox
    assert take_up(store, a_contest()).sandbox
    other = take_up(store, replace(a_contest(), name="Autumn"))
    assert (other.id, other.sandbox) == ("autumn", False)
    assert not take_up(store, a_contest(), sandbox=False).sandbox
    assert not take_up(store, a_contest()).sandbox


def test_what_a_dead_process_left_running_is_put_back(store: Store) -> None:
    take_up(store, a_contest())
    writer = ScheduleWriter(store)
    writer.write([Begun(ID, 1, 1), *first_attempt(0)])
    take_up(store, a_contest())
    states = [(one.state, one.attempt) for one in reading.pairings(store, ID)]
    assert states[:3] == [(PairingState.DONE, 1), (PairingState.NEW, 1), (PairingState.NEW, 0)]


def test_what_was_given_up_by_our_own_fault_is_tried_again(store: Store) -> None:
    take_up(store, a_contest())
    ours = Ending(Reason.SERVER_ERROR, detail="the disk was full")
    writer = ScheduleWriter(store)
    for number in (0, 1):
        writer.write(first_attempt(number, PairingState.FAILED, ours))
    out = reading.pairings(store, ID)[1].seats[0]
    writer.write([Disqualified(ID, out, "crash", 5)])
    take_up(store, a_contest())
    states = [one.state for one in reading.pairings(store, ID)]
    again = out not in reading.pairings(store, ID)[0].seats
    assert states[0] is (PairingState.REPEAT if again else PairingState.FAILED)
    assert states[1] is PairingState.FAILED


def test_contests_whose_names_look_alike_in_addresses_share_a_store(store: Store) -> None:
    names = ("C++ Cup", "C# Cup")
    taken = [take_up(store, replace(a_contest(), name=name)) for name in names]
    first, second = (one.id for one in taken)
    assert first == "c-cup"
    assert re.fullmatch("c-cup-[0-9a-f]{8}", second)
    assert [find(store, name).name for name in names] == [*names]
    again = [take_up(store, replace(a_contest(), name=name)) for name in names]
    assert [(one.id, one.new) for one in again] == [(first, False), (second, False)]
    with pytest.raises(ContestError, match=r"'C- Cup': .* there are: "):
        find(store, "C- Cup")


# what has changed


def test_more_rounds_are_added_in_training(store: Store) -> None:
    take_up(store, a_contest(rounds=1))
    ScheduleWriter(store).write(first_attempt(0))
    grown = a_contest(rounds=3)
    taken = take_up(store, grown)
    assert (taken.games, taken.added) == (18, 12)
    pairings = reading.pairings(store, ID)
    assert pairings[0].state is PairingState.DONE
    assert pairings[1:] == list(draw_up(grown, ID))[1:]
    assert take_up(store, grown).added == 0
    with pytest.raises(ContestError, match="rounds was 3, is 1"):
        take_up(store, a_contest(rounds=1))


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
    with pytest.raises(ContestError, match=told):
        take_up(store, replace(a_contest(), **changes))  # type: ignore[arg-type]


def test_more_entrants_meet_all_others_in_training(store: Store) -> None:
    take_up(store, a_contest(3))
    taken = take_up(store, a_contest(4))
    assert (taken.games, taken.added) == (12, 6)
    met = {frozenset(one.seats) for one in reading.pairings(store, ID)}
    assert len(met) == 6
    assert len(taken.contest.entrants) == len(reading.entrants(store, ID)) == 4


def test_an_entrant_in_the_middle_of_a_ladder_is_refused(store: Store) -> None:
    contest = a_contest(3, format=Format.LADDER, rounds=0)
    take_up(store, contest)
    first, *others = contest.entrants
    new = Entrant("zoe", Kind.ENGINE, "random")
    with pytest.raises(ContestError, match="at the end"):
        take_up(store, replace(contest, entrants=(first, new, *others)))


@pytest.mark.parametrize("name", ["Eva", "eva"])
def test_nobody_is_added_under_the_name_of_a_newcomer(store: Store, name: str) -> None:
    contest = a_contest(format=Format.LADDER, newcomers=True)
    take_up(store, contest)
    ScheduleWriter(store).write(
        [Scheduled(ID, entrants=(EntrantRecord(ID, 3, "Eva", Kind.OPEN, ""),))]
    )
    described = Entrant(name, Kind.ENGINE, "random")
    with pytest.raises(ContestError, match=f"entrant '{name}': a newcomer 'Eva' has that name"):
        take_up(store, replace(contest, entrants=(*contest.entrants, described)))
    herself = Entrant("Eva", Kind.OPEN)
    taken = take_up(store, replace(contest, entrants=(*contest.entrants, herself)))
    assert taken.contest.entrants[3:] == (herself,)


def test_nothing_is_added_to_a_competition(store: Store) -> None:
    take_up(store, a_contest(phase=Phase.COMPETITION))
    with pytest.raises(ContestError, match="stays as it was"):
        take_up(store, a_contest(phase=Phase.COMPETITION, rounds=2))


def test_another_program_is_no_longer_the_competition(store: Store) -> None:
    def competition(digest: str) -> Contest:
        program = Entrant("zoe", Kind.COMMAND, "./bot", digest=digest)
        contest = a_contest(phase=Phase.COMPETITION)
        return replace(contest, entrants=(*contest.entrants, program))

    take_up(store, competition("a"))
    with pytest.raises(ContestError, match=r"another program: .*or put everything back$"):
        take_up(store, competition("b"))


def test_of_many_changes_the_first_are_told(store: Store) -> None:
    take_up(store, a_contest(2))
    changed = a_contest(5, seed=1, move_time=5000, start=2.0)
    with pytest.raises(ContestError, match="and 1 more") as raised:
        take_up(store, changed)
    assert "\n" not in str(raised.value)


# finding it


def test_a_contest_that_is_not_there_is_told_with_those_that_are(store: Store) -> None:
    with pytest.raises(ContestError, match="there are: none"):
        find(store, "Spring")
    take_up(store, replace(a_contest(), name="Autumn"))
    with pytest.raises(ContestError, match=r"'Spring': .* no contest spring; there are: autumn"):
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
    check_place(a_contest(), sandboxed=False)
    with pytest.raises(SpielwerkError, match="--sandbox: there is no bwrap"):
        check_place(a_contest(), sandboxed=True)


def test_nobody_is_reached_from_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "available", lambda: None)
    far = Entrant("hagen", Kind.REMOTE, "oware.example.org:7889")
    contest = replace(a_contest(), entrants=(*a_contest().entrants, far))
    with pytest.raises(SpielwerkError, match=r"'hagen'.*no network"):
        check_place(contest, sandboxed=True)


# where a running contest is reached


class Server(HTTPServer):
    """Notes what is asked, and answers what it is told to."""

    status, answer = 200, b'{"jobs": 3}'

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server

    def do_PUT(self) -> None:
        size = int(self.headers["Content-Length"] or 0)
        body = json.loads(self.rfile.read(size)) if size else None
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def do_GET(self) -> None:
        self.do_PUT()

    def log_message(self, *_: object) -> None:
        """Be silent."""


@contextmanager
def serving(store: Store) -> Iterator[Server]:
    """A server at which the contest seems to run."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with reachable(store, ID, ("127.0.0.1", server.server_port), "secret"):
                yield server
        finally:
            server.shutdown()
            thread.join()


def test_a_running_contest_is_told_and_gone_when_it_is_over(store: Store) -> None:
    with reachable(store, ID, ("127.0.0.1", 1), "old"):
        with pytest.raises(ContestUnreachable, match=r"does not answer at http://127.0.0.1:1/"):
            tell_jobs(store, ID, 3)
        with serving(store) as server:
            assert tell_jobs(store, ID, 3) == 3
    assert server.asked == [(f"/api/v1/contests/{ID}/jobs", "Bearer secret", {"jobs": 3})]
    with pytest.raises(ContestUnreachable, match="spring is not running"):
        tell_jobs(store, ID, 3)


@pytest.mark.parametrize(
    ("answer", "jobs"),
    [
        (b'{"contests": [{"id": "a", "live": null}, {"id": "spring", "live": {"jobs": 0}}]}', 0),
        (b'{"contests": [{"id": "spring", "live": null}]}', None),
        (b'{"contests": []}', None),
        (b"<html>", None),
    ],
)
def test_a_running_contest_says_how_many_it_plays(
    store: Store, answer: bytes, jobs: int | None
) -> None:
    assert jobs_of(store, ID) is None
    with serving(store) as server:
        server.answer = answer
        assert jobs_of(store, ID) == jobs
    assert server.asked == [("/api/v1/contests", "Bearer secret", None)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [(b'{"error": "not the operator"}', "not the operator"), (b"<html>", "refused")],
)
def test_a_refusal_is_told(store: Store, answer: bytes, told: str) -> None:
    with serving(store) as server:
        server.status, server.answer = 403, answer
        with pytest.raises(ContestUnreachable, match=told):
            tell_jobs(store, ID, 3)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104
        ("::", "http://[::1]:8000"),
    ],
)
def test_everywhere_is_here(store: Store, host: str, url: str) -> None:
    with reachable(store, ID, (host, 8000), "secret"):
        assert json.loads(store.value(f"contest:{ID}") or "")["url"] == url
