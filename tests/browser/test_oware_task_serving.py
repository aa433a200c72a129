"""Oware task, sections 3.11 and 3.12: the move server, and its port in the settings."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from spielwerk.app.settings import SERVICES
from spielwerk.messages import said
from tests.browser.arena import Arena, arena
from tests.browser.oware import DE, LONG
from tests.waiting import PATIENCE

DEFAULT: Final = 7889
REQUEST: Final = "0\n1\n0 0 4 4 4 4 4 4 4 4 4 4 4 4\n{}\n"


@pytest.fixture(scope="module")
def taken() -> Iterator[None]:
    """The usual port is in use, by us or by another program."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):
            holder.bind(("127.0.0.1", DEFAULT))
            holder.listen()
        yield


@pytest.fixture(scope="module")
def busy(taken: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:  # noqa: ARG001
    """A server that was told no port for the move server."""
    ports = [text for name in SERVICES if name != "oware" for text in ("--port", f"{name}=0")]
    with arena(tmp_path_factory.mktemp("busy"), *ports) as one:
        yield one


def port_of(one: Arena) -> int:
    """Where the move server listens now."""
    return int(one.get("/api/v1/services").json["services"]["oware"][0][1])


def asked(port: int, history: str, *, depth: int = 1) -> list[str]:
    """The lines of the move server's answer, read until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(REQUEST.format(history).replace("\n1\n", f"\n{depth}\n", 1).encode())
        text = b""
        while data := connection.recv(4096):
            text += data
    return text.decode().split("\n")


def is_closed(port: int) -> bool:
    """Whether no server listens there."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.fixture
def settings(page: Page, busy: Arena) -> Page:
    page.goto(f"{busy.url}/settings")
    expect(page.locator("[data-port] p").first).to_be_visible(timeout=LONG)
    return page


def test_the_port_in_use_is_shown_in_the_settings_and_where_clients_look(
    settings: Page, busy: Arena
) -> None:
    """3.11, 3.12: the port that is really used must be visible in the settings."""
    port = str(port_of(busy))
    expect(settings.locator("[data-port]")).to_contain_text(port)
    expect(settings.get_by_label(DE["settings.port"], exact=True)).to_have_value(port)
    expect(settings.locator("[data-port]")).to_contain_text(str(DEFAULT))  # the preset
    expect(settings.locator("[data-services]")).to_contain_text(port)
    for path in ("/", "/help"):
        settings.goto(f"{busy.url}{path}")
        expect(settings.locator("main")).to_contain_text(port, timeout=LONG)


def sign_in(page: Page, token: str) -> None:
    """Show the operator's token."""
    page.get_by_label(DE["settings.operator.token"]).fill(token)
    page.get_by_role("button", name=DE["settings.operator.in"]).click()


def test_the_port_is_changed_while_the_program_runs(settings: Page, busy: Arena) -> None:
    """3.11, 3.12: a whole number from 0 to 65535, changed at run time, by the operator only."""
    field = settings.get_by_label(DE["settings.port"], exact=True)
    change = settings.get_by_role("button", name=DE["settings.port.change"])
    expect(field).to_be_disabled()
    expect(change).to_be_disabled()
    expect(settings.locator("[data-port]")).to_contain_text(DE["settings.port.why"])
    sign_in(settings, "not-the-token")
    refusal = "this needs the operator token, which the server prints at startup"
    expect(settings.locator("[data-operator]")).to_contain_text(said(refusal, "de"))
    sign_in(settings, busy.token)
    expect(field).to_be_enabled(timeout=LONG)
    expect(settings.locator("[data-port]")).not_to_contain_text(DE["settings.port.why"])
    before = port_of(busy)
    for wrong in ("65536", "-1", "", "achtzig"):
        field.fill(wrong)
        change.click()
        expect(settings.locator("[data-port] [role=alert]")).to_contain_text(f"„{wrong}“")
    with socket.create_server(("127.0.0.1", 0)) as other:
        free = other.getsockname()[1]
        field.fill(str(free))
        change.click()
        in_use = said(f"port {free}: Address already in use", "de")
        expect(settings.locator("[data-port] [role=alert]")).to_contain_text(in_use, timeout=LONG)
        assert asked(before, "")[0] == "OK"
    field.fill(str(free))
    change.click()
    now = DE["settings.port.now"].replace("{port}", str(free))
    expect(settings.locator("[data-port]")).to_contain_text(now, timeout=LONG)
    assert port_of(busy) == free
    assert asked(free, "")[0] == "OK"
    assert is_closed(before)
    settings.reload()
    expect(field).to_have_value(str(free), timeout=LONG)
    field.fill("0")
    change.click()
    expect(field).not_to_have_value(str(free), timeout=LONG)
    assert asked(port_of(busy), "")[0] == "OK"
    field.fill(str(before))
    change.click()
    expect(settings.locator("[data-port]")).to_contain_text(
        DE["settings.port.now"].replace("{port}", str(before)), timeout=LONG
    )
