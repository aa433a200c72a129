"""Heartbeats and time-outs, in their real time: 60 seconds."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from spielwerk.check.connect4_index.guest import HEARTBEAT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from spielwerk.check.connect4_index.guest import Mailbox
    from spielwerk.check.connect4_index.trial import IndexTrial, Registration
    from spielwerk.check.texts import Script

LIMIT: Final = 60.0  # seconds within which each side must hear a heartbeat
BEAT: Final = 10.0  # as the document recommends
GRACE: Final = 3.0  # for a heartbeat that is sent in the last moment
SURELY: Final = 50.0  # seconds after which a silent initiator's games are still there
NOTICED: Final = 30.0  # seconds after its time-out in which a server may notice it
LOOK: Final = 2.0
SELDOM: Final = 20.0  # seconds between two heartbeats from which on a lost one can matter


@asynccontextmanager
async def _beating(*mailboxes: Mailbox) -> AsyncIterator[None]:
    """Initiators that send heartbeats meanwhile."""

    async def beat() -> None:
        while True:
            for mailbox in mailboxes:
                mailbox.send()
            await asyncio.sleep(BEAT)

    task = asyncio.create_task(beat())
    try:
        yield
    finally:
        task.cancel()


async def _from_the_index(trial: IndexTrial) -> None:
    """Two heartbeats of the server, each in time, at the registered address."""
    await trial.register(trial.offer())
    loop = asyncio.get_running_loop()
    async with _beating(trial.mailbox):
        last = loop.time()
        for number in (1, 2):
            try:
                async with asyncio.timeout(LIMIT + GRACE):
                    data, source = await trial.mailbox.datagrams.get()
            except TimeoutError:
                trial.fail("no-heartbeat", seconds=LIMIT, number=number)
            _judge(trial, data, source)
            passed, last = loop.time() - last, loop.time()
            if passed > SELDOM:
                trial.blame("seldom", seconds=passed, advice=True)


def _judge(trial: IndexTrial, data: bytes, source: tuple[str, int]) -> None:
    if data.rstrip(b"\r\n\0 ;") != HEARTBEAT.strip():
        trial.fail("no-such-heartbeat", expected=(HEARTBEAT,), position=_difference(data))
    if data != HEARTBEAT:
        trial.blame("odd-heartbeat", expected=(HEARTBEAT,), position=_difference(data), advice=True)
    if source[1] != trial.mailbox.server[1]:
        port = trial.mailbox.server[1]
        trial.blame("heartbeat-port", source=source[1], port=port, advice=True)


def _difference(data: bytes) -> int:
    pairs = enumerate(zip(data, HEARTBEAT, strict=False))
    return next((place for place, (one, other) in pairs if one != other), len(data))


async def _names(trial: IndexTrial) -> set[str]:
    """The names in the list, asked for by another client: the initiator gives no sign of life."""
    client = trial.guest("another client")
    names = {game.name for game in await trial.games(client)}
    client.leave()
    return names


async def _keeps(trial: IndexTrial) -> None:
    """With heartbeats a game stays."""
    offer = trial.offer()
    await trial.register(offer)
    async with _beating(trial.mailbox):
        await asyncio.sleep(LIMIT + NOTICED)
        await _still_there(trial, offer, LIMIT + NOTICED, "heartbeats")


async def _begins_anew(trial: IndexTrial) -> None:
    """One heartbeat after 35 seconds, and nothing for 50: the game is still there."""
    offer = trial.offer()
    await trial.register(offer)
    await asyncio.sleep(35.0)
    trial.mailbox.send()
    await asyncio.sleep(SURELY)
    await _still_there(trial, offer, SURELY, "one-heartbeat")


async def _still_there(trial: IndexTrial, offer: Registration, seconds: float, how: str) -> None:
    if offer.name not in await _names(trial):
        trial.fail(f"dropped-in-spite-of-{how}", name=offer.name, seconds=seconds)


async def _silent(trial: IndexTrial) -> None:
    """All games of a silent initiator fall away, sealed ones too, and not before the time."""
    first, second = trial.offer("open"), trial.offer("sealed")
    guids = [await trial.register(offer) for offer in (first, second)]
    await trial.seal(guids[1])
    await asyncio.sleep(SURELY)
    for offer in (first, second):
        if offer.name not in await _names(trial):
            trial.fail("dropped-early", name=offer.name, seconds=SURELY)
    await asyncio.sleep(LIMIT - SURELY + LOOK)
    await _fall_away(trial, first, second)
    for guid in guids:
        trial.removed(guid)


async def _fall_away(trial: IndexTrial, *offers: Registration) -> None:
    """Look until none of the games is there, as long as a server may take to notice."""
    names = {offer.name for offer in offers}
    for _ in range(int(NOTICED / LOOK)):
        left = names & await _names(trial)
        if not left:
            return
        await asyncio.sleep(LOOK)
    some = len(left) < len(names)
    kind = "some-not-dropped" if some else "not-dropped"
    trial.fail(kind, name=min(left), seconds=LIMIT + NOTICED)


async def _others_stay(trial: IndexTrial) -> None:
    """One initiator is silent, another one at the same address is not."""
    other = await trial.new_mailbox()
    silent, beating = trial.offer("silent"), trial.offer("beating", mailbox=other)
    guid = await trial.register(silent)
    await trial.register(beating)
    async with _beating(other):
        await asyncio.sleep(LIMIT + LOOK)
        await _fall_away(trial, silent)
        await _still_there(trial, beating, LIMIT, "heartbeats")
    trial.removed(guid)


SCRIPTS: Final[dict[str, Script]] = {
    "heartbeat/from-the-index": _from_the_index,
    "heartbeat/keeps": _keeps,
    "heartbeat/begins-anew": _begins_anew,
    "time-out/silent": _silent,
    "time-out/others-stay": _others_stay,
}
