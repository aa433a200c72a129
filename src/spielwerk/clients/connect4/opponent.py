"""The connection of an opponent who has come to one of our games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.clients.connect4.session import PeerSession
from spielwerk.errors import IllegalMove
from spielwerk.games.connect4.rules import FREE, STONES, ConnectFourState
from spielwerk.store.records import Reason
from spielwerk.tables.table import NotNow
from spielwerk.wire.connect4.host import HostSide, Moved, Wanted

if TYPE_CHECKING:
    from spielwerk.clients.connect4.hosting import Host
    from spielwerk.clients.connect4.offers import Offer
    from spielwerk.tables.table import Table

OPPONENT: Final = 1


class HostSession(PeerSession[HostSide]):
    """An opponent's connection."""

    peers_seat = OPPONENT
    peer_is: ClassVar = "opponent"

    def __init__(self, host: Host) -> None:
        settings = host.settings
        machine = HostSide(
            host.loop.time(), settings.limits, settings.version, variant=settings.variant
        )
        super().__init__(host.loop, host.journal, machine, settings.transcript)
        self._host = host
        self._asked = False
        self.offer: Offer | None = None

    def opened(self) -> None:
        """Listen, if there is room."""
        if self._host.admit(self):
            super().opened()
        else:
            self.drop()

    def _handle(self, event: Any) -> None:
        match event:
            case Wanted():
                self._host.wanted(self, event)
            case Moved(field) if self.table is not None:
                self._move(self.table, field)

    def _move(self, table: Table, field: int) -> None:
        self._asked = False
        try:
            self._offer(table, field)
        except IllegalMove as error:
            problem = f"field {field}: {error.rule}"
            self.machine.reject(problem)
            self._fault(Reason.ILLEGAL_MOVE, problem)
        except NotNow:
            return  # the game has just ended otherwise, and that is being written

    def _follow(self, table: Table) -> None:
        for number in range(self._seen, len(table.history)):
            self._tell(table, number)
        self._seen = len(table.history)
        result = table.result
        if result is not None and result.reason in (Reason.WIN, Reason.DRAW):
            self.machine.end(self._outcome(result.winner))
        elif result is not None:
            self.machine.abort(result.detail)
        elif table.turn == self.peers_seat and not self._asked:
            self._asked = True
            table.ask(self._seat(table))
            (self.machine.ask if table.history else self.machine.start)(self.now)

    def _tell(self, table: Table, number: int) -> None:
        _, move = table.history[number]
        last = number + 1 == len(table.history)
        after = table.state if last else table.history[number + 1][0]
        assert isinstance(after, ConnectFourState)  # noqa: S101 - no other table is taken
        stones = self._stones
        board = [stones.index(stone) for stone in after.board]
        self.machine.tell(move, board[move], board)

    @property
    def _stones(self) -> str:
        """The stones by their numbers on the wire: there the peer has 2, wherever it sits."""
        return FREE + (STONES if self.peers_seat == OPPONENT else STONES[::-1])

    def _outcome(self, winner: int | None) -> int:
        return 0 if winner is None else self._stones.index(STONES[winner])

    def _over(self) -> None:
        self._host.left(self)

    def gone(self, why: str) -> None:
        """Make room for others."""
        super().gone(why)
        self._host.forget(self)
