"""A contest's description: a TOML file, read and checked before anything starts.

Every mistake is one line that says where it is, what stands there, and what should. What is typed
on the command line is checked in the same way.
"""

from __future__ import annotations

import stat
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import (
    Contest,
    Format,
    Order,
    Phase,
    Resources,
    usual_bonus,
    usual_disqualify,
)
from spielwerk.contests.describing.checking import check
from spielwerk.contests.describing.entrants import Setting, entrant_from_table, entrant_from_text
from spielwerk.contests.describing.keys import ENTRANT, RESOURCES, accepted
from spielwerk.contests.describing.problems import DescriptionError
from spielwerk.contests.schedule import allows_openings
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import find_game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from spielwerk.contests.contest import Entrant
    from spielwerk.games import Game

LARGEST_FILE: Final = 10_000_000  # bytes
MOST_ENTRANTS: Final = 1000
BEGINS: Final = "begins"  # the option that is nobody's choice in a contest

MOVE_TIME: Final = 3000  # milliseconds
MOVE_TIMES: Final = {"dice": 2000, "connect4": 10_000}  # milliseconds, by the documents


def read(path: Path) -> Contest:
    """The contest that the file describes, or DescriptionError."""
    where = str(path)
    content = _content(where, path)
    tables = content.pop(ENTRANT, [])
    if not isinstance(tables, list):
        raise DescriptionError(where, ENTRANT, "write [[entrant]] above every one of them")
    if len(tables) > MOST_ENTRANTS:
        raise DescriptionError(where, f"{len(tables)} entrants, {MOST_ENTRANTS} is the most")

    def entrants(setting: Setting) -> Iterator[Entrant]:
        for number, table in enumerate(tables, 1):
            yield entrant_from_table(f"{where}: entrant {number}", table, setting)

    return _put_together(where, content, entrants, path.parent.resolve())


def name_in(path: Path) -> str:
    """The name of the contest in the file: all that is needed to find one that was drawn up.

    Nothing else is looked at: its programs may be gone when somebody looks at what they played.
    """
    where, content = str(path), _content(str(path), path)
    _check_key(where, content, "name")
    name: str = accepted(where, {"name": content["name"]})["name"]
    return name


def new(content: dict[str, Any], texts: Iterable[str], base: Path) -> Contest:
    """The contest with these keys, as TOML would give them, and entrants as they were typed."""

    def entrants(setting: Setting) -> Iterator[Entrant]:
        for text in texts:
            yield entrant_from_text(text, setting.game, setting.base, frozen=setting.frozen)

    return _put_together("contest", content, entrants, base.resolve())


def _put_together(
    where: str,
    content: dict[str, Any],
    entrants: Callable[[Setting], Iterable[Entrant]],
    base: Path,
) -> Contest:
    values = accepted(where, content)
    frozen = values.get("phase") is Phase.COMPETITION
    setting = Setting(_game(where, values), base, frozen)
    contest = _contest(values, tuple(entrants(setting)), base)
    check(where, contest, content)
    return contest


def _content(where: str, path: Path) -> dict[str, Any]:
    """What TOML makes of the file."""
    text = _text(where, path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(where, f"it is not TOML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise DescriptionError(where, "it is not TOML: its brackets are too deep") from None
    except ValueError:
        raise DescriptionError(where, "a number in it has far too many digits") from None


def _text(where: str, path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise DescriptionError(where, "it is no ordinary file")
        if path.stat().st_size > LARGEST_FILE:
            raise DescriptionError(where, f"it has more than {LARGEST_FILE} bytes")
        # Some editors of Windows mark their files. Line ends stay as they are: TOML has rules.
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        problem = "there is no such file; `spielwerk contest new` writes one"
        raise DescriptionError(where, problem) from None
    except OSError as error:
        raise DescriptionError(where, f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DescriptionError(where, "it is not UTF-8 text") from None


def _game(where: str, values: dict[str, Any]) -> Game[Any]:
    """The game with its options, or DescriptionError."""
    for key in ("name", "game"):
        _check_key(where, values, key)
    kind, options = find_game(values["game"]), values.get("options", ())
    _check_options(where, kind, options)
    try:
        return kind.from_text(options)
    except SpielwerkError as error:
        raise DescriptionError(where, "options", str(error)) from None


def _check_options(where: str, kind: type[Game[Any]], options: Iterable[str]) -> None:
    """Raise DescriptionError for options that the game does not have, or no game of a contest."""
    known = [option.name for option in kind.options() if option.name != BEGINS]
    for option in options:
        name, equals, _ = option.partition("=")
        if equals and name == BEGINS:
            problem = "everybody begins equally often; leave it out"
        elif equals and name not in known:
            problem = f"{kind.name} has no such option; it has {', '.join(known) or 'none'}"
        else:
            continue
        raise DescriptionError(where, f"options = {quote(option)}", problem)


def _check_key(where: str, values: dict[str, Any], key: str) -> None:
    if key not in values:
        raise DescriptionError(where, f"the key {key} is missing")


def _contest(values: dict[str, Any], entrants: tuple[Entrant, ...], base: Path) -> Contest:
    """The contest; what the file leaves out is as usual in this game."""
    game = values["game"]
    usual = {
        "order": Order.POINTS if game == "dice" else Order.RATING,
        "disqualify": usual_disqualify(game),
        "bonus": usual_bonus(game, values.get("phase", Phase.TRAINING)),
        "move_time": MOVE_TIMES.get(game, MOVE_TIME),
        "rounds": 0 if values.get("format") is Format.LADDER else 1,
    }
    limits = {key: value for key, value in values.items() if key in RESOURCES}
    fields = {key: value for key, value in values.items() if key not in RESOURCES}
    contest = Contest(
        **{**usual, **fields}, entrants=entrants, resources=Resources(**limits), base=base
    )
    keep = "opening" in values or allows_openings(contest)
    return contest if keep else replace(contest, opening=0)
