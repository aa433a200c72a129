"""Games as pages show them: plain JSON made from the rules' states and from tables.

The browser holds no rules: a view says what lies where, whose decision it is and which moves are
legal. A game's folder has a module `view` with a function `board(state, last)`, where `last` is the
move that led to the state, if there was one, and perhaps `legal(state)` and `steps(state, move)`.
A game without it is shown by the position's text.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.games import CHANCE, NOBODY, kits
from spielwerk.messages import coded, english
from spielwerk.store.records import MoveRecord, SeatKind
from spielwerk.tables.names import given_game_name, given_seat_name
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spielwerk.games import Outcome, State
    from spielwerk.store.records import Ending, GameRecord, SeatRecord
    from spielwerk.tables.offers import Rematch
    from spielwerk.tables.parts import Seat
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Services

    View = dict[str, Any]
    Facts = dict[str, Any]

FORESEEN: Final = 100  # positions that are looked at for what may come next

# positions


def view(state: State[Any], last: Any = None) -> View:
    """The position as the contract with the pages has it; `last` is the move that led here."""
    return picture(state, last) | {"legal": _legal(state)}


def _legal(state: State[Any]) -> list[str]:
    """The turns that can be played, as they are written; chance plays none."""
    legal: Callable[..., list[str]] = _from_folder(state.game.name, "legal") or _moves
    return [] if state.turn == CHANCE else legal(state)


def ahead(state: State[Any]) -> list[str]:
    """What the next player could play after one move or another of who is to move now.

    Of large boards not all of that: there are too many moves to look at.
    """
    found: dict[str, None] = {}
    for after in islice(_turns(state), FORESEEN):
        found |= dict.fromkeys(_legal(after))
    return list(found)


def _turns(state: State[Any]) -> Iterator[State[Any]]:
    """The positions that the next player may meet."""
    for move in state.legal_moves() if state.turn >= 0 else ():
        after = state.play(move)
        if after.turn == state.turn:
            yield from _turns(after)
        elif after.turn >= 0:
            yield after


def picture(state: State[Any], last: Any = None) -> View:
    """The position where it is only to be looked at: the same without a legal move."""
    board = _from_folder(state.game.name, "board")
    return {
        "turn": state.turn,
        "legal": [],
        "board": board(state, last) if board else {"text": str(state)},
        "outcome": _outcome(state.outcome),
    }


@cache
def _from_folder(game: str, name: str) -> Callable[..., Any] | None:
    """A function of the `view` in the game's folder, if it has one."""
    kit = kits().get(game)
    found: Callable[..., Any] | None = getattr(kit and kit.part("view"), name, None)
    return found


def _moves(state: State[Any]) -> list[str]:
    return [state.game.format_move(move) for move in state.legal_moves()]


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "score": list(outcome.score),
        "void": outcome.void,
    }


def ply(kept: MoveRecord, before: State[Any], after: State[Any] | None = None) -> dict[str, Any]:
    """A decision as messages carry it; with the view after it if that state is given."""
    move = before.game.parse_move(kept.move)
    steps = _from_folder(before.game.name, "steps")  # of games whose moves are shown piece by piece
    shown: dict[str, Any] = {
        "n": kept.number,
        "seat": kept.seat,
        "move": kept.move,
        "at": kept.at,
        "took": kept.took,
    }
    if kept.hints:
        shown["hints"] = kept.hints
    if steps:
        shown["steps"] = steps(before, move)
    if after is not None:
        shown["view"] = view(after, move)
    return shown


def tried_ply(number: int, before: State[Any], move: Any) -> dict[str, Any]:
    """A decision of no game that is kept, with the view after it."""
    record = MoveRecord(number, before.turn, before.game.format_move(move), 0)
    return ply(record, before, before.play(move))


def plies(
    moves: Sequence[MoveRecord], reached: Sequence[State[Any]], viewed: int
) -> list[dict[str, Any]]:
    """The decisions; the last `viewed` of them with their views.

    `reached` holds the state before each of the moves, and the one after the last.
    """
    plain = len(moves) - viewed
    return [
        ply(move, reached[n], reached[n + 1] if n >= plain else None)
        for n, move in enumerate(moves)
    ]


# tables


def version(table: Table) -> int:
    """How much has happened: the decisions kept, and the end."""
    return len(table.history) + table.over


def described(table: Table, services: Services, contest: object = None) -> dict[str, Any]:
    """What hardly changes while a game is played; `contest` is the place in one, if it has any."""
    record, game = table.record, table.game
    return {
        "id": record.id,
        "game": record.game,
        "name": given_game_name(record.name),
        "options": options(record.options),
        "created": record.created,
        "moveTime": record.move_time,
        "gameTime": record.game_time,
        "increment": record.increment,
        "pause": record.pause,
        "tournament": record.tournament,
        "training": record.training,
        "withheld": coded(withheld(record)),
        "sides": list(game.sides),
        "address": _address(table, services),
        "offer": services.offer(record.id),
        "offers": table.offers.possible,
        "contest": contest,
        "solid": getattr(game, "layers", 1) > 1,
    }


def withheld(record: GameRecord) -> str | None:
    """Why this game shows no analysis while it runs; None if it does.

    A second window of a player cannot be told from a spectator: so what holds, holds for all.
    """
    if record.tournament:
        return english("a-tournaments-game-is-analysed-when")
    persons = any(seat.kind is SeatKind.PERSON for seat in record.seats)
    return english("analysed-when-it-is-over") if persons and not record.training else None


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


def player(seat: SeatRecord, number: int) -> dict[str, str]:
    """Who sits there; pages have words of their own for players who were given no name."""
    name = given_seat_name(seat.name, number)
    return {"name": name, "kind": str(seat.kind), "player": seat.player}


def facts(table: Table, now: float, rematch: Rematch) -> Facts:
    """Seats, clock, result and offers; equal as long as there is nothing new to say.

    Moments stand here by the loop's clock; `told` makes durations of them.
    """
    idle = table.over or table.gathering  # not table.turn: that is NOBODY during every write
    shown = result_shown(table.result)
    return {
        "turn": NOBODY if idle else table.state.turn,
        "open": table.open,
        "seats": [_seat(seat, table, now) for seat in table.seats],
        "clock": clock(table),
        "result": shown and shown | {"said": coded(shown["detail"])},
        "rematch": rematch.game,
        "offers": [asdict(offer) for offer in table.offers.made] + _wishes(table, rematch),
    }


def _wishes(table: Table, rematch: Rematch) -> list[dict[str, Any]]:
    """The offers of a rematch, as long as there is none."""
    return [
        {"seat": seat.number, "what": "rematch", "declined": rematch.declined}
        for seat in table.seats
        if seat.owner in rematch.wishing and not rematch.game
    ]


def _seat(seat: Seat, table: Table, now: float) -> dict[str, Any]:
    record, occupant = seat.record, seat.occupant
    return {
        "number": seat.number,
        **player(record, seat.number),
        "connection": connection(seat, table, now),
        "preparing": seat.preparing,
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


def clock(table: Table) -> dict[str, Any] | None:
    """The clock that runs, by the loop's clock; equal as long as it is the same."""
    if table.asked is None or table.over:
        return None
    seat, since = table.asked
    return {"seat": seat.number, "since": since, "limit": table.clocks.limit(seat.number)}


def told(known: Facts, now: float) -> Facts:
    """The facts as pages hear them at this moment."""
    seats = [seat | {"reserved": _left(seat["reserved"], now)} for seat in known["seats"]]
    return known | {"clock": clock_told(known["clock"], now), "seats": seats}


def clock_told(running: dict[str, Any] | None, now: float) -> dict[str, Any] | None:
    """A clock as pages hear of it at this moment."""
    if running is None:
        return None
    elapsed = max(0, round(1000 * (now - running["since"])))
    return {"seat": running["seat"], "elapsed": elapsed, "limit": running["limit"]}


def _left(until: float, now: float) -> int:
    return max(0, round(1000 * (until - now))) if until else 0


def result_shown(result: Ending | None) -> dict[str, Any] | None:
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
