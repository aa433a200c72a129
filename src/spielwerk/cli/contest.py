"""`spielwerk contest`: programs and engines play each other for a ranking."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.cli.contest_run import (
    BIND,
    RunOptions,
    check_folder,
    coming,
    command,
    open_existing,
    play,
    port_number,
    remark,
    shown,
    take_up,
)
from spielwerk.errors import SpielwerkError, UsageError, printable, quote
from spielwerk.platforms import require_posix
from spielwerk.terminal.commands import Options, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.stored import StoredContest
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import ContestRecord

app = typer.Typer(help="Run contests in which programs and engines play for a ranking.")

FORMATS: Final = ("jsonl", "csv", "html", "standings", "crosstable")
LANGUAGES: Final = ("de", "en")
ENDINGS: Final = ("", "-wal", "-shm", "-journal", ".lock")  # of the files that a store is made of
MOST_JOBS: Final = 256

File = Annotated[Path, typer.Argument(metavar="FILE", help="Contest description in TOML.")]
StoreUrl = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="URL", help="Database of the contest (default: a file beside FILE)."
    ),
]


def job_count(text: str) -> int:
    """Read a number of games at once."""
    jobs = whole_number(text)
    if not 0 <= jobs <= MOST_JOBS:
        raise typer.BadParameter(f"{jobs} is not between 0 and {MOST_JOBS}")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(
        parser=job_count, help="Games played at once (default: by the number of processors)."
    ),
]
Sandbox = Annotated[
    bool | None,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Run programs in bubblewrap, with loopback network and read-only files (default: as "
        "in the previous run; off in the first).",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Dask cluster; `local` starts one here."),
]
Port = Annotated[
    int | None,
    typer.Option(parser=port_number, help="Port of the web pages (default: 8000 if it is free)."),
]
NoWeb = Annotated[bool, typer.Option("--no-web", help="Do not serve web pages.")]
Bind = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Address to serve the web pages on; 0.0.0.0 for all.")
]
Door = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]PORT",
        help="Port for players with open seats; Connect Four has two: index=PORT, host=PORT.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")]
Stay = Annotated[
    bool, typer.Option("--stay", help="Keep serving the web pages after the last game.")
]


@app.callback()
def contest() -> None:
    """Run contests in which programs and engines play for a ranking."""


# drawing it up


@app.command()
def new(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Contest description in TOML.")
    ] = None,
    example: Annotated[
        str | None, typer.Option(metavar="GAME", help="Print an example description for this game.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Write FILE for this game.")
    ] = None,
    entrant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]ENTRANT",
            help="Entrant to write into FILE: engine:level=7, remote:HOST:PORT, open:NAME or a "
            "command; repeatable.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the contest (default: the file's name).")
    ] = None,
    option: Options = None,
    form: Annotated[
        str | None, typer.Option("--format", help="Format: round-robin, gauntlet or ladder.")
    ] = None,
    phase: Annotated[str | None, typer.Option(help="Phase: training or competition.")] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            parser=whole_number, help="Openings per pair, or streams of throws per group of three."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Seed for the schedule, openings and throws."),
    ] = None,
    store: StoreUrl = None,
) -> None:
    """Create a contest from a description, or write a description."""
    from spielwerk.contests.description import read

    given = {
        "options": option,
        "format": form,
        "phase": phase,
        "rounds": rounds,
        "seed": seed,
        "name": name,
    }
    content = {key: value for key, value in given.items() if value is not None}
    if example is not None:
        _print_example(example, file, game, entrant, content)
        return
    if file is None:
        raise UsageError("name the description: spielwerk contest new FILE; or --example GAME")
    check_folder(store)
    _write_description(file, game, entrant, content)
    contest = read(file)
    taken = take_up(file, contest, store, must_be_there=False)
    _tell(file, taken, store)
    remark(contest)


def _print_example(
    example: str, file: Path | None, game: str | None, entrant: object, content: object
) -> None:
    from spielwerk.contests.drafts import example as text_of

    if file or game or entrant or content:
        raise UsageError(f"--example {example} prints a description and nothing else")
    typer.echo(text_of(example), nl=False)


def _write_description(
    file: Path, game: str | None, entrants: list[str] | None, content: dict[str, Any]
) -> None:
    """Write the description that was given on the command line, if one was."""
    from spielwerk.contests.description import new as described
    from spielwerk.contests.drafts import as_toml
    from spielwerk.terminal.files import write

    if game is None:
        if entrants or content:
            raise UsageError("a description is written with --game GAME --entrant ENTRANT ...")
        return
    if file.exists():
        raise UsageError(f"{file} already exists; edit it, or choose another file")
    content = {"name": file.stem, "game": game, **content}
    write(file, [as_toml(described(content, entrants or [], file.parent))])


def _tell(file: Path, taken: StoredContest, store: str | None) -> None:
    """Print what was made."""
    from spielwerk.cli.contest_status import columns, shortened
    from spielwerk.contests.stored import store_of

    contest, url = taken.contest, store_of(file, store)
    games = _games(taken.games, coming(url, taken))
    typer.echo(f"{contest.name}: {contest.game}, {len(contest.entrants)} entrants, {games}")
    rows = [[f"  {shortened(one.name)}", one.kind, one.text] for one in contest.entrants]
    for line in columns(rows, range(3)) if rows else ():
        typer.echo(line)
    if not taken.new:
        more = f", {taken.added} games are new" if taken.added else ""
        typer.echo(f"it was already drawn up{more}")
    typer.echo(f"store: {shown(url)}")
    typer.echo(f"start it with: {command('run', file, store)}")


def _games(drawn_up: int, coming: int | None) -> str:
    """How many games there will be."""
    if coming is None:
        return "games as long as it runs"
    return f"about {drawn_up + coming} games" if coming else f"{drawn_up} games"


# playing it


def _add_playing(name: str, meaning: str, *, must_be_there: bool) -> None:
    """Add a command that plays a contest: two begin differently, and all else is the same."""

    def playing(
        file: File,
        store: StoreUrl = None,
        jobs: Jobs = None,
        sandbox: Sandbox = None,
        cluster: Cluster = None,
        port: Port = None,
        no_web: NoWeb = False,
        bind: Bind = BIND,
        door: Door = None,
        quiet: Quiet = False,
        stay: Stay = False,
    ) -> None:
        require_posix(f"spielwerk contest {name}")
        from spielwerk.app.contest import Plan
        from spielwerk.contests.stored import store_of

        plan = Plan(
            store=store_of(file, store),
            jobs=jobs,
            cluster=cluster or "",
            bind=bind,
            port=port,
            web=not no_web,
            stay=stay,
        )
        play(RunOptions(file, store, plan, sandbox, door or (), quiet), must_be_there=must_be_there)

    app.command(name, help=meaning)(playing)


_add_playing(
    "run",
    "Run a contest, or continue it; Ctrl-C interrupts it safely.\n\n"
    "Exit codes: 0 if all games were played, 1 if the contest was stopped or games were given up, "
    "2 for wrong usage.",
    must_be_there=False,
)
_add_playing(
    "resume",
    "Continue a contest. Same as run, but the contest must already exist.",
    must_be_there=True,
)


@app.command()
def review(file: File, store: StoreUrl = None, jobs: Jobs = None, cluster: Cluster = None) -> None:
    """Look for mistakes in the games that are over.

    Idle workers of a running contest do the same.
    Ctrl-C loses nothing that was found; the next call goes on.
    """
    import asyncio

    from spielwerk.app.contest import Plan
    from spielwerk.app.contest import review as review_games
    from spielwerk.contests.reviewing import Reviewer
    from spielwerk.contests.stored import store_of
    from spielwerk.store.reviews import count
    from spielwerk.terminal.commands import now_and_then

    with _looking(file, store) as (opened, record):
        before = count(opened, record.id)
    plan = Plan(store_of(file, store), jobs, cluster=cluster or "", web=False)
    tell = now_and_then()

    def follow(reviewer: Reviewer) -> None:
        tell(f"{before + reviewer.done} games reviewed")

    reviewer = asyncio.run(review_games(plan, record.id, follow))
    typer.echo(f"{record.name}: {before + reviewer.done} games reviewed")
    if reviewer.problem:
        raise SpielwerkError(f"not all games can be reviewed: {printable(reviewer.problem)}")


# looking at it


@contextmanager
def _looking(file: Path, store: str | None) -> Iterator[tuple[Readable, ContestRecord]]:
    """The contest in its store, whether its programs are still there or not."""
    from spielwerk.contests.description import name_in
    from spielwerk.contests.stored import find

    name = name_in(file)
    advice = f"`{command('new', file, store)}` draws it up"
    with open_existing(file, store, advice) as opened:
        yield opened, find(opened, name)


@app.command()
def status(
    file: File,
    store: StoreUrl = None,
    game: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number,
            help="Show everything about this game of the schedule.",
        ),
    ] = None,
) -> None:
    """Show the progress and standings of a contest, or one of its games."""
    from spielwerk.cli.contest_status import show_game, show_status

    with _looking(file, store) as (opened, record):
        if game is None:
            show_status(opened, record, command("resume", file, store))
        else:
            show_game(opened, record, game)


@app.command()
def jobs(
    file: File,
    number: Annotated[
        int, typer.Argument(metavar="N", parser=job_count, help="Games played at once; 0 pauses.")
    ],
    store: StoreUrl = None,
) -> None:
    """Change how many games a running contest plays at once. 0 pauses it."""
    from spielwerk.cli.contest_status import HELD, NO_WORKER
    from spielwerk.contests.stored import tell_jobs

    with _looking(file, store) as (opened, record):
        now = tell_jobs(opened, record.id, number)
    idle = NO_WORKER if number else HELD
    typer.echo(f"{record.name}: {f'{now} games at once' if now else idle}")


@app.command()
def export(
    file: File,
    form: Annotated[str, typer.Option("--format", help=f"Format: {', '.join(FORMATS)}.")],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write to this file instead of the terminal."),
    ] = None,
    language: Annotated[str, typer.Option(help="Language of an html report: de or en.")] = "en",
    store: StoreUrl = None,
) -> None:
    """Export games, standings, the crosstable or a full report."""
    from spielwerk.cli.contest_status import is_owned
    from spielwerk.contests.exports import pieces
    from spielwerk.terminal.files import check_spared

    for value, allowed, what in ((form, FORMATS, "format"), (language, LANGUAGES, "language")):
        if value not in allowed:
            raise UsageError(f"--{what} {quote(value)}: expected one of {', '.join(allowed)}")
    with _looking(file, store) as (opened, record):
        if output is not None:
            check_spared(output, file, *(Path(f"{opened.label}{end}") for end in ENDINGS))
        live = is_owned(opened.label)
        _write(output, pieces(opened, record, form, language, live=live))


def _write(output: Path | None, content: Iterator[str]) -> None:
    from spielwerk.terminal.files import write

    if output is not None:
        write(output, content)
        return
    for piece in content:
        typer.echo(piece, nl=False)
