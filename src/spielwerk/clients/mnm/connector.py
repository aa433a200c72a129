"""The connector: talks to the server, and lets the thinker think.

A question is put to the thinker before the server is told that we are thinking, and the answer is
sent as soon as both have spoken. If the thinker fails or is late, any legal move is played: better
than none.
"""

from __future__ import annotations

import random
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.clients.mnm import thinker as words
from spielwerk.clients.mnm.sentences import ClientError
from spielwerk.clients.mnm.thinker import Request
from spielwerk.errors import ProtocolError, SpielwerkError
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm.client import (
    Banner,
    Cue,
    GameOver,
    MnmClientSide,
    MoveAsked,
    Playing,
    SeatTaken,
    ServerRefused,
)
from spielwerk.wire.mnm.words import DIALECTS, game_kinds

if TYPE_CHECKING:
    from spielwerk.clients.mnm.program import ServerConnection
    from spielwerk.clients.mnm.sentences import Voice
    from spielwerk.clients.mnm.settings import ClientSettings
    from spielwerk.clients.mnm.thinker import ThinkerMessage, ThinkerProcess
    from spielwerk.games import State
    from spielwerk.wire.mnm.client import Event

_REFUSALS: Final = (
    ("TIMEOUT", "timed-out"),
    ("Invalid Move", "invalid-move"),
    ("No free", "no-seat"),
    ("Game does not exist", "unknown-game"),
    ("Not a valid game ID", "unknown-game"),
    ("We implement protocol version", "version-refused"),
    ("Client Version does not match", "version-refused"),
)


@dataclass
class Turn:
    """A move that is being looked for; it is made when it is known and the server listens."""

    number: int
    state: State[Any]
    asked: float
    deadlines: Deadlines
    allowed: bool = False
    move: str | None = None
    made: bool = False


class Connector:
    """One game, from the server's banner to its end."""

    def __init__(
        self,
        settings: ClientSettings,
        game: str,
        seat: int | None,
        connection: ServerConnection,
        thinker: ThinkerProcess,
        voice: Voice,
    ) -> None:
        self._settings = settings
        self._game = game
        self._wanted_seat = seat
        self._connection = connection
        self._thinker = thinker
        self._voice = voice
        self._machine = MnmClientSide()
        self._reserve = Reserve()
        self._heard = self._spoken = time.monotonic()
        self._playing = Playing("", "")
        self._seat = SeatTaken(0, "", ())
        self._turn: Turn | None = None
        self._waiting = False
        self._over = False

    def run(self) -> None:
        """Play the game to its end, or raise ClientError."""
        try:
            while not self._machine.finished:
                event = self._machine.next_event()
                if event:
                    self._heard = time.monotonic()
                    self._handle(event)
                else:
                    self._listen()
        except ProtocolError as error:
            raise ClientError("garbage", expected=error.expected, got=error.got) from None

    # waiting

    def _listen(self) -> None:
        ready = self._connection.wait(self._limit())
        if self._thinker in ready:
            for message in self._thinker.messages():
                self._hear(message)
        if self._connection in ready:
            self._receive()
        if time.monotonic() >= self._limit():  # a new one, if the thinker has just answered
            self._late()

    def _limit(self) -> float:
        """How long to wait: for a move until it must be made, else until patience ends."""
        turn = self._turn
        if turn and not turn.move:
            return turn.deadlines.connector
        return max(self._heard, self._spoken) + self._settings.patience

    def _late(self) -> None:
        turn = self._turn
        if turn and not turn.move:
            self._voice.say("thinker-late")
            self._choose(turn, _any_move(turn.state))
            return
        raise ClientError("silent", seconds=self._settings.patience)

    def _receive(self) -> None:
        data = self._connection.receive()
        if data:
            self._machine.receive(data, time.monotonic())
        elif self._over:
            self._machine.finished = True  # without saying goodbye
        else:
            raise ClientError("connection-lost", problem="EOF")

    # what the thinker says

    def _hear(self, message: ThinkerMessage) -> None:
        turn = self._turn
        if not turn or message.number != turn.number:
            return  # too late: the move has long been made
        self._reserve.overshoot(time.monotonic() - turn.deadlines.thinker)
        if turn.move:
            return
        if message.word == words.MOVE and _is_legal(turn.state, message.text):
            self._choose(turn, message.text)
        else:
            self._voice.say("thinker-failed", problem=message.text)
            self._choose(turn, _any_move(turn.state))

    def _choose(self, turn: Turn, move: str) -> None:
        turn.move = move
        self._make_move(turn)

    def _make_move(self, turn: Turn) -> None:
        """Send the move, if it is known and may be sent."""
        if turn.made or not turn.allowed or not turn.move:
            return
        turn.made = True
        self._send(self._machine.play(turn.move))
        took = round((self._spoken - turn.asked) * 1000)
        self._voice.say("played", move=turn.move, milliseconds=took)

    # what the server says

    def _handle(self, event: Event) -> None:
        match event:
            case Banner():
                self._greet(event)
            case Cue.ACCEPTED:
                self._reserve.round_trip(self._heard - self._spoken)
                self._send(self._machine.join(self._game))
            case Playing():
                self._take_seat(event)
            case SeatTaken():
                self._look_around(event)
            case Cue.WAIT:
                self._wait()
            case MoveAsked():
                self._think(event)
            case Cue.THINK:
                self._think_allowed()
            case Cue.MOVED:
                self._voice.say("move-accepted")
            case GameOver():
                self._end(event)
            case ServerRefused():
                raise self._refusal(event.text)
            case Cue.QUIT:
                pass

    def _greet(self, banner: Banner) -> None:
        self._voice.say("banner", version=banner.version)
        if banner.major not in DIALECTS:
            known = ", ".join(map(str, DIALECTS))
            raise ClientError("wrong-version", version=banner.version, known=known)
        self._send(self._machine.version())

    def _take_seat(self, playing: Playing) -> None:
        wanted = [self._settings.kind] if self._settings.kind else list(game_kinds().values())
        if playing.kind not in wanted:
            raise ClientError("wrong-kind", kind=playing.kind, wanted=" / ".join(wanted))
        self._playing = playing
        self._voice.say("playing", kind=playing.kind, name=playing.name)
        self._send(self._machine.choose(self._wanted_seat))

    def _look_around(self, seat: SeatTaken) -> None:
        self._seat = seat
        total = len(seat.others) + 1
        self._voice.say("seated", number=seat.number, name=seat.name, total=total)
        for other in seat.others:
            phrase = "ready" if other.ready else "not-ready"
            self._voice.say(phrase, number=other.number, name=other.name)

    def _wait(self) -> None:
        self._send(self._machine.ok_wait())
        if not self._waiting:
            self._voice.say("waiting")
        self._waiting = True

    def _think(self, asked: MoveAsked) -> None:
        """Wake the thinker first: it can think while the server is told of it."""
        self._waiting = False
        number = self._turn.number + 1 if self._turn else 1
        deadlines = self._reserve.deadlines(asked.asked, asked.milliseconds / 1000)
        self._turn = Turn(number, asked.position, asked.asked, deadlines)
        self._thinker.wake(self._request(self._turn, asked.milliseconds))
        self._send(self._machine.thinking())
        self._voice.show(asked.position)
        self._voice.say("move-asked", milliseconds=asked.milliseconds)

    def _request(self, turn: Turn, milliseconds: int) -> Request:
        game = turn.state.game
        return Request(
            number=turn.number,
            game=game.name,
            options=tuple(game.assignments()),
            name=self._playing.name,
            players=tuple(self._names()[number] for number in sorted(self._names())),
            me=self._seat.number,
            position=str(turn.state),
            milliseconds=milliseconds,
            deadline=turn.deadlines.thinker,
        )

    def _think_allowed(self) -> None:
        self._reserve.round_trip(self._heard - self._spoken)
        if self._turn:
            self._turn.allowed = True
            self._make_move(self._turn)

    def _end(self, over: GameOver) -> None:
        self._over = True
        self._voice.show(over.position)
        if over.winner is None:
            self._voice.say("drawn")
        elif over.winner == self._seat.number:
            self._voice.say("won")
        else:
            self._voice.say("lost", number=over.winner, name=self._names()[over.winner])

    def _names(self) -> dict[int, str]:
        others = {other.number: other.name for other in self._seat.others}
        return {self._seat.number: self._seat.name, **others}

    def _refusal(self, text: str) -> ClientError:
        phrases = (phrase for start, phrase in _REFUSALS if text.startswith(start))
        move = (self._turn.move if self._turn else None) or "?"
        return ClientError(next(phrases, "refused"), text=text, game=self._game, move=move)

    def _send(self, data: bytes) -> None:
        self._connection.send(data)
        self._spoken = time.monotonic()


def _any_move(state: State[Any]) -> str:
    return state.game.format_move(random_move(state, random.Random()))


def _is_legal(state: State[Any], turn: str) -> bool:
    try:
        state.play_turn(state.game.parse_turn(turn))
    except SpielwerkError:
        return False
    return True


MARGIN: Final = 0.02  # seconds, for what differs from one way to the next
FIRST_OVERSHOOT: Final = 0.05  # seconds, before anything has been measured
REMEMBERED: Final = 8
NETWORK_SHARE: Final = 0.5  # of the announced time: more reserve than that does not help
WHOLE_SHARE: Final = 0.75  # the same with the thinker's part


class Deadlines(NamedTuple):
    """When the thinker shall answer, and when the connector must have moved."""

    thinker: float
    connector: float


class Reserve:
    """The worst of the last measurements.

    The server's clock runs from the moment it sends MOVE to the moment it gets PLAY: the way here
    and the way back are lost, which together are one round trip. The thinker in turn answers
    somewhat after the moment it was given.
    """

    def __init__(self) -> None:
        self._trips: deque[float] = deque(maxlen=REMEMBERED)
        self._overshoots: deque[float] = deque([FIRST_OVERSHOOT], maxlen=REMEMBERED)

    def round_trip(self, seconds: float) -> None:
        """The server has answered a line at once, after so long."""
        self._trips.append(max(seconds, 0.0))

    def overshoot(self, seconds: float) -> None:
        """The thinker has answered so long after its deadline; an early answer says nothing."""
        if seconds > 0:
            self._overshoots.append(seconds)

    @property
    def network(self) -> float:
        """Seconds for both ways."""
        return max(self._trips, default=0.0) + MARGIN

    @property
    def thinker(self) -> float:
        """Seconds by which the thinker may be late."""
        return max(self._overshoots) + MARGIN

    def deadlines(self, asked: float, announced: float) -> Deadlines:
        """The moments for a move that was asked then, with so many seconds to make it."""
        network = min(self.network, announced * NETWORK_SHARE)
        both = min(self.network + self.thinker, announced * WHOLE_SHARE)
        return Deadlines(asked + announced - both, asked + announced - network)
