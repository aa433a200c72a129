"""A game that the program hosts: we are its index server and its opponent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn

import psutil

from spielwerk.check.connect4.play import choose
from spielwerk.check.connect4.trial import GAME, ConnectFourTerms, ConnectFourTrial
from spielwerk.check.connection import TrialConnection
from spielwerk.check.texts import Scripts
from spielwerk.check.trial import CaseOver
from spielwerk.errors import OptionError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.wire.connect4.join import (
    INITIATOR,
    Confirmed,
    InitiatorMoved,
    JoinLimits,
    JoinSide,
)
from spielwerk.wire.connect4.messages import (
    GameMessage,
    MessageError,
    Version,
    read_message,
)

if TYPE_CHECKING:
    from spielwerk.check.connect4.listing import IndexRequest
    from spielwerk.check.trial import CheckSettings

OPPONENT: Final = "Spielwerk"
LISTENING: Final = 5.0  # seconds to listen after the registration
UPDATE: Final = 5.0  # seconds to tell the index server what has happened
NOTICING: Final = 14.0  # seconds to notice that an opponent is gone, the document's 10 among them
LIMITS: Final = JoinLimits(answer=10.0, move=30.0)
LOOK: Final = 0.05  # seconds between two tries to connect


script: Final = Scripts()


class HostTrial(ConnectFourTrial[JoinSide]):
    """What an opponent says and hears; each verb blames the initiator for what it may not do."""

    scripts: ClassVar = script

    def __init__(self, settings: CheckSettings, terms: ConnectFourTerms) -> None:
        super().__init__(settings, terms)
        self.address, self.port = settings.host, 0

    # the registration

    async def run(self) -> None:
        """Start the program."""
        await self.open_index()
        self.launch_here()

    def launch_here(self) -> None:
        """Start the program; where the index server is gone, this shows what it does then."""
        self.launch(self.settings.port or self._free_port(), INITIATOR)

    def _free_port(self) -> int:
        with self.deaf_port() as port:
            return port

    async def offered(self) -> None:
        """Start the program and see its registration, which must make sense."""
        await self.run()
        await self.registered()

    async def registered(self) -> None:
        """See the registration."""
        request = await self.request("register_game", self.patience)
        if request is None:
            await self._never_registered()
        self._read(request.message)

    async def request(self, header: str, seconds: float) -> IndexRequest | None:
        """A request of the program, if it comes before the program ends or the time is over."""
        deadline = self.now + seconds
        while not self._settled(header) and self.now < deadline and not self._is_over():
            left = deadline - self.now
            await self.index.until(lambda: self._settled(header), LOOK if self.program else left)
        return self.index.asked(header)

    def _settled(self, header: str) -> bool:
        return self._refused_request() or self.index.asked(header) is not None

    def _refused_request(self) -> bool:
        return any(fault.kind == "index-refuses" for fault in self.faults)

    async def _never_registered(self) -> NoReturn:
        await self.settle()
        self.look_for_newline("registration")
        if self._refused_request():
            raise CaseOver
        place = f"{self.settings.host}:{self.index.port}"
        self.not_there("ended-unregistered", "never-registered", place)

    def _read(self, request: GameMessage) -> None:
        _, name, width, height, depth, self.address, self.port = request.values
        try:
            self.game = ConnectFour(width, height, depth)
        except OptionError:
            self.skip("size-unknown")
        if self.uses("game") and name != self.name:
            self.blame("registers-other-name", name=name, expected=(self.name,), advice=True)
        self.name = name
        self._look_at_address()

    def _look_at_address(self) -> None:
        place = self.reachable()
        try:
            unspecified = ip_address(self.address).is_unspecified
        except ValueError:
            self.blame("address-is-name", address=self.address, advice=True)
            return
        if unspecified:
            self.blame("address-unspecified", address=self.address, advice=True)
        elif place != self.address:
            self.blame("address-elsewhere", address=self.address, advice=True)

    def reachable(self) -> str:
        """Where we connect to: what was registered, if it is this machine, and here otherwise."""
        with suppress(ValueError):
            if ip_address(self.address).is_loopback:
                return self.address
        own = {one.address for several in psutil.net_if_addrs().values() for one in several}
        return self.address if self.address in own else self.settings.host

    # joining

    async def connect(self, channel: str = GAME) -> None:
        """Connect to where the program says that it listens."""
        deadline = self.now + LISTENING
        while (made := await self.try_connect(channel)) is None:
            if self.now >= deadline or self._is_over():
                self.look_for_crash()
                place = f"{self.address}:{self.port}"
                self.fail("not-listening", place=place, seconds=LISTENING, timed=True)
            await asyncio.sleep(LOOK)
        self.connection = made

    async def visited(self) -> None:
        """Another client connects, says nothing and closes."""
        await self.connect("visitor")
        self.connection.close()

    async def try_connect(self, channel: str) -> TrialConnection | None:
        """A connection, unless the program does not listen."""
        with suppress(OSError):
            _, made = await self._loop.create_connection(
                lambda: TrialConnection(self, channel), self.reachable(), self.port
            )
            return made
        return None

    async def ask(self, version: str = "") -> Version:
        """Connect and say join_game; the version that is asked for."""
        await self.connect()
        self._heard_at = self.now
        asked = Version(version or self.terms.versions[-1])
        self.machine = JoinSide(self.game, OPPONENT, self.name, self.now, LIMITS, asked)
        await self.flush()
        return asked

    async def joined(self, version: str = "") -> None:
        """Have a game offered, and join it."""
        await self.offered()
        await self.enter(version)

    async def enter(self, version: str = "") -> None:
        """Join the game that the program offers."""
        asked = await self.ask(version)
        answer: GameMessage = await self.hear("join-answer", "join_game_success")
        if asked is Version.V1 and answer.values[0] is not Version.V1:
            self.blame("no-v1", **self.here(18))

    # the game

    @property
    def ours(self) -> bool:
        """Whether it is our turn."""
        return self.machine.state.player != INITIATOR

    async def begin(self, version: str = "") -> None:
        """Join, and learn who begins."""
        await self.joined(version)
        await self.first()

    async def first(self) -> None:
        """Learn who begins."""
        event = await self.hear("beginning", "start_game", InitiatorMoved)
        self.terms.begun.append(isinstance(event, InitiatorMoved))

    async def move(self, aim: str = "win") -> None:
        """Our move, which the program must confirm."""
        self.machine.move(choose(self.machine.state, aim, self.random), self.now)
        await self.flush()
        event = await self.hear("confirmation", "end_game", Confirmed)  # some leave the last out
        if isinstance(event, Confirmed) and event.implied:
            await self.stone()

    async def stone(self) -> None:
        """The program's own move."""
        await self.hear("stone", "", InitiatorMoved)

    async def our_turn(self) -> None:
        """Wait until we may move."""
        if not self.ours:
            await self.stone()

    async def play(self, moves: int) -> None:
        """Play some moves of ours."""
        for _ in range(moves):
            await self.our_turn()
            await self.move()

    async def play_out(self, aim: str = "win") -> None:
        """Play until the game is over; the program must say how it ended."""
        while self.machine.state.outcome is None:
            if self.ours:
                await self.move(aim)
            else:
                await self.stone()
        if not self.machine.closing:
            await self.hear("end", "end_game")

    # what the index server hears

    async def sealed(self) -> None:
        """The program must seal the game."""
        await self._updates("seal_game", "not-sealed", UPDATE)

    async def unregistered(self, seconds: float = UPDATE) -> None:
        """The program must take the game out of the list."""
        await self._updates("unregister_game", "not-unregistered", seconds)

    async def notices(self) -> None:
        """We are gone, which the program must notice: it takes the game out of the list."""
        await self.unregistered(NOTICING)
        self.look_for_crash()

    async def _updates(self, header: str, kind: str, seconds: float) -> None:
        if await self.index.wait_for(header, seconds) is None:
            self.look_for_crash()
            self.blame(kind, seconds=seconds, timed=True)

    # what is said without the order that the machine wants

    async def messages(self, wanted: set[str], seconds: float = UPDATE) -> list[GameMessage]:
        """All messages until those have come, or the program hangs up, or the time is over."""
        deadline, found = self.now + seconds, self._readable()
        while not wanted <= {one.header for one in found}:
            if self.connection.gone or not await self.connection.changed(deadline - self.now):
                break
            for at, data in self.heard():
                self._lines.feed(data, at)
            found += self._readable()
        return found

    def _readable(self) -> list[GameMessage]:
        found = []
        while line := self._lines.take():
            self._line = line.content
            with suppress(MessageError):
                found.append(read_message(line.content))
        return found

    async def informed(self, seconds: float) -> None:
        """The program must tell us with abort_game that the game is over."""
        heard = [one.header for one in await self.messages({"abort_game"}, seconds)]
        if not {"abort_game", "join_game_failed"} & {*heard}:
            await self.settle()
            self.fail("no-abort", seconds=seconds, timed=not self.connection.gone)

    # a short game

    async def next_move(self, _: int) -> None:
        """See the base."""
        if self.machine.state.outcome:
            raise CaseOver
        await self.play(1)

    async def finish(self) -> None:
        """See the base."""
        await self.play_out()
        await self.part()
