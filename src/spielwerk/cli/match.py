"""`spielwerk match`: which of two players is better?"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.errors import UsageError, quote
from spielwerk.platforms import require_posix
from spielwerk.terminal.commands import GameName, Options, now_and_then, progress, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.match import Match, MatchTally, Sprt
    from spielwerk.games import Game

PlayerText = (
    "An engine: level=1 to level=10, limits (time=1, depth=6, nodes=1000), options (strategy=1) "
    "or random; a program: './client -g {game} -p {player}'; or a bot: 'bot:./mybot'."
)

GAMES: Final = 100
"""How many games a match has unless it is told."""

TEST_GAMES: Final = 100_000
"""How many games a test has at most unless it is told; it is meant to stop by itself."""

CHANCE: Final = 0.05
"""How often a test may err, either way, unless it is told."""

SHORTEST: Final = 0.01
DAY: Final = 86_400.0
"""Seconds that a program may have for a move, at least and at most."""


def chance(text: str) -> float:
    """Read a chance that was typed."""
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is not a number") from None


def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=PlayerText)],
    b: Annotated[str, typer.Argument(metavar="B", help="Same as A.")],
    games: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help=f"Number of games (default: {GAMES}; with --sprt a maximum of {TEST_GAMES}).",
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[
        int, typer.Option(parser=whole_number, help="Seed for openings, throws and ties.")
    ] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1", help="Stop once it is clear which of the two A's advantage is."
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(parser=chance, help=f"Risk of accepting ELO1 wrongly (default: {CHANCE})."),
    ] = None,
    beta: Annotated[
        float | None,
        typer.Option(parser=chance, help=f"Risk of accepting ELO0 wrongly (default: {CHANCE})."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            parser=whole_number,
            help="Programs: pairs of games at once (default: one processor stays free).",
        ),
    ] = None,
    move_time: Annotated[
        float | None,
        typer.Option(parser=chance, help="Programs: seconds per move (default: the game's)."),
    ] = None,
) -> None:
    """Play two engines or programs against each other.

    Prints A's score with a 95% interval. With --sprt the match stops by itself; the exit code is
    0 if it was decided and 1 if it was not.
    """
    from spielwerk.games import find_game

    test = _test(sprt, alpha, beta)
    limit = (TEST_GAMES if test else GAMES) if games is None else games
    if limit < 1:
        raise UsageError(f"--games {limit}: at least one game must be played")
    chosen = find_game(game).from_text(option or ())
    if test and chosen.players != 2:
        problem = f"{chosen.name} is for {chosen.players} players; use --games alone"
        raise UsageError(
            f"--sprt {sprt}: it tests pairs of games between two players, but {problem}"
        )
    if games:
        _round_up(games, chosen)
    if is_program(a) or is_program(b):
        require_posix("a match of programs")
        tally = _programs(_contest(chosen, (a, b), seed, move_time), limit, test, jobs)
    elif jobs is not None or move_time is not None:
        raise UsageError("--jobs and --move-time are for programs; engines play in this process")
    else:
        tally = _engines(chosen, (a, b), limit, seed, test)
    if test and not test.verdict(tally.groups):
        raise SystemExit(1)


def _round_up(games: int, game: Game[Any]) -> None:
    """Say how many games are played if they are not as many as were asked for."""
    group = 2**game.players - 2  # every way in which two can fill the seats
    if more := -games % group:
        why = f"from each opening {group} are, with the seats changed"
        typer.echo(f"note: {games + more} games are played, not {games}: {why}", err=True)


def is_program(text: str) -> bool:
    """Whether the text is a command line: engines and addresses have none of these in them."""
    return text.startswith("bot:") or any(sign in text for sign in " /{")


def _engines(
    game: Game[Any], texts: tuple[str, str], limit: int, seed: int, test: Sprt | None
) -> MatchTally:
    from spielwerk.clients.players import make_player
    from spielwerk.contests.match import Match
    from spielwerk.terminal.keyboard import ready_player

    players = [ready_player(text, game, make_player) for text in texts]
    names, match = " against ".join(texts), Match(game, limit, test)
    try:
        with _showing(names, limit, test) as show:
            for tally in match.play(players, seed):
                show(tally)
    finally:  # after Ctrl-C too, or when a player fails
        _print(names, match, test)
    return match.tally


def _programs(contest: Contest, limit: int, test: Sprt | None, jobs: int | None) -> MatchTally:
    """The same with programs, which workers start and referee."""
    import asyncio

    from spielwerk.cli.contest_run import compile_engine
    from spielwerk.contests.contest import game_of
    from spielwerk.contests.match import Match
    from spielwerk.contests.pool import Pool, usual_jobs

    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs {jobs}: at least one pair must be played at a time")
    compile_engine(contest)
    match = Match(game_of(contest), limit, test)

    async def play() -> None:
        pool = Pool(jobs or usual_jobs())
        try:
            with _showing("A against B", limit, test) as show:
                await match.referee(contest, pool, show)
        finally:
            await pool.close()
            _print("A against B", match, test)

    asyncio.run(play())
    return match.tally


def _contest(
    game: Game[Any], texts: tuple[str, str], seed: int, move_time: float | None
) -> Contest:
    """A contest of A and B, with the game's own time for a move unless another is given."""
    from pathlib import Path

    from spielwerk.contests.contest import Contest
    from spielwerk.contests.entrants import Setting, entrant_from_text
    from spielwerk.engines.players import REMOTE
    from spielwerk.games import contest_facts
    from spielwerk.games.playing import TURNS

    if move_time is not None and not SHORTEST <= move_time <= DAY:
        raise UsageError(f"--move-time {move_time:g}: from {SHORTEST:g} to {DAY:g} seconds")
    here = Path.cwd()
    written = [
        text if is_program(text) or text.startswith(REMOTE) else f"engine:{text}" for text in texts
    ]
    entrants = [
        entrant_from_text(f"{name}={text}", Setting(game, here))
        for name, text in zip("AB", written, strict=True)
    ]
    usual = contest_facts(game.name).move_time
    return Contest(
        "match",
        game.name,
        tuple(entrants),
        tuple(game.assignments()),
        seed=seed,
        opening=TURNS,
        move_time=usual if move_time is None else round(1000 * move_time),
        base=here,
    )


def _test(text: str | None, alpha: float | None, beta: float | None) -> Sprt | None:
    from spielwerk.contests.match import Sprt

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
def _showing(names: str, limit: int, test: Sprt | None) -> Iterator[Callable[[MatchTally], None]]:
    """A function that shows how the match stands: a bar, or the line of a test."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    def standing(tally: MatchTally) -> str:
        return f"{tally.games} games  {_standing(tally, test)}" if test else ""

    console = Console(stderr=True)
    if not test:
        with progress() as show:
            yield lambda tally: show(f"{names}: {tally}", tally.games / limit)
    elif console.is_interactive:
        with Live(console=console, transient=True) as live:
            yield lambda tally: live.update(
                Text(standing(tally), no_wrap=True, overflow="ellipsis")
            )
    else:
        tell = now_and_then()
        yield lambda tally: tell(standing(tally))


def _standing(tally: MatchTally, test: Sprt) -> str:
    """Score, Elo with its interval, and how far the test is; short enough for one line."""
    elo, least, most = tally.elo
    lower, upper = test.bounds
    return (
        f"{100 * tally.score:.1f} %  Elo {elo:+z.1f} ({least:+z.1f} to {most:+z.1f})  "
        f"LLR {test.llr(tally.groups):+z.2f} ({lower:+.2f} to {upper:+.2f})"
    )


def _print(names: str, match: Match, test: Sprt | None) -> None:
    if match.tally.games:
        typer.echo(_summary(names, match.tally, test))
    for (name, end), times in sorted(match.forfeits.items()):
        typer.echo(f"{name} lost {times} through its own fault: {end}")


def _summary(names: str, tally: MatchTally, test: Sprt | None) -> str:
    from spielwerk.contests.match import SHARES

    first = f"{names}, {tally.games} games: {tally}"
    if not test:
        return first
    pairs = " ".join(str(tally.groups[share]) for share in SHARES)
    standing = f"{_standing(tally, test)}  pairs 0 to 2: {pairs}"
    return f"{first}\n{standing}\n{_decision(names, tally, test)}"


def _decision(names: str, tally: MatchTally, test: Sprt) -> str:
    from spielwerk.contests.match import SprtVerdict

    verdict = test.verdict(tally.groups)
    if not verdict:
        return f"undecided: {names} may be {test.elo0:+zg} or {test.elo1:+zg} Elo"
    accepted, other = test.elo0, test.elo1
    if verdict is SprtVerdict.H1:
        accepted, other = other, accepted
    return f"{verdict}: {names} is {accepted:+zg} Elo rather than {other:+zg}"
