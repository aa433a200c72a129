"""How a server lives with its clients, many, slow or gone, and what it calls itself."""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.requests import STRATEGIES, Ruling, Sending, cut_short, ended, message
from spielwerk.check.oware.trial import script
from spielwerk.check.visible import lines_of, visible
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from spielwerk.check.oware.trial import OwareTrial

REQUEST: Final = message("1", "2", history="3344")
FAULTY: Final = message("0", "1", history="339")
CLIENTS: Final = 40
SILENT: Final = 12
PAUSE: Final = 0.02  # enough for the pieces to be sent apart
SLOW: Final = 0.3
EXTRA: Final = (b"5\n", b"0\n1\n", b"x", b"\n\n\n\n", REQUEST, b"5" * 2000)  # not asked for
MOST: Final = 12  # strategies that are looked for
PRINTABLE: Final = range(32, 127)


@script
async def _network_half_closed(trial: OwareTrial) -> None:
    for request in (REQUEST, FAULTY, message("x")):
        await trial.ask(ended(request))


@script
async def _network_further_lines(trial: OwareTrial) -> None:
    for request in (REQUEST, FAULTY):
        for more in EXTRA:
            await trial.ask(request + more)


@script
async def _network_every_split(trial: OwareTrial) -> None:
    places = iter(range(1, len(REQUEST)))

    async def work() -> None:
        for place in places:
            if trial.gave_up:
                return
            pieces = (REQUEST[:place], REQUEST[place:])
            await trial.ask(Sending(pieces, PAUSE), manner="split", place=place)

    await asyncio.gather(*(work() for _ in range(4)))


@script
async def _network_byte_by_byte(trial: OwareTrial) -> None:
    for request in (REQUEST, FAULTY):
        await trial.ask(Sending(tuple(bytes([byte]) for byte in request), PAUSE / 4))


@script
async def _network_slowly(trial: OwareTrial) -> None:
    await trial.ask(Sending(tuple(FAULTY.splitlines(keepends=True)), SLOW))


@script
async def _network_many_clients(trial: OwareTrial) -> None:
    """All are connected before the first of them says a word, and the last one comes first."""
    async with trial.guests(*[b""] * CLIENTS) as connections:
        for number, connection in enumerate(reversed(connections)):
            request = message(str(number % 2), history=("3344", "339", "")[number % 3])
            await trial.ask(request, connection=connection, manner="many-clients", count=CLIENTS)
            if trial.faults:
                return


@script
async def _network_at_once(trial: OwareTrial) -> None:
    """Different requests at the same moment: no client gets another one's answer."""
    async with trial.guests(*[b""] * CLIENTS) as connections:
        trial.happened("at-once", count=CLIENTS)
        requests = [
            message("01"[number % 2], "1", history="002215242305"[: number % 13] + tail)
            for number, tail in zip(range(CLIENTS), cycle(("", "6", "x")))
        ]
        pairs = zip(requests, connections, strict=False)
        await asyncio.gather(*(trial.ask(request, connection=one) for request, one in pairs))


@script
async def _network_silent_clients(trial: OwareTrial) -> None:
    async with trial.guests(*[b""] * SILENT):
        await trial.ask(REQUEST, manner="silent-clients", count=SILENT)


@script
async def _network_half_requests(trial: OwareTrial) -> None:
    async with trial.guests(*(REQUEST[: 1 + 3 * number] for number in range(SILENT))):
        await trial.ask(REQUEST, manner="half-requests", count=SILENT)


@script
async def _network_lost_clients(trial: OwareTrial) -> None:
    for piece in (b"", b"0\n", REQUEST[:-1], REQUEST):
        async with trial.guests(*[piece] * 3):
            pass
        await trial.ask(FAULTY, manner="lost-clients", piece=repr(piece))


@script
async def _network_silence(trial: OwareTrial, seconds: float) -> None:
    """A pause that counts as sending, so that the time for the answer begins after it."""
    starts = (b"", b"0\n", REQUEST[:-1])
    sendings = [Sending((start, b""), seconds) for start in starts]
    asked = (trial.ask(one, manner="silence", seconds=seconds) for one in sendings)
    await asyncio.gather(*asked)


# names


@script
async def _names_ascii(trial: OwareTrial) -> None:
    for request in (message(), message("1"), message("x")):
        exchange = await trial.ask(request)
        lines = lines_of(exchange.received)[1:3]
        for name, line in zip(words.ANSWER_LINES[1:3], lines, strict=False):
            content = line.rstrip(b"\r\n")
            if not content.strip() or any(byte not in PRINTABLE for byte in content):
                trial.blame("no-name", name=name, got=visible(content))


async def _strategies(trial: OwareTrial) -> dict[int, bytes]:
    """The names of all strategies from 0 on, until one is refused."""
    names = dict(trial.peer.names.strategies)
    for strategy in range(STRATEGIES, MOST):
        request = message(str(strategy))
        lines = lines_of((await trial.exchange(Sending((request,)))).received)
        if len(lines) < 3 or lines[0].rstrip() == Ruling.of(request).status:
            break
        names[strategy] = lines[2].rstrip(b"\r\n")
    return names


@script
async def _names_more_strategies(trial: OwareTrial) -> None:
    """After the first number that is refused there are no other strategies."""
    count = max(await _strategies(trial), default=-1) + 1
    for strategy in range(STRATEGIES, MOST if count == MOST else count + 3):
        known = max(STRATEGIES, strategy + 1 if strategy < count else count)
        await trial.ask(message(str(strategy)), Ruling.of(message(str(strategy)), known))


@script
async def _names_default(trial: OwareTrial) -> None:
    await trial.ask(message("x"))
    await trial.ask(cut_short())
    names = await _strategies(trial)
    default = trial.peer.names.default
    all_known = STRATEGIES <= len(names) < MOST
    if default is not None and all_known and default not in names.values():
        known = ", ".join(f"'{visible(name)}'" for name in names.values())
        trial.blame("unknown-default", got=visible(default), known=known)
