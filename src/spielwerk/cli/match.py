"""`spielwerk match`: which of two players is better?"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.cli.arguments import GameName, Options, whole_number
from spielwerk.cli.progress import progress
from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.engines.match import Tally
    from spielwerk.engines.sprt import Sprt

PlayerText = "level=1..10, limits (time=1, depth=6, nodes=1000), options (strategy=1), or random"

GAMES: Final = 100
"""How many games a match has unless it is told."""

TEST_GAMES: Final = 100_000
"""How many games a test has at most unless it is told; it is meant to stop by itself."""

CHANCE: Final = 0.05
"""How often a test may err, either way, unless it is told."""

EVERY: Final = 10.0
"""Seconds between two lines about a running test where there is no terminal."""


def chance(text: str) -> float:
    """Read a chance that was typed."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is no number") from None


def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=PlayerText)],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help=f"Games to play, {GAMES} if not given; with --sprt at most, {TEST_GAMES}.",
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[
        int, typer.Option(parser=whole_number, help="Fixes openings, dice and ties.")
    ] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop when it is clear which of the two A's advantage is."
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(parser=chance, help=f"Chance to accept ELO1 wrongly, {CHANCE} if not given."),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(parser=chance, help=f"Chance to accept ELO0 wrongly, {CHANCE} if not given."),
    ] = None,
) -> None:
    """Play two engines against each other and print A's score with a 95 % interval.

    With --sprt the match stops by itself; the exit code is 0 if it is decided, 1 if it is not.
    """
    from spielwerk.clients.oware import make_player
    from spielwerk.engines.match import Tally
    from spielwerk.engines.match import match as play_match
    from spielwerk.games import find_game
    from spielwerk.terminal.engines import ready_player

    test = _test(sprt, alpha, beta)
    limit = (TEST_GAMES if test else GAMES) if games is None else games
    if limit < 1:
        raise UsageError(f"--games {limit}: at least one game must be played")
    chosen = find_game(game).from_text(option or ())
    if test and chosen.players != 2:
        problem = f"{chosen.name} is for {chosen.players} players; use --games alone"
        raise UsageError(f"--sprt {sprt}: it tests pairs of games between two, and {problem}")
    players = ready_player(a, chosen, make_player), ready_player(b, chosen, make_player)
    names, tally = f"{a} against {b}", Tally()
    try:
        with _showing(names, limit, test) as show:
            for tally in play_match(chosen, *players, limit, seed, test):
                show(tally)
    finally:  # after Ctrl-C too, or when a player fails
        if tally.games:
            typer.echo(_summary(names, tally, test))
    if test and not test.verdict(tally.groups):
        raise SystemExit(1)


def _test(text: str | None, alpha: float | None, beta: float | None) -> Sprt | None:
    from spielwerk.engines.sprt import Sprt

    if text is None:
        if alpha is not None or beta is not None:
            raise UsageError("--alpha and --beta belong to a test: add --sprt ELO0,ELO1")
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        problem = "expected two numbers with a comma between them, like 0,10"
        raise UsageError(f"--sprt {quote(text)}: {problem}") from None
    return Sprt(elo0, elo1, CHANCE if alpha is None else alpha, CHANCE if beta is None else beta)


@contextmanager
def _showing(names: str, limit: int, test: Sprt | None) -> Iterator[Callable[[Tally], None]]:
    """A function that shows how the match stands."""
    if test:
        with _line() as tell:
            yield lambda tally: tell(f"{tally.games} games  {_standing(tally, test)}")
    else:
        with progress() as show:
            yield lambda tally: show(f"{names}: {tally}", tally.games / limit)


@contextmanager
def _line() -> Iterator[Callable[[str], None]]:
    """One line on stderr that is written anew, or one from time to time without a terminal."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    if console.is_interactive:
        with Live(console=console, transient=True) as live:
            yield lambda text: live.update(Text(text, no_wrap=True, overflow="ellipsis"))
    else:
        yield _now_and_then()


def _now_and_then() -> Callable[[str], None]:
    last = time.monotonic()

    def tell(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            typer.echo(text, err=True)
            last = time.monotonic()

    return tell


def _standing(tally: Tally, test: Sprt) -> str:
    """Score, Elo with its interval, and how far the test is; short enough for one line."""
    elo, least, most = tally.elo
    lower, upper = test.bounds
    return (
        f"{100 * tally.score:.1f} %  Elo {elo:+z.1f} ({least:+z.1f} to {most:+z.1f})  "
        f"LLR {test.llr(tally.groups):+z.2f} ({lower:+.2f} to {upper:+.2f})"
    )


def _summary(names: str, tally: Tally, test: Sprt | None) -> str:
    first = f"{names}, {tally.games} games: {tally}"
    if not test:
        return first
    pairs = " ".join(map(str, tally.pairs))
    standing = f"{_standing(tally, test)}  pairs 0 to 2: {pairs}"
    return f"{first}\n{standing}\n{_decision(names, tally, test)}"


def _decision(names: str, tally: Tally, test: Sprt) -> str:
    from spielwerk.engines.sprt import Verdict

    verdict = test.verdict(tally.groups)
    if not verdict:
        return f"undecided: {names} may be {test.elo0:+zg} or {test.elo1:+zg} Elo"
    accepted, other = test.elo0, test.elo1
    if verdict is Verdict.H1:
        accepted, other = other, accepted
    return f"{verdict}: {names} is {accepted:+zg} Elo rather than {other:+zg}"
