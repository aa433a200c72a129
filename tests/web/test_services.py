"""Where the services listen, and moving the Oware server to another port."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tests.servers.live import Live
from tests.web.people import Browser


def put(server: Live, name: str, body: Any, **headers: str) -> tuple[int, Any]:
    named = {"Authorization": f"Bearer {server.server.token}", **headers}
    answer = Browser(server).ask("PUT", f"/api/v1/services/{name}", body, **named)
    return answer.status, answer.json


def listening(server: Live, name: str) -> int:
    ((_, port),) = server.get("/api/v1/services").json["services"][name]
    return int(port)


def test_every_service_is_listed_with_its_address(server: Live) -> None:
    services = server.get("/api/v1/services").json["services"]
    assert services["web"] == [list(server.web)]
    assert {"mnm", "dice", "oware", "web"} <= services.keys()


def test_the_oware_server_moves(server: Live) -> None:
    old = listening(server, "oware")
    status, _ = put(server, "oware", {"port": 0})
    new = listening(server, "oware")
    assert (status, new != old) == (200, True)
    with socket.create_connection(("127.0.0.1", new)) as client:
        client.sendall(b"x\n\n\n\n")
        assert client.makefile("rb").readline() == b"ERROR strategy\n"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", old))


def test_a_taken_port_changes_nothing(server: Live) -> None:
    before = listening(server, "oware")
    status, answer = put(server, "oware", {"port": server.mnm[1]})
    assert status == 409
    assert "in use" in answer["error"]
    assert listening(server, "oware") == before


@pytest.mark.parametrize(
    "body", [None, {}, {"port": "7"}, {"port": -1}, {"port": 65536}, {"port": True}]
)
def test_ports_that_are_none(server: Live, body: Any) -> None:
    assert put(server, "oware", body)[0] == 400


def test_services_that_are_not_there_or_stay(server: Live) -> None:
    assert put(server, "chess", {"port": 0})[0] == 404
    status, answer = put(server, "mnm", {"port": 0})
    assert (status, answer["error"]) == (400, "mnm cannot change its port while it runs")


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer wrong", "Basic x"])
def test_only_the_operator_can_do_it(server: Live, shown: str) -> None:
    before = listening(server, "oware")
    status, answer = put(server, "oware", {"port": 0}, Authorization=shown)
    assert status == 403
    assert "operator token" in answer["error"]
    assert listening(server, "oware") == before
