"""Who answers: the author, and the name of the strategy that was asked for or is the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.cases.making import OwareCase, asking, cut_short, doing, message, plays
from spielwerk.check.oware.expected import STRATEGIES, Ruling
from spielwerk.check.oware.peer import whole
from spielwerk.check.visible import lines_of, visible
from spielwerk.wire import oware as words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.check.oware.peer import Witness

MOST: Final = 12  # strategies that are looked for
PRINTABLE: Final = range(32, 127)
OVER: Final = "25 0 4 4 4 4 4 3 0 0 0 0 0 0"


def cases() -> Iterator[OwareCase]:
    """All of them."""
    yield asking(
        "answer/move",
        "Five lines: OK, author, strategy, move, board; then the end",
        "5.3, 3.11",
        [message(), message("1"), message("0", "3", history="33")],
    )
    yield asking(
        "answer/again",
        "The same request is answered rightly again and again",
        "3.11",
        [
            message(),
            message(),
            message(history="39"),
            message(history="39"),
            message("x"),
            message("x"),
        ],
    )
    yield doing(
        "names/ascii",
        "Author and strategies have names, of printable ASCII",
        "5.3",
        _ascii,
        alone=False,
    )
    yield asking(
        "names/two-strategies",
        "The strategies 0 and 1 exist",
        "5.4.2",
        [message(str(strategy), history="33") for strategy in range(STRATEGIES)],
    )
    yield doing(
        "names/more-strategies",
        "Further strategies have the next numbers",
        "5.4.2",
        _more,
        alone=False,
    )
    yield doing(
        "names/default",
        "Before a strategy is known, the name is that of the default strategy",
        "5.4.1, 5.4.2",
        _default,
        alone=False,
    )
    yield asking(
        "names/default-always",
        "The default does not change with what was asked before",
        "5.4.1, 5.4.2",
        [
            request
            for strategy in "01"
            for request in (
                message(strategy),
                message("x"),
                cut_short(strategy),
                cut_short(strategy, "1", words.STANDARD_BOARD),
            )
        ],
    )
    yield asking(
        "names/asked",
        "Once the strategy is known, its name is told, whatever else is wrong",
        "5.3, 5.4",
        [
            request
            for strategy in "01"
            for request in (
                message(strategy, "0"),
                message(strategy, "1", "x"),
                message(strategy, history="9"),
                plays(OVER, "", strategy),
                message(strategy),
            )
        ],
    )


async def _ascii(witness: Witness) -> None:
    for request in (message(), message("1"), message("x")):
        answer = (await witness.ask(request)).received
        for name, line in zip(words.ANSWER_LINES[1:3], lines_of(answer)[1:3], strict=False):
            content = line.rstrip(b"\r\n")
            if not content.strip() or any(byte not in PRINTABLE for byte in content):
                problem = f"<{name}> is '{visible(content)}', not a name in printable ASCII"
                witness.blame("no name", problem, request, answer)


async def _names(witness: Witness) -> dict[int, bytes]:
    """The names of all strategies from 0 on, until one is refused."""
    names = dict(witness.peer.names.strategies)
    for strategy in range(STRATEGIES, MOST):
        request = message(str(strategy))
        refused = Ruling.of(request)
        lines = lines_of((await witness.peer.asked(whole(request))).received)
        if len(lines) < 3 or lines[0].rstrip() == refused.status:
            break
        names[strategy] = lines[2].rstrip(b"\r\n")
    return names


async def _more(witness: Witness) -> None:
    """After the first number that is refused there are no other strategies."""
    count = max(await _names(witness), default=-1) + 1
    for strategy in range(STRATEGIES, MOST if count == MOST else count + 3):
        known = max(STRATEGIES, strategy + 1 if strategy < count else count)
        await witness.ask(message(str(strategy)), Ruling.of(message(str(strategy)), known))


async def _default(witness: Witness) -> None:
    request = message("x")
    answer = (await witness.ask(request)).received
    await witness.ask(cut_short())
    names = await _names(witness)
    default = witness.peer.names.default
    all_known = STRATEGIES <= len(names) < MOST
    if default is not None and all_known and default not in names.values():
        known = ", ".join(f"'{visible(name)}'" for name in names.values())
        problem = f"the default strategy is '{visible(default)}', but there are only {known}"
        witness.blame("unknown default", problem, request, answer)
