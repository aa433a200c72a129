"""A program that sends without end is told so, and costs neither time nor memory."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from spielwerk.check.case import Side
from spielwerk.check.connection import FLOOD
from spielwerk.check.started import ProgramTrial
from spielwerk.check.trial import HERE, CheckSettings
from tests.check.hasty import run_hastily


class Listening(ProgramTrial):
    package: ClassVar = "spielwerk.check"


async def flooded() -> Listening:
    trial = Listening(CheckSettings())

    async def flood(port: int) -> None:
        _, writer = await asyncio.open_connection(HERE, port)
        try:
            while True:
                writer.write(b"x" * 50_000)
                await writer.drain()
        except ConnectionError:
            writer.close()

    async def script(trial: ProgramTrial) -> None:
        flooding = asyncio.create_task(flood(await trial.listen()))
        connection = await trial.accept()
        while await connection.changed(60):
            connection.take()
        flooding.cancel()

    await trial.carry_out(script)
    return trial


def test_a_flood_is_a_fault_and_is_not_kept() -> None:
    trial = run_hastily(flooded())
    assert [fault.kind for fault in trial.faults] == ["flooded"]
    kept = sum(len(one.data) for one in trial.transcript if one.side is Side.PROGRAM)
    assert kept <= FLOOD
    assert [one.data for one in trial.transcript if one.side is Side.EVENT] == [
        b"the program connects"
    ]
