"""Games as the API takes and gives them: JSON as the courses' own scripts write it.

    {"type": "GAME",
     "gameGeneric": {"name": "", "timeout": 3000, "clock": {"time": 300000, "increment": 3000},
                     "pause": 0, "tournament": false, "training": false,
                     "wire": {"pace": "block"}},
     "gameSpecific": {"n": 4},
     "start": "* * * * / * * * * / * * * * / 5 * * * next 3",
     "players": [{"name": "White Player", "type": "COMPUTER"},
                 {"name": "Black Player", "type": "ENGINE", "engine": "level=7"}]}

Only `type` must be there. `start` is the position that the game starts with, if it is not the usual
one, written as `position` gives it; `wire` is how the table speaks to clients, where that can be
chosen. What those scripts send besides is ignored.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field

from spielwerk.errors import SpielwerkError, quote
from spielwerk.net.connection import Direction, unpack
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.parts import History
from spielwerk.tables.wishes import NewTable
from spielwerk.web.bodies import BadRequest, Body
from spielwerk.web.views import result_shown
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.store.reading import GameSummary
    from spielwerk.store.records import GameRecord, WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import UsualTable

DEFAULT_ENGINE: Final = "level=5"

_GAMES: Final = {wire: name for name, wire in game_kinds().items()}
_SEATS: Final = {
    "COMPUTER": SeatKind.CLIENT,
    "HUMAN": SeatKind.PERSON,
    "ENGINE": SeatKind.ENGINE,
}
_UNUSUAL: Final = re.compile(r"[^ -~]")
_DIRECTIONS: Final = {
    Direction.RECEIVED: "received",
    Direction.SENT: "sent",
    Direction.LEFT_OUT: "left out",
}


# taken


class PlayerWish(Body):
    """Who is to sit on a seat."""

    name: str = ""
    type: str = "COMPUTER"
    engine: str = DEFAULT_ENGINE
    here: bool = False  # a person's seat is for the browser that asks

    def seat(self, browser: Callable[[], str]) -> SeatRecord:
        """The seat, or BadRequest; `browser` says who asks."""
        if self.type not in _SEATS:
            kinds = ", ".join(_SEATS)
            raise BadRequest(f"{quote(self.type)} is no type of player; there are {kinds}")
        if self.here and self.type != "HUMAN":
            raise BadRequest(f"here = true: only a HUMAN sits at this browser, no {self.type}")
        engine = self.engine if self.type == "ENGINE" else ""
        return SeatRecord(_SEATS[self.type], self.name, engine, browser() if self.here else "")


class ClockWish(Body):
    """Milliseconds that a player has for all moves, and that each of its turns adds."""

    time: int = 0
    increment: int = 0


class General(Body):
    """What every game has."""

    name: str = ""
    timeout: int | None = None  # milliseconds for a move; as usual, or none where there is a clock
    clock: ClockWish = ClockWish()
    pause: int = 0
    tournament: bool = False
    training: bool = False  # players may see the analysis during the game
    wire: dict[str, str] = Field(default_factory=dict)


class OfferWish(Body):
    """Where a table is to be offered to others; the server's own index if nothing is named."""

    index: str = ""


class Wish(Body):
    """A game that is to be set up; the arena checks what the values mean."""

    type: str = ""
    gameGeneric: General = General()  # noqa: N815 - the courses' own words
    gameSpecific: dict[str, int] = Field(default_factory=dict)  # noqa: N815
    start: str = ""
    players: list[PlayerWish] = Field(default_factory=list)
    offer: OfferWish = OfferWish()

    def table(self, usual: UsualTable, browser: Callable[[], str] = lambda: "") -> NewTable:
        """The table, or BadRequest; `usual` has the time and the options that are left out."""
        if not self.type:
            raise BadRequest(f"type is missing: {', '.join(_GAMES)}, or another game's name")
        game, general = _GAMES.get(self.type, self.type), self.gameGeneric
        options = {**usual.options_for(game), **self.gameSpecific}
        move_time = 0 if general.clock.time else usual.time_for(game)
        return NewTable(
            game=game,
            options=tuple(f"{name}={value}" for name, value in options.items()),
            name=general.name,
            seats=tuple(player.seat(browser) for player in self.players),
            move_time=move_time if general.timeout is None else general.timeout,
            game_time=general.clock.time,
            increment=general.clock.increment,
            tournament=general.tournament,
            training=general.training,
            pause=general.pause,
            wire_options=tuple(f"{name}={value}" for name, value in general.wire.items()),
            start=self.start.strip(),
        )


# given


def summary(game: GameSummary) -> dict[str, Any]:
    """A game in a list."""
    return {
        "id": game.id,
        "game": game.game,
        "name": game.name,
        "created": game.created,
        "moves": game.moves,
        "seats": [_seat_shown(seat) for seat in game.seats],
        "result": result_shown(game.result),
    }


def whole(game: GameRecord, table: Table | None) -> dict[str, Any]:
    """A game with its moves, and who sits there if it is being played."""
    seats = [_seat_shown(seat) for seat in game.seats]
    for shown, seat in zip(seats, table.seats if table else (), strict=False):
        shown["ready"] = seat.ready
    return {
        "id": game.id,
        "game": game.game,
        "options": list(game.options),
        "start": game.start,
        "name": game.name,
        "created": game.created,
        "timeout": game.move_time,
        "clock": {"time": game.game_time, "increment": game.increment},
        "pause": game.pause,
        "wire": dict(option.split("=", 1) for option in game.wire_options),
        "tournament": game.tournament,
        "training": game.training,
        "live": table is not None and not table.over,
        "seats": seats,
        "moves": [asdict(move) for move in game.moves],
        "position": _position(game),
        "result": result_shown(game.result),
    }


def _seat_shown(seat: SeatRecord) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": str(seat.kind), "name": seat.name}
    return shown | {"engine": seat.player} if seat.player else shown


def _position(game: GameRecord) -> str | None:
    """Where the game stands; None for one that this version's rules cannot replay."""
    try:
        return str(History.of(game).state)
    except SpielwerkError:
        return None


def wire(record: WireRecord, *, still_open: bool) -> dict[str, Any]:
    """The traffic of one connection."""
    return {
        "seat": record.seat,
        "service": record.service,
        "peer": record.peer,
        "opened": record.opened,
        "open": still_open,
        "traffic": [
            {"at": at, "direction": _DIRECTIONS[direction], "text": visible(data)}
            for at, direction, data in unpack(record.traffic)
        ],
    }


def session(wires: Sequence[WireRecord]) -> list[str]:
    """What was said by and to all seats, in order, as a course's sheet writes it: `0> TURN`."""
    arrows = {Direction.RECEIVED: "<", Direction.SENT: ">"}
    pieces = [
        (wire.opened + at, wire.seat, arrows[direction], data)
        for wire in wires
        if wire.seat is not None
        for at, direction, data in unpack(wire.traffic)
        if direction in arrows
    ]
    return [
        f"{seat}{arrow} {visible(line)}"
        for _, seat, arrow, data in sorted(pieces, key=lambda piece: piece[0])
        for line in data.removesuffix(b"\n").split(b"\n")
    ]


def visible(data: bytes) -> str:
    r"""Bytes as text in which everything can be seen: `PLAY A1\r\n`, `\xff`, `\\`."""
    text = data.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")
    return _UNUSUAL.sub(lambda found: _seen(found[0]), text)


def _seen(character: str) -> str:
    if character.isprintable():
        return character
    if character == "\0":
        return r"\0"
    # Between 80 and ff the short form is for bytes that are no UTF-8.
    latin = 0x80 <= ord(character) <= 0xFF
    return f"\\u{ord(character):04x}" if latin else ascii(character)[1:-1]
