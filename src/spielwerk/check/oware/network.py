"""How a server lives with its clients: in pieces, slowly, many at once, and gone without a word."""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Wording
from spielwerk.check.oware.requests import Sending, asking, doing, ended, message, split, whole

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from spielwerk.check.case import Case
    from spielwerk.check.oware.peer import OwareProbe

REQUEST: Final = message("1", "2", history="3344")
FAULTY: Final = message("0", "1", history="339")
CLIENTS: Final = 40
SILENT: Final = 12
PAUSE: Final = 0.02  # enough for the pieces to be sent apart
SLOW: Final = 0.3
PLENTY: Final = 2000  # bytes that were not asked for


def cases(silence: float | None) -> Iterator[Case]:
    """All of them; silence is expensive, and only tried if it is known how long it takes."""
    halves = [ended(REQUEST), ended(FAULTY), ended(message("x"))]
    yield asking(
        "network/half-closed",
        "A client may close its sending side, the answer still comes",
        "3.11",
        halves,
        decided=True,
    )
    extra = [b"5\n", b"0\n1\n", b"x", b"\n\n\n\n", REQUEST, b"5" * PLENTY]
    yield asking(
        "network/further-lines",
        "What follows the fourth line is ignored",
        "5.2",
        [whole(request + more) for request in (REQUEST, FAULTY) for more in extra],
        decided=True,
    )
    yield doing(
        "network/every-split",
        "A request may come in two pieces, split anywhere",
        "5.4.1",
        _every_split,
        alone=False,
    )
    yield asking(
        "network/byte-by-byte",
        "A request may come byte by byte",
        "5.4.1",
        [
            split(
                [bytes([byte]) for byte in request],
                PAUSE / 4,
                Wording("byte by byte", "Byte für Byte"),
            )
            for request in (REQUEST, FAULTY)
        ],
    )
    yield asking(
        "network/slowly",
        "A request may come line by line with pauses",
        "5.4.1",
        [
            split(
                FAULTY.splitlines(keepends=True),
                SLOW,
                Wording(f"{SLOW} s between the lines", f"{SLOW} s zwischen den Zeilen"),
            )
        ],
    )
    yield doing(
        "network/many-clients", "Any number of clients are served side by side", "3.11", _many
    )
    yield doing(
        "network/at-once",
        "Requests at the same moment are answered each on its own",
        "3.11",
        _at_once,
    )
    yield doing(
        "network/silent-clients", "Clients that say nothing hold up no others", "3.11", _silent
    )
    yield doing(
        "network/half-requests",
        "Clients that stop in the middle hold up no others",
        "3.11",
        _unfinished,
    )
    yield doing(
        "network/lost-clients", "Clients that go away without a word do no harm", "3.11", _lost
    )
    if silence is not None:
        yield doing(
            "network/silence",
            Wording(
                f"After {silence:g} s of silence the request is a read-failure",
                f"Nach {silence:g} s Stille ist die Anfrage ein read-failure",
            ),
            "5.4.1",
            _silent_for(silence),
            decided=True,
        )


async def _every_split(probe: OwareProbe) -> None:
    places = iter(range(1, len(REQUEST)))

    async def work() -> None:
        for place in places:
            if probe.gave_up:
                return
            pieces = (REQUEST[:place], REQUEST[place:])
            await probe.ask(
                split(
                    pieces,
                    PAUSE,
                    Wording(
                        f"in two pieces, split after {place} bytes",
                        f"in zwei Teilen, geteilt nach {place} Bytes",
                    ),
                )
            )

    await asyncio.gather(*(work() for _ in range(4)))


async def _many(probe: OwareProbe) -> None:
    """All are connected before the first of them says a word, and the last one comes first."""
    async with probe.guests(*[whole(b"")] * CLIENTS) as connections:
        for number, connection in enumerate(reversed(connections)):
            request = message(str(number % 2), history=("3344", "339", "")[number % 3])
            manner = Wording(
                f"client {CLIENTS - number} of {CLIENTS} that are connected",
                f"Client {CLIENTS - number} von {CLIENTS}, die verbunden sind",
            )
            await probe.ask(Sending((request,), manner=manner), connection=connection)
            if probe.faults:
                return


async def _at_once(probe: OwareProbe) -> None:
    """Different requests at the same moment: no client gets another one's answer."""
    async with probe.guests(*[whole(b"")] * CLIENTS) as connections:
        manner = Wording(
            f"{CLIENTS} clients with different requests at the same moment",
            f"{CLIENTS} Clients mit verschiedenen Anfragen im selben Augenblick",
        )
        requests = [
            message("01"[number % 2], "1", history="002215242305"[: number % 13] + tail)
            for number, tail in zip(range(CLIENTS), cycle(("", "6", "x")))
        ]
        await asyncio.gather(
            *(
                probe.ask(Sending((request,), manner=manner), connection=connection)
                for request, connection in zip(requests, connections, strict=False)
            )
        )


async def _silent(probe: OwareProbe) -> None:
    async with probe.guests(*[whole(b"")] * SILENT):
        await probe.ask(
            Sending(
                (REQUEST,),
                manner=Wording(
                    f"while {SILENT} clients say nothing", f"während {SILENT} Clients nichts sagen"
                ),
            )
        )


async def _unfinished(probe: OwareProbe) -> None:
    halves = [whole(REQUEST[: 1 + 3 * number]) for number in range(SILENT)]
    async with probe.guests(*halves):
        manner = Wording(
            f"while {SILENT} clients have sent part of a request",
            f"während {SILENT} Clients einen Teil einer Anfrage gesendet haben",
        )
        await probe.ask(Sending((REQUEST,), manner=manner))


async def _lost(probe: OwareProbe) -> None:
    for piece in (b"", b"0\n", REQUEST[:-1], REQUEST):
        async with probe.guests(*[whole(piece)] * 3):
            pass
        await probe.ask(
            Sending(
                (FAULTY,),
                manner=Wording(
                    f"after clients left having sent {piece!r}",
                    f"nachdem Clients verschwanden, die {piece!r} gesendet hatten",
                ),
            )
        )


def _silent_for(wait: float) -> Callable[[OwareProbe], Awaitable[None]]:
    """A pause that counts as sending, so that the time for the answer begins after it."""

    async def run(probe: OwareProbe) -> None:
        starts = (b"", b"0\n", REQUEST[:-1])
        sendings = [
            split(
                (start, b""),
                wait,
                Wording(f"then nothing for {wait:g} s", f"dann {wait:g} s lang nichts"),
            )
            for start in starts
        ]
        await asyncio.gather(*map(probe.ask, sendings))

    return run
