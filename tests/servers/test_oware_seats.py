"""An Oware server as a player at a table of `spielwerk serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.cli.test_cli import spielwerk
from tests.servers.live import FREE, ask, process
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_host_that_is_not_allowed(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as server:
        _, web = server.listening()
        seats = "remote:192.0.2.1:7889,engine:random"
        done = spielwerk("games", "new", "oware", "--seats", seats, "--server", web)
    assert done.returncode == 2
    assert "tables.remote_hosts does not allow the host 192.0.2.1" in done.stderr
