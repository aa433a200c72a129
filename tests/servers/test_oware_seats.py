"""An Oware server as a player at a table of `spielwerk serve`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.settings import Settings, TableSettings
from tests.cli.command import spielwerk
from tests.clients.oware.host import Host
from tests.servers.live import FREE, Live, ask, live, process, settings_for
from tests.waiting import wait_until
from tests.web import people


def finished(web: str, game: str) -> dict[str, Any]:
    """The game when it is over."""

    def over() -> dict[str, Any] | None:
        found = dict(ask(f"{web}/api/v1/matches/{game}").json)
        return found if found["result"] else None

    return wait_until(over)


def test_a_game_against_a_remote_server_is_kept_like_any_other(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as server:
        _, web = server.listening()
        ((_, port),) = ask(f"{web}/api/v1/services").json["services"]["oware"]
        seats = f"engine:strategy=1,depth=2,remote:127.0.0.1:{port},strategy=0,depth=3"
        done = spielwerk("games", "new", "oware", "--seats", seats, "--server", web)
        game = finished(web, done.stdout.strip())
        assert game["result"]["reason"] in ("rule win", "rule draw")
        assert len(game["moves"]) > 20
        shown = spielwerk("games", "show", game["id"], "--server", web)
        assert "seat 1" in shown.stdout
        assert f"remote:127.0.0.1:{port}" in shown.stdout
        (wire,) = ask(f"{web}/api/v1/matches/{game['id']}/wire").json["connections"]
        asked = [piece for piece in wire["traffic"] if piece["direction"] == "sent"]
        assert (wire["seat"], wire["peer"]) == (1, f"127.0.0.1:{port}")
        assert len(asked) == sum(move["seat"] == 1 for move in game["moves"])
        assert asked[0]["text"].startswith("0\\n3\\n")


def test_a_remote_server_that_is_not_there_ends_the_game_with_that(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as server:
        _, web = server.listening()
        seats = "remote:127.0.0.1:1,depth=1,engine:random"
        done = spielwerk("games", "new", "oware", "--seats", seats, "--server", web)
        result = finished(web, done.stdout.strip())["result"]
    assert (result["reason"], result["culprit"]) == ("connection lost", 0)


# who may name which host


def closed(folder: Path) -> Settings:
    """Visitors may name no host at all; the loopback of the tests stands for any address."""
    return settings_for(folder).replaced(tables=TableSettings(remote_hosts=()))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    with live(closed(tmp_path)) as one:
        yield one


def operator(server: Live) -> people.Browser:
    """A browser that has shown the token."""
    browser = people.Browser(server)
    assert browser.post("/api/v1/operator", {"token": server.server.token}).status == 200
    return browser


def wish(*players: dict[str, Any] | str) -> dict[str, Any]:
    """A game of Oware; a text is an engine or a remote player."""
    seats = [{"type": "ENGINE", "engine": one} if isinstance(one, str) else one for one in players]
    return {"type": "oware", "players": seats}


def test_the_operator_may_name_any_host_and_a_visitor_hears_what_to_do(server: Live) -> None:
    with Host() as host:
        wanted = wish(host.text, "random")
        refused = people.Browser(server).post("/api/v1/matches", wanted)
        assert refused.status == 400
        assert "tables.remote_hosts does not allow the host 127.0.0.1:" in refused.json["error"]
        assert "sign in with the token printed at startup" in refused.json["error"]
        assert host.requests == []
        made = operator(server).post("/api/v1/matches", wanted)
        assert made.status == 201
        assert finished(server.url, made.json["id"])["result"]["reason"] in (
            "rule win",
            "rule draw",
        )


def test_the_command_line_names_any_host_with_the_token(server: Live) -> None:
    with Host() as host:
        seats = ("--seats", f"{host.text},engine:random", "--server", server.url)
        refused = spielwerk("games", "new", "oware", *seats)
        assert refused.returncode == 2
        assert "tables.remote_hosts does not allow the host 127.0.0.1:" in refused.stderr
        done = spielwerk("games", "new", "oware", *seats, "--token", server.server.token)
        assert finished(server.url, done.stdout.strip())["result"]["culprit"] is None


def test_a_rematch_repeats_the_operators_host_only_for_those_who_played(server: Live) -> None:
    """Anybody could otherwise have the server call there again and again."""
    visitor, owner = people.Browser(server), operator(server)
    with Host() as host:
        alone = owner.new(**wish(host.text, "random"))
        finished(server.url, alone)
        assert visitor.post(f"/api/v1/matches/{alone}/rematch").status == 400
        assert owner.post(f"/api/v1/matches/{alone}/rematch").status == 200
        together = owner.new(**wish(people.FREE, host.text))
        assert visitor.seat(together, 0, "take").status == 200
        assert visitor.post(f"/api/v1/matches/{together}/resign", {"seat": 0}).status == 200
        assert people.Browser(server).post(f"/api/v1/matches/{together}/rematch").status == 403
        assert visitor.post(f"/api/v1/matches/{together}/rematch").status == 200


def test_a_table_goes_on_after_a_restart_at_the_host_that_was_allowed(tmp_path: Path) -> None:
    with Host() as host:
        with live(closed(tmp_path)) as server:
            game = operator(server).new(**wish(people.FREE, host.text))
        with live(closed(tmp_path)) as server:
            table = server.server.arena.find(game)
            assert table

            async def play() -> None:
                table.play(table.seats[0], "5", lambda _error: None)

            server.call(play())
            wait_until(lambda: len(table.history) == 2)
