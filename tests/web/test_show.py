"""Boards to be looked at: the show game of an empty server, and the wall of all running games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.settings import TableSettings
from spielwerk.store import reading
from spielwerk.web import lobby, show
from tests.servers.live import Live, live, settings_for
from tests.waiting import wait_until
from tests.web.people import ENGINE, HERE, NO_LIMIT, Browser, Page, look
from tests.web.test_live import hub


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A server without games, with a hasty show."""
    monkeypatch.setattr(show, "PLAYERS", ["random"] * 3)
    monkeypatch.setattr(show, "PAUSE", 0.0)
    monkeypatch.setattr(show, "_is_ready", lambda _game: True)
    with live(settings_for(tmp_path).replaced(tables=TableSettings(limit=1))) as one:
        yield one


def plies(server: Live) -> int:
    running = hub(server).lobby.show
    table = running and running.table
    return len(table.history) if table else 0


def boards(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.until("boards")["boards"]
    return found


def test_the_show_goes_on_while_a_page_looks_and_leaves_no_trace(empty: Live) -> None:
    with look(empty) as bystander:  # the page is open, but shows no board
        bystander.until("lobby")
        time.sleep(1.2)
        assert plies(empty) == 0
    with look(empty) as page:
        page.say("show", on=True)
        assert boards(page) == []
        first, second = (boards(page)[0] for _ in range(2))
        assert first["id"] == second["id"]
        assert second["plies"] > first["plies"]
        assert empty.get(f"/t/{first['id']}").status == 200
    wait_until(lambda: not hub(empty).lobby._galleries["show"].viewers)
    time.sleep(0.6)  # a move that was begun
    stood = plies(empty)
    time.sleep(1.2)
    assert plies(empty) == stood
    assert reading.games(empty.server.store, 10) == []
    shown = empty.get("/api/v1/lobby").json
    assert (shown["tables"], shown["counts"]["running"]) == ([], 0)
    Browser(empty).new(HERE, ENGINE, type="oware", **NO_LIMIT)  # the one that is allowed


def test_the_show_makes_room_for_a_real_game(empty: Live) -> None:
    me = Browser(empty)
    with look(empty) as page:
        page.say("show", on=True)
        page.until("boards", places=1)
        game = me.new(HERE, ENGINE, type="morris", **NO_LIMIT)
        with me.look(game) as table:
            table.until("you", seats=[0])
            table.play(0, 0, "A0")
            page.until("boards", places=0)


def test_the_wall_has_running_games_and_for_a_moment_their_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "ENDED", 1.5)
    with live(settings_for(tmp_path, show=False)) as server:
        me = Browser(server)
        clock = {"gameGeneric": {"clock": {"time": 300_000, "increment": 1000}}}
        games = [me.new(HERE, HERE, type="oware", **limit) for limit in (clock, NO_LIMIT)]
        for game in games:
            with me.look(game) as table:
                table.until("you", seats=[0, 1])
                table.play(0, 0, "2")
        with look(server) as page:
            page.say("wall", on=True)
            wall = page.until("boards", places=2)["boards"]
            assert {one["id"] for one in wall} == {*games}
            assert [one["last"]["move"] for one in wall] == ["2", "2"]
            assert [one["turns"] for one in wall] == [1, 1]
            timed, untimed = sorted(wall, key=lambda one: games.index(one["id"]))
            assert timed["left"] == [301_000 - timed["last"]["took"], 300_000]
            assert (timed["clock"]["seat"], timed["clock"]["limit"]) == (1, 300_000)
            assert (untimed["left"], untimed["clock"]["limit"]) == ([None, None], 0)
            assert me.post(f"/api/v1/matches/{games[0]}/resign", {"seat": 0}).status == 200
            (ended,) = page.until("boards", places=2)["boards"]
            assert (ended["id"], ended["result"]["winner"]) == (games[0], 1)
            page.until("boards", places=1)


def test_the_wall_is_for_those_who_may_list_games(tmp_path: Path) -> None:
    with live(settings_for(tmp_path, listing="nobody", show=False)) as server:
        me = Browser(server)
        game = me.new(HERE, HERE, type="oware", **NO_LIMIT)
        with me.look(game) as table, look(server) as page:
            table.until("you", seats=[0, 1])
            table.play(0, 0, "2")
            page.say("wall", on=True)
            page.say("ping", t=1)
            heard = [page.hear() for _ in range(2)]
            assert [one["type"] for one in heard] == ["lobby", "pong"]
