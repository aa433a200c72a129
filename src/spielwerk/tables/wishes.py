"""New tables as they are wished for: checked, and everything that is left to chance drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from spielwerk.errors import NotationError, OptionError, UsageError, quote
from spielwerk.games import CHANCE, find_game, find_kit
from spielwerk.store.records import GameRecord, MoveRecord, SeatKind, SeatRecord
from spielwerk.tables.clocks import check_times
from spielwerk.tables.names import usual_game_name, usual_seat_name
from spielwerk.tables.parts import UNKNOWN, Creator, draw, tenure
from spielwerk.wire import checked_options

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from spielwerk.games import Game, State

NAME_LIMIT: Final = 80
PAUSES: Final = range(60_001)
START_LIMIT: Final = 4096  # characters: reading a position takes some milliseconds at most


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table as it is wished for."""

    game: str
    options: tuple[str, ...] = ()
    name: str = ""
    seats: tuple[SeatRecord, ...] = ()  # all for clients, if none are named
    move_time: int = 3000  # 0: as long as one likes
    tournament: bool = False
    pause: int = 0  # milliseconds that the position can be seen before an engine moves
    wire_options: tuple[str, ...] = ()  # like pace=block; what is not named, the service decides
    game_time: int = 0  # for all moves of a player; 0: as long as they like
    increment: int = 0  # that every turn adds to it
    start: str = ""  # the first position, if it is not where the rules begin
    training: bool = False  # seated players may see the analysis
    creator: Creator = UNKNOWN
    rematch: bool = False  # persons sit down when their pages come: until then no clock runs


def record_of(wish: NewTable, now: int, game_id: str, rng: Random) -> GameRecord:
    """The table as it is wished, everything that is left to chance drawn."""
    if wish.pause not in PAUSES:
        problem = f"must be {PAUSES[0]} to {PAUSES[-1]} milliseconds"
        raise OptionError("pause", str(wish.pause), problem)
    game = _chosen(find_game(wish.game), wish, rng)
    seats = _seats(game, wish.seats)
    start = _start(game, wish.start, seats)
    draws = [game.format_move(move) for move in draw(start, rng)]
    record = GameRecord(
        id=game_id,
        game=game.name,
        options=tuple(game.assignments()),
        name=checked_name(wish.name) or usual_game_name(now),
        seats=seats,
        move_time=wish.move_time,
        tournament=wish.tournament,
        created=now,
        moves=tuple(MoveRecord(n, CHANCE, move, now) for n, move in enumerate(draws)),
        pause=wish.pause,
        wire_options=checked_options(game.name, wish.wire_options),
        game_time=wish.game_time,
        increment=wish.increment,
        start="" if start == game.start() else str(start),
        training=wish.training,
    )
    check_times(record)
    return record


def _chosen(kind: type[Game[Any]], wish: NewTable, rng: Random) -> Game[Any]:
    """The game; who begins is drawn, unless it is given, or the rules or a start say it."""
    chosen = wish.options
    begins = next((option for option in kind.options() if option.name == "begins"), None)
    if begins and not wish.start and not any(text.startswith("begins=") for text in chosen):
        chosen += (f"begins={rng.randint(begins.low, begins.high)}",)
    return kind.from_text(chosen)


def parsed_start(game: Game[Any], text: str) -> State[Any]:
    """The position where a game is to start, or NotationError; an empty text is the usual one."""
    if len(text) > START_LIMIT:
        raise NotationError("start", text, f"it may have {START_LIMIT} characters at most")
    return game.parse_state(text) if text else game.start()


def _start(game: Game[Any], text: str, seats: Iterable[SeatRecord]) -> State[Any]:
    """Where the game starts, if it can go on from there and all players can be told."""
    state = parsed_start(game, text)
    if state.outcome:
        raise NotationError("start", text, f"the game is over there: {state.outcome.reason}")
    why, clients = find_kit(game.name).why_no_start, any(s.kind is SeatKind.CLIENT for s in seats)
    if why and clients and state != game.start():
        raise NotationError("start", text, f"{why}; seat persons and engines only")
    return state


def checked_name(name: str) -> str:
    """The name without blanks around it, or UsageError if it cannot stand in a line."""
    name = name.strip(" ")
    if len(name) > NAME_LIMIT:
        raise UsageError(f"{quote(name)}: a name can have at most {NAME_LIMIT} characters")
    if not name.isprintable():
        raise UsageError(f"{quote(name)}: a name cannot contain control characters")
    return name


def _seats(game: Game[Any], wanted: tuple[SeatRecord, ...]) -> tuple[SeatRecord, ...]:
    """The seats, every one with a name; all are for clients if none are wanted in particular."""
    seats = wanted or tuple(SeatRecord(SeatKind.CLIENT, "") for _ in game.sides)
    if len(seats) != game.players:
        raise UsageError(f"{game.name} has {game.players} seats, not {len(seats)}")
    return tuple(
        replace(
            seat,
            name=checked_name(seat.name) or usual_seat_name(number),
            owner=tenure(seat.owner),
        )
        for number, seat in enumerate(seats)
    )
