"""Small tools to write cases with."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Case
from spielwerk.check.oware.peer import OwareProbe, Sending, ended
from spielwerk.games.oware.rules import STONES, format_board
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

Text = str | bytes

NO_HOUSE: Final = "6"  # as the last move it makes the server show the board before it


def as_bytes(text: Text) -> bytes:
    """The bytes of a line; text is what a careless client would send, UTF-8."""
    return text.encode() if isinstance(text, str) else text


def message(
    strategy: Text = "0", depth: Text = "1", board: Text = words.STANDARD_BOARD, history: Text = ""
) -> bytes:
    """A request of four lines, right where nothing else is said."""
    return b"".join(as_bytes(line) + b"\n" for line in (strategy, depth, board, history))


def shows(board: str, moves: str, strategy: str = "0") -> Sending:
    """A request that makes the server show the board after the moves: a wrong one follows them."""
    request = message(strategy, board=board, history=moves + NO_HOUSE)
    manner = f"there is no house {NO_HOUSE}: the error shows the board before it"
    return Sending((request,), manner=manner)


def plays(board: str, moves: str = "", strategy: str = "0", depth: str = "1") -> bytes:
    """A request for a move, or for the end."""
    return message(strategy, depth, board, moves)


def asking(
    name: str,
    rule: str,
    source: str,
    requests: Iterable[bytes | Sending],
    *,
    decided: bool = False,
) -> Case:
    """A case of requests that are made one after the other."""
    listed = tuple(requests)

    async def run(probe: OwareProbe) -> None:
        for request in listed:
            if not probe.gave_up:
                await probe.ask(request)

    return Case(name, rule, source, run, decided)


def doing(
    name: str,
    rule: str,
    source: str,
    run: Callable[[OwareProbe], Awaitable[None]],
    *,
    decided: bool = False,
    alone: bool = True,
) -> Case:
    """A case that does more than to ask one thing after the other."""
    return Case(name, rule, source, run, decided, alone)


def cut_short(*lines: Text, rest: Text = b"") -> Sending:
    """Fewer lines than a request has, perhaps with the beginning of one more, and then the end."""
    return ended(b"".join(as_bytes(line) + b"\n" for line in lines) + as_bytes(rest))


def houses(a: Sequence[int], b: Sequence[int]) -> str:
    """A board with these houses, the other stones taken by both; B has the odd one."""
    rest = STONES - sum(a) - sum(b)
    return format_board((rest // 2, rest - rest // 2, *a, *b))


def drawing(seed: int, name: str) -> Random:
    """The random numbers of a case; the same whatever other cases are run."""
    return Random(f"{seed} {name}")
