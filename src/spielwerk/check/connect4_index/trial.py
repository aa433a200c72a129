"""A case with the index server that is checked, and its verbs."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self
from uuid import uuid4

from spielwerk.check.connect4_index.guest import Mailbox, Visitor
from spielwerk.check.server import CheckedServer
from spielwerk.check.texts import Scripts
from spielwerk.check.trial import Trial
from spielwerk.wire.connect4.messages import (
    GAME_LIST,
    PARAMETERS,
    VARIANTS,
    GameMessage,
    ListedGame,
    Status,
    message,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from spielwerk.check.connect4_index.guest import IndexAnswer

LONGEST: Final = 690.0  # seconds of a case: heartbeats take their time
PARTING: Final = 2.0  # seconds to remove what is left of a case
APART: Final = 0.05  # seconds between pieces, so that they are sent apart
LIST: Final = message("request_game_list")
_LOST: Final = "?\N{REPLACEMENT CHARACTER}"

script: Final = Scripts()


@dataclass(slots=True)
class CheckedIndex(CheckedServer):
    """Where the server is, and how long to wait for it."""

    impatient: ClassVar = 0.2

    patience: float = 5.0
    spoke: bool = False  # ever
    _mark: str = field(default_factory=lambda: secrets.token_hex(3))
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def heard(self) -> None:
        """It has said something, and is worth waiting for."""
        self.late, self.spoke = 0, True

    def new_mark(self) -> str:
        """What makes a name unlike those of other cases, and of other checks."""
        return f"{self._mark}-{next(self._numbers)}"

    def trial(self) -> IndexTrial:
        """See the base."""
        return IndexTrial(self)


@dataclass(frozen=True, slots=True)
class Registration:
    """A game as an initiator registers it."""

    player: str
    name: str
    width: int
    height: int
    depth: int
    address: str
    port: int

    def request(self) -> GameMessage:
        """The message that registers it."""
        return GameMessage("register_game", tuple(asdict(self).values()))

    def line(self) -> bytes:
        """The same as bytes."""
        return write_message(self.request())


class IndexTrial(Trial):
    """A case with the index server; each verb blames it for what the document does not allow."""

    package: ClassVar = "spielwerk.check.connect4_index"
    scripts: ClassVar = script

    def __init__(self, server: CheckedIndex) -> None:
        super().__init__()
        self.limit = LONGEST
        self.server = server
        self.oddities: dict[str, int] = {}  # what a reader has to be lenient with, and where
        self._offers: dict[str, Registration] = {}  # by what scripts call them
        self._guids: dict[str, str] = {}
        self._left: set[str] = set()  # GUIDs of the games that we have in the list
        self._mailboxes: list[Mailbox] = []

    async def carry_out(self, script: Callable[[Self], Awaitable[None]]) -> None:
        """Run a script to its end or its failure, and leave no game in the list."""

        async def whole(trial: Self) -> None:
            self.initiator = self.guest("initiator")
            await self.initiator.connect()
            self.mailbox = await self.new_mailbox()
            await script(trial)

        await super().carry_out(whole)

    async def _close(self) -> None:
        for mailbox in self._mailboxes:
            mailbox.close()
        with suppress(OSError, TimeoutError):
            await self._clear_away()
        await super()._close()

    async def _clear_away(self) -> None:
        """Remove the games that the script has not removed; nothing is judged any more."""
        for guid in self._left:
            async with asyncio.timeout(PARTING):
                reader, writer = await asyncio.open_connection(self.server.host, self.server.port)
                writer.write(write_message(message("unregister_game", guid)))
                await reader.readline()
                writer.close()

    # clients and initiators

    def guest(self, name: str = "client") -> Visitor:
        """A client, which connects with its first request."""
        return Visitor(self, name)

    async def new_mailbox(self) -> Mailbox:
        """A UDP port at the address from which this machine reaches the server."""
        ends = self.initiator.connection.transport.get_extra_info
        here, there = ends("sockname"), ends("peername")
        made = await self._loop.create_datagram_endpoint(
            lambda: Mailbox(self, there), local_addr=(here[0], 0)
        )
        self._mailboxes.append(made[1])
        return made[1]

    def offer(
        self, game: str = "game", mailbox: Mailbox | None = None, **values: Any
    ) -> Registration:
        """A game that is not in the list, at a mailbox's address."""
        address, port = (mailbox or self.mailbox).address
        name = f"{game} {self.server.new_mark()}"
        offer = replace(Registration("Spielwerk", name, 9, 5, 3, address, port), **values)
        self._offers[game] = offer
        return offer

    def own(self, granted: IndexAnswer, game: str = "game") -> str:
        """The GUID of a game that is in the list now, and has to be removed in the end."""
        guid: str = granted.message.values[0]
        self._guids[game] = guid
        self._left.add(guid)
        return guid

    def own_success(self, line: bytes) -> None:
        """If the line says that something was registered, it has to be removed as well."""
        word, _, guid = line.decode("utf-8", "replace").partition(";")
        if word in ("register_success", VARIANTS["register_success"]):
            self._left.add(guid.rstrip("\r; "))

    def removed(self, *games: str) -> None:
        """These games are gone."""
        for guid in (self._guids[game] for game in games):
            self._left -= {guid, guid.strip("{}"), f"{{{guid}}}"}

    def odd(self, oddity: str) -> None:
        """Remember what a strict client would stumble over."""
        self.oddities.setdefault(oddity, len(self.transcript) - 1)

    # what the initiator does, and what must come of it; games go by what scripts call them

    async def register(self, game: str = "game", guest: Visitor | None = None) -> str:
        """Register a game, which is offered now if it was not before; its GUID."""
        offer = self._offers.get(game) or self.offer(game)
        heard = await (guest or self.initiator).ask(offer.request(), "register_success")
        return self.own(heard, game)

    async def unregister(self, game: str = "game") -> None:
        """Remove a game."""
        await self.ask("unregister_game", "unregister_game_success", game=game)
        self.removed(game)

    async def seal(self, game: str = "game") -> None:
        """A game has begun."""
        await self.ask("seal_game", "seal_game_success", game=game)

    async def fails(self, verb: str, *, unknown: bool = False) -> None:
        """A request for our game, or for an unknown one, must fail."""
        if unknown:
            await self.initiator.ask(message(verb, str(uuid4())), f"{verb}_failed")
        else:
            await self.ask(verb, f"{verb}_failed")

    async def ask(self, verb: str, *wanted: str, game: str = "game") -> None:
        """A request for a game, which must be answered with one of these."""
        await self.initiator.ask(message(verb, self._guids[game]), *wanted)

    def put_in_braces(self) -> None:
        """Write our game's GUID in braces from now on."""
        self._guids["game"] = f"{{{self._guids['game'].strip('{}')}}}"

    async def reconnect(self) -> None:
        """The initiator leaves, and comes back with its next request."""
        self.initiator.leave()
        await asyncio.sleep(APART)

    async def games(self, guest: Visitor | None = None) -> tuple[ListedGame, ...]:
        """The list, as the initiator or another client gets it."""
        listed: tuple[ListedGame, ...] = (await self._whole_list(guest)).message.values[0]
        return listed

    async def _whole_list(self, guest: Visitor | None) -> IndexAnswer:
        return await (guest or self.initiator).ask(LIST, GAME_LIST)

    async def shows(
        self,
        game: str = "game",
        *others: str,
        status: str = Status.OPEN,
        client: str = "",
        values: bool = False,
    ) -> None:
        """Each of these games must be in the list once; if asked for, with all its values."""
        answer = await self._whole_list(self.guest(client) if client else None)
        for offer in (self._offers[one] for one in (game, *others)):
            found = _found(answer.message.values[0], offer)
            if not found:
                self.fail("not-listed", name=offer.name)
            if len(found) > 1:
                self.fail("listed-twice", name=offer.name, times=len(found))
            self._compare_status(offer, status, answer, found[0])
            if values:
                self._compare(offer, answer, found[0])

    async def lacks(self, game: str = "game") -> None:
        """The game may not be in the list."""
        offer = self._offers[game]
        if _found(await self.games(), offer):
            self.fail("still-listed", name=offer.name)

    def _compare_status(
        self, offer: Registration, wanted: str, answer: IndexAnswer, number: int
    ) -> None:
        listed: ListedGame = answer.message.values[0][number]
        place = {"entry": answer.entry, "position": answer.cell(number, 0)}
        if listed.problem:
            self.fail("unreadable-game", name=offer.name, problem=listed.problem, **place)
        if listed.status != wanted:
            self.fail("status", name=offer.name, status=listed.status, wanted=wanted, **place)

    def _compare(self, offer: Registration, answer: IndexAnswer, number: int) -> None:
        wanted, got = asdict(offer), asdict(answer.message.values[0][number])
        for cell, name in enumerate(PARAMETERS["register_game"], 1):
            if wanted[name] != got[name]:
                hint = by_charset(str(wanted[name]), str(got[name]))
                values = {"parameter": name, "got": got[name], "wanted": wanted[name]}
                place = {"entry": answer.entry, "position": answer.cell(number, cell)}
                self.fail("parameter", hint=hint, **place, **values)


def _found(listed: Sequence[ListedGame], offer: Registration) -> list[int]:
    """Where our game stands, by its name, or, if that has been altered, by the mark at its end."""
    mark = f" {offer.name.rpartition(' ')[2]}"
    games = list(enumerate(listed))
    return (
        [number for number, game in games if game.name == offer.name]
        or [number for number, game in games if game.name.endswith(mark)]
        or [number for number, game in games if game.player == offer.name]
    )


def by_charset(wanted: str, got: str) -> str:
    """The hint for a text that was decoded or encoded in another way than UTF-8."""
    if any(sign in got and sign not in wanted for sign in _LOST):
        return "lost-letters"
    for charset in ("latin-1", "cp1252"):
        if wanted.encode().decode(charset, "replace") == got:
            return "charset"
    return ""
