"""The lobby: what is open, running and finished, who may see it, and what is told of it live."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.live import Live, client, live, settings_for
from tests.web.people import COMPUTER, ENGINE, HERE, Browser, look
from tests.web.test_live import hub
from tests.web.test_records import finished, forget


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server of the tests' own."""
    with live(settings_for(tmp_path_factory.mktemp("lobby"))) as one:
        yield one


def tables(lobby: dict[str, Any], status: str) -> list[str]:
    return [row["id"] for row in lobby["tables"] if row["status"] == status]


def lobby_until(who: Browser | Live, done: Any) -> dict[str, Any]:
    """The lobby as soon as it is like this; it may be a second old."""
    for _ in range(100):
        lobby: dict[str, Any] = who.get("/api/v1/lobby").json
        if done(lobby):
            return lobby
        time.sleep(0.1)
    raise AssertionError(lobby)


def test_tables_go_from_open_to_finished(quiet: Live) -> None:
    me = Browser(quiet)
    open_game = me.new(HERE, COMPUTER, gameGeneric={"name": "<b>Final</b>"}, type="quarto")
    running = me.new(HERE, ENGINE, gameGeneric={"timeout": 0}, type="oware")
    with me.look(running) as page:
        page.until("you", seats=[0])
        page.play(0, 0, "2")
    finished = me.new(ENGINE, ENGINE, type="connect4")
    lobby = lobby_until(me, lambda one: finished in tables(one, "finished"))
    assert open_game in tables(lobby, "open")
    assert running in tables(lobby, "running")
    assert lobby["counts"] == {"open": 1, "running": 1, "finished": 1}
    rows = {row["id"]: row for row in lobby["tables"]}
    assert rows[open_game]["name"] == "<b>Final</b>"
    assert rows[open_game]["options"]["n"] == 4
    assert [rows[one]["mine"] for one in (open_game, running, finished)] == [True, True, False]
    assert [seat["connection"] for seat in rows[open_game]["seats"]] == ["away", "waiting"]
    assert rows[finished]["result"]["reason"] in ("rule win", "rule draw")
    assert not rows[finished]["solid"]
    assert not any(row["mine"] for row in Browser(quiet).get("/api/v1/lobby").json["tables"])


def test_services_and_their_clients(quiet: Live) -> None:
    with client(quiet.mnm) as one:
        one.hear()
        lobby = lobby_until(quiet, lambda found: _clients(found, "mnm") == 1)
    names = [service["name"] for service in lobby["services"]]
    assert names == ["mnm", "dice", "oware", "index", "host", "web"]
    assert lobby["services"][0]["addresses"] == [list(quiet.mnm)]
    lobby_until(quiet, lambda found: _clients(found, "mnm") == 0)


def _clients(lobby: dict[str, Any], name: str) -> int:
    return next(int(one["clients"]) for one in lobby["services"] if one["name"] == name)


def test_the_lobby_is_told_when_it_changes_and_only_then(quiet: Live) -> None:
    with look(quiet) as page:
        first = page.until("lobby")
        assert first["listing"]
        game = quiet.new()
        while game not in tables(page.until("lobby"), "open"):
            pass
        time.sleep(1.5)
        page.say("ping", t=1)
        assert page.hear()["type"] == "pong"


def test_games_that_came_and_went_unseen_are_listed(quiet: Live) -> None:
    me = Browser(quiet)
    me.get("/api/v1/lobby")
    game = finished(me, "connect4")
    forget(quiet, game)
    hub(quiet).lobby._looked -= 60  # as if no one had looked for a minute
    assert game in tables(me.get("/api/v1/lobby").json, "finished")


def test_finished_games_are_searched_and_paged(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        me = Browser(server)
        for number in range(3):
            me.new(ENGINE, ENGINE, gameGeneric={"name": f"100% round_{number}"}, type="connect4")
            time.sleep(0.01)
        me.new({**ENGINE, "name": "Ada"}, ENGINE, type="connect4")
        lobby = lobby_until(me, lambda one: one["counts"]["finished"] == 4)
        assert [row["name"] for row in lobby["tables"]][1:] == [
            f"100% round_{number}" for number in (2, 1, 0)
        ]

        def names(query: str) -> list[str]:
            answer = me.get(f"/api/v1/lobby?status=finished&{query}")
            assert answer.status == 200, answer.body
            return [row["name"] for row in answer.json["tables"]]

        assert len(names("q=ROUND")) == 3
        assert names("q=round_1") == ["100% round_1"]
        assert names("q=100%25+r") == names("q=round")
        assert names("q=%25%25") == names("q=roundX1") == []
        (named,) = names("q=ada")
        assert named == ""  # pages have words for that
        before = lobby["tables"][2]["created"]
        assert names(f"before={before}&q=round") == ["100% round_0"]
        for bad in ("before=x", "before=-1", "before=" + "9" * 30):
            assert me.get(f"/api/v1/lobby?status=finished&{bad}").status == 400
        assert names("q=" + "x" * 3000) == []


def test_who_may_not_list_sees_the_own_tables_only(tmp_path: Path) -> None:
    with live(settings_for(tmp_path, listing="nobody")) as server:
        me = Browser(server)
        own = me.new(HERE, COMPUTER, type="oware")
        ended = me.new(HERE, HERE, type="oware")
        assert me.post(f"/api/v1/matches/{ended}/resign", {"seat": 0}).status == 200
        server.new()
        server.new(type="connect4", players=[ENGINE, ENGINE])
        lobby = lobby_until(
            me, lambda one: one["counts"] == {"open": 2, "running": 0, "finished": 2}
        )
        assert (tables(lobby, "open"), tables(lobby, "finished")) == ([own], [ended])
        assert not lobby["listing"]
        assert Browser(server).get("/api/v1/lobby").json["tables"] == []
        assert me.get("/api/v1/lobby?status=finished").status == 403
        with look(server) as page:
            assert page.until("lobby")["tables"] == []
