"""What the web server sends besides the API: pages, files, and headers that keep them safe."""

from __future__ import annotations

import gzip
import re
import socket
import time

import pytest

from tests.servers.live import Live
from tests.waiting import PATIENCE
from tests.web.people import HERE, NO_LIMIT, Browser

PAGES = ("/", "/new", "/settings", "/help")
REFERENCE = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.mark.parametrize(
    "path", [*PAGES, "/t/AAAAAAAAAAA", "/api/v1/lobby", "/api/nothing", "/static/x/y", "/healthz"]
)
def test_every_answer_has_the_policy(server: Live, path: str) -> None:
    headers = {name.lower(): value for name, value in server.get(path).headers.items()}
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_pages_come_in_the_language_of_the_browser(server: Live, path: str) -> None:
    for header, language in (("de-AT,en;q=0.5", "de"), ("fr, en-GB;q=0.9", "en"), ("xx", "en")):
        answer = server.get(path, Accept_Language=header)
        assert answer.status == 200
        assert f'<html lang="{language}">'.encode() in answer.body
    browser = Browser(server)
    chosen = browser.ask("GET", f"{path}?lang=de", Accept_Language="en")
    assert b'<html lang="de">' in chosen.body
    assert browser.cookies["language"] == "de"


@pytest.mark.parametrize("path", PAGES)
def test_everything_a_page_refers_to_is_there_for_ever(server: Live, path: str) -> None:
    found = REFERENCE.findall(server.get(path).body.decode())
    assert len(found) > 4
    for reference in found:
        answer = server.get(reference)
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]


def test_files_are_sent_compressed_to_those_who_can(server: Live) -> None:
    reference = REFERENCE.findall(server.get("/").body.decode())[0]
    plain, packed = server.get(reference), server.get(reference, Accept_Encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    old = re.sub(r"/static/\w+/", "/static/old/", reference)
    assert server.get(old).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/static/x/../app.py", "/static/x/%2e%2e/app.py", "/static/x//etc/passwd", "/static/x/"],
)
def test_nothing_else_is_a_file(server: Live, path: str) -> None:
    answer = server.get(path)
    assert answer.status == 404
    assert answer.json["error"]


@pytest.mark.parametrize(
    "path", ["/t/AAAAAAAAAAA", "/t/%3Cscript%3E", "/nothing", "/t/" + "x" * 3000]
)
def test_what_is_not_there_is_a_page_in_the_same_look(server: Live, path: str) -> None:
    answer = server.get(path, Accept_Language="de")
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert b"Nicht gefunden" in answer.body
    assert b"<script>" not in answer.body


def test_a_table_has_its_page(server: Live) -> None:
    answer = server.get(f"/t/{server.new()}")
    assert answer.status == 200
    assert b'data-page="table"' in answer.body


def test_one_who_does_not_read_an_answer_is_dropped(impatient: Live) -> None:
    person = Browser(impatient)
    options = {"width": 32, "height": 32, "depth": 32}
    game = person.new(HERE, HERE, type="connect4", gameSpecific=options, **NO_LIMIT)
    request = f"GET /api/v1/matches/{game}/views HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        peer.settimeout(PATIENCE)
        peer.connect(impatient.web)
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(400):  # nothing is read; what we ask for is answered until it is full
                peer.sendall(request)
                time.sleep(0.01)
