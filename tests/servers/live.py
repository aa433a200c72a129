"""Servers to test against: one in a thread of this process, one as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from spielwerk.app.server import Server, running
from spielwerk.app.settings import SERVICES, ServerSettings, Settings, TableSettings, with_ports
from spielwerk.servers.mnm import MnmSettings
from spielwerk.web.site import WebSettings
from tests.cli.test_cli import SPIELWERK
from tests.waiting import PATIENCE


class Answer(NamedTuple):
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(url: str, body: bytes | None = None, **headers: str) -> Answer:
    """Ask for a page, or post something."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(url, body, named)  # noqa: S310
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            return Answer(answer.status, dict(answer.headers), answer.read())
    except HTTPError as error:
        with error:
            return Answer(error.code, dict(error.headers), error.read())


def patiently(question: Callable[[], Answer]) -> Answer:
    """The answer, asked for again while an engine is compiled, as pages do."""
    while b"engine-being-prepared" in (answer := question()).body and answer.status == 429:
        time.sleep(0.2)
    return answer


HERE = ("localhost", "127.0.0.1", "::1")  # where the tests have servers of their own
FREE = (
    *(text for name in SERVICES for text in ("--port", f"{name}=0")),
    *("--set", f"tables.remote_hosts={','.join(HERE)}"),
)


def settings_for(folder: Path, **web: Any) -> Settings:
    """Free ports and a folder of its own."""
    settings = Settings(
        server=ServerSettings(data=str(folder), log="debug"),
        tables=TableSettings(remote_hosts=HERE),
        mnm=MnmSettings(pace="block"),
        web=WebSettings(**web),
    )
    return with_ports(settings, [f"{name}=0" for name in SERVICES])


class Live:
    """A server that runs in another thread."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self._loop = loop
        host, port = server.addresses["web"][0]
        self.url = f"http://{host}:{port}"
        self.web = (host, port)
        self.mnm = server.addresses["mnm"][0]

    def call(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Have something done in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def get(self, path: str, **headers: str) -> Answer:
        return patiently(lambda: ask(self.url + path, None, **headers))

    def post(self, body: bytes | dict[str, Any], **headers: str) -> Answer:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return ask(f"{self.url}/api/v1/matches", data, **headers)

    def new(self, **wish: Any) -> str:
        return str(self.post({"type": "Quarto", **wish}).json["id"])


@contextmanager
def live(settings: Settings) -> Iterator[Live]:
    """Run a server in another thread."""
    ready, stop = threading.Event(), asyncio.Event()
    started: list[Live] = []

    async def main() -> None:
        try:
            async with running(settings) as server:
                started.append(Live(server, asyncio.get_running_loop()))
                ready.set()
                await stop.wait()
        finally:
            ready.set()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    assert ready.wait(PATIENCE)
    (server,) = started
    try:
        yield server
    finally:
        server._loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)


class Process:
    """`spielwerk serve` as it is really run; its log goes to a file."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.log = folder / "log.txt"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [SPIELWERK, "serve", "--data", str(folder), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=folder,
                env=os.environ | environment,
            )

    def lines(self, count: int) -> list[str]:
        """The first lines that it prints."""
        assert self.process.stdout is not None
        return [self.process.stdout.readline().rstrip("\n") for _ in range(count)]

    def listening(self) -> tuple[tuple[str, int], str]:
        """Wait until all services listen; the game server's address and the web's."""
        addresses = dict(line.split()[:2] for line in self.lines(len(SERVICES)))
        host, _, port = addresses["mnm"].rpartition(":")
        return (host, int(port)), addresses["web"].rstrip("/")

    def stop(self, number: signal.Signals) -> tuple[int, str]:
        """Send the signal; the exit code and what was logged."""
        self.process.send_signal(number)
        return self.end()

    def end(self) -> tuple[int, str]:
        """Wait for the end; the exit code and what was logged."""
        return self.process.wait(PATIENCE), self.log.read_text()

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


@contextmanager
def process(folder: Path, *arguments: str, **environment: str) -> Iterator[Process]:
    """Run `spielwerk serve`, and leave nothing of it."""
    serving = Process(folder, *arguments, **environment)
    try:
        yield serving
    finally:
        serving.kill()


class Client:
    """A client of the game server that says and hears whole lines."""

    def __init__(self, address: tuple[str, int], source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(address, PATIENCE, (source, 0))
        self.file = self.socket.makefile("rwb", buffering=0)

    def say(self, line: bytes) -> None:
        self.file.write(line)

    def hear(self) -> str:
        return bytes(self.file.readline()).decode().rstrip("\n")

    def hear_until(self, start: str) -> list[str]:
        """Everything up to a line that starts like this, or to the end."""
        lines = [self.hear()]
        while lines[-1] and not lines[-1].startswith(start):
            lines.append(self.hear())
        return lines

    def join(self, game: str) -> None:
        """Take a seat."""
        self.hear()
        for line, answer in (
            ("VERSION 1.0", "+ Client"),
            (f"ID {game}", "+ PLAYING"),
            ("PLAYER", "+ ENDPLAYERS"),
        ):
            self.say(f"{line}\n".encode())
            assert self.hear_until(answer)[-1].startswith(answer)

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextmanager
def client(address: tuple[str, int], source: str = "127.0.0.1") -> Iterator[Client]:
    """A client that is gone afterwards."""
    one = Client(address, source)
    try:
        yield one
    finally:
        one.close()
