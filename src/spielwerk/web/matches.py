"""Games as the API takes and gives them: JSON as the courses' own scripts write it.

    {"type": "Quarto",
     "gameGeneric": {"name": "", "timeout": 3000, "pause": 0, "tournament": false,
                     "wire": {"pace": "block"}},
     "gameSpecific": {"n": 4},
     "players": [{"name": "White Player", "type": "COMPUTER"},
                 {"name": "Black Player", "type": "ENGINE", "engine": "level=7"}]}

Only `type` must be there; `wire` is how the table speaks to clients, where that can be chosen. What
those scripts send besides is ignored.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import find_game
from spielwerk.net.transcript import Direction, unpack
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.arena import NewTable
from spielwerk.web.bodies import BadRequest, part
from spielwerk.wire.mnm.boards import game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.reading import GameSummary
    from spielwerk.store.records import GameRecord, ResultRecord, WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Limits

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


def read_wish(
    wish: dict[str, Any], limits: Limits, browser: Callable[[], str] = lambda: ""
) -> NewTable:
    """What somebody wants to play, or BadRequest; the arena checks what the values mean.

    `limits` has the time for a move and the options that the wish leaves out. `"here": true` gives
    a person's seat to the browser that asks.
    """
    kind = part(wish, "type", str, "")
    if not kind:
        raise BadRequest(f"type is missing: {', '.join(_GAMES)}, or another game's name")
    game = _GAMES.get(kind, kind)
    general = part(wish, "gameGeneric", dict, {})
    options = {**limits.options_for(game), **part(wish, "gameSpecific", dict, {})}
    return NewTable(
        game=game,
        options=tuple(_options(options)),
        name=part(general, "name", str, ""),
        seats=tuple(read_seat(player, browser) for player in part(wish, "players", list, [])),
        move_time=part(general, "timeout", int, limits.time_for(game)),
        tournament=part(general, "tournament", bool, False),
        pause=part(general, "pause", int, 0),
        wire_options=tuple(_wire_options(part(general, "wire", dict, {}))),
    )


def _options(values: dict[str, Any]) -> list[str]:
    return [f"{name}={part(values, name, int, '')}" for name in values]


def _wire_options(values: dict[str, Any]) -> list[str]:
    return [f"{name}={part(values, name, str, '')}" for name in values]


def read_seat(player: object, browser: Callable[[], str]) -> SeatRecord:
    """Who is to sit on a seat, or BadRequest; `browser` says who asks."""
    if not isinstance(player, dict):
        raise BadRequest("players must be a list of objects")
    word = part(player, "type", str, "COMPUTER")
    if word not in _SEATS:
        raise BadRequest(f"{quote(word)} is no type of player; there are {', '.join(_SEATS)}")
    engine = part(player, "engine", str, DEFAULT_ENGINE) if word == "ENGINE" else ""
    here = part(player, "here", bool, False)
    if here and word != "HUMAN":
        raise BadRequest(f"here = true: only a HUMAN sits at this browser, no {word}")
    owner = browser() if here else ""
    return SeatRecord(_SEATS[word], part(player, "name", str, ""), engine, owner)


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
        "name": game.name,
        "created": game.created,
        "timeout": game.move_time,
        "pause": game.pause,
        "wire": dict(option.split("=", 1) for option in game.wire_options),
        "tournament": game.tournament,
        "live": table is not None and not table.over,
        "seats": seats,
        "moves": [asdict(move) for move in game.moves],
        "position": _position(game),
        "result": result_shown(game.result),
    }


def _seat_shown(seat: SeatRecord) -> dict[str, Any]:
    shown: dict[str, Any] = {"kind": str(seat.kind), "name": seat.name}
    return shown | {"engine": seat.player} if seat.player else shown


def result_shown(result: ResultRecord | None) -> dict[str, Any] | None:
    """How a game ended; None for one that goes on."""
    if result is None:
        return None
    return {
        "reason": str(result.reason),
        "winner": result.winner,
        "detail": result.detail,
        "at": result.at,
        "culprit": result.culprit,
    }


def _position(game: GameRecord) -> str | None:
    """Where the game stands; None for one that this version's rules cannot replay."""
    try:
        kind = find_game(game.game).from_text(game.options)
        state = kind.start()
        for move in game.moves:
            state = state.play(kind.parse_move(move.move))
    except SpielwerkError:
        return None
    return str(state)


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
