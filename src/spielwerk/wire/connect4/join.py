"""The opponent's side of one connection: it joins a game and plays, and believes nothing.

The machine follows the game by the rules. Every board that the initiator tells must be the one
before with one more stone, and the outcome the one that the rules give; all else is a lie, which
is answered with abort_game. Some initiators never confirm our move but go on with a stone of their
own, or with the end: if that fits our move, it is confirmed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from spielwerk.errors import IllegalMove
from spielwerk.games.connect4.rules import FREE, STONES
from spielwerk.wire.connect4.host import NEVER, PeerBreach, PeerSide, explained, unexpected
from spielwerk.wire.connect4.messages import (
    WHOLE_BOARD,
    GameMessage,
    MessageError,
    Version,
    message,
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState

INITIATOR: Final = 0
OPPONENT: Final = 1
OUTCOMES: Final = {None: 0, INITIATOR: 1, OPPONENT: 2}
"""The winner, and what end_game says then."""

_STATES: Final = FREE + STONES  # the characters of the states 0, 1 and 2
_CELL: Final = 10  # bytes for a field and its state in a line, at most
_SHORTEST: Final = 4096  # what a line may have in any case


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLimits:
    """What the initiator may take its time for, in seconds; 0: as long as it likes."""

    answer: float = 30.0  # to join_game, and to a move that ends the game
    move: float = 300.0  # one that does not confirm ours is silent until its own


@dataclass(frozen=True, slots=True)
class InitiatorMoved:
    """The initiator has moved."""

    field: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Our move is on the initiator's board, too."""

    field: int
    implied: bool = False  # only by the initiator's next move, which is told next


Stone: TypeAlias = InitiatorMoved | Confirmed
"""What a board means; all else that the initiator says is given as it came."""


class _JoinPhase(Enum):
    JOINING = "join_game_success or join_game_failed"
    GATHERED = "start_game or the board after the initiator's move"
    WAITING = "the board after the initiator's move"
    MOVING = "nothing while we are to move"
    CONFIRMING = "the board after our move"
    OVER = "end_game"


class JoinSide(PeerSide[Stone]):
    """What the opponent hears and says; `state` is the game as far as both agree on it."""

    def __init__(
        self,
        game: ConnectFour,
        player: str,
        name: str,
        now: float,
        limits: JoinLimits | None = None,
        version: Version = Version.V2,
    ) -> None:
        self._limits = limits or JoinLimits()
        super().__init__(max(_SHORTEST, _CELL * game.size), NEVER)
        self.state: ConnectFourState = replace(game, begins=INITIATOR).start()
        self.version = version  # wanted, then agreed
        self._phase = _JoinPhase.JOINING
        self.pending = -1  # the field of our move that is not confirmed
        self.moved = now  # when we made it
        self._next: Stone | None = None  # what the last message has told besides
        self._say(message("join_game", player, name, version))
        self._expect(now, self._limits.answer)

    # what we say

    def move(self, field: int, now: float) -> None:
        """Make our move, which must be possible; it counts when the initiator has confirmed it."""
        if self._phase is not _JoinPhase.MOVING:
            raise MessageError(f"it is not our turn: expected {self._phase.value}")
        after = self.state.play(field)
        self.pending, self.moved = field, now
        self._phase = _JoinPhase.CONFIRMING
        self._say(message("move", field))
        self._expect(now, self._confirming(after))

    def abort(self, why: str) -> None:
        """We cannot or will not go on."""
        self._say(message("abort_game", explained(why)))
        self.closing = True

    def _confirming(self, after: ConnectFourState) -> float:
        """Seconds for what follows our move: the initiator's own, if it does not confirm ours."""
        answer, move = self._limits.answer, self._limits.move
        return answer if after.outcome else max(answer, move) if answer and move else 0.0

    def _expect(self, now: float, seconds: float) -> None:
        self.due = now + seconds if seconds else NEVER

    # what the initiator says

    def next_event(self, now: float) -> Stone | GameMessage | PeerBreach | None:
        """What the initiator has said next, perhaps with the message before."""
        if self._next is None or self.closing:
            return super().next_event(now)
        event, self._next = self._next, None
        return event

    @property
    def _joined(self) -> bool:
        return self._phase is not _JoinPhase.JOINING

    def _take(self, heard: GameMessage, now: float) -> Stone | GameMessage:
        match self._phase, heard.header:
            case _JoinPhase.JOINING, "join_game_success":  # whatever we asked for, we speak both
                (self.version,), self._phase = heard.values, _JoinPhase.GATHERED
                self._expect(now, self._limits.move)
            case _JoinPhase.GATHERED, "start_game":
                self.state = replace(self.state.game, begins=OPPONENT).start()
                self._phase, self.due = _JoinPhase.MOVING, NEVER
            case _, ("updated_game_board" | "synchronize_game_board"):
                return self._look(heard, now)
            case (_JoinPhase.JOINING, "join_game_failed") | (_JoinPhase.CONFIRMING, "moved_failed"):
                return self._last(heard)
            case _, "end_game" if self._joined:
                self._end(heard.values[0])
            case _:
                raise unexpected(heard, self._phase.value)
        return heard

    def _look(self, heard: GameMessage, now: float) -> Stone:
        """Compare the initiator's board with ours, one stone further."""
        if self._phase in (_JoinPhase.GATHERED, _JoinPhase.WAITING):
            field = self._checked(heard, self.state, INITIATOR)
            self._go_on(_JoinPhase.MOVING, NEVER, now)
            return InitiatorMoved(field)
        if self._phase is _JoinPhase.CONFIRMING:
            if self._goes_on(heard):
                return self._implied(heard, now)
            field = self._checked(heard, self.state, OPPONENT, self.pending)
            self._go_on(_JoinPhase.WAITING, self._limits.move, now)
            return Confirmed(field)
        raise MessageError(f"unexpected {heard.header}: expected {self._phase.value}")

    def _implied(self, heard: GameMessage, now: float) -> Confirmed:
        """Our move is confirmed by the initiator's own, unless that has come too late."""
        after, due = self.state.play(self.pending), self.moved + (self._limits.move or NEVER)
        if now >= due:
            self.state, self._phase, self.due = after, _JoinPhase.WAITING, due
        else:
            self._next = InitiatorMoved(self._checked(heard, after, INITIATOR))
            self._go_on(_JoinPhase.MOVING, NEVER, now)
        return Confirmed(self.pending, implied=True)

    def _goes_on(self, heard: GameMessage) -> bool:
        """Whether the initiator has moved without having confirmed our move."""
        if heard.header != WHOLE_BOARD:
            return bool(heard.values[1] == INITIATOR + 1)
        (states,) = heard.values
        stones = sum(state != 0 for state in states)
        shown = states[self.pending : self.pending + 1] == (OPPONENT + 1,)
        return bool(shown and stones == self.state.game.size - self.state.board.count(FREE) + 2)

    def _go_on(self, phase: _JoinPhase, seconds: float, now: float) -> None:
        if self.state.outcome:
            phase, seconds = _JoinPhase.OVER, self._limits.answer
        self._phase = phase
        self._expect(now, seconds)

    def _checked(
        self,
        heard: GameMessage,
        before: ConnectFourState,
        who: int,
        wanted: int | None = None,
    ) -> int:
        """The field of the one new stone; from here on it is on our board, too."""
        if (heard.header == WHOLE_BOARD) != (self.version is Version.V1):
            raise MessageError(f"unexpected {heard.header}: {self.version} was agreed")
        field, state = self._change(heard, before)
        if state != who + 1:
            raise MessageError(f"{heard.header}: field {field} is {state}, and must be {who + 1}")
        if wanted not in (None, field):
            raise MessageError(f"{heard.header}: our move was field {wanted}, not {field}")
        try:
            self.state = before.play(field)
        except IllegalMove as error:
            raise MessageError(f"{heard.header}: field {field}: {error.rule}") from None
        return field

    @staticmethod
    def _change(heard: GameMessage, before: ConnectFourState) -> tuple[int, int]:
        """The field that is new on the initiator's board, and its state there."""
        if heard.header != WHOLE_BOARD:
            field, state = heard.values
            return field, state
        (states,), size = heard.values, before.game.size
        if len(states) != size:
            raise MessageError(f"{heard.header}: {len(states)} fields, and must be {size}")
        ours, theirs = before.board, "".join(_STATES[state] for state in states)
        changed = [field for field in range(size) if ours[field] != theirs[field]]
        if len(changed) != 1:
            raise MessageError(f"{heard.header}: {_listed(changed)} changed, and must be one")
        return changed[0], states[changed[0]]

    def _end(self, outcome: int) -> None:
        """Some initiators leave the last board out where the last move was ours."""
        state = self.state
        if self._phase is _JoinPhase.CONFIRMING:
            state = state.play(self.pending)
        if state.outcome is None:
            raise MessageError(f"end_game: {outcome}, but by the rules the game is not over")
        right = OUTCOMES[state.outcome.winner]
        if outcome != right:
            raise MessageError(f"end_game: {outcome}, and must be {right}: {state.outcome.reason}")
        self.state = state
        self.closing = True

    def _complain(self, problem: str, line: bytes) -> None:  # noqa: ARG002
        self.abort(problem)

    def _lateness(self) -> str:
        seconds = self._limits.answer
        if self._phase in (_JoinPhase.GATHERED, _JoinPhase.WAITING):
            seconds = self._limits.move
        elif self._phase is _JoinPhase.CONFIRMING:
            seconds = self._confirming(self.state.play(self.pending))
        return f"{self._phase.value} did not come within {seconds:g} s"


def _listed(fields: list[int]) -> str:
    """So many fields, the first few by number."""
    if not fields:
        return "no field has"
    some = ", ".join(map(str, fields[:5])) + (", ..." if len(fields) > 5 else "")
    return f"fields {some} have"
