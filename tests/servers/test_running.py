"""The server as a whole, from Python: what it starts with, what it survives, how it stops."""

from __future__ import annotations

import asyncio
import logging
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spielwerk.app import server as module
from spielwerk.app.server import CannotStart, Server, UncleanStop, running
from spielwerk.app.settings import SERVICES, ServerSettings, Settings, TableSettings
from spielwerk.servers.mnm import MnmSettings
from spielwerk.store.journal import StoreJournal
from spielwerk.store.problems import StoreError
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.servers.live import client, live, settings_for
from tests.waiting import until


def test_tables_are_made_from_python_and_are_there_the_next_time(tmp_path: Path) -> None:
    async def first() -> str:
        async with running(settings_for(tmp_path)) as server:
            return (await server.arena.create(NewTable("quarto", ("n=5",), "kept"))).id

    async def second(game_id: str) -> str:
        async with running(settings_for(tmp_path)) as server:
            table = server.arena.find(game_id)
            assert table is not None
            return f"{table.record.name} {table.state}"

    assert asyncio.run(second(asyncio.run(first()))).startswith("kept * * * * * /")


def test_games_that_ended_a_moment_ago_still_tell_it_others_do_not(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)

    async def first() -> str:
        async with running(settings) as server:
            table = await server.arena.create(NewTable("quarto"))
            await ended(table)
            return table.id

    async def is_there(game_id: str, kept: float) -> bool:
        tables = TableSettings(finished_kept=kept)
        async with running(settings.replaced(tables=tables)) as server:
            return server.arena.find(game_id) is not None

    game_id = asyncio.run(first())
    assert asyncio.run(is_there(game_id, 3600.0))
    assert not asyncio.run(is_there(game_id, 0.0))


async def ended(table: Table) -> None:
    """Have seat 0 lose, and wait until it is written."""
    table.lose(table.seats[0], Reason.RESIGNATION, "given up")
    await until(lambda: table.over)


def test_an_engine_goes_on_with_its_game_after_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    seats = (SeatRecord(SeatKind.ENGINE, "", "random"), SeatRecord(SeatKind.ENGINE, "", "random"))

    async def first() -> str:
        async with running(settings) as server:
            return (await server.arena.create(NewTable("quarto", seats=seats))).id

    async def second(game_id: str) -> bool:
        async with running(settings) as server:
            table = server.arena.find(game_id)
            assert table is not None
            return await until(lambda: table.over)

    assert asyncio.run(second(asyncio.run(first())))


def test_only_the_wanted_services_run(tmp_path: Path) -> None:
    async def main() -> dict[str, list[tuple[str, int]]]:
        settings = settings_for(tmp_path)
        only = settings.replaced(server=settings.server.replaced(only=("mnm",)))
        async with running(only) as server:
            return server.addresses

    assert list(asyncio.run(main())) == ["mnm"]


def test_several_ports_speak_several_dialects(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    mnm = MnmSettings(ports=("0:1", "0:2", "0:3"), pace="block")
    with live(settings.replaced(mnm=mnm)) as server:
        heard = []
        for port in server.server.addresses["mnm"]:
            with client(port) as one:
                heard.append(one.hear())
    assert [line.split()[3] for line in heard] == ["v1.0", "v2.3", "v3.1"]


def test_addresses_are_listed_as_they_are_written(tmp_path: Path) -> None:
    async def main() -> list[str]:
        settings = settings_for(tmp_path)
        async with running(
            settings.replaced(server=settings.server.replaced(bind="localhost"))
        ) as server:
            return server.listing()

    listed = asyncio.run(main())
    assert {line.split()[0] for line in listed} == {*SERVICES}
    assert any(line.startswith("web http://") and line.endswith("/") for line in listed)


# what keeps it from starting


@pytest.mark.parametrize("service", ["mnm", "web"])
def test_a_port_that_is_taken_is_named_and_nothing_is_left(tmp_path: Path, service: str) -> None:
    settings = settings_for(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        section = settings.section(service).replaced(ports=(port,))
        with pytest.raises(CannotStart) as caught:
            asyncio.run(started(settings.replaced(**{service: section})))
    message = str(caught.value)
    assert message.startswith(f"{service} cannot listen: ")
    assert port in message
    assert "in use" in message
    assert message.endswith(f"choose another port with --port {service}=PORT")
    asyncio.run(started(settings))  # the store is free again


async def started(settings: Settings) -> None:
    async with running(settings):
        pass


def test_an_address_that_is_not_ours_is_named(tmp_path: Path) -> None:
    for bind in ("192.0.2.1", "no-such-host.invalid"):
        settings = settings_for(tmp_path)
        with pytest.raises(CannotStart, match="mnm cannot listen"):
            asyncio.run(started(settings.replaced(server=settings.server.replaced(bind=bind))))


def test_a_store_that_is_not_ours_is_named(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "spielwerk.db")) as other:
        other.execute("CREATE TABLE notes (text)")
    with pytest.raises(StoreError, match="another program"):
        asyncio.run(started(settings_for(tmp_path)))


def test_two_servers_do_not_share_a_store(tmp_path: Path) -> None:
    with (
        live(settings_for(tmp_path)),
        pytest.raises(StoreError, match="another Spielwerk server"),
    ):
        asyncio.run(started(settings_for(tmp_path)))


# how it stops


def test_a_service_that_does_not_stop_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Stuck:
        async def start(self, _bind: str) -> list[tuple[str, int]]:
            return [("127.0.0.1", 1)]

        async def stop(self) -> None:
            await asyncio.sleep(3600)

    monkeypatch.setattr(module, "STOP", 0.05)
    monkeypatch.setattr(module, "make", lambda _name, _server: Stuck())
    asyncio.run(started(settings_for(tmp_path)))
    assert "service did not stop service=mnm" in caplog.text


def test_a_journal_that_cannot_finish_is_an_unclean_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(_self: object, _patience: float) -> None:
        raise StoreError("x", "what was last written may be lost")

    monkeypatch.setattr(StoreJournal, "close", late)
    with pytest.raises(UncleanStop, match="may be lost"):
        asyncio.run(started(settings_for(tmp_path)))


# what it survives


def test_what_fails_in_the_background_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        settings = settings_for(tmp_path)
        often = ServerSettings(data=str(tmp_path), sweep=0.05)
        async with running(settings.replaced(server=often)) as server:
            calls = broken_sweep(server)
            await until(lambda: "failed" in calls and "swept" in calls)

    asyncio.run(main())
    assert "background work failed" in caplog.text


def broken_sweep(server: Server) -> list[str]:
    """Let the next sweep fail, and tell what happens."""
    calls: list[str] = []
    sweep = server.arena.sweep

    def failing() -> None:
        if not calls:
            calls.append("failed")
            raise RuntimeError("no broom")
        calls.append("swept")
        sweep()

    server.arena.sweep = failing  # type: ignore[method-assign]
    return calls


def test_what_fails_in_a_callback_is_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with running(settings_for(tmp_path)):
            asyncio.get_running_loop().call_soon(lambda: 1 / 0)
            await asyncio.sleep(0)

    asyncio.run(main())
    (record,) = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError
