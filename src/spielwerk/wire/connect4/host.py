"""The initiator's side of one connection: an opponent asks to join, and the two play.

The machine knows the order of the messages and the times (Connect Four protocol, 3.2 and 3.3).
Who may join is for the host to say, and what move is possible for the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from spielwerk.wire.connect4.messages import (
    AbortGame,
    EndGame,
    GameMessage,
    JoinGame,
    JoinGameFailed,
    JoinGameSuccess,
    Move,
    MovedFailed,
    StartGame,
    SynchronizeGameBoard,
    UpdatedGameBoard,
    Version,
)
from spielwerk.wire.connect4.peer import (
    NEVER,
    Left,
    PeerBreach,
    PeerFault,
    PeerSide,
    Unexpected,
    explained,
    unexpected,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "HostLimits",
    "HostSide",
    "JoinWanted",
    "Left",
    "OpponentMoved",
    "PeerBreach",
    "PeerFault",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimits:
    """What an opponent may take its time for, in seconds, and how long its lines may be."""

    join: float = 10.0
    move: float = 10.0  # 0: as long as it likes
    line: int = 4096


@dataclass(frozen=True, slots=True)
class JoinWanted:
    """A player wants to join; `accept` or `refuse` is the answer."""

    player: str
    name: str
    version: Version


@dataclass(frozen=True, slots=True)
class OpponentMoved:
    """The opponent moves, and it is its turn; `told` or `reject` is the answer."""

    field: int


Event: TypeAlias = JoinWanted | OpponentMoved


class _HostPhase(Enum):
    JOINING = "join_game"
    JUDGED = "nothing before the answer"
    RESTING = "nothing before the opponent's turn"
    ASKED = "move"


NOT_YOUR_TURN: Final = "It is not your turn"


class HostSide(PeerSide[Event]):
    """What the initiator hears and says; every deadline is in the caller's time."""

    def __init__(
        self,
        now: float,
        limits: HostLimits | None = None,
        best: Version = Version.V2,
        *,
        variant: bool = False,
    ) -> None:
        self._limits = limits or HostLimits()
        super().__init__(self._limits.line, now + self._limits.join, variant=variant)
        self.version = best
        self._asked = Version.V1  # by the opponent
        self._phase = _HostPhase.JOINING

    # what the host says

    def accept(
        self,
        move: float | None = None,
        best: Version | None = None,
        variant: bool | None = None,
    ) -> None:
        """The opponent is welcome; the game may have time, version and words of its own."""
        if move is not None:
            self._limits = replace(self._limits, move=move)
        if variant is not None:
            self._variant = variant
        self.version = min(best or self.version, self._asked)
        self._say(JoinGameSuccess(self.version))
        self._phase = _HostPhase.RESTING

    def refuse(self, why: str) -> None:
        """The opponent is not welcome."""
        self._say(JoinGameFailed(explained(why)))
        self.closing = True

    def start(self, now: float) -> None:
        """The opponent begins."""
        self._say(StartGame())
        self.ask(now)

    def ask(self, now: float) -> None:
        """It is the opponent's turn, and it knows that."""
        self._phase = _HostPhase.ASKED
        self.due = now + self._limits.move if self._limits.move else NEVER

    def tell(self, field: int, state: int, board: Sequence[int]) -> None:
        """A stone has come to lie on a field: 1 is the initiator's, 2 the opponent's."""
        if self.version is Version.V2:
            self._say(UpdatedGameBoard(field, state))
        else:
            self._say(SynchronizeGameBoard(tuple(board)))

    def reject(self, why: str) -> None:
        """The opponent's move is not possible; that ends the game."""
        self._say(MovedFailed(explained(why)))
        self.abort(f"invalid move: {why}")

    def end(self, outcome: int) -> None:
        """The game is over: 0 a draw, 1 the initiator has won, 2 the opponent."""
        self._say(EndGame(outcome))
        self.closing = True

    def abort(self, why: str) -> None:
        """The game cannot go on; before it there is only the answer to join_game."""
        if self._joined:
            self._say(AbortGame(explained(why)))
            self.closing = True
        else:
            self.refuse(why)

    # what the opponent says

    @property
    def _joined(self) -> bool:
        return self._phase in (_HostPhase.RESTING, _HostPhase.ASKED)

    def _take(self, message: GameMessage, now: float) -> Event:  # noqa: ARG002
        match self._phase, message:
            case _HostPhase.JOINING, JoinGame(player, name, version):
                self._phase, self.due = _HostPhase.JUDGED, NEVER
                self._asked = version
                return JoinWanted(player, name, version)
            case _HostPhase.ASKED, Move(field):
                self._phase, self.due = _HostPhase.RESTING, NEVER
                return OpponentMoved(field)
            case _, Move() if self._joined:
                raise Unexpected(NOT_YOUR_TURN)
        raise unexpected(message, self._phase.value)

    def _complain(self, problem: str, line: bytes) -> None:
        if self._joined and line.split(b";")[0] == Move.header.encode():
            self.reject(problem)
        else:
            self.abort(problem)

    def _lateness(self) -> str:
        if self._phase is _HostPhase.JOINING:
            return f"no join_game within {self._limits.join:g} s"
        return f"no move within {self._limits.move:g} s"
