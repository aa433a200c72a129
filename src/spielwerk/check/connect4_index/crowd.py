"""Clients that are wrong, silent, slow, gone or many, and initiators that give no sign of life."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from spielwerk.check.connect4_index.guest import HEARTBEAT
from spielwerk.check.connect4_index.trial import LIST, script
from spielwerk.check.trial import CaseOver
from spielwerk.check.visible import alike
from spielwerk.wire.connect4.messages import write_message

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from spielwerk.check.connect4_index.guest import Mailbox, Visitor
    from spielwerk.check.connect4_index.trial import IndexTrial, Registration

T = TypeVar("T")

SILENT: Final = 12
MANY: Final = 20
ASKED: Final = 4000  # requests of a client that does not read
A_MOMENT: Final = 0.2  # seconds for a server to stumble
SLOWLY: Final = 0.1  # seconds between two bytes

REQUEST: Final = write_message(LIST)

LIMIT: Final = 60.0  # seconds within which each side must hear a heartbeat
BEAT: Final = 10.0  # as the document recommends
GRACE: Final = 3.0  # for a heartbeat that is sent in the last moment
SURELY: Final = 50.0  # seconds after which a silent initiator's games are still there
NOTICED: Final = 30.0  # seconds after its time-out in which a server may notice it
LOOK: Final = 2.0
SELDOM: Final = 20.0  # seconds between two heartbeats from which on a lost one can matter


# clients that are wrong or in the way


@script
async def _wrong(trial: IndexTrial, data: str, times: int = 1) -> None:
    """One client, who is connected already, and a new one are served after these bytes."""
    other = trial.guest("other client")
    await trial.games(other)
    wrong = trial.guest("wrong client")
    await wrong.send(data.encode("latin-1") * times)
    await asyncio.sleep(A_MOMENT)
    for guest in (other, trial.guest("new client")):
        await _served(trial, guest, "wrong-message", wrong.leave)
    while line := await wrong.line(0.0):
        trial.own_success(line)


async def _served(
    trial: IndexTrial, guest: Visitor, meanwhile: str, release: Callable[[], None]
) -> None:
    """The list must come although other clients are there; if not, see whether they are why."""
    before, patience = len(trial.faults), trial.server.timeout
    try:
        await trial.games(guest)
    except CaseOver:
        fault = trial.faults[before]
        if fault.kind == "unreachable":
            trial.faults[before:] = []
            trial.fail(f"gone-{meanwhile}")
        if fault.kind != "silent":
            raise
        trial.faults[before:] = []
        release()
        late = await guest.line(trial.server.timeout)
        hint = "one-by-one" if late is not None else ""
        trial.fail(f"held-up-{meanwhile}", hint=hint, timed=True, seconds=patience)


@script
async def _clients_gone(trial: IndexTrial) -> None:
    """Clients who leave at once, in the middle of a line, and before their answer."""
    for piece in (b"", b"request_g", REQUEST, REQUEST * 50):
        for how in ("leave", "reset"):
            guest = trial.guest("client that leaves")
            await guest.send(piece)
            guest.leave() if how == "leave" else guest.connection.reset()
    await asyncio.sleep(A_MOMENT)
    await _served(trial, trial.guest("new client"), "clients-gone", lambda: None)


@script
async def _crowd(trial: IndexTrial, piece: str) -> None:
    """Many clients who have sent this and no more."""
    guests = [trial.guest(f"silent client {number}") for number in range(1, SILENT + 1)]
    for guest in guests:
        await guest.send(piece.encode())

    def release() -> None:
        for guest in (trial.initiator, *guests):
            guest.leave()

    await _served(trial, trial.guest("new client"), "silent-clients", release)


@script
async def _clients_slow(trial: IndexTrial) -> None:
    """A client takes two seconds for its line; others are served meanwhile."""
    slow, other = trial.guest("slow client"), trial.guest("other client")
    await slow.connect()

    async def crawl() -> None:
        await slow.send(*(bytes([byte]) for byte in REQUEST), pause=SLOWLY)

    crawling = asyncio.create_task(crawl())
    try:
        for _ in range(4):
            await asyncio.sleep(4 * SLOWLY)
            await _served(trial, other, "slow-client", slow.leave)
        await crawling
        await slow.expect("answer_game_list")
    finally:
        crawling.cancel()


@script
async def _clients_not_reading(trial: IndexTrial) -> None:
    """A client asks for the list again and again, and takes no answer."""
    for number in range(10):
        await trial.register(f"game {number} with a long name {'x' * 40}")
    deaf = trial.guest("client that does not read")
    await deaf.connect()
    deaf.stop_reading()
    await deaf.send(REQUEST * ASKED)
    await asyncio.sleep(A_MOMENT)
    await _served(trial, trial.guest("new client"), "not-reading", deaf.leave)
    deaf.leave()


@script
async def _clients_many(trial: IndexTrial) -> None:
    """All register a game at the same moment; each has a GUID of its own, and all are listed."""
    guests = {f"game {n}": trial.guest(f"initiator {n}") for n in range(1, MANY + 1)}
    for guest in guests.values():
        await guest.connect()
    guids = await _together(*(trial.register(game, guest) for game, guest in guests.items()))
    if len({*guids}) < MANY:
        trial.fail("same-guid", guid=max(guids, key=guids.count))
    await trial.shows(*guests)


@script
async def _clients_one_name(trial: IndexTrial) -> None:
    """All want the same name at the same moment; one gets it."""
    guests = [trial.guest(f"initiator {number}") for number in range(1, MANY + 1)]
    offer = trial.offer()
    for guest in guests:
        await guest.connect()

    async def ask(guest: Visitor) -> bool:
        heard = await guest.ask(offer.request(), "register_success", "register_failed")
        granted = heard.message.header == "register_success"
        if granted:
            trial.own(heard)
        return granted

    granted = sum(await _together(*(ask(guest) for guest in guests)))
    if granted != 1:
        trial.fail("name-granted", times=granted, of=MANY)
    await trial.shows()


async def _together(*steps: Awaitable[T]) -> list[T]:
    """All at once; when one fails the others are waited for, and its failure counts."""
    results = []
    for result in await asyncio.gather(*steps, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        results.append(result)
    return results


DATAGRAMS: Final = (b"", b"\n", b"hallo", b"\xff\xfe\0", b"heartbeat;1;2\n", b"x" * 8000)


@script
async def _wrong_datagrams(trial: IndexTrial) -> None:
    """Datagrams that are no heartbeats, and heartbeats of a stranger."""
    for data in DATAGRAMS:
        trial.mailbox.send(data)
    trial.mailbox.send()
    await asyncio.sleep(A_MOMENT)
    await trial.register()
    await trial.shows()


# heartbeats and time-outs, in their real time: 60 seconds


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


@script
async def _heartbeat_from_the_index(trial: IndexTrial) -> None:
    """Two heartbeats of the server, each in time, at the registered address."""
    await trial.register()
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
        trial.fail("no-such-heartbeat", expected=(HEARTBEAT,), position=alike(data, HEARTBEAT))
    if data != HEARTBEAT:
        trial.blame(
            "odd-heartbeat", expected=(HEARTBEAT,), position=alike(data, HEARTBEAT), advice=True
        )
    if source[1] != trial.mailbox.server[1]:
        port = trial.mailbox.server[1]
        trial.blame("heartbeat-port", source=source[1], port=port, advice=True)


async def _names(trial: IndexTrial) -> set[str]:
    """The names in the list, asked for by another client: the initiator gives no sign of life."""
    client = trial.guest("another client")
    names = {game.name for game in await trial.games(client)}
    client.leave()
    return names


@script
async def _heartbeat_keeps(trial: IndexTrial) -> None:
    """With heartbeats a game stays."""
    offer = trial.offer()
    await trial.register()
    async with _beating(trial.mailbox):
        await asyncio.sleep(LIMIT + NOTICED)
        await _still_there(trial, offer, LIMIT + NOTICED, "heartbeats")


@script
async def _heartbeat_begins_anew(trial: IndexTrial) -> None:
    """One heartbeat after 35 seconds, and nothing for 50: the game is still there."""
    offer = trial.offer()
    await trial.register()
    await asyncio.sleep(35.0)
    trial.mailbox.send()
    await asyncio.sleep(SURELY)
    await _still_there(trial, offer, SURELY, "one-heartbeat")


async def _still_there(trial: IndexTrial, offer: Registration, seconds: float, how: str) -> None:
    if offer.name not in await _names(trial):
        trial.fail(f"dropped-in-spite-of-{how}", name=offer.name, seconds=seconds)


@script
async def _time_out_silent(trial: IndexTrial) -> None:
    """All games of a silent initiator fall away, sealed ones too, and not before the time."""
    first, second = trial.offer("open"), trial.offer("sealed")
    for game in ("open", "sealed"):
        await trial.register(game)
    await trial.seal("sealed")
    await asyncio.sleep(SURELY)
    for offer in (first, second):
        if offer.name not in await _names(trial):
            trial.fail("dropped-early", name=offer.name, seconds=SURELY)
    await asyncio.sleep(LIMIT - SURELY + LOOK)
    await _fall_away(trial, first, second)
    trial.removed("open", "sealed")


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


@script
async def _time_out_others_stay(trial: IndexTrial) -> None:
    """One initiator is silent, another one at the same address is not."""
    other = await trial.new_mailbox()
    silent, beating = trial.offer("silent"), trial.offer("beating", mailbox=other)
    for game in ("silent", "beating"):
        await trial.register(game)
    async with _beating(other):
        await asyncio.sleep(LIMIT + LOOK)
        await _fall_away(trial, silent)
        await _still_there(trial, beating, LIMIT, "heartbeats")
    trial.removed("silent")
