"""Clients that talk oddly, but rightly, are not blamed; and how patient the checker is."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from spielwerk.games import State
from spielwerk.wire.mnm.words import reader_for
from tests.check.mnm.honest import HonestClient, Lost, verdicts, wrong
from tests.check.mnm.test_talking import Mute, Waits

TALKING = ("prolog", "names", "wait", "pace", "pieces", "refusal", "silence", "close", "reset")


class CarriageReturns(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text}\r")


class TrailingBlanks(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text} ")


class TrailingNul(HonestClient):
    async def say(self, text: str) -> None:
        await self.write(f"{text}\n\0".encode())


class NoMinorVersion(HonestClient):
    def version(self) -> str:
        return self.major


class WantsNoSeat(HonestClient):
    def wanted(self) -> str:
        return "PLAYER "


class WritesPiecemeal(HonestClient):
    async def write(self, data: bytes) -> None:
        for byte in data:
            await super().write(bytes([byte]))
            await asyncio.sleep(0.001)


class LeavesBeforeQuit(HonestClient):
    async def over(self) -> bool:
        return False


class ThinksOnceMore(HonestClient):
    async def over(self) -> bool:
        await self.say("THINKING")
        return await super().over()


class ThinksEarly(HonestClient):
    """Says THINKING as soon as MOVE has come."""

    async def position(self) -> State[Any]:
        await self.say("THINKING")
        return await super().position()

    async def think(self) -> None:
        """It has."""


class ChoosesEarly(HonestClient):
    """Says PLAYER as soon as PLAYING has come, and not again."""

    async def look_at_kind(self, kind: str) -> None:
        await super().look_at_kind(kind)
        await super().say(self.wanted())

    async def say(self, text: str) -> None:
        if not text.startswith("PLAYER"):
            await super().say(text)


class Leisurely(Waits):
    seconds = 4.0

    async def think(self) -> None:
        await asyncio.sleep(0.8)
        await super().think()


class Unsure(HonestClient):
    """Knows its seat only from YOU."""

    def wanted(self) -> str:
        return "PLAYER"

    async def look_at_seat(self, you: Sequence[str]) -> None:
        reader = reader_for(self.kind, int(you[1]))
        assert reader is not None
        self.reader = reader


ODDITIES = [
    CarriageReturns,
    TrailingBlanks,
    TrailingNul,
    NoMinorVersion,
    WantsNoSeat,
    Unsure,
    WritesPiecemeal,
    LeavesBeforeQuit,
    ThinksOnceMore,
    ThinksEarly,
    ChoosesEarly,
    Leisurely,
]


@pytest.mark.parametrize("client", ODDITIES)
def test_an_oddity_is_no_fault(client: type[HonestClient]) -> None:
    assert wrong(verdicts(client, TALKING)) == []


class Impatient(HonestClient):
    async def line(self) -> str:
        try:
            async with asyncio.timeout(2):
                return await super().line()
        except TimeoutError:
            raise Lost from None


def test_how_long_a_client_waits_for_a_silent_server_is_only_advice() -> None:
    verdict = verdicts(Impatient, ["silence/id"])["silence/id"]
    assert verdict.advised
    assert verdict.faults[0].kind == "gave-up"


def test_a_client_that_never_answers_gets_less_time_after_a_while() -> None:
    often = ["wait/long", "wait/often", "silence/waiting", "close/waiting"]
    told = [verdict.faults[0].problem for verdict in verdicts(Mute, often).values()]
    assert told[:2] == ["OKWAIT had not come after 10 s"] * 2
    assert told[2:] == ["OKWAIT had not come after 3 s"] * 2


def test_a_client_that_sometimes_answers_gets_all_the_time() -> None:
    class Fitful(Waits):
        seconds = 4.0
        count = 0

        async def ok_wait(self) -> None:
            Fitful.count += 1
            if Fitful.count not in (2, 4):
                await super().ok_wait()

    judged = verdicts(Fitful, ["wait/long", "silence/waiting", "close/waiting"])
    assert [verdict.passed for verdict in judged.values()] == [False, False, True]
