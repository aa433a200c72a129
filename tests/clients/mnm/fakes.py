"""A thinker without a process, and a way to play with it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

from rich.console import Console

from spielwerk.clients.mnm.connector import Connector
from spielwerk.clients.mnm.program import connected
from spielwerk.clients.mnm.sentences import Language, Voice
from spielwerk.clients.mnm.settings import ClientSettings
from spielwerk.clients.mnm.thinker import LONGEST, Request, ThinkerProcess
from spielwerk.wire.lines import LineSplitter
from tests.clients.mnm.program import ID
from tests.clients.peer import Host


def first_move(request: Request) -> str:
    state = request.state()
    return f"move {request.number} {state.game.format_move(state.legal_moves()[0])}\n"


class FakeThinker(ThinkerProcess):
    """Answers at once, through a real pipe, what a function makes of the request."""

    def __init__(self, answer: Callable[[Request], str] = first_move) -> None:
        self._lines = LineSplitter(LONGEST)
        self._answers, self._theirs = os.pipe()
        self._answer = answer
        self.requests: list[Request] = []

    def wake(self, request: Request) -> None:
        self.requests.append(request)
        os.write(self._theirs, self._answer(request).encode())

    def close(self) -> None:
        os.close(self._answers)
        os.close(self._theirs)


def play(
    host: Host,
    thinker: FakeThinker | None = None,
    *,
    kind: str | None = None,
    seat: int | None = None,
    patience: float = 60.0,
    language: Language = Language.ENGLISH,
) -> str:
    """Play on the host in this process; what is printed."""
    printed = io.StringIO()
    settings = ClientSettings("127.0.0.1", host.port, kind, "", patience)
    voice = Voice(Console(file=printed, highlight=False, width=80), language)
    with (
        thinker or FakeThinker() as thinking,
        connected(settings.host, settings.port, patience, thinking) as connection,
    ):
        Connector(settings, ID, seat, connection, thinking, voice).run()
    return printed.getvalue()
