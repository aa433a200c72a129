"""Clients that are wrong, silent, slow, gone or many: the others must be served meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from spielwerk.check.connect4_index.trial import LIST
from spielwerk.check.trial import CaseOver
from spielwerk.wire.connect4.messages import write_message

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.connect4_index.guest import Visitor
    from spielwerk.check.connect4_index.trial import IndexTrial
    from spielwerk.check.texts import Script

T = TypeVar("T")

SILENT: Final = 12
MANY: Final = 20
ASKED: Final = 4000  # requests of a client that does not read
A_MOMENT: Final = 0.2  # seconds for a server to stumble
SLOWLY: Final = 0.1  # seconds between two bytes

REQUEST: Final = write_message(LIST)

WRONG: Final = {
    "unknown": b"hallo;welt\n",
    "empty-lines": b"\n\n;\n;;;\n",
    "no-utf-8": b"register_game;\xff\xfe;\xc3\x28;7;6;4;127.0.0.1;80\n",
    "binary": bytes(range(256)) + b"\n",
    "other-messages": b"move;3\njoin_game;Anna;game;V1\nanswer_game_list;0\nheartbeat\n",
    "numbers": b"register_game;a;b;99999999999999999999;6;-1;x;y\nanswer_game_list;-5\n",
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "long-line": b"register_game;" + b"x" * 200_000,
}
"""What a client must not send."""


def _survives(data: bytes) -> Script:
    """One client, who is connected already, and a new one are served after it."""

    async def script(trial: IndexTrial) -> None:
        other = trial.guest("other client")
        await trial.games(other)
        wrong = trial.guest("wrong client")
        await wrong.send(data)
        await asyncio.sleep(A_MOMENT)
        await _served(trial, other, "wrong-message", wrong.leave)
        await _served(trial, trial.guest("new client"), "wrong-message", wrong.leave)
        while line := await wrong.line(0.0):
            trial.own_success(line)

    return script


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


async def _unfinished_and_gone(trial: IndexTrial) -> None:
    """Clients who leave at once, in the middle of a line, and before their answer."""
    for piece in (b"", b"request_g", REQUEST, REQUEST * 50):
        for how in ("leave", "reset"):
            guest = trial.guest("client that leaves")
            await guest.send(piece) if piece else await guest.connect()
            guest.leave() if how == "leave" else guest.connection.reset()
    await asyncio.sleep(A_MOMENT)
    await _served(trial, trial.guest("new client"), "clients-gone", lambda: None)


def _crowd(piece: bytes, meanwhile: str) -> Script:
    """Many clients who have sent this and no more."""

    async def script(trial: IndexTrial) -> None:
        guests = [trial.guest(f"silent client {number}") for number in range(1, SILENT + 1)]
        for guest in guests:
            await guest.send(piece) if piece else await guest.connect()

        def release() -> None:
            for guest in (trial.initiator, *guests):
                guest.leave()

        await _served(trial, trial.guest("new client"), meanwhile, release)

    return script


async def _slow(trial: IndexTrial) -> None:
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


async def _not_reading(trial: IndexTrial) -> None:
    """A client asks for the list again and again, and takes no answer."""
    for number in range(10):
        await trial.register(trial.offer(f"game {number} with a long name {'x' * 40}"))
    deaf = trial.guest("client that does not read")
    await deaf.connect()
    deaf.stop_reading()
    await deaf.send(REQUEST * ASKED)
    await asyncio.sleep(A_MOMENT)
    await _served(trial, trial.guest("new client"), "not-reading", deaf.leave)
    deaf.leave()


async def _many(trial: IndexTrial) -> None:
    """All register a game at the same moment; each has a GUID of its own, and all are listed."""
    guests = [trial.guest(f"initiator {number}") for number in range(1, MANY + 1)]
    offers = [trial.offer(f"game {number}") for number in range(1, MANY + 1)]
    for guest in guests:
        await guest.connect()
    pairs = zip(offers, guests, strict=True)
    guids = await _together(*(trial.register(offer, guest) for offer, guest in pairs))
    if len({*guids}) < MANY:
        trial.fail("same-guid", guid=max(guids, key=guids.count))
    await trial.shows(*offers)


async def _one_name(trial: IndexTrial) -> None:
    """All want the same name at the same moment; one gets it."""
    guests = [trial.guest(f"initiator {number}") for number in range(1, MANY + 1)]
    offer = trial.offer()
    for guest in guests:
        await guest.connect()

    async def ask(guest: Visitor) -> bool:
        heard = await guest.ask(offer.request(), "register_success", "register_failed")
        if heard.message.header == "register_success":
            trial.owned(heard.message.values[0])
        return heard.message.header == "register_success"

    granted = sum(await _together(*(ask(guest) for guest in guests)))
    if granted != 1:
        trial.fail("name-granted", times=granted, of=MANY)
    await trial.shows(offer)


async def _together(*steps: Awaitable[T]) -> list[T]:
    """All at once; when one fails the others are waited for, and its failure counts."""
    results = []
    for result in await asyncio.gather(*steps, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        results.append(result)
    return results


DATAGRAMS: Final = (b"", b"\n", b"hallo", b"\xff\xfe\0", b"heartbeat;1;2\n", b"x" * 8000)


async def _datagrams(trial: IndexTrial) -> None:
    """Datagrams that are no heartbeats, and heartbeats of a stranger."""
    for data in DATAGRAMS:
        trial.mailbox.send(data)
    trial.mailbox.send()
    await asyncio.sleep(A_MOMENT)
    offer = trial.offer()
    await trial.register(offer)
    await trial.shows(offer)


SCRIPTS: Final[dict[str, Script]] = {
    **{f"wrong/{what}": _survives(data) for what, data in WRONG.items()},
    "wrong/datagrams": _datagrams,
    "clients/silent": _crowd(b"", "silent-clients"),
    "clients/unfinished": _crowd(b"request_game", "silent-clients"),
    "clients/slow": _slow,
    "clients/not-reading": _not_reading,
    "clients/gone": _unfinished_and_gone,
    "clients/many": _many,
    "clients/one-name": _one_name,
}
