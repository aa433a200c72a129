"""Servers that do not know how to move."""

# ruff: noqa: ARG002 (what is not used is what is forgotten)

from __future__ import annotations

import re

from tests.check.move_server import STANDARD, Board, MoveServer, Position
from tests.check.mutants.planting import caught

# The history


@caught("move-history/B.5", "<status> is 'ERROR move-history 2'")
class CountsMovesFromOne(MoveServer):
    def counted(self, m: int) -> int:
        return m + 1


@caught("move-history/last", "<status> is 'ERROR move-history")
class CountsTheLastMoveOnly(MoveServer):
    def counted(self, m: int) -> int:
        return max(0, m - 1)


@caught("move-history/B.5", "<resulting-board>")
class ShowsTheBoardAtTheStart(MoveServer):
    def before(self, position: Position, house: int) -> bytes:
        return STANDARD


@caught("starvation/A.5", "<resulting-board>")
class ShowsTheBoardAfterTheWrongMove(MoveServer):
    def before(self, position: Position, house: int) -> bytes:
        wrong = 0 <= house < 6 and position.board[self.side(position.player)[house]]
        return self.told(self.play(position, house).board if wrong else position.board)


@caught("majority/move-after-the-end", "<resulting-board>")
class CollectsBeforeALateMove(MoveServer):
    def before(self, position: Position, house: int) -> bytes:
        board = position.board
        return self.told(self.final(board) if self.over(position) else board)


@caught("move-history/empty", "<status> is 'ERROR move-history 0'")
class RefusesAnEmptyHistory(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        if lines[3]:
            return super().wrong_history(lines)
        return self.error("move-history 0", b"", self.name(lines))


@caught("move-history/several", "<status> is 'ERROR move-history")
class TellsTheLastOfSeveralWrongMoves(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        fault = super().wrong_history(lines)
        last = [m for m, character in enumerate(lines[3]) if character not in b"012345"][-1:]
        return re.sub(rb"history \d+", b"history %d" % last[0], fault) if fault and last else fault


@caught("move-history/blanks", "<status> is")
class SkipsBlanksInTheHistory(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        lines[3] = lines[3].replace(b" ", b"")
        return super().wrong_history(lines)


@caught("move-history/first", "<status> is 'ERROR move-history 1'|<status> is 'OK'")
class TakesHouseSixForZero(MoveServer):
    def house(self, character: int) -> int:
        return (character - ord("0")) % 6


@caught("move-history/empty-house", "<status> is")
class AllowsEmptyHouses(MoveServer):
    def legal(self, position: Position) -> list[int]:
        return super().legal(position) and [*range(6)]


@caught("majority/move-after-the-end", "<status> is")
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


@caught("sowing/A.3", "<resulting-board>")
class LetsBBegin(MoveServer):
    def start(self, lines: list[bytes]) -> Position:
        return Position(super().start(lines).board, 1)


@caught("sowing/A.3", "<resulting-board>")
class CountsHousesOfBFromTheLeft(MoveServer):
    def play(self, position: Position, house: int) -> Position:
        return super().play(position, 5 - house if position.player else house)


@caught("sowing/A.3", "<resulting-board>")
class SowsClockwise(MoveServer):
    def following(self, place: int) -> int:
        return 13 if place == 2 else place - 1


@caught("sowing/A.4", "<resulting-board>")
class NeverSkipsTheOrigin(MoveServer):
    def skipped(self, sown: int) -> bool:
        return False


@caught("sowing/twelve-stones", "<resulting-board>")
class DoesNotSkipTheOriginAtTwelve(MoveServer):
    def skipped(self, sown: int) -> bool:
        return sown != 11


@caught("sowing/twenty-three-stones", "<resulting-board>")
class SkipsTheOriginOnlyOnce(MoveServer):
    def skipped(self, sown: int) -> bool:
        return sown < 22


@caught("sowing/thirty-four-stones", "<resulting-board>")
class SkipsTheOriginOnlyTwice(MoveServer):
    def skipped(self, sown: int) -> bool:
        return sown < 33


@caught("sowing/*-stones", "<resulting-board>")
class LeavesAStoneInTheOrigin(MoveServer):
    def sow(self, board: Board, origin: int) -> tuple[Board, int]:
        sown, last = super().sow(board, origin)
        if board[origin] > 11:
            sown[origin], sown[last] = 1, sown[last] - 1
        return sown, last


# Starvation


@caught("starvation/forbidden", "<status> is|<resulting-board>")
class IgnoresStarvation(MoveServer):
    def feeds(self, stones: int, house: int) -> bool:
        return True


@caught("starvation/player-b", "<status> is|<resulting-board>")
class IgnoresStarvationForB(MoveServer):
    def legal(self, position: Position) -> list[int]:
        if position.player == 0:
            return super().legal(position)
        return [house for house in range(6) if position.board[8 + house]]


@caught("starvation/allowed", "<status> is")
class IsTooStrictByOneStone(MoveServer):
    def feeds(self, stones: int, house: int) -> bool:
        return house + stones > 6


@caught("starvation/forbidden", "<status> is")
class IsTooLaxByOneStone(MoveServer):
    def feeds(self, stones: int, house: int) -> bool:
        return house + stones > 4


@caught("starvation/not-binding", "<status> is")
class AlwaysDemandsFeeding(MoveServer):
    def legal(self, position: Position) -> list[int]:
        row = [position.board[place] for place in self.side(position.player)]
        return [house for house in range(6) if row[house] and self.feeds(row[house], house)]


@caught("starvation/own-move", "<response-details> is '0', not a legal move: 5")
class StarvesTheOpponentItself(MoveServer):
    def chosen(self, position: Position) -> int:
        row = [position.board[place] for place in self.side(position.player)]
        return next(house for house in range(6) if row[house])


# Collecting


@caught("collecting/stops-at-own-side", "<resulting-board>")
class CollectsOnItsOwnSide(MoveServer):
    def collect(self, board: Board, last: int, player: int) -> Board:
        after, place = list(board), last
        while last in self.side(1 - player) and after[place] in self.ripe:
            after[player] += after[place]
            after[place] = 0
            place = self.preceding(place)
        return board if self.slam(after, player) else after


@caught("collecting/player-b", "<resulting-board>")
class CollectsOnItsOwnSideAsB(CollectsOnItsOwnSide):
    def collect(self, board: Board, last: int, player: int) -> Board:
        collect = super().collect if player else super(CollectsOnItsOwnSide, self).collect
        return collect(board, last, player)


@caught("collecting/own-side", "<resulting-board>")
class CollectsAfterEndingOnItsOwnSide(MoveServer):
    def collectable(self, board: Board, place: int, player: int) -> bool:
        return board[place] in self.ripe


@caught("collecting/two-or-three", "<resulting-board>")
class CollectsFour(MoveServer):
    ripe = (2, 3, 4)


@caught("collecting/two-or-three", "<resulting-board>")
class CollectsOne(MoveServer):
    ripe = (1, 2, 3)


@caught("collecting/two-or-three", "<resulting-board>")
class CollectsOnlyTwo(MoveServer):
    ripe = (2,)


@caught("collecting/A.6-first", "<resulting-board>")
class CollectsOnlyTheLastHouse(MoveServer):
    def preceding(self, place: int) -> int:
        return 0


@caught("collecting/goes-on", "<resulting-board>")
class CollectsForwards(MoveServer):
    def preceding(self, place: int) -> int:
        return self.following(place)


@caught("collecting/goes-on", "<resulting-board>")
class CollectsBeyondAGap(MoveServer):
    def collect(self, board: Board, last: int, player: int) -> Board:
        after = list(board)
        theirs = self.side(1 - player)
        if last in theirs and board[last] in self.ripe:
            for place in [place for place in theirs if place <= last and board[place] in self.ripe]:
                after[player] += after[place]
                after[place] = 0
        return board if self.slam(after, player) else after


@caught("collecting/A.6-*", "<resulting-board>")
class GivesTheStonesToTheOpponent(MoveServer):
    def collect(self, board: Board, last: int, player: int) -> Board:
        after = super().collect(board, last, player)
        after[player], after[1 - player] = (
            board[player],
            board[1 - player] + after[player] - board[player],
        )
        return after


@caught("collecting/player-b", "<resulting-board>")
class NeverCollectsForB(MoveServer):
    def collectable(self, board: Board, place: int, player: int) -> bool:
        return player == 0 and super().collectable(board, place, player)


# Grand slam


@caught("grand-slam/A.7", "<resulting-board>|<status>")
class CollectsAGrandSlam(MoveServer):
    def slam(self, after: Board, player: int) -> bool:
        return False


@caught("grand-slam/player-b", "<resulting-board>")
class CollectsAGrandSlamForB(MoveServer):
    def slam(self, after: Board, player: int) -> bool:
        return player == 0 and super().slam(after, player)


@caught("grand-slam/legal", "<status> is 'ERROR move-history 0'")
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


@caught("grand-slam/nothing-collected", "<resulting-board>")
class LeavesOneHouseOfAGrandSlam(MoveServer):
    def collect(self, board: Board, last: int, player: int) -> Board:
        after = super().collect(board, last, player)
        if after is board and self.collectable(board, last, player):
            after = list(board)
            after[player] += after[last]
            after[last] = 0
            return board if self.slam(after, player) else after
        return after


@caught("grand-slam/one-stone-left", "<resulting-board>")
class SeesGrandSlamsTooEarly(MoveServer):
    def slam(self, after: Board, player: int) -> bool:
        return sum(after[place] for place in self.side(1 - player)) <= 1
