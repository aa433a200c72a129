"""What players propose to each other: to take moves back, to agree on a draw, to play once more.

An offer holds for the position in which it was made, and lapses with the next move; a seat makes
one for each position, so that no player is pestered. Engines, and a person who plays both seats,
need not be asked for a take-back. Clients cannot be asked anything: their protocols have no word
for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from spielwerk.engines.players import REMOTE
from spielwerk.games import NOBODY
from spielwerk.messages import english
from spielwerk.store.records import Ending, Reason, SeatKind
from spielwerk.tables.parts import NotNow, browser_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import GameRecord
    from spielwerk.tables.parts import Done, History, Seat
    from spielwerk.tables.table import Table

REMATCHES_KEPT: Final = 10_000


class What(StrEnum):
    """What can be offered during a game."""

    TAKE_BACK = "take back"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """What a seat's player has offered in this position."""

    seat: int
    what: What
    declined: bool = False


class Offers:
    """The offers of one table; what is agreed on is done at once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._made: dict[int, SeatOffer] = {}  # by seat
        self._moment = table.history.moment

    @property
    def made(self) -> list[SeatOffer]:
        """Those of this position; after the game there are none."""
        moment = self._table.history.moment
        if moment != self._moment or self._table.over:
            self._moment = moment
            self._made.clear()
        return list(self._made.values())

    @property
    def possible(self) -> list[What]:
        """What can be offered at this table at all: the rules know it, and all can be asked."""
        table, players = self._table, [seat.record for seat in self._table.seats]
        clients = any(seat.kind is SeatKind.CLIENT for seat in players)
        if table.record.tournament or table.game.throws_dice or len(players) != 2 or clients:
            return []
        elsewhere = any(seat.player.startswith(REMOTE) for seat in players)
        return [What.TAKE_BACK] if elsewhere else [*What]

    def awaiting(self, seat: Seat) -> SeatOffer | None:
        """What this seat's player is to answer."""
        open_ones = (one for one in self.made if not one.declined and one.seat != seat.number)
        return next(open_ones, None)

    def make(self, seat: Seat, what: What, done: Done) -> None:
        """Offer something, or raise NotNow; `done` when the other is asked, or when it is done."""
        self._check(seat, what)
        other = self._other(seat, what)
        waiting = self.awaiting(seat)
        both = bool(seat.owner) and seat.owner == other.owner
        engine = other.record.kind is SeatKind.ENGINE and what is What.TAKE_BACK
        if both or engine or (waiting and waiting.what is what):
            # The other wants it, too, or need not be asked.
            self._do(self._table.seats[waiting.seat] if waiting else seat, what, done)
            return
        if any(one.seat == seat.number for one in self.made):
            raise NotNow(english("offered-already"))
        self._note(SeatOffer(seat.number, what))
        done(None)

    def answer(self, seat: Seat, what: What, done: Done, *, accept: bool) -> None:
        """Accept or decline what the other has offered, or raise NotNow if it has lapsed."""
        offer = self.awaiting(seat)
        if offer is None or offer.what is not what:
            raise NotNow(english("offer-lapsed"))
        if accept:
            self._do(self._table.seats[offer.seat], what, done)
        else:
            self._note(replace(offer, declined=True))
            done(None)

    def _note(self, offer: SeatOffer) -> None:
        self._made[offer.seat] = offer
        self._table.announce()

    def _check(self, seat: Seat, what: What) -> None:
        """NotNow where nothing can be offered to any opponent."""
        table = self._table
        if table.over or table.forfeit:
            raise NotNow(english("already-over"))
        if not table.begun:
            raise NotNow(english("not-begun"))
        if table.record.tournament:
            raise NotNow(english("no-offers-in-tournaments"))
        if table.game.throws_dice or len(table.seats) != 2:
            raise NotNow(english("no-offers-with-chance"))
        if what is What.TAKE_BACK and begin_of_turn(table.history, seat.number) is None:
            raise NotNow(english("nothing-to-take-back", name=seat.name))

    def _other(self, seat: Seat, what: What) -> Seat:
        """Who has to agree; NotNow if that cannot be."""
        other = self._table.seats[1 - seat.number]
        kind, remote = other.record.kind, other.record.player.startswith(REMOTE)
        if kind is SeatKind.CLIENT or (remote and what is What.DRAW):
            raise NotNow(english("no-offers-to-clients", name=other.name))
        if kind is SeatKind.PERSON and not other.owner:
            raise NotNow(english("no-one-to-agree"))
        return other

    def _do(self, seat: Seat, what: What, done: Done) -> None:
        """Do what this seat's player has offered."""
        table = self._table
        if table.turn == NOBODY:
            raise NotNow(english("move-being-written"))
        self._made.clear()  # nothing is left to answer while it is being written
        if what is What.TAKE_BACK:
            table.take_back(begin_of_turn(table.history, seat.number) or 0, done)
        else:
            table.end(Ending(Reason.DRAW, None, english("draw-agreed"), table.wall))
            done(None)


def begin_of_turn(history: History, seat: int) -> int | None:
    """How many decisions there were before this seat's last turn; None if it has not moved."""
    movers = [state.turn for state, _ in history]
    while movers and movers[-1] != seat:
        movers.pop()
    if not movers:
        return None
    while movers and movers[-1] == seat:
        movers.pop()
    return len(movers)


# games that follow others


@dataclass(slots=True)
class Rematch:
    """A game that may follow another: who wishes for it, and its ID when it is there."""

    game: str | None = None
    wishing: set[str] = field(default_factory=set)  # browsers
    declined: bool = False


class Rematches:
    """Which game follows which, of the latest ones; players are told through their tables.

    A finished game may have left its table, so this is kept apart from it.
    """

    def __init__(self, find: Callable[[str], Table | None]) -> None:
        self._find = find
        self._known: dict[str, Rematch] = {}  # by the game that is followed

    def of(self, game_id: str) -> Rematch:
        """What follows this game; nothing yet if it is not known."""
        return self._known.get(game_id, Rematch())

    def wish(self, record: GameRecord, browser: str) -> bool:
        """This player wishes for another game; whether all persons who played do now."""
        owners = {browser_in(seat.owner) for seat in record.seats} - {""}
        rematch = self._note(record.id)
        if rematch.declined:
            raise NotNow(english("rematch-declined"))
        rematch.wishing.add(browser)
        self._tell(record.id)
        return owners <= rematch.wishing

    def decline(self, record: GameRecord, browser: str) -> None:
        """This player wants no other game; NotNow if no other player has offered one."""
        rematch = self.of(record.id)
        if rematch.game or not rematch.wishing - {browser}:
            raise NotNow(english("offer-lapsed"))
        rematch.declined = True
        self._tell(record.id)

    def follow(self, game_id: str, following: str) -> None:
        """That game follows this one."""
        self._note(game_id).game = following
        self._tell(game_id)

    def forget(self, following: str) -> None:
        """That game follows none any more: there may be another rematch."""
        for game_id in [one for one, next_one in self._known.items() if next_one.game == following]:
            del self._known[game_id]
            self._tell(game_id)

    def _note(self, game_id: str) -> Rematch:
        rematch = self._known.setdefault(game_id, Rematch())
        while len(self._known) > REMATCHES_KEPT:
            del self._known[next(iter(self._known))]
        return rematch

    def _tell(self, game_id: str) -> None:
        if table := self._find(game_id):
            table.tell_watchers()
