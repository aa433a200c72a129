"""Servers that do not know how to move."""

# ruff: noqa: ARG002 (what is not used is what is forgotten)

from __future__ import annotations

from tests.check.oware.move_server import STANDARD, Board, MoveServer, Position
from tests.check.planting import Faults

caught = Faults()

# The history


@caught("move-history/B.5", ".+", "<status> is 'ERROR move-history 2'")
class CountsMovesFromOne(MoveServer):
    def counted(self, m: int) -> int:
        return m + 1


@caught("move-history/B.5", ".+", "<resulting-board>")
class ShowsTheBoardAtTheStart(MoveServer):
    def before(self, position: Position, house: int) -> bytes:
        return STANDARD


@caught("move-history/empty", ".+", "<status> is 'ERROR move-history 0'")
class RefusesAnEmptyHistory(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        if lines[3]:
            return super().wrong_history(lines)
        return self.error("move-history 0", b"", self.name(lines))


@caught("move-history/empty-house", ".+", "<status> is")
class AllowsEmptyHouses(MoveServer):
    def legal(self, position: Position) -> list[int]:
        return super().legal(position) and [*range(6)]


@caught("majority/move-after-the-end", ".+", "<status> is")
class PlaysOnAfterTheEnd(MoveServer):
    replaying = False

    def over(self, position: Position) -> bool:
        return not self.replaying and super().over(position)

    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        self.replaying = True
        fault = super().wrong_history(lines)
        self.replaying = False
        return fault


# Sowing


@caught("sowing/A.3", ".+", "<resulting-board>")
class SowsClockwise(MoveServer):
    def following(self, place: int) -> int:
        return 13 if place == 2 else place - 1


@caught("sowing/A.4", ".+", "<resulting-board>")
class NeverSkipsTheOrigin(MoveServer):
    def skipped(self, sown: int) -> bool:
        return False


@caught("sowing/twenty-three-stones", ".+", "<resulting-board>")
class SkipsTheOriginOnlyOnce(MoveServer):
    def skipped(self, sown: int) -> bool:
        return sown < 22


# Starvation


@caught("starvation/forbidden", ".+", "<status> is|<resulting-board>")
class IgnoresStarvation(MoveServer):
    def feeds(self, stones: int, house: int) -> bool:
        return True


@caught("starvation/allowed", ".+", "<status> is")
class IsTooStrictByOneStone(MoveServer):
    def feeds(self, stones: int, house: int) -> bool:
        return house + stones > 6


@caught("starvation/not-binding", ".+", "<status> is")
class AlwaysDemandsFeeding(MoveServer):
    def legal(self, position: Position) -> list[int]:
        row = [position.board[place] for place in self.side(position.player)]
        return [house for house in range(6) if row[house] and self.feeds(row[house], house)]


@caught("starvation/own-move", ".+", "<response-details> is '0', not a legal move: 5")
class StarvesTheOpponentItself(MoveServer):
    def chosen(self, position: Position) -> int:
        row = [position.board[place] for place in self.side(position.player)]
        return next(house for house in range(6) if row[house])


# Collecting


@caught("collecting/stops-at-own-side", ".+", "<resulting-board>")
class CollectsOnItsOwnSide(MoveServer):
    def collect(self, board: Board, last: int, player: int) -> Board:
        after, place = list(board), last
        while last in self.side(1 - player) and after[place] in self.ripe:
            after[player] += after[place]
            after[place] = 0
            place = self.preceding(place)
        return board if self.slam(after, player) else after


@caught("collecting/own-side", ".+", "<resulting-board>")
class CollectsAfterEndingOnItsOwnSide(MoveServer):
    def collectable(self, board: Board, place: int, player: int) -> bool:
        return board[place] in self.ripe


@caught("collecting/two-or-three", ".+", "<resulting-board>")
class CollectsFour(MoveServer):
    ripe = (2, 3, 4)


@caught("collecting/A.6-first", ".+", "<resulting-board>")
class CollectsOnlyTheLastHouse(MoveServer):
    def preceding(self, place: int) -> int:
        return 0


# Grand slam


@caught("grand-slam/A.7", ".+", "<resulting-board>|<status>")
class CollectsAGrandSlam(MoveServer):
    def slam(self, after: Board, player: int) -> bool:
        return False


@caught("grand-slam/legal", ".+", "<status> is 'ERROR move-history 0'")
class ForbidsGrandSlams(MoveServer):
    def legal(self, position: Position) -> list[int]:
        return [house for house in super().legal(position) if not self.forbidden(position, house)]

    def forbidden(self, position: Position, house: int) -> bool:
        player = position.player
        board, last = self.sow(position.board, self.side(player)[house])
        while self.collectable(board, last, player):
            board[last] = 0
            last = self.preceding(last)
        return self.slam(board, player)


@caught("grand-slam/one-stone-left", ".+", "<resulting-board>")
class SeesGrandSlamsTooEarly(MoveServer):
    def slam(self, after: Board, player: int) -> bool:
        return sum(after[place] for place in self.side(1 - player)) <= 1
