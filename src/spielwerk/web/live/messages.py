"""What is said to pages, as text that is made once and sent to everybody."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.games import NOBODY, kits
from spielwerk.messages import coded
from spielwerk.store.records import SeatKind
from spielwerk.web.matches import result_shown
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.store.records import Ending
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Services

    Facts = dict[str, Any]

CHUNK: Final = 50  # viewers that are sent to between two turns of the loop
STOPPING: Final = '{"type":"stopping"}'


def encode(message: object) -> str:
    """JSON without blanks; everything outside ASCII escaped, so that nothing can go wrong later."""
    return json.dumps(message, separators=(",", ":"))


def said(kind: str, **parts: object) -> str:
    """A message of this type."""
    return encode({"type": kind, **parts})


# a table


def version(table: Table) -> int:
    """How much has happened: the decisions kept, and the end."""
    return len(table.history) + table.over


def described(table: Table, services: Services, contest: object = None) -> dict[str, Any]:
    """What hardly changes while a game is played; `contest` is the place in one, if it has any."""
    record, game = table.record, table.game
    return {
        "id": record.id,
        "game": record.game,
        "name": record.name,
        "options": options(record.options),
        "created": record.created,
        "moveTime": record.move_time,
        "pause": record.pause,
        "tournament": record.tournament,
        "sides": list(game.sides),
        "address": _address(table, services),
        "offer": services.offer(record.id),
        "contest": contest,
        "solid": getattr(game, "layers", 1) > 1,
    }


def options(assignments: Sequence[str]) -> dict[str, int]:
    """A game's options by name."""
    return {name: int(value) for name, _, value in (text.partition("=") for text in assignments)}


def _address(table: Table, services: Services) -> dict[str, Any] | None:
    """Where clients of this table connect; what is spoken at a port says how they name it."""
    kit = kits().get(table.game.name)
    service = kit.service if kit else ""
    found = services.addresses.get(service)
    if not found or all(seat.record.kind is not SeatKind.CLIENT for seat in table.seats):
        return None
    spoken = {port: DIALECTS[number] for port, number in services.dialects.items()}
    doors = [
        {"port": port, "dialect": dialect.number, "id": dialect.game_id(table.id)}
        for port, dialect in (spoken.items() if service == "mnm" else ())
    ]
    return {"service": service, "host": found[0][0], "port": found[0][1], "doors": doors}


# its state


def facts(table: Table, rematch: str | None, now: float) -> Facts:
    """Seats, clock and result; equal as long as there is nothing new to say.

    Moments stand here by the loop's clock; `told` makes durations of them.
    """
    idle = table.over or table.gathering  # not table.turn: that says nobody during every write
    return {
        "turn": NOBODY if idle else table.state.turn,
        "open": table.open,
        "seats": [_seat(seat, table, now) for seat in table.seats],
        "clock": _clock(table),
        "result": _result(table.result),
        "rematch": rematch,
    }


def _seat(seat: Seat, table: Table, now: float) -> dict[str, Any]:
    record, occupant = seat.record, seat.occupant
    return {
        "number": seat.number,
        "name": record.name,
        "kind": str(record.kind),
        "player": record.player,
        "connection": connection(seat, table, now),
        "peer": getattr(occupant, "peer", None),
        "service": getattr(occupant, "service", None),
        "free": seat.open_to_persons and not table.over,
        "reserved": seat.reserved_until if seat.reserved_until > now else 0,
    }


def connection(seat: Seat, table: Table, now: float) -> str:
    """How a seat's player is connected, in one word."""
    if seat.record.kind is SeatKind.ENGINE:
        return "connected" if seat.record.player.startswith(REMOTE) else "builtin"
    if seat.owner:
        return "connected" if seat.watching else "away"
    if seat.occupant is not None:
        return "connected"
    return "over" if table.over else "lost" if seat.reserved_until > now else "waiting"


def _result(result: Ending | None) -> dict[str, Any] | None:
    shown = result_shown(result)
    return shown and shown | {"said": coded(shown["detail"])}


def _clock(table: Table) -> dict[str, Any] | None:
    if table.asked is None or table.over:
        return None
    seat, since = table.asked
    return {"seat": seat.number, "since": since, "limit": table.record.move_time}


def told(known: Facts, now: float) -> Facts:
    """The facts as pages hear them at this moment."""
    clock = known["clock"]
    if clock:
        elapsed = max(0, round(1000 * (now - clock["since"])))
        clock = {"seat": clock["seat"], "elapsed": elapsed, "limit": clock["limit"]}
    seats = [seat | {"reserved": _left(seat["reserved"], now)} for seat in known["seats"]]
    return known | {"clock": clock, "seats": seats}


def _left(until: float, now: float) -> int:
    return max(0, round(1000 * (until - now))) if until else 0
