"""An index server without I/O, with a clock of its own, to be asked in tests."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from spielwerk.wire.connect4.index import HEARTBEAT, Change, Index, IndexLimits, Reply
from spielwerk.wire.connect4.messages import read_message

DOCUMENT = "register_game;martin;martin's game;7;6;4;198.78.202.118;80"
OWNER = "10.0.0.1"
UNKNOWN = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"


def guids() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"00000000-0000-4000-8000-{next(numbers):012x}"


def guid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012x}"


class Server:
    """An index whose changes are kept at once, and its clock."""

    def __init__(self, *, variant: bool = False, **limits: Any) -> None:
        self.now = 1000.0
        self.index = Index(guids(), self.now, IndexLimits(**limits), variant=variant)

    def handle(self, line: str | bytes, owner: str = OWNER) -> Reply | Change | None:
        data = line.encode() if isinstance(line, str) else line
        return self.index.handle(data, owner, self.now)

    def reply(self, line: str | bytes, owner: str = OWNER) -> Reply:
        outcome = self.handle(line, owner)
        if isinstance(outcome, Change):
            outcome = self.index.settle(outcome, self.now)
        assert outcome is not None
        assert outcome.line.count(b"\n") == 1
        return outcome

    def ask(self, line: str | bytes, owner: str = OWNER) -> str:
        return self.reply(line, owner).line.decode().removesuffix("\n")

    def register(self, name: str, at: str = "10.0.0.1", port: int = 80, owner: str = OWNER) -> str:
        answer = self.ask(f"register_game;anna;{name};7;6;0;{at};{port}", owner)
        header, _, key = answer.partition(";")
        assert header == "register_success", answer
        return key

    def change(self, line: str) -> Change:
        change = self.handle(line)
        assert isinstance(change, Change)
        return change

    def names(self) -> list[str]:
        answer = read_message(self.ask("request_game_list").encode())
        (games,) = answer.values
        assert games == tuple(entry.listed() for entry in self.index.entries)
        return [game.name for game in games]

    def wait(self, seconds: float) -> list[tuple[str, int]]:
        """Let time pass in small steps; the heartbeats that were sent."""
        sent, end = [], self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.5)
            sent += self.index.beats(self.now)
            self.index.fall_away(self.now)
        return sent

    def heartbeat(self, host: str, port: int = 80, data: bytes = HEARTBEAT) -> str | None:
        return self.index.heartbeat(data, (host, port), self.now)
