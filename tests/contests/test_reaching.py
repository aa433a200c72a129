"""Where a running contest is reached: kept in its store, and gone when it is over."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from spielwerk.contests.running.reaching import Unreachable, jobs_of, reachable, tell_jobs
from spielwerk.store.opening import open_reader, open_store
from spielwerk.store.schema import keys

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from spielwerk.store.opening import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "contest.db") as opened:
        yield opened


class Server(HTTPServer):
    """Notes what is asked, and answers what it is told to."""

    status, answer = 200, b'{"jobs": 3}'

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server

    def do_PUT(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Authorization"], None))
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, *_: object) -> None:
        """Be silent."""


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def test_whoever_can_read_the_store_can_tell_the_contest(store: Store, tmp_path: Path) -> None:
    with serving() as server, reachable(store, "spring", server.server_address, "secret"):  # type: ignore[arg-type]
        with open_reader(tmp_path / "contest.db") as reader:
            assert tell_jobs(reader, "spring", 3) == 3
        ((path, token, body),) = server.asked
    assert path == "/api/v1/contests/spring/jobs"
    assert token == "Bearer secret"  # noqa: S105
    assert body == {"jobs": 3}


@pytest.mark.parametrize(
    ("answer", "jobs"),
    [
        (b'{"contests": [{"id": "a", "live": null}, {"id": "spring", "live": {"jobs": 0}}]}', 0),
        (b'{"contests": [{"id": "spring", "live": null}]}', None),
        (b'{"contests": []}', None),
        (b'["somebody", "else"]', None),
        (b"<html>", None),
    ],
)
def test_a_running_contest_says_how_many_it_plays(
    store: Store, answer: bytes, jobs: int | None
) -> None:
    assert jobs_of(store, "spring") is None
    with serving() as server, reachable(store, "spring", server.server_address, "secret"):  # type: ignore[arg-type]
        server.answer = answer
        assert jobs_of(store, "spring") == jobs
    assert server.asked == [("/api/v1/contests", "Bearer secret", None)]


def test_a_contest_that_is_over_is_not_there_any_more(store: Store) -> None:
    with reachable(store, "spring", ("127.0.0.1", 1), "secret"):
        pass
    with pytest.raises(Unreachable, match="spring is not running"):
        tell_jobs(store, "spring", 3)


def test_a_second_run_is_reached_where_it_is(store: Store) -> None:
    with (
        reachable(store, "spring", ("127.0.0.1", 1), "old"),
        serving() as server,
        reachable(store, "spring", server.server_address, "new"),  # type: ignore[arg-type]
    ):
        assert tell_jobs(store, "spring", 3) == 3
        assert server.asked[0][1] == "Bearer new"


def test_one_that_was_killed_does_not_answer(store: Store) -> None:
    with (
        reachable(store, "spring", ("127.0.0.1", 1), "secret"),
        pytest.raises(Unreachable, match=r"does not answer at http://127.0.0.1:1/"),
    ):
        tell_jobs(store, "spring", 3)


@pytest.mark.parametrize(
    ("answer", "told"),
    [(b'{"error": "not the operator"}', "not the operator"), (b"<html>", "refused")],
)
def test_a_refusal_is_told(store: Store, answer: bytes, told: str) -> None:
    with serving() as server, reachable(store, "spring", server.server_address, "secret"):  # type: ignore[arg-type]
        server.status, server.answer = 403, answer
        with pytest.raises(Unreachable, match=told):
            tell_jobs(store, "spring", 3)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104
        ("::", "http://[::1]:8000"),
        ("192.0.2.1", "http://192.0.2.1:8000"),
    ],
)
def test_everywhere_is_here(store: Store, host: str, url: str) -> None:
    with reachable(store, "spring", (host, 8000), "secret"), store.reading() as connection:
        found = connection.scalar(select(keys.c.value).where(keys.c.name == "contest:spring"))
    assert json.loads(found or "")["url"] == url
