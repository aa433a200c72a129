"""A case with the index server that is checked, and its verbs."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

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

    def __init__(self, server: CheckedIndex) -> None:
        super().__init__()
        self.limit = LONGEST
        self.server = server
        self.oddities: dict[str, int] = {}  # what a reader has to be lenient with, and where
        self._guids: set[str] = set()  # of the games that we have in the list
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
        for guid in self._guids:
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
        self, what: str = "game", mailbox: Mailbox | None = None, **values: Any
    ) -> Registration:
        """A game that is not in the list, at a mailbox's address."""
        address, port = (mailbox or self.mailbox).address
        name = f"{what} {self.server.new_mark()}"
        return replace(Registration("Spielwerk", name, 9, 5, 3, address, port), **values)

    def owned(self, guid: str) -> None:
        """This game has to be removed in the end."""
        self._guids.add(guid)

    def own_success(self, line: bytes) -> None:
        """If the line says that something was registered, it has to be removed as well."""
        word, _, guid = line.decode("utf-8", "replace").partition(";")
        if word in ("register_success", VARIANTS["register_success"]):
            self.owned(guid.rstrip("\r; "))

    def removed(self, guid: str) -> None:
        """This game is gone."""
        for known in {guid, guid.strip("{}"), f"{{{guid}}}"}:
            self._guids.discard(known)

    def odd(self, oddity: str) -> None:
        """Remember what a strict client would stumble over."""
        self.oddities.setdefault(oddity, len(self.transcript) - 1)

    # what the initiator does, and what must come of it

    async def register(self, offer: Registration, guest: Visitor | None = None) -> str:
        """Register a game; its GUID."""
        heard = await (guest or self.initiator).ask(offer.request(), "register_success")
        guid: str = heard.message.values[0]
        self.owned(guid)
        return guid

    async def unregister(self, guid: str, guest: Visitor | None = None) -> None:
        """Remove a game."""
        request = message("unregister_game", guid)
        await (guest or self.initiator).ask(request, "unregister_game_success")
        self.removed(guid)

    async def seal(self, guid: str, guest: Visitor | None = None) -> None:
        """A game has begun."""
        await (guest or self.initiator).ask(message("seal_game", guid), "seal_game_success")

    async def games(self, guest: Visitor | None = None) -> tuple[ListedGame, ...]:
        """The list, as the initiator or another client gets it."""
        listed: tuple[ListedGame, ...] = (await self._whole_list(guest)).message.values[0]
        return listed

    async def _whole_list(self, guest: Visitor | None) -> IndexAnswer:
        return await (guest or self.initiator).ask(LIST, GAME_LIST)

    async def shows(
        self,
        *offers: Registration,
        status: Status = Status.OPEN,
        guest: Visitor | None = None,
        values: bool = False,
    ) -> None:
        """Each of these games must be in the list once; if asked for, with all its values."""
        answer = await self._whole_list(guest)
        for offer in offers:
            found = _found(answer.message.values[0], offer)
            if not found:
                self.fail("not-listed", name=offer.name)
            if len(found) > 1:
                self.fail("listed-twice", name=offer.name, times=len(found))
            self._compare_status(offer, status, answer, found[0])
            if values:
                self._compare(offer, answer, found[0])

    async def lacks(self, *offers: Registration) -> None:
        """None of these games may be in the list."""
        listed = await self.games()
        for offer in offers:
            if _found(listed, offer):
                self.fail("still-listed", name=offer.name)

    def _compare_status(
        self, offer: Registration, wanted: Status, answer: IndexAnswer, number: int
    ) -> None:
        listed: ListedGame = answer.message.values[0][number]
        place = {"entry": answer.entry, "position": answer.cell(number, 0)}
        if listed.problem:
            self.fail("unreadable-game", name=offer.name, problem=listed.problem, **place)
        if listed.status is not wanted:
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
