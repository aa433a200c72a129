"""Requests on one connection or on several, in pieces or together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from spielwerk.check.connect4_index.trial import LIST
from spielwerk.wire.connect4.messages import GAME_LIST, message, write_message

if TYPE_CHECKING:
    from spielwerk.check.connect4_index.trial import IndexTrial
    from spielwerk.check.texts import Script

APART: Final = 0.05  # seconds between pieces, so that they are sent apart
OPEN_FOR: Final = 1.5  # seconds after which a connection is still open


async def _one_each(trial: IndexTrial) -> None:
    """A new connection for each request; the one before is closed."""
    offer, guest = trial.offer(), trial.initiator

    async def close() -> None:
        guest.leave()
        await asyncio.sleep(APART)

    guid = await trial.register(offer, guest)
    await close()
    await trial.shows(offer, guest=guest)
    await close()
    await trial.seal(guid, guest)
    await close()
    await trial.unregister(guid, guest)


async def _kept_open(trial: IndexTrial) -> None:
    """Several requests on one connection, with a pause; it must not end."""
    guest, offer = trial.initiator, trial.offer()
    guid = await trial.register(offer, guest)
    first = guest.connection
    await asyncio.sleep(OPEN_FOR)
    for verb in ("seal_game", "unregister_game"):
        if first.gone:
            trial.fail("not-kept-open", how=first.gone)
        await guest.ask(message(verb, guid), f"{verb}_success")
    trial.removed(guid)


async def _joined(trial: IndexTrial) -> None:
    """Three requests in one segment; each has its answer, in their order."""
    guest, offer = trial.initiator, trial.offer()
    await guest.send(write_message(LIST) + offer.line() + write_message(LIST))
    await guest.expect(GAME_LIST)
    for number, wanted in ((2, "register_success"), (3, GAME_LIST)):
        line = await guest.line(trial.server.timeout)
        if line is None:
            hint = "" if guest.connection.gone else "rest-of-segment"
            trial.fail("fewer-answers", number=number, hint=hint, timed=not guest.connection.gone)
        heard = guest.read(line)
        if heard.message.header == "register_success":
            trial.owned(heard.message.values[0])
        if heard.message.header != wanted:
            trial.fail("another-answer", answer=str(heard.message), wanted=wanted,
                       entry=heard.entry, position=heard.start)  # fmt: skip
    await trial.shows(offer)


async def _split(trial: IndexTrial) -> None:
    """In two pieces: in the header, behind a semicolon, in a letter, in a number, at the end."""
    offer = trial.offer("Größe")
    line = offer.line()
    places = (4, 14, line.index("ö".encode()) + 1, line.rindex(b";") + 2, len(line) - 1)
    for place in places:
        guid = await _in_pieces(trial, [line[:place], line[place:]])
        await trial.shows(offer)
        await trial.unregister(guid)


async def _byte_by_byte(trial: IndexTrial) -> None:
    offer = trial.offer()
    await _in_pieces(trial, [bytes([byte]) for byte in offer.line()], APART / 10)
    await trial.shows(offer)


async def _in_pieces(trial: IndexTrial, pieces: list[bytes], pause: float = APART) -> str:
    """Register with a line in pieces; an answer to the first one alone gives the cause away."""
    guest = trial.initiator
    await guest.renew()
    await guest.send(pieces[0])
    await guest.connection.changed(APART)
    if guest.connection.waiting:
        trial.fail("answered-early", hint="recv", piece=pieces[0].decode("utf-8", "replace"))
    if guest.connection.gone:
        trial.fail("closed", client=guest.name)
    await guest.send(*pieces[1:], pause=pause)
    guid: str = (await guest.expect("register_success")).message.values[0]
    trial.owned(guid)
    return guid


SCRIPTS: Final[dict[str, Script]] = {
    "connection/one-each": _one_each,
    "connection/kept-open": _kept_open,
    "connection/joined": _joined,
    "connection/split": _split,
    "connection/byte-by-byte": _byte_by_byte,
}
