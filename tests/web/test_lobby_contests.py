"""Contests in the lobby: one row each, and none of their games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spielwerk.store.records import Pairing
from spielwerk.web.contests.contests import NEWEST
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import NAMES, Maker, Playing, Wish, keep, write
from tests.web.people import ENGINE, Browser, look
from tests.web.test_lobby import lobby_until, tables

OVER = Wish(id="over", name="<b>Over</b>", names=NAMES[:3], faults=False)
HALF = Wish(id="half", name="Half", game="dice", names=NAMES[:4], done=0.5, faults=False)
NOTHING = {"open": 0, "running": 0, "finished": 0}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    """One with a contest that is over, and one of which half was played."""
    write(tmp_path, OVER, HALF)
    with live(settings_for(tmp_path)) as one:
        yield one


@pytest.fixture
def playing(server: Live) -> Playing:
    """That one, as it is played there."""
    server.server.contest = contest = Playing(HALF.id)
    return contest


def contests(lobby: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in lobby["contests"]}


def left() -> list[Pairing]:
    """What has not been played of that contest."""
    maker = Maker(HALF)
    return [*maker.pairings[len(maker.played()) :]]


async def settle(server: Live, pairing: Pairing) -> None:
    """Write a game of the contest down, as the process that plays it would."""
    await keep(server, *Maker(HALF).steps(pairing))


def test_a_contest_is_one_row_and_its_games_are_none(server: Live) -> None:
    lobby = server.get("/api/v1/lobby").json
    assert lobby["tables"] == []
    assert lobby["counts"] == NOTHING
    over, half = (contests(lobby)[wish.id] for wish in (OVER, HALF))
    assert (over["name"], over["game"], over["entrants"]) == ("<b>Over</b>", "connect4", 3)
    assert over["progress"]["done"] == over["progress"]["total"] == len(Maker(OVER).pairings)
    assert half["progress"]["new"] == len(left())
    assert [row["live"] for row in (over, half)] == [None, None]
    assert [row["here"] for row in (over, half)] == [False, False]


def test_games_of_contests_are_not_searched_but_those_beside_them_are(server: Live) -> None:
    game = Browser(server).new({**ENGINE, "name": NAMES[0]}, ENGINE, type="connect4")
    lobby = lobby_until(server, lambda one: game in tables(one, "finished"))
    assert lobby["counts"]["finished"] == 1
    for query in ("", f"&q={NAMES[0]}"):
        found = server.get(f"/api/v1/lobby?status=finished{query}").json
        assert tables(found, "finished") == [game]
        assert found["counts"]["finished"] == 1
    assert server.get("/api/v1/lobby?status=finished&q=Half").json["tables"] == []


def test_who_may_not_list_is_told_of_no_contests(tmp_path: Path) -> None:
    write(tmp_path, OVER)
    with live(settings_for(tmp_path, listing="nobody")) as shy:
        assert shy.get("/api/v1/lobby").json["contests"] == []
        with look(shy) as page:
            assert page.until("lobby")["contests"] == []


def test_the_lobby_is_told_how_far_a_contest_is_until_it_is_over(
    server: Live, playing: Playing
) -> None:
    total, (first, *others) = len(Maker(HALF).pairings), left()
    with look(server) as page:

        def told_until(done: int, live: dict[str, int] | None) -> dict[str, Any]:
            while True:
                row = contests(page.until("lobby"))[HALF.id]
                if (row["progress"]["done"], row["live"]) == (done, live):
                    return row

        told_until(total - len(left()), {"jobs": 4})
        server.call(settle(server, first))
        told_until(total - len(others), {"jobs": 4})
        playing.jobs = 0
        told_until(total - len(others), {"jobs": 0})
        for pairing in others:
            server.call(settle(server, pairing))
        server.server.contest = None
        assert told_until(total, None)["here"]


def test_nothing_is_read_while_no_contest_is_played(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    with look(server) as page:
        page.until("lobby")
        asked: list[str] = []
        monkeypatch.setattr("spielwerk.store.contests.contests", asked.append)
        game = server.new()
        while game not in tables(page.until("lobby"), "open"):
            pass
        assert asked == []


def test_a_contest_played_here_is_told_of_however_many_are_newer(tmp_path: Path) -> None:
    """Also when the lobby was not looked at before it was over."""
    wishes = [Wish(id=f"c{number:02d}", names=NAMES[:2], done=0) for number in range(NEWEST + 2)]
    write(tmp_path, *wishes, HALF)  # all of the same moment: they come in the order of their IDs
    with live(settings_for(tmp_path)) as server:
        server.server.contest = Playing(HALF.id)
        server.server.contest = None
        lobby = server.get("/api/v1/lobby").json
        assert [row["id"] for row in lobby["contests"]] == [
            *(wish.id for wish in wishes[:NEWEST]),
            HALF.id,
        ]
        assert contests(lobby)[HALF.id]["here"]
