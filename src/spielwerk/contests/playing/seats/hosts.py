"""Programs that host a game of Connect Four: we join them, and they say who begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.connect4.join import JoinSession, JoinSettings
from spielwerk.clients.connect4.server_games import ServerScreen
from spielwerk.contests.playing.arrival import Arrival
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.transcript import Line
from spielwerk.store.contest_records import End
from spielwerk.store.records import Reason, WireRecord
from spielwerk.wire.connect4.join import Confirmed, Joined, JoinLimits, JoinRefused
from spielwerk.wire.connect4.messages import Version, plain
from spielwerk.wire.options import chosen

if TYPE_CHECKING:
    from spielwerk.clients.connect4.join import Invitation
    from spielwerk.contests.assignment import Player, Terms
    from spielwerk.contests.playing.sitting import Sitting
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.tables.table import Table

ANSWER: Final = 10.0  # seconds for an initiator's answers that are no moves
DISAGREED: Final = "both programs host, and they disagree on who begins; it is drawn again"

_ILLEGAL: Final = re.compile(r"the initiator: [a-z_]+_game_board: (field \d+: .+)")


class SeatJoin(JoinSession):
    """Our side of such a game; `joined` and then `begun` say how far we are.

    Who begins is the initiator's choice: the table is set up when that is known.
    """

    def __init__(self, sitting: Sitting, number: int, invitation: Invitation) -> None:
        super().__init__(
            sitting.venue.arena,
            sitting.minutes,
            invitation,
            sitting.record.seats[1 - number],
            ServerScreen(),
            _settings(sitting.terms, sitting.player(number)),
        )
        self.peers_seat = number
        self.joined, self.begun = Arrival(), Arrival()
        self._sitting = sitting
        self._joined_at = self.now
        self._first: int | None = None  # the initiator's move before the game has begun

    def _handle(self, event: Any) -> None:
        super()._handle(event)
        table = self.table
        if isinstance(event, Joined):
            self._joined_at = self.now
            self.joined.came()
        elif isinstance(event, JoinRefused):
            self.joined.failed(End.NO_START, self.problem)
        elif isinstance(event, Confirmed) and table and table.turn == self.peers_seat:
            # It has thought since our move if it says nothing before its own.
            table.ask(self._seat(table), self.machine.moved if event.implied else None)

    def _set_up(self, first: int | None) -> None:
        """It is known who begins: sit down, and go on as soon as everybody does."""
        begins = self.peers_seat if first is not None else 1 - self.peers_seat
        table = self._sitting.table or self._sitting.open(plain, begins)
        game = table.game
        if isinstance(game, ConnectFour) and game.begins != begins:
            self.machine.abort(DISAGREED)
            self.begun.failed(End.SERVER_ERROR, DISAGREED)
            return
        self._busy, self._first = True, first
        self.begun.came()
        table.watchers.append(self._watch)
        self.take(table, "")
        self._watch(table)

    def _watch(self, table: Table) -> None:
        """Go on when the game has begun, once."""
        if self._watch in table.watchers and (_has_begun(table) or table.over):
            table.watchers.remove(self._watch)
            self._busy = False
            if self._first is not None and not table.over:
                table.ask(self._seat(table), self._joined_at)  # it has thought since then
                self._offer(table, self._first)
            self.step()

    def _fault(self, reason: Reason, detail: str) -> None:
        """What comes too late is a move only if one was asked for; a move may be impossible."""
        asked = self.table.asked if self.table else None
        thinking = asked is not None and asked[0].number == self.peers_seat
        if reason is Reason.TIME_OUT and not thinking:
            reason = Reason.STALLED
        elif impossible := _ILLEGAL.fullmatch(detail):
            reason, detail = Reason.ILLEGAL_MOVE, impossible[1]
        super()._fault(reason, detail)

    def _over(self) -> None:
        super()._over()
        if self.table is None and self.failure:
            for stage, end in ((self.joined, End.NO_START), (self.begun, End.CRASH)):
                stage.refused(self.failure.reason, self.failure.detail)
                stage.failed(end, self.failure.detail)

    def gone(self, why: str) -> None:
        """What was said belongs to the game, even if that has not begun."""
        super().gone(why)
        if self.table is None and self.transcript:
            seat, opened = self.peers_seat, self.opened_wall
            line = Line(self._sitting.id, seat, self.service, self.peer, opened, self.transcript)
            self._journal.add(WireRecord.of(line), lambda _: None)


def _has_begun(table: Table) -> bool:
    contest: ContestTable = table  # type: ignore[assignment]
    return contest.begun


def _settings(terms: Terms, player: Player) -> JoinSettings:
    """Our side of the talk; with an initiator there is nothing that we could spell otherwise."""
    version = Version(chosen(player.options, "version") or terms.version)
    limits = JoinLimits(answer=ANSWER, move=terms.move_time / 1000)
    return JoinSettings(version=version, limits=limits)
