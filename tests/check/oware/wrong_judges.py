"""Servers that judge the lines of a request wrongly."""

# ruff: noqa: ARG002 (what is not used is what is forgotten)

from __future__ import annotations

import re

from tests.check.oware.move_server import STANDARD, Board, MoveServer
from tests.check.planting import Faults

caught = Faults()

# Judging the lines


def swapped(first: str, second: str) -> tuple[str, ...]:
    order = list(MoveServer.order)
    one, other = order.index(first), order.index(second)
    order[one], order[other] = order[other], order[one]
    return tuple(order)


class JudgesAsItReads(MoveServer):
    """The tests are made before all lines have come."""

    last = 0

    def answer(self, lines: list[bytes]) -> bytes:
        if len(lines) == 4:
            return super().answer(lines)
        right = [b"0", b"1", STANDARD, b""]
        padded = [*lines, *right[len(lines) :]]
        for line in self.order[: len(lines)][self.last : self.last + 1]:
            fault: bytes | None = getattr(self, f"wrong_{line}")(padded)
            if fault:
                return fault
        return super().answer(lines)


@caught("precedence/read-failure-before-strategy", ".+", "<status> is 'ERROR strategy'")
class TestsStrategyBeforeReading(JudgesAsItReads):
    last = 0


@caught("precedence/strategy-before-search-depth", ".+", "<status> is 'ERROR search-depth'")
class TestsDepthBeforeStrategy(MoveServer):
    order = swapped("strategy", "depth")


@caught("precedence/move-history-before-finish", ".+", "<status> is 'OK'")
class TestsTheEndBeforeTheHistory(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        start = self.start(lines)
        return self.finish(lines, start) if self.over(start) else super().wrong_history(lines)


@caught("strategy/leading-zero", ".+", "<status> is 'OK'")
class AcceptsLeadingZeroInStrategy(MoveServer):
    def strategies(self) -> bytes:
        return rb"0*[01]"


@caught("strategy/sign", ".+", "<status> is 'OK'")
class AcceptsPlusInStrategy(MoveServer):
    def strategies(self) -> bytes:
        return rb"\+?[01]"


@caught("strategy/overflow", ".+", "<status> is 'OK'")
class WrapsLargeNumbers(MoveServer):
    def received(self, line: bytes) -> bytes:
        return b"%d" % (int(line) % 2**32) if re.fullmatch(rb"[0-9]{9,25}", line) else line


@caught("search-depth/ten", ".+", "<status> is 'OK'")
class AcceptsDepthTen(MoveServer):
    def depths(self) -> bytes:
        return rb"[1-9]|10"


@caught("initial-board/sum-*", ".+", "<status> is 'OK'")
class IgnoresTheSum(MoveServer):
    def board(self, line: bytes) -> Board | None:
        words = line.split(b" ")
        fits = len(words) == 14 and all(re.fullmatch(self.number(), word) for word in words)
        return [int(word) for word in words] if fits else None


@caught("initial-board/numbers-15", ".+", "<status> is 'OK'")
class OverlooksFurtherNumbers(MoveServer):
    def board(self, line: bytes) -> Board | None:
        return super().board(b" ".join(line.split(b" ")[:14]))


@caught("initial-board/blank", ".+", "<status> is 'OK'")
class AcceptsTrailingBlank(MoveServer):
    def board(self, line: bytes) -> Board | None:
        return super().board(line.removesuffix(b" "))


@caught("names/two-strategies", ".+", "<status> is 'ERROR strategy'")
class HasOneStrategy(MoveServer):
    def strategies(self) -> bytes:
        return rb"0"


@caught("names/more-strategies", ".+", "<status> is 'OK'")
class LeavesOutAStrategy(MoveServer):
    def strategies(self) -> bytes:
        return rb"[013]"


@caught("*/foreign-digit", ".+", "<status> is 'OK'")
class AcceptsForeignDigits(MoveServer):
    def wrong_strategy(self, lines: list[bytes]) -> bytes | None:
        text = lines[0].decode("utf-8", "replace")
        known = len(text) == 1 and text.isdecimal() and int(text) < 2
        return None if known else super().wrong_strategy(lines)


@caught("*/B.*", ".+", "<resulting-board> is '0 0 0 5 5 5 5 4 0 5 5 5 5 4'")
class TellsTheClientsBoardInErrors(MoveServer):
    def wrong_depth(self, lines: list[bytes]) -> bytes | None:
        fault = super().wrong_depth(lines)
        return fault and fault.replace(STANDARD, lines[2])


# Repeating the rejected line


@caught("*/umlaut", ".+", "<response-details>")
class RepeatsAsUtf8WithReplacements(MoveServer):
    def repeated(self, line: bytes) -> bytes:
        return line.decode("utf-8", "replace").encode()


@caught("*/blank", ".+", "<response-details>")
class RepeatsStripped(MoveServer):
    def repeated(self, line: bytes) -> bytes:
        return line.strip()


@caught("move-history/B.5", ".+", "<response-details> is '8'")
class RepeatsOnlyTheWrongMove(MoveServer):
    def wrong_history(self, lines: list[bytes]) -> bytes | None:
        fault = super().wrong_history(lines)
        if not fault:
            return fault
        status, author, name, history, board, end = fault.split(b"\n")
        at = int(status.split(b" ")[2])
        return b"\n".join([status, author, name, history[at : at + 1], board, end])


# Names


@caught("names/default", ".+", "the default strategy is 'Default'")
class HasAnotherDefault(MoveServer):
    def default(self) -> bytes:
        return b"Default"


@caught("names/default-always", ".+", "<strategy-name>")
class TellsTheLastStrategyAsDefault(MoveServer):
    last = 0

    def default(self) -> bytes:
        return self.names[self.last]

    def answer(self, lines: list[bytes]) -> bytes:
        if lines and lines[0] in (b"0", b"1"):
            self.last = int(lines[0])
        return super().answer(lines)


@caught("names/asked", ".+", "<strategy-name>")
class TellsTheDefaultInAllErrors(MoveServer):
    def error(self, status: str, details: bytes, name: bytes, board: bytes = STANDARD) -> bytes:
        return super().error(status, details, self.default(), board)


@caught("names/ascii", ".+", r"<server-author> is 'Ingo Gl\\xc3\\xb6ckner'")
class HasAnUmlautInItsName(MoveServer):
    author = "Ingo Glöckner".encode()
