"""Bots that are odd, and keep to the protocol: none of them may be blamed."""

from __future__ import annotations

import asyncio

from tests.check.dice.honest import HonestBot
from tests.check.planting import Odd

harmless = Odd()


@harmless
class CarriageReturns(HonestBot):
    async def say(self, text: str) -> None:
        await self.write(f"{text}\r\n".encode())


@harmless
class BlankAtTheEnd(HonestBot):
    async def say(self, text: str) -> None:
        await super().say(f"{text} ")


@harmless
class EndsOfStrings(HonestBot):
    """Sends the zero byte behind each of its strings."""

    async def say(self, text: str) -> None:
        await self.write(f"{text}\n\0".encode())


@harmless
class RubbishAfterBye(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:
        await super().part(own, first, second)
        await self.write(b"BYE\n\n\xff\xfe rubbish" * 100)


@harmless
class LeavesAfterBye(HonestBot):
    """Does not wait for the server's BYE: the game is decided."""

    async def over(self, won: bool) -> None:
        await super().over(won)
        raise OSError


@harmless
class SpeaksFirst(HonestBot):
    """AUTH before HELO is good for advice, no more."""

    async def play(self) -> None:
        await self.say(f"AUTH {self.name()}")
        await super().play()

    async def greeted(self) -> None:
        pass


@harmless
class NeverRolls(HonestBot):
    def decides(self) -> bool:
        return False


@harmless
class NeverSaves(HonestBot):
    def decides(self) -> bool:
        return True


@harmless
class LeadingZeros(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:
        await self.say(f"BYE {own:05d} {first:05d} {second:05d}")


@harmless
class ByteByByte(HonestBot):
    async def write(self, data: bytes) -> None:
        for byte in data:
            await super().write(bytes((byte,)))
            await asyncio.sleep(0.005)


@harmless
class TakesItsTime(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await asyncio.sleep(1.9)
        await super().decided(rolls)


@harmless
class WaitsForTheServer(HonestBot):
    """Closes when the server has closed, and not before."""

    async def play(self) -> None:
        await super().play()
        await self.stream.read()


@harmless
class ClosesOneWay(HonestBot):
    """Says with its BYE that nothing more will come."""

    async def part(self, own: int, first: int, second: int) -> None:
        await super().part(own, first, second)
        self.writer.write_eof()
