"""Servers that do not know when the game is over, or what to play until then."""

# ruff: noqa: ARG002 (what is not used is what is forgotten)

from __future__ import annotations

from tests.check.oware.move_server import Board, MoveServer, Position
from tests.check.planting import Faults

caught = Faults()

# The end


@caught("majority/24-is-not-enough", ".+", "<response-details> is 'finish'|<status>")
class EndsAt24(MoveServer):
    majority = 24


@caught("majority/at-the-start", ".+", "<response-details> is")
class TestsTheEndOnlyAfterMoves(MoveServer):
    def over(self, position: Position) -> bool:
        return bool(position.seen or not self.legal(position)) and super().over(position)


@caught("no-move/*", ".+", "<response-details>|without|broke|<status>")
class DoesNotKnowE2(MoveServer):
    def over(self, position: Position) -> bool:
        return max(position.board[:2]) >= 25 or self.repeats(position)

    def chosen(self, position: Position) -> int:
        return (self.legal(position) or [0])[0]


@caught("*/A.*", ".+", "<resulting-board>")
class FinishesWithoutCollecting(MoveServer):
    def final(self, board: Board) -> Board:
        return board


@caught("no-move/goes-on", ".+", "<response-details> is 'finish'")
class FinishesWhenTheOpponentHasNoStones(MoveServer):
    def over(self, position: Position) -> bool:
        theirs = self.side(1 - position.player)
        return super().over(position) or not any(position.board[place] for place in theirs)


@caught("*/own-move", ".+", "<resulting-board>")
class CollectsAfterItsOwnLastMove(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        answer = super().answer(lines)
        status, _, _, details, _, _ = answer.split(b"\n")
        if status != b"OK" or details == b"finish":
            return answer
        position = self.start(lines)
        for character in lines[3] + details:
            position = self.play(position, self.house(character))
        board = self.final(position.board) if self.over(position) else position.board
        return self.reply(b"OK", self.name(lines), details, self.told(board))


@caught("cycle/A.10", ".+", "<response-details> is '0'")
class DoesNotKnowE3(MoveServer):
    def repeats(self, position: Position) -> bool:
        return False


@caught("cycle/per-player", ".+", "<response-details> is 'finish'|<status>")
class CountsCyclesForBothTogether(MoveServer):
    def situation(self, position: Position) -> tuple[int, ...]:
        return tuple(position.board)


@caught("cycle/later-situation", ".+", "<response-details>")
class RemembersOnlyTheFirstSituation(MoveServer):
    def repeats(self, position: Position) -> bool:
        return self.situation(position) in position.seen[:1]


@caught("cycle/player-b", ".+", "<response-details>")
class RemembersOnlyForA(MoveServer):
    def repeats(self, position: Position) -> bool:
        return position.player == 0 and super().repeats(position)


# The move


@caught("answer/move", ".+", "<response-details> is '6', not a legal move: 0, 1, 2, 3, 4, 5")
class CountsHousesFromOne(MoveServer):
    def reply(self, *lines: bytes) -> bytes:
        status, name, details, board = lines
        if status == b"OK" and details != b"finish":
            details = b"%d" % (int(details) + 1)
        return super().reply(status, name, details, board)

    def chosen(self, position: Position) -> int:
        return super().legal(position)[-1]


@caught("random/*", ".+", "<response-details>")
class ChoosesAHouseAtRandom(MoveServer):
    def chosen(self, position: Position) -> int:
        return sum(position.board[2:8]) % 6


@caught("answer/move", ".+", "<resulting-board>")
class ShowsTheBoardBeforeItsMove(MoveServer):
    def answer(self, lines: list[bytes]) -> bytes:
        answer = super().answer(lines)
        status, _, _, details, _, _ = answer.split(b"\n")
        if status != b"OK" or details == b"finish":
            return answer
        position = self.start(lines)
        for character in lines[3]:
            position = self.play(position, self.house(character))
        return self.reply(status, self.name(lines), details, self.told(position.board))
