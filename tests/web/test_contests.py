"""Contests for programs and pages: tables, games, what is told live, and who may do what."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spielwerk.contests.contest import Phase
from spielwerk.store import contests as contest_reading
from spielwerk.store.contests import Far
from spielwerk.store.opening import Readable
from spielwerk.store.records import (
    Begun,
    Ending,
    GameRecord,
    PairingState,
    Reason,
    Settled,
)
from spielwerk.tables.mirror import MirrorTable
from spielwerk.tables.parts import SystemClock
from spielwerk.web.boards import Boards
from spielwerk.web.contests import contests
from spielwerk.web.contests import contests as following
from spielwerk.web.contests.contests import Followed, Seen
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import (
    EARLIER,
    NAMES,
    OUTPUT,
    Maker,
    Playing,
    Wish,
    exhibit,
    keep,
    write,
)
from tests.web.people import Browser, Page, look

FINISHED = Wish()
HALF = Wish(id="half", name="<b>Half & half</b>", done=0.5, names=NAMES[:5], phase=Phase.TRAINING)
LOST = Ending(Reason.SERVER_ERROR, detail="the disk is full", at=2)
DICE = Wish(id="dice", name="Dice", game="dice", names=NAMES[:4])
LADDER = Wish(id="ladder", names=NAMES[:3], phase=Phase.TRAINING, ladder=0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("contests")
    write(folder, FINISHED, HALF, DICE)
    with live(settings_for(folder)) as one:
        yield one


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Live]:
    """A server of which a test may do as it likes; half of its contest has been played."""
    write(tmp_path, HALF)
    with live(settings_for(tmp_path)) as one:
        yield one


@pytest.fixture
def playing(own: Live) -> Playing:
    """The contest, as it is being played there."""
    contest = Playing(HALF.id)
    own.server.contest = contest
    return contest


@contextmanager
def visit(server: Live, contest: str, **headers: str) -> Iterator[Page]:
    """A contest's page."""
    host, port = server.web
    where = f"ws://{host}:{port}/live?contest={contest}"
    with connect(where, additional_headers=headers, proxy=None) as socket:
        yield Page(socket)


def get(server: Live, path: str, status: int = 200) -> Any:
    answer = server.get(f"/api/v1/contests{path}")
    assert answer.status == status, answer.body
    return answer.json


# what there is


def test_contests_are_listed_with_how_far_they_are(server: Live) -> None:
    listed = {one["id"]: one for one in get(server, "")["contests"]}
    assert listed.keys() == {"probe", "half", "dice"}
    half = listed["half"]
    assert half["name"] == "<b>Half & half</b>"
    assert (half["game"], half["format"], half["phase"]) == ("connect4", "round-robin", "training")
    assert half["entrants"] == 5
    assert half["progress"]["total"] == 20
    assert half["progress"]["done"] == half["progress"]["new"] == 10
    assert half["live"] is None


def test_games_without_a_result_are_told_apart(server: Live, tmp_path: Path) -> None:
    listed = {one["id"]: one["progress"] for one in get(server, "")["contests"]}
    out = listed["probe"]  # an entrant is disqualified there
    assert out == get(server, "/probe")["progress"]
    assert out["failed"] == out["dropped"] > 0
    assert out["lost"] == 0
    assert out["done"] + out["failed"] == out["total"] == 132
    write(tmp_path, HALF)
    with live(settings_for(tmp_path)) as own:
        own.call(
            keep(
                own,
                Begun("half", 10, 1),
                Settled(
                    replace(Maker(HALF).pairings[10].cleared(PairingState.FAILED, LOST), attempt=1)
                ),
            )
        )
        far = get(own, "/half")["progress"]
        assert far == get(own, "")["contests"][0]["progress"]
        assert (far["failed"], far["dropped"], far["lost"]) == (1, 0, 1)


def test_what_a_dead_process_began_is_not_being_played(own: Live) -> None:
    own.call(keep(own, Begun("half", 10, 1), Begun("half", 11, 1)))  # by a process that died
    for told in (get(own, "")["contests"][0], get(own, "/half")):
        assert (told["progress"]["running"], told["progress"]["new"]) == (0, 10)
        assert told["live"] is None
    assert get(own, "/half/games/10")["state"] == "new"
    assert get(own, "/half/games?after=10")["games"][0]["state"] == "new"
    own.server.contest = Playing(HALF.id)
    for told in (get(own, "")["contests"][0], get(own, "/half")):
        assert (told["progress"]["running"], told["progress"]["new"]) == (2, 8)
        assert told["live"]["jobs"] == 4
    assert get(own, "/half/games/10")["state"] == "running"
    assert get(own, "/half/games?after=10")["games"][0]["state"] == "running"


def test_a_ladder_may_have_no_end(tmp_path: Path) -> None:
    write(tmp_path, LADDER, HALF)
    with live(settings_for(tmp_path)) as own:
        lobby = own.get("/api/v1/lobby").json["contests"]
        for listed in (get(own, "")["contests"], lobby):
            growing = {one["id"]: one["progress"]["growing"] for one in listed}
            assert growing == {"ladder": True, "half": False}
        assert get(own, "/ladder")["progress"]["growing"] is True


def test_who_may_not_list_games_may_not_list_contests(tmp_path: Path) -> None:
    write(tmp_path, HALF)
    with live(settings_for(tmp_path, listing="nobody")) as shy:
        assert "web.listing" in get(shy, "", 403)["error"]
        assert get(shy, "/half")["name"] == HALF.name


def test_a_contest_is_told_with_its_tables(server: Live) -> None:
    told = get(server, "/probe")
    assert [one["name"] for one in told["entrants"]] == list(NAMES)
    standings = told["standings"]
    assert [one["rank"] for one in standings] == sorted(one["rank"] for one in standings)
    assert standings[-1]["name"] == "lotte"
    assert standings[-1]["disqualified"].startswith("protocol error: ")
    where = standings[-1]["disqualifiedIn"]
    assert get(server, f"/probe/games/{where['number']}")["game"] == where["game"]
    rated = [one for one in standings if not one["disqualified"]]
    assert all(one["low"] <= one["rating"] <= one["high"] for one in rated)
    assert all(one["wins"] + one["draws"] + one["losses"] == one["games"] for one in rated)
    assert sum(told["ends"].values()) == told["progress"]["done"]
    assert told["rated"] > 100
    assert {note["code"] for note in told["notes"]} >= {"struck"}
    assert len(told["last"]) == 20


def test_programs_are_not_told_how_others_are_started(server: Live) -> None:
    told = get(server, "/probe")["entrants"]
    assert told[0] == {"number": 0, "name": "perfect", "kind": "engine", "text": "level=10"}
    assert told[1] == {"number": 1, "name": "anna", "kind": "command"}
    assert "./bot" not in json.dumps(get(server, "/probe"))


# games


def test_games_are_chosen_by_entrant_opponent_and_end(server: Live) -> None:
    both = get(server, "/probe/games?entrant=2&against=4")
    assert not both["more"]
    assert [{2, 4} <= {*one["seats"]} for one in both["games"]] == [True, True]
    crashed = get(server, "/probe/games?end=crash&entrant=9")["games"]
    assert crashed
    for one in crashed:
        assert one["outcome"]["end"] == "crash"
        assert 9 in one["seats"]


def test_games_come_in_pages(server: Live) -> None:
    first = get(server, "/probe/games")
    assert len(first["games"]) == 100
    assert first["more"]
    rest = get(server, f"/probe/games?after={first['games'][-1]['number']}")
    assert not rest["more"]
    assert [one["number"] for one in first["games"] + rest["games"]] == list(range(132))


@pytest.mark.parametrize("query", ["entrant=x", "against=-2", "after=1e3", "end=victory"])
def test_what_cannot_be_asked_for_is_said(server: Live, query: str) -> None:
    name, _, value = query.partition("=")
    error = get(server, f"/probe/games?{query}", 400)["error"]
    assert error.startswith(f"{name}=")
    assert value in error


def test_a_game_comes_with_what_is_known_of_its_players(server: Live) -> None:
    (crash, *_) = get(server, "/probe/games?end=crash")["games"]
    told = get(server, f"/probe/games/{crash['number']}")
    (seat,) = told["outcome"]["culprits"]
    assert told["reports"][seat]["output"] == OUTPUT
    assert told["reports"][seat]["status"] == "killed by SIGSEGV"
    assert told["reports"][1 - seat]["output"] == ""
    wire = server.get(f"/api/v1/matches/{told['game']}/wire").json["connections"]
    assert any("OKWAIT" in line["text"] for one in wire for line in one["traffic"])


def test_a_repeated_game_leads_to_the_attempt_that_does_not_count(server: Live) -> None:
    late, *_ = get(server, "/probe/games?end=time-out")["games"]
    assert (late["attempt"], late["repeated"]) == (2, True)
    (earlier,) = late["earlier"]
    assert earlier == f"probe{EARLIER + late['number']}"
    assert get(server, f"/probe/games/{late['number']}")["earlier"] == [earlier]
    with look(server, earlier) as page:
        assert page.until("table")["table"]["contest"]["number"] == late["number"]
    lines = server.get("/api/v1/contests/probe/export/jsonl").body.decode().splitlines()
    assert json.loads(lines[1 + late["number"]])["earlier"] == [earlier]
    assert server.get("/api/v1/lobby?status=finished").json["tables"] == []
    other, *_ = get(server, "/probe/games?end=win")["games"]
    assert (other["attempt"], other["repeated"], other["earlier"]) == (1, False, [])


@pytest.mark.parametrize("contest", ["nobody", "..%2f..", "a" * 200, "%00", "<b>", "probe%20"])
def test_contests_that_are_not_there_are_missing_everywhere(server: Live, contest: str) -> None:
    for path in ("", "/games", "/games/1", "/export/csv"):
        assert server.get(f"/api/v1/contests/{contest}{path}").status == 404
    assert server.get(f"/contests/{contest}").status == 404
    with visit(server, contest) as page, pytest.raises(ConnectionClosed) as closed:
        page.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize("path", ["/contests", "/contests/probe", "/contests/probe?beamer"])
def test_pages_are_there_in_both_languages(server: Live, path: str) -> None:
    german = server.get(path, Accept_Language="de").body.decode()
    english = server.get(path, Accept_Language="en").body.decode()
    assert 'lang="de"' in german
    assert 'href="/contests" aria-current="page">Wettbewerbe<' in german
    assert 'href="/contests" aria-current="page">Contests<' in english


# the operator


def test_only_the_operator_says_how_many_games_are_played_at_once(
    own: Live, playing: Playing
) -> None:
    me = Browser(own)
    assert me.ask("PUT", "/api/v1/contests/half/jobs", {"jobs": 2}).status == 403
    assert playing.jobs == 4
    operator = {"Authorization": f"Bearer {own.server.token}"}
    answer = me.ask("PUT", "/api/v1/contests/half/jobs", {"jobs": 2}, **operator)
    assert answer.json == {"jobs": 2}
    assert playing.jobs == 2
    assert me.ask("PUT", "/api/v1/contests/half/jobs", {"jobs": 0}, **operator).json == {"jobs": 0}
    for wrong in ({"jobs": -1}, {"jobs": 1000}, {"jobs": "2"}, {}):
        assert me.ask("PUT", "/api/v1/contests/half/jobs", wrong, **operator).status == 400
    assert playing.jobs == 0


def test_only_the_operator_stops_a_contest_and_only_one_that_is_played_here(
    own: Live, playing: Playing
) -> None:
    me = Browser(own)
    assert me.post("/api/v1/contests/half/stop").status == 403
    assert playing.stops == 0
    assert me.post("/api/v1/operator", {"token": own.server.token}).status == 200
    assert me.post("/api/v1/contests/half/stop").json == {"id": "half"}
    assert playing.stops == 1
    for running in (None, Playing("another")):
        own.server.contest = running
        answer = me.post("/api/v1/contests/half/stop")
        assert answer.status == 409
        assert "not running this contest" in answer.json["error"]


# what is told live


def test_a_page_hears_everything_first_and_then_what_changes(own: Live, playing: Playing) -> None:
    assert playing.jobs == 4
    with visit(own, "half") as page:
        told = page.hear()
        assert told["type"] == "contest"
        assert told["contest"]["name"] == HALF.name
        assert told["progress"]["done"] == 10
        assert told["live"] == {"jobs": 4, "rate": 34.2, "eta": 1512, "absent": []}
        assert not told["operator"]
        assert page.hear() == {"type": "boards", "places": 0, "boards": []}
        playing.set_jobs(7)
        news = page.hear()
        assert news["type"] == "progress"
        assert news["live"]["jobs"] == 7
        page.say("ping", t=1)
        assert page.hear()["type"] == "pong"  # and nothing else, as long as nothing happens


def test_a_page_hears_new_tables_when_a_game_is_settled(own: Live) -> None:
    maker = Maker(HALF)
    with visit(own, "half") as page:
        before = page.until("contest")
        own.call(_settle(own, maker, 10))
        after = page.until("contest")
        assert after["progress"]["done"] == before["progress"]["done"] + 1
        assert after["last"][0]["number"] == 10
        assert sum(after["contest"]["ends"].values()) == 11
    assert get(own, "/half")["last"][0]["number"] == 10


@pytest.mark.usefixtures("hurried")
def test_who_comes_after_a_pause_sees_tables_of_now(
    own: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contests, "MOMENT", 60.0)
    assert sum(get(own, "/half")["ends"].values()) == 10
    own.call(_settle(own, Maker(HALF), 10))
    with visit(own, "half") as page:
        told = page.until("contest")
    assert told["progress"]["done"] == sum(told["contest"]["ends"].values()) == 11


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Live]:
    """A server with three contests."""
    write(tmp_path, HALF, LADDER, DICE)
    with live(settings_for(tmp_path)) as one:
        yield one


@pytest.mark.usefixtures("hurried")
def test_a_contest_that_takes_long_keeps_no_other_waiting(
    three: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    with visit(three, "ladder") as slow, visit(three, "half") as page:
        for one in (slow, page):
            one.until("boards")
        may, far = threading.Event(), contest_reading.far

        def waiting(store: Readable, contest: str) -> Far:
            assert contest != "ladder" or may.wait(60)
            return far(store, contest)

        monkeypatch.setattr(contest_reading, "far", waiting)
        try:
            for number in (10, 11):
                three.call(_settle(three, Maker(HALF), number))
                assert page.until("contest")["progress"]["done"] == number + 1
        finally:
            may.set()


def test_everybody_is_told_the_end_at_once(own: Live, playing: Playing) -> None:
    assert playing.jobs == 4
    with visit(own, "half") as page, visit(own, "half") as other:
        for one in (page, other):
            one.until("boards")
        own.call(_settle(own, Maker(HALF), 10))
        own.server.contest = None
        own.call(own.server.conclude())
        for one in (page, other):
            told = one.until("contest")
            assert told["live"] is None
            assert sum(told["contest"]["ends"].values()) == 11


def test_an_end_that_cannot_be_told_stops_nothing(
    own: Live, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise OSError("the disk is gone")

    with visit(own, "half") as page:
        page.until("boards")
        monkeypatch.setattr(contest_reading, "far", gone)
        own.call(own.server.conclude())
    assert "cannot tell how a contest ended" in caplog.text


async def _settle(own: Live, maker: Maker, number: int) -> None:
    """Write a game down, as the one who plays the contest would."""
    await keep(own, *maker.steps(maker.pairings[number]))


# boards


def shown(maker: Maker, number: int, plies: int) -> GameRecord:
    """A game that is being played."""
    pairing = maker.pairings[number]
    outcome = replace(maker.outcome(pairing), reason=Reason.WIN, winner=0, culprits=())
    record = maker.record(pairing, outcome)
    identity = f"live{number:07d}"
    return replace(record, id=identity, moves=record.moves[:plies], result=None)


def put(own: Live, playing: Playing, record: GameRecord, number: int) -> MirrorTable:
    """Show the game in the arena, and say that it can be watched."""
    table = exhibit(own, record)
    playing.shown[record.id] = number
    return table


def test_running_games_are_shown_and_followed(own: Live, playing: Playing) -> None:
    maker = Maker(HALF)
    whole = shown(maker, 12, 9)
    table = put(own, playing, replace(whole, moves=whole.moves[:5]), 12)
    with visit(own, "half") as page:
        told = page.until("boards")
        while not told["boards"]:
            told = page.until("boards")
        (board,) = told["boards"]
        assert board["id"] == whole.id
        assert board["plies"] == 5
        assert board["last"]["move"] == whole.moves[4].move
        assert [seat["name"] for seat in board["seats"]] == [seat.name for seat in whole.seats]
        assert board["view"]["legal"] == []
        assert board["view"]["board"]["width"] == 7

        async def follow() -> None:
            table.follow_moves(whole.moves)

        own.call(follow())
        (board,) = page.until("boards")["boards"]
        assert board["plies"] == 9
        playing.shown.clear()
        assert page.until("boards") == {"type": "boards", "places": 0, "boards": []}


class Arena:
    """Tables by their IDs."""

    def __init__(self) -> None:
        self.tables: dict[str, MirrorTable] = {}

    def add(self, record: GameRecord) -> MirrorTable:
        table = self.tables[record.id] = MirrorTable(record, SystemClock())
        return table

    def find(self, game_id: str) -> MirrorTable | None:
        return self.tables.get(game_id)


def boards_of(arena: Arena) -> Boards:
    return Boards(arena)  # type: ignore[arg-type]


def told(boards: Boards, since: int = 0) -> dict[str, Any]:
    heard: dict[str, Any] = json.loads(boards.told(since))
    return heard


def places(message: dict[str, Any]) -> dict[int, str]:
    return {one["place"]: one["id"] for one in message["boards"]}


def test_a_game_keeps_its_place_until_it_is_over() -> None:
    arena, maker = Arena(), Maker(HALF)
    ids = [arena.add(shown(maker, number, 3)).id for number in range(4)]
    boards = boards_of(arena)
    asyncio.run(boards.look(ids[:3]))
    assert places(told(boards)) == dict(enumerate(ids[:3]))
    version = boards.version
    asyncio.run(boards.look([ids[2], ids[3], ids[0]]))
    assert places(told(boards)) == {0: ids[0], 1: ids[3], 2: ids[2]}
    assert places(told(boards, version)) == {1: ids[3]}
    asyncio.run(boards.look([ids[2]]))
    assert places(told(boards)) == {0: ids[2]}


def test_only_what_has_changed_is_told_again() -> None:
    arena, maker = Arena(), Maker(HALF)
    whole = [shown(maker, number, 6) for number in range(2)]
    tables = [arena.add(replace(one, moves=one.moves[:3])) for one in whole]
    boards = boards_of(arena)
    asyncio.run(boards.look([one.id for one in whole]))
    version = boards.version
    asyncio.run(boards.look([one.id for one in whole]))
    assert boards.version == version
    tables[1].follow_moves(whole[1].moves)
    asyncio.run(boards.look([one.id for one in whole]))
    assert places(told(boards, version)) == {1: whole[1].id}


def test_a_board_that_is_too_large_comes_without_its_picture() -> None:
    large = Wish(id="large", names=NAMES[:2], options=("width=32", "height=32", "depth=32"))
    arena = Arena()
    record = shown(Maker(large), 0, 2)
    boards = boards_of(arena)
    asyncio.run(boards.look([arena.add(record).id]))
    (board,) = told(boards)["boards"]
    assert board["view"] is None
    assert board["plies"] == 2


# reading, not too often


class Slow:
    """A contest whose tables take as long to be made as a test likes."""

    def __init__(self) -> None:
        self.made = 0
        self.looks = 0
        self.done = 5
        self.out = 0
        self.newcomers = 0
        self.others = 0  # in the place of programs
        self.may = threading.Event()
        self.may.set()
        self.fails = False

    def look(self) -> Seen:
        self.looks += 1
        counts = {PairingState.DONE: self.done, PairingState.NEW: 10 - self.done}
        far = Far(counts, 0, 5 + self.newcomers, self.out)
        return Seen(far, replaced=self.others)

    def make(self) -> str:
        self.made += 1
        assert self.may.wait(60)
        if self.fails:
            raise OSError("the disk is gone")
        return '"standings":[]'


def follow(slow: Slow) -> Followed:
    record = Maker(HALF).scheduled().record
    assert record is not None
    return Followed(record, slow.look, slow.make, lambda: None, asyncio.Lock())


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    @wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks and rankings without pauses."""
    monkeypatch.setattr(following, "EVERY", 0.0)
    monkeypatch.setattr(following, "PAUSE", 0.0)
    monkeypatch.setattr(following, "TIMES", 0)


@in_a_loop
async def test_a_contest_is_looked_at_once_a_second_however_many_ask() -> None:
    slow = Slow()
    contest = follow(slow)
    await asyncio.gather(*(contest.refresh() for _ in range(50)))
    assert (slow.looks, slow.made, contest.version) == (1, 1, 1)


@pytest.mark.usefixtures("hurried")
@in_a_loop
async def test_tables_are_made_anew_only_when_games_have_ended() -> None:
    slow = Slow()
    contest = follow(slow)
    for _ in range(3):
        await contest.refresh()
    assert slow.looks == 3
    assert slow.made == 1
    slow.done += 1
    while contest.version < 2:
        await contest.refresh()
    assert slow.made == 2


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("what", ["out", "newcomers", "others"])
@in_a_loop
async def test_tables_are_made_anew_when_an_entrant_is_out_or_new_or_replaced(what: str) -> None:
    """A look may fall between a game and the disqualification, after which no game changes."""

    slow = Slow()
    contest = follow(slow)
    await contest.refresh()
    setattr(slow, what, 1)
    await contest.refresh(at_once=True)
    await contest.make_now()
    assert (contest.version, slow.made) == (2, 2)


@pytest.mark.usefixtures("hurried")
@in_a_loop
async def test_only_the_first_reader_waits_for_a_long_ranking() -> None:
    slow = Slow()
    contest = follow(slow)
    slow.may.clear()
    first = asyncio.create_task(contest.refresh())
    await asyncio.wait([first], timeout=0.05)
    assert not first.done()
    slow.may.set()
    await first
    slow.may.clear()
    slow.done += 1
    for _ in range(5):
        await contest.refresh()  # the tables from before, at once
    assert contest.version == 1
    told = json.loads(f"{{{contest.progress}}}")
    assert told["progress"]["done"] == 6
    slow.may.set()
    while contest.version < 2:
        await contest.refresh()


@in_a_loop
async def test_the_last_tables_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "EVERY", 0.0)
    monkeypatch.setattr(following, "PAUSE", 3600.0)

    slow = Slow()
    contest = follow(slow)
    await contest.refresh()
    slow.done += 1
    await contest.refresh(patience=60.0)
    assert contest.version == 1
    slow.done = 10
    await contest.refresh(patience=60.0)
    assert contest.version == 2
    await contest.refresh(patience=60.0)  # there is nothing new
    assert slow.made == 2


@in_a_loop
async def test_the_end_is_read_however_lately_was_looked() -> None:
    slow = Slow()
    contest = follow(slow)
    await contest.refresh()
    slow.done += 1
    await contest.refresh()
    assert (slow.looks, contest.version) == (1, 1)
    await contest.refresh(at_once=True)
    assert (slow.looks, contest.version) == (2, 1)
    assert json.loads(f"{{{contest.progress}}}")["progress"]["done"] == 6
    await contest.make_now()
    assert contest.version == 2
    await contest.make_now()  # there is nothing new
    assert slow.made == 2


@pytest.mark.usefixtures("hurried")
@in_a_loop
async def test_a_reading_that_fails_is_told_and_tried_again() -> None:
    slow = Slow()
    contest = follow(slow)
    slow.fails = True
    for _ in range(2):
        with pytest.raises(OSError, match="disk is gone"):
            await contest.refresh()
    slow.fails = False
    while not contest.version:
        await contest.refresh()
    assert '"standings"' in contest.tables
    slow.fails = True
    slow.done += 1
    await contest.refresh()  # what was read before is still there
    assert '"standings"' in contest.tables


# the table's page


def test_a_table_says_which_contest_it_belongs_to(own: Live, playing: Playing) -> None:
    game = get(own, "/half/games/3")["game"]
    with look(own, game) as page:
        place = page.until("table")["table"]["contest"]
    assert place == {"id": "half", "name": HALF.name, "number": 3, "round": 0, "opening": 0}
    record = shown(Maker(HALF), 12, 4)
    put(own, playing, record, 12)
    with look(own, record.id) as page:
        told = page.until("table")["table"]
    assert told["contest"]["number"] == 12
    with look(own, own.new()) as page:
        assert page.until("table")["table"]["contest"] is None


def test_a_running_game_of_a_contest_is_not_analysed(own: Live, playing: Playing) -> None:
    record = shown(Maker(HALF), 12, 4)
    put(own, playing, record, 12)
    assert own.get(f"/api/v1/matches/{record.id}/analysis").status == 403
    finished = get(own, "/half/games/3")["game"]
    assert own.get(f"/api/v1/matches/{finished}/analysis?ply=2").status == 200


# files


def test_the_files_tell_every_game_and_there_are_no_others(server: Live) -> None:
    lines = {
        kind: server.get(f"/api/v1/contests/probe/export/{kind}").body.decode().splitlines()
        for kind in ("jsonl", "csv", "standings")
    }
    first, *games = map(json.loads, lines["jsonl"])
    assert first["contest"] == FINISHED.name
    assert [one["number"] for one in games] == list(range(132))
    assert (len(lines["csv"]), len(lines["standings"])) == (133, len(NAMES) + 1)
    error = get(server, "/probe/export/pdf", 404)["error"]
    assert error.startswith("'pdf' is no export; there are jsonl, csv")
