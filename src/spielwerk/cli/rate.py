"""`spielwerk rate`: what every move of a game cost, and how accurate its players were."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.errors import SpielwerkError, UsageError, printable, quote
from spielwerk.terminal.commands import GameName, Options, progress, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spielwerk.engines.regret import JudgedDecision, Point
    from spielwerk.engines.review import Review
    from spielwerk.games import Game
    from spielwerk.games.record import Record

MOVE: Final = ("ply", "player", "move", "before", "after", "loss", "", "better")
PLAYER: Final = ("player", "moves", "kept", "wins lost", "draws lost", "accuracy", "luck")
LARGEST: Final = 16_000_000  # bytes of a file
SHOWN: Final = 0.0005  # the least loss that is told


def rate(
    game: GameName,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Games as `save` or a page's record.json or record.txt has them; - is stdin.",
        ),
    ],
    option: Options = None,
    opening: Annotated[
        int, typer.Option(parser=whole_number, help="Decisions drawn by lot, not judged.")
    ] = 0,
    effort: Annotated[
        int, typer.Option(parser=whole_number, help="0 to 2: eight times the nodes each.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON a game.")] = False,
) -> None:
    """Print what every move cost, and each player's accuracy.

    A value with ~ is an estimate, and so is a loss that follows from one.
    """
    from spielwerk.engines.review import DEEPEST
    from spielwerk.games import find_game

    if not 0 <= effort <= DEEPEST or opening < 0:
        raise UsageError(f"--effort {effort} --opening {opening}: 0 to {DEEPEST}, and 0 or more")
    usual = find_game(game).from_text(option or [])
    names = ["stdin" if str(file) == "-" else str(file) for file in files]
    records = [_read(name, usual) for name in names]
    for name, record in zip(names, records, strict=True):
        found = _reviewed(record, effort, min(opening, len(record.moves)))
        if as_json:
            typer.echo(json.dumps({"file": name, "game": game, **_told(record, found)}))
        else:
            _show(name, record, found)


def _read(name: str, game: Game[Any]) -> Record:
    from spielwerk.games.record import read_game

    try:
        with nullcontext(sys.stdin.buffer) if name == "stdin" else Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(f"more than {LARGEST} bytes")
        record = read_game(data.decode(), game)
        if not record.moves:
            raise UsageError("there are no moves in it")
    except OSError as error:
        raise UsageError(f"{quote(name)}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{quote(name)}: no text, byte {error.start} is not UTF-8") from None
    except SpielwerkError as error:
        raise UsageError(f"{quote(name)}: {printable(str(error))}") from None
    return record


def _reviewed(record: Record, effort: int, opening: int) -> Review:
    """The game, looked at from its end to its start."""
    from spielwerk.engines.analysis import Engines, Interrupt
    from spielwerk.engines.review import review_of
    from spielwerk.terminal.keyboard import interruptible, ready_engine

    ready_engine(record.game)  # says so where it has to be compiled
    review = review_of(record.game.name)(record.states, record.moves, effort, opening)
    engines = Engines()
    with progress() as tell:
        while not review.done:
            interruptible(lambda: review.advance(engines, Interrupt()))
            tell(f"{review.looked} of {review.total} positions", review.looked / review.total)
    return review


def _told(record: Record, review: Review) -> dict[str, Any]:
    """The review with every decision in it."""
    moves = [
        {
            "ply": one.ply,
            "seat": one.mover,
            "move": record.game.format_move(record.moves[one.ply]),
            "loss": one.loss,
            "exact": one.exact,
        }
        for one in review.decisions()
        if one.mover >= 0
    ]
    return {"moves": moves, **review.told()}


# for people


def _show(name: str, record: Record, review: Review) -> None:
    from spielwerk.cli.contest_status import columns

    told = review.told()
    graded = {mistake["ply"]: mistake for mistake in told["mistakes"]}
    moves = [
        _move(record, one, graded.get(one.ply, {})) for one in review.decisions() if one.mover >= 0
    ]
    typer.echo(f"{printable(name)}: {record.game.title}, {len(record.moves)} decisions")
    typer.echo("\n".join(columns([MOVE, *moves], (1, 2, 6, 7))))
    typer.echo("")
    players = [*_players(record.game, told["players"])]
    typer.echo("\n".join(columns([PLAYER, *players], (0,))) + "\n")


def _move(record: Record, one: JudgedDecision, mistake: dict[str, Any]) -> Sequence[str]:
    loss = f"{'' if one.exact else '~'}{100 * one.loss:.1f} %"
    return (
        str(one.ply + 1),
        record.game.sides[one.mover],
        record.game.format_move(record.moves[one.ply]),
        _value(one.before, one.mover),
        _value(one.after, one.mover),
        loss if one.loss >= SHOWN else "",
        mistake.get("grade", ""),
        mistake.get("better", ""),
    )


def _value(point: Point, seat: int) -> str:
    """What a position is worth for the player: a result, or a chance to win."""
    chance = point.chances[seat]
    if point.exact and len(point.chances) == 2:
        return ("loss", "draw", "win")[round(2 * chance)]
    return f"{'' if point.exact else '~'}{100 * chance:.1f} %"


def _players(game: Game[Any], players: Sequence[dict[str, Any]]) -> Iterator[Sequence[str]]:
    for side, player in zip(game.sides, players, strict=False):
        cost = player["regret"]
        about = "" if cost["exact"] == cost["moves"] else "~"
        accuracy = cost["accuracy"]
        yield (
            side,
            *(str(cost[name]) for name in ("moves", "kept", "wins", "draws")),
            "-" if accuracy is None else f"{about}{100 * accuracy:.1f} %",
            f"{100 * player['luck']:+.1f} %" if game.throws_dice else "-",
        )
