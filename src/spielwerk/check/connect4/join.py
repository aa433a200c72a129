"""A game that the program joins: we are its initiator and its index server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final
from uuid import NAMESPACE_URL, uuid5

from spielwerk.check.connect4.hints import misnumbering
from spielwerk.check.connect4.play import choose
from spielwerk.check.connect4.trial import GAME, ConnectFourTerms, ConnectFourTrial, states
from spielwerk.check.connection import TrialConnection, stop_listening
from spielwerk.check.texts import Scripts
from spielwerk.check.trial import CaseOver
from spielwerk.errors import IllegalMove
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.wire.connect4.host import HostLimits, HostSide
from spielwerk.wire.connect4.index import Entry
from spielwerk.wire.connect4.join import INITIATOR, OPPONENT, OUTCOMES
from spielwerk.wire.connect4.messages import Status, Version

if TYPE_CHECKING:
    from asyncio import Server

    from spielwerk.check.trial import CheckSettings
    from spielwerk.games.connect4.rules import ConnectFourState
    from spielwerk.wire.connect4.messages import GameMessage

PLAYER: Final = "Spielwerk"
LONG: Final = ConnectFour(20, 20, 1)  # a board for many moves
LIMITS: Final = HostLimits(join=60.0, line=1 << 20)


script: Final = Scripts()


class JoinTrial(ConnectFourTrial[HostSide]):
    """What an initiator says and hears; each verb blames the opponent for what it may not do."""

    scripts: ClassVar = script

    def __init__(self, settings: CheckSettings, terms: ConnectFourTerms) -> None:
        super().__init__(settings, terms)
        self.player = PLAYER
        self.others: list[Entry] = []  # games in the list before ours
        self.best = max(terms.versions)
        self.port = 0
        self._moves: list[tuple[ConnectFourState, int]] = []
        self._astray: list[TrialConnection] = []  # that have come to another game
        self._decoy: Server | None = None

    # the list

    async def set_up(self) -> None:
        """Listen as initiator and as index server, where our game stands in the list."""
        self.port = await self.listen(GAME)
        await self.open_index()
        self.index.index.restore([*self.others, self.listed()], self.now)

    def listed(self) -> Entry:
        """Our game in the list."""
        return self.entry(self.name, self.port)

    def entry(self, name: str, port: int, status: Status = Status.OPEN) -> Entry:
        """A game for the list."""
        game, host = self.game, self.settings.host
        guid = str(uuid5(NAMESPACE_URL, name))
        size = (game.width, game.height, game.depth)
        return Entry(guid, self.player, name, *size, host, port, host, status)

    async def decoy(self) -> int:
        """Listen where no program shall come; the port."""
        self._decoy = await self._loop.create_server(
            self._stray, self.settings.host, 0, start_serving=False
        )
        await self._decoy.start_serving()
        port: int = self._decoy.sockets[0].getsockname()[1]
        return port

    def _stray(self) -> TrialConnection:
        self._astray.append(TrialConnection(self, "another game", self._arrived))
        return self._astray[-1]

    def run(self) -> None:
        """Start the program."""
        self.launch(self.port, OPPONENT)

    @property
    def told_by_list(self) -> bool:
        """Whether the program can know what stands in the list."""
        return not self.settings.command or self.uses("index_port") or bool(self.terms.index_port)

    def needs_list(self) -> None:
        """Go on only if the program asks the index server."""
        if not self.told_by_list:
            self.skip("asks-no-index")

    async def offer(self, game: ConnectFour) -> None:
        """Offer a game of another size; a program need not be able to join it."""
        self.needs_list()
        self.game, self.may_decline = game, True
        await self.set_up()
        self.run()
        connection = await self._come(self.now + self.patience)
        if connection is None:
            self.look_for_crash()
            self.fail("size-not-joined", size=str_size(game), advice=True)
        await self._take(connection)

    # joining

    async def wanted_by(self) -> GameMessage:
        """Start the program and hear its join_game."""
        await self.set_up()
        self.run()
        return await self._take(await self.accept())

    async def _take(self, connection: TrialConnection) -> GameMessage:
        self.connection = connection
        limits = replace(LIMITS, move=10.0)
        self.machine = HostSide(self.now, limits, self.best, variant=self.variant)
        self._heard_at = self.now
        request: GameMessage = await self.hear("join", "join_game", seconds=self.patience)
        self._look_at(request)
        return request

    def _look_at(self, request: GameMessage) -> None:
        player, name, _ = request.values
        known = self.index.asked("request_game_list") is not None or self.uses("game")
        if known and name != self.name:
            self.blame("other-name", name=name, expected=(self.name,), **self.here(10))
        if not player.strip():
            self.blame("no-player", advice=True, **self.here(10))

    def welcome(self, version: str = "") -> None:
        """The program may join; the machine is to say so."""
        self.machine.accept(best=Version(version or self.best))

    async def joined(self, version: str = "", *, first: bool = False) -> None:
        """The program joins, and is welcome; `first`: start_game comes in the same segment."""
        await self.wanted_by()
        self.welcome(version)
        self.state = replace(self.game, begins=OPPONENT if first else INITIATOR).start()
        if first:
            self.machine.start(self.now)
        await self.flush()

    async def _come(self, deadline: float) -> TrialConnection | None:
        connection = await super()._come(deadline)
        if connection in self._astray:
            self.fail("joined-sealed")
        if connection is None:
            self.look_for_newline("list")
            if self.faults:  # the index server has refused its request
                raise CaseOver
        return connection

    # the game

    async def start_game(self, *, program: bool, version: str = "") -> None:
        """Join and say who begins: the program is told to, or sees our first stone."""
        await self.joined(version)
        await self.first(program=program)

    async def first(self, *, program: bool) -> None:
        """Say who begins."""
        if program:
            self.state = replace(self.game, begins=OPPONENT).start()
            self.machine.start(self.now)
            await self.flush()
        else:
            self.state = replace(self.game, begins=INITIATOR).start()
            await self.stone()

    async def stone(self, aim: str = "win") -> None:
        """Our stone; then it is the program's turn, unless the game is over."""
        self.put(choose(self.state, aim, self.random))
        if not self.state.outcome:
            self.machine.ask(self.now)
        await self.flush()

    def put(self, field: int) -> None:
        """A stone of the player whose turn it is comes to lie, and is told."""
        who = self.state.player
        self.state = self.state.play(field)
        self.machine.tell(field, who + 1, states(self.state.board))

    async def move(self) -> int:
        """The program's move, which must be possible."""
        event = await self.hear("move", "move", seconds=60.0)
        field: int = event.values[0]
        self._moves.append((self.state, field))
        try:
            self.state.play(field)
        except IllegalMove as error:
            self._impossible(field, error)
        return field

    def _impossible(self, field: int, error: IllegalMove) -> None:
        hint = misnumbering(self.game, self._moves)
        kind = "occupied" if "already" in error.rule else "floating"
        if not 0 <= field < self.game.size:
            kind = "outside"
        possible = ", ".join(map(str, self.state.landing))
        self.fail(
            f"move-{kind}",
            field=field,
            last=self.game.size - 1,
            below=field - self.game.width,
            hint=hint,
            expected=(f"move;{possible}".replace(", ", " | "),),
            **self.here(5),
        )

    async def confirm(self) -> None:
        """The program's move, and our confirmation."""
        self.put(await self.move())
        await self.flush()

    async def turn(self, aim: str = "win") -> None:
        """The program's move, our confirmation, and our own stone if the game goes on."""
        await self.confirm()
        if not self.state.outcome:
            await self.stone(aim)

    async def play_out(self, aim: str = "win") -> None:
        """Play until the game is over, and say how it ended."""
        while not self.state.outcome:
            await self.turn(aim)
        await self.end()

    async def abort(self) -> None:
        """Say that the game is over before its end."""
        await self.say(b"abort_game;the initiator has to leave\n")

    async def speaks_no_more(self, seconds: float = 0.7) -> None:
        """The game is over before its end: the program must make no move any more."""
        deadline = self.now + seconds
        said = b""
        while not self.connection.gone and await self.connection.changed(deadline - self.now):
            said += b"".join(data for _, data in self.connection.take())
        if b"move;" in said:
            self.blame("plays-on")

    async def end(self) -> None:
        """Tell the outcome and part."""
        outcome = self.state.outcome
        self.machine.end(OUTCOMES[outcome.winner if outcome else None])
        await self.flush()
        await self.part()

    # a short game

    def lengthen(self) -> None:
        """See the base."""
        if self.told_by_list:
            self.game = LONG

    async def begin(self) -> None:
        """See the base."""
        await self.joined()

    async def next_move(self, number: int) -> None:
        """See the base."""
        if not number:
            await self.first(program=True)
        if self.state.outcome:
            raise CaseOver
        await self.turn("draw")

    async def finish(self) -> None:
        """See the base."""
        await self.play_out()

    async def _close(self) -> None:
        if self._decoy:
            await stop_listening(self._decoy)
        await super()._close()


def str_size(game: ConnectFour) -> str:
    """A size as people write it."""
    return f"{game.width}x{game.height}" + (f"x{game.depth}" if game.depth > 1 else "")
