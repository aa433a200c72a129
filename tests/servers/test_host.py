"""Connect Four tables of the server, offered to strangers and joined at theirs."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from spielwerk.clients.connect4.host import GameHost
from spielwerk.clients.connect4.index import IndexLost
from spielwerk.clients.connect4.offers import OfferSettings
from spielwerk.clients.connect4.server_games import ServerGames
from spielwerk.net.destinations import NotAllowed
from spielwerk.servers import host as module
from spielwerk.servers.host import HostService, HostSettings
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.connect4.messages import Status
from tests.cli.test_cli import SPIELWERK
from tests.servers.live import Live, live, settings_for
from tests.waiting import PATIENCE, wait_until

ENGINE = SeatRecord(SeatKind.ENGINE, "Engine", "random")
CLIENT = SeatRecord(SeatKind.CLIENT, "")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(settings_for(tmp_path_factory.mktemp("host"))) as one:
        yield one


def meeting(server: Live) -> ServerGames:
    service = server.server.services["host"]
    assert isinstance(service, HostService)
    assert service.meeting is not None
    return service.meeting


def index(server: Live) -> str:
    host, port = server.server.addresses["index"][0]
    return f"{host}:{port}"


def new(server: Live, name: str, *seats: SeatRecord, **options: int) -> Table:
    chosen = tuple(f"{option}={value}" for option, value in options.items())
    wish = NewTable("connect4", chosen, name, seats or (ENGINE, CLIENT), move_time=20_000)
    table: Table = server.call(server.server.arena.create(wish))
    return table


def listed(server: Live) -> dict[str, Status]:
    return {game.name: game.status for game in server.call(meeting(server).games(""))}


@contextmanager
def program(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Our own program as the stranger."""
    command = [SPIELWERK, "connect4", *arguments, "--no-store", "--delay", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
    with subprocess.Popen(command, cwd=folder, text=True, **pipes) as one:  # type: ignore[call-overload]
        try:
            yield one
        finally:
            one.kill()


def test_a_stranger_joins_our_table(server: Live, tmp_path: Path) -> None:
    table = new(server, "open", width=4, height=4, depth=4)
    server.call(meeting(server).offer(table, ""))
    assert listed(server)[table.record.name] is Status.OPEN
    described = meeting(server).described(table.id)
    assert described is not None
    assert described["port"] == server.server.addresses["host"][0][1]
    arguments = ("join", table.record.name, "--index", index(server), "--me", "Stranger")
    with program(tmp_path, *arguments, "--player", "random") as stranger:
        assert stranger.wait(PATIENCE) == 0, stranger.stdout and stranger.stdout.read()
    wait_until(lambda: table.over)
    assert table.result is not None
    assert table.result.reason in (Reason.WIN, Reason.DRAW)
    assert table.seats[1].name == "Stranger"
    wait_until(lambda: table.record.name not in listed(server))
    assert meeting(server).described(table.id) is None
    wait_until(lambda: server.get(f"/api/v1/matches/{table.id}/wire").json["connections"])
    (wire,) = server.get(f"/api/v1/matches/{table.id}/wire").json["connections"]
    assert wire["traffic"][0]["text"].startswith("join_game;Stranger;open")


def test_we_join_a_stranger(server: Live, tmp_path: Path) -> None:
    hosting = ("host", "--name", "theirs", "--index", index(server), "--port", "0")
    with program(tmp_path, *hosting, "--player", "random") as stranger:
        wait_until(lambda: "theirs" in listed(server))
        table: Table = server.call(meeting(server).join("", "theirs", ENGINE))
        assert table.record.name == "theirs"
        assert stranger.wait(PATIENCE) == 0
    wait_until(lambda: table.over)
    assert table.result is not None
    assert table.result.reason in (Reason.WIN, Reason.DRAW)


def test_a_table_that_ends_before_anybody_comes_is_no_longer_offered(server: Live) -> None:
    table = new(server, "given up")
    server.call(meeting(server).offer(table, ""))

    async def give_up() -> None:
        table.abort(Reason.ABORTED, "given up")

    server.call(give_up())
    wait_until(lambda: "given up" not in listed(server))


def test_a_name_that_is_taken_ends_the_table(server: Live) -> None:
    first, second = new(server, "twice"), new(server, "twice")
    server.call(meeting(server).offer(first, ""))
    with pytest.raises(Exception, match="twice"):
        server.call(meeting(server).offer(second, ""))
    wait_until(lambda: second.over)
    assert not first.over


def test_an_index_server_that_is_not_there(server: Live) -> None:
    table = new(server, "nowhere")
    with pytest.raises(IndexLost, match="cannot be reached"):
        server.call(meeting(server).offer(table, "127.0.0.1:1"))
    wait_until(lambda: table.over)


@pytest.mark.parametrize("place", ["192.0.2.7:9090", "example.org"])
def test_only_hosts_that_are_allowed(server: Live, place: str) -> None:
    with pytest.raises(NotAllowed, match=r"tables\.remote_hosts"):
        server.call(meeting(server).games(place))


@pytest.mark.parametrize("crash", [False, True])
def test_after_a_restart_nothing_is_listed_that_nobody_plays_any_more(
    tmp_path: Path, crash: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = settings_for(tmp_path).replaced(host=HostSettings(ports=(str(port),)))
    with monkeypatch.context() as patch, live(settings) as first:
        table = new(first, "left")
        first.call(meeting(first).offer(table, ""))
        assert listed(first) == {"left": Status.OPEN}
        if crash:  # a server that is killed takes nothing out of any list
            patch.setattr(GameHost, "_unregister", AsyncMock())
    with live(settings) as second:
        assert listed(second) == {}


@pytest.mark.parametrize(
    ("bind", "address", "told"),
    [
        ("127.0.0.1", "", ""),
        ("0.0.0.0", "", "10.1.2.3"),  # noqa: S104
        ("0.0.0.0", "games.example.org", "games.example.org"),  # noqa: S104
    ],
)
def test_opponents_are_told_an_address_that_leads_here(
    bind: str, address: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[str] = []

    def games(_arena: object, _journal: object, settings: OfferSettings, *_: object) -> object:
        offered.append(settings.address)
        return AsyncMock(start=AsyncMock(return_value=None))

    monkeypatch.setattr(module, "ServerGames", games)
    monkeypatch.setattr(module, "public", lambda _bind: "10.1.2.3")
    unused: Any = None
    service = HostService(unused, unused, HostSettings(address=address), None, unused)
    assert asyncio.run(service.start(bind)) == []
    assert offered == [told]
