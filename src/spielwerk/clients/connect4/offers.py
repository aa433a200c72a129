"""What a host offers, and how."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import normalize

from spielwerk.clients.connect4.index import HOST_PORT
from spielwerk.clients.connect4.session import is_by_rule
from spielwerk.errors import SpielwerkError
from spielwerk.tables.wishes import checked_name
from spielwerk.wire import chosen
from spielwerk.wire.connect4.host import HostLimits
from spielwerk.wire.connect4.messages import Version, require_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from spielwerk.clients.connect4.session import HostSession
    from spielwerk.games.connect4.rules import ConnectFour
    from spielwerk.store.records import SeatRecord
    from spielwerk.tables.table import Table


class HostError(SpielwerkError):
    """Games that cannot be offered as they were described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferSettings:
    """How games are offered."""

    bind: str = ""  # where to listen; the address that the index server sees, if not given
    address: str = ""  # where others find us; the same, if not given
    port: int = HOST_PORT  # TCP and UDP; 0: any free one
    version: Version = Version.V2  # the best that is offered
    variant: bool = False  # some courses' spelling
    limits: HostLimits = field(default_factory=HostLimits)
    heartbeat: float = 10.0  # seconds from one to the next
    silence: float = 60.0  # seconds without one of the index server's; 0: never mind
    connections: int = 200
    connections_each: int = 200
    transcript: int = 65_536


@dataclass(eq=False)
class Offer:
    """A game that can be joined."""

    name: str
    game: ConnectFour
    seat: SeatRecord  # ours
    guid: str = ""
    registered: asyncio.Event = field(default_factory=asyncio.Event)
    session: HostSession | None = None
    table: Table | None = None  # there from the start, or when an opponent has come
    coming: asyncio.Future[Table] | None = None  # or when others say who begins
    opponent: int = 1  # the opponent's seat
    move: float | None = None  # seconds for a move of the opponent, if not the host's
    version: Version | None = None  # the best that is offered, if not the host's
    variant: bool | None = None  # some courses' spelling, if not as the host speaks
    only: tuple[str, ...] = ()  # the players who may join; empty: all
    ask: bool = False  # whether a person decides who may
    question: Question | None = None  # that waits for such an answer
    problem: str = ""  # why it could not be played
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def adopt(self, wire_options: Collection[str]) -> None:
        """Take over what was chosen for this game; the host's settings hold for the rest."""
        spelling, version = chosen(wire_options, "spelling"), chosen(wire_options, "version")
        self.variant = spelling == "variant" if spelling else None
        self.version = Version(version) if version else None
        self.only = invited(filter(None, [chosen(wire_options, "only")]))
        self.ask = chosen(wire_options, "ask") == "yes"

    @property
    def decided(self) -> bool:
        """Whether the game was played to its end."""
        return self.table is not None and is_by_rule(self.table.result)


@dataclass(eq=False)
class Question:
    """A player wants to join, and a person decides; `changed` hears when that has come to an end.

    One is asked at a time for each game. The question ends when the player hangs up.
    """

    offer: Offer
    session: HostSession
    player: str
    decide: Callable[[Question, bool], None]
    changed: Callable[[], None] = lambda: None

    def waits(self) -> bool:
        """Whether the player still waits for the answer."""
        return self.offer.question is self

    def answer(self, accept: bool) -> None:
        """Let the player join, or not; too late, it is no answer."""
        if self.waits():
            self.withdraw()
            self.decide(self, accept)

    def withdraw(self) -> None:
        """The answer is not wanted any more."""
        self.offer.question = None
        self.changed()


def invited(names: Iterable[str]) -> tuple[str, ...]:
    """The names of those who may join, or what is wrong with them."""
    return tuple(normalize("NFC", _named(name)) for name in names)


def _named(text: str) -> str:
    require_plain(text)
    name = checked_name(text)
    if not name:
        raise HostError("a name must not be empty")
    return name


def offers(name: str, count: int, game: ConnectFour, seat: SeatRecord) -> list[Offer]:
    """So many games; the names of several get numbers."""
    names = [name] if count == 1 else [f"{name} {number + 1}" for number in range(count)]
    for text in (*names, seat.name):
        _named(text)
    return [Offer(text, game, seat) for text in names]
