"""Entrants as they are described: a table of the TOML file, or one line on the command line.

anna=./client -g {game} -p {player}     a program, by its command line
engine:level=7, best=engine:level=10    an engine
remote:oware.example.org:7889,depth=5   an Oware server
open:tom                                somebody who will connect
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from ipaddress import IPv6Address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.commands import (
    check_placeholders,
    check_program,
    checked_folder,
    digest,
    split,
)
from spielwerk.contests.contest import Entrant
from spielwerk.contests.describing.keys import CONNECT_FOUR, CONNECT_FOUR_WORDS, unknown
from spielwerk.contests.describing.naming import NAME_LIMIT, check_name, wire_name
from spielwerk.contests.describing.problems import DescriptionError
from spielwerk.contests.describing.values import Choice, Flag, Name, Text, Unfit, Whole, shown
from spielwerk.engines.players import make_player
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games.notation import number
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.describing.values import Value
    from spielwerk.games import Game

KINDS: Final = tuple(str(kind) for kind in Kind)
DICE: Final = "dice"
OWARE: Final = "oware"
PORT: Final = "7889"
"""Of an Oware server that names none."""

ENGINE_WORDS: Final = ("level", "time", "depth", "nodes", "threads", "strategy", "hold")

_LINE: Final = Text(4096)
KEYS: Final[dict[str, Value]] = {
    "name": Name(NAME_LIMIT),
    "engine": _LINE,
    "command": _LINE,
    "remote": _LINE,
    "open": Flag(),
    "folder": _LINE,
    "strategy": Whole(0, 10**9 - 1),
    "depth": Whole(1, 9),
    "role": Choice(("join", "host")),
    **CONNECT_FOUR_WORDS,
    "reference": Flag(),
}

_LEVEL: Final = re.compile(r"level=([1-9]|10)")  # every engine has these
_PLACE: Final = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|[^\s,:=/@\[\]]+)(?::(?P<port>.*))?")
_NAMED: Final = re.compile(r"([^\s=:/{}'\"]+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Setting:
    """What an entrant's description is read against."""

    game: Game[Any]
    base: Path  # where relative paths begin
    frozen: bool = False  # whether it must be known if a program is replaced


def entrant_from_table(where: str, table: object, setting: Setting) -> Entrant:
    """The entrant that a table of the file describes, or DescriptionError."""
    if not isinstance(table, dict):
        raise DescriptionError(where, "write [[entrant]] above its keys, a pair of brackets each")
    if isinstance(table.get("name"), str):
        where = f"{where} ({table['name'][:NAME_LIMIT]!r})"
    values = {key: _accepted(where, key, value) for key, value in table.items()}
    kinds = [kind for kind in KINDS if values.get(kind)]
    if "name" not in values:
        raise DescriptionError(where, "it has no name; every entrant needs one of its own")
    if len(kinds) != 1:
        given = " and ".join(kinds) or "none"
        choice = "engine, command, remote or open"
        raise DescriptionError(where, f"it needs one of {choice}, and has {given} of them")
    return _entrant(where, Kind(kinds[0]), values, setting)


def _accepted(where: str, key: str, value: object) -> Any:
    if key not in KEYS:
        raise DescriptionError(where, unknown(key, key, list(KEYS)))
    return _fitting(where, f"{key} = {shown(value)}", KEYS[key].accept, value)


def _fitting(where: str, what: str, check: Callable[..., Any], *arguments: Any) -> Any:
    """What the check returns; what it finds unfit becomes a DescriptionError."""
    try:
        return check(*arguments)
    except Unfit as unfit:
        raise DescriptionError(where, what, str(unfit)) from None


def _entrant(where: str, kind: Kind, values: dict[str, Any], setting: Setting) -> Entrant:
    """The entrant with everything checked that can be without running it."""
    for key, value in values.items():
        _fitting(where, f"{key} = {shown(value)}", _check_key, key, kind, setting.game.name)
    name, given = values["name"], values[kind]
    _fitting(where, f"name = {quote(name)}", check_name, name, kind, setting.game.name)
    what = f"{kind} = {shown(given)}"
    wished = ("strategy", "depth", *CONNECT_FOUR_WORDS)
    wishes = tuple(f"{key}={values[key]}" for key in wished if key in values)
    text, reference = "" if given is True else given, values.get("reference", False)
    entrant = Entrant(name, kind, text, options=wishes, reference=reference)
    if kind is Kind.ENGINE:
        _fitting(where, what, _check_engine, text, setting.game)
    if kind is Kind.REMOTE:
        place, options = _fitting(where, what, _address, text, wishes)
        return replace(entrant, text=place, options=options)
    if kind is Kind.COMMAND:
        return _program(where, what, entrant, values, setting)
    return entrant


def _check_key(key: str, kind: Kind, game: str) -> None:
    """Raise Unfit for a key that has no meaning for such an entrant."""
    if key == Kind.OPEN == kind and game == OWARE:
        raise Unfit("an Oware program is a server: name its address with remote = ...")
    if key == Kind.REMOTE == kind and game != OWARE:
        raise Unfit(f"only Oware has servers that are asked for moves, not {game}")
    if key in ("folder", "role") and kind is not Kind.COMMAND:
        raise Unfit("it belongs to a command")
    if key in ("strategy", "depth") and kind is Kind.ENGINE:
        raise Unfit(f'write it into the engine: engine = "{key}=..."')
    if key in ("strategy", "depth") and game != OWARE:
        raise Unfit("it belongs to Oware servers")
    if key in CONNECT_FOUR_WORDS and kind not in (Kind.COMMAND, Kind.OPEN):
        raise Unfit("it belongs to a command or to an open seat")
    if key in ("role", *CONNECT_FOUR_WORDS) and game != CONNECT_FOUR:
        raise Unfit("it belongs to Connect Four")


# what is behind an entrant


def _check_engine(text: str, game: Game[Any]) -> None:
    """Raise Unfit if no engine is described; one is loaded only where the text does not tell.

    That of dice always is: it may need tables of the race, and loads quickly.
    """
    if text == "random" or (game.name != DICE and _LEVEL.fullmatch(text)):
        return
    try:
        make_player(text, game)
    except SpielwerkError as error:
        raise Unfit(getattr(error, "problem", str(error))) from None


def _address(text: str, options: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The place of a server, and what is wished of it; or Unfit."""
    place, *wishes = text.split(",")
    match = _PLACE.fullmatch(place)
    port = number(PORT if match["port"] is None else match["port"]) if match else None
    if not match or port is None or not 0 < port < 65536 or not _is_ipv6(match["v6"]):
        raise Unfit("expected HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535")
    for wish in wishes:
        key, _, value = wish.partition("=")
        if key not in ("strategy", "depth"):
            raise Unfit(f"{quote(wish)} is neither strategy=NUMBER nor depth=NUMBER")
        if any(option.startswith(f"{key}=") for option in options):
            raise Unfit(f"{key} is given twice")
        options = (*options, f"{key}={KEYS[key].accept(number(value))}")
    return place, options


def _is_ipv6(text: str | None) -> bool:
    try:
        return text is None or bool(IPv6Address(text))
    except ValueError:
        return False


def _program(
    where: str, what: str, entrant: Entrant, values: dict[str, Any], setting: Setting
) -> Entrant:
    """The entrant with all that belongs to a program, which is checked."""
    folder = values.get("folder", "")
    if folder:
        named = f"folder = {quote(folder)}"
        folder = _fitting(where, named, checked_folder, folder, setting.base)
    _fitting(where, what, check_placeholders, entrant.text, setting.game.name)
    place = entrant.text, entrant.name, setting.base, folder
    _fitting(where, what, check_program, *place)
    known = _fitting(where, what, digest, *place) if setting.frozen else ""
    options = (*entrant.options, "role=host") if values.get("role") == "host" else entrant.options
    return replace(entrant, folder=folder, options=options, digest=known)


# entrants on the command line


def entrant_from_text(text: str, game: Game[Any], base: Path, *, frozen: bool = False) -> Entrant:
    """The entrant that somebody typed, or DescriptionError."""
    where = f"entrant {quote(text)}"
    named = _NAMED.fullmatch(text)
    name, rest = (named[1], named[2]) if named and named[1] not in ENGINE_WORDS else ("", text)
    if rest == "random" or rest.partition("=")[0] in ENGINE_WORDS:
        meant = f"{name}=engine:{rest}" if name else f"engine:{rest}"
        raise DescriptionError(where, f"an engine is written {quote(meant)}")
    kind, told = _told(rest)
    if kind is Kind.OPEN:
        name, told = name or told, told or name
        if name != told:
            raise DescriptionError(where, f"is it {quote(name)} or {quote(told)}? Write one name")
    own = _fitting(where, kind, _own_name, kind, told, game.name)
    given = {str(kind): True if kind is Kind.OPEN else told, "name": name or own}
    values = {key: _accepted(where, key, value) for key, value in given.items()}
    return _entrant(where, kind, values, Setting(game, base, frozen))


def _told(text: str) -> tuple[Kind, str]:
    """The kind that a text begins with, and the rest; a command begins with itself."""
    word, colon, rest = text.partition(":")
    kinds = (Kind.ENGINE, Kind.REMOTE, Kind.OPEN)
    kind = next((kind for kind in kinds if colon and word == kind), Kind.COMMAND)
    return (kind, text) if kind is Kind.COMMAND else (kind, rest)


def _own_name(kind: Kind, text: str, game: str) -> str:
    """What somebody is called who was given no name."""
    if kind is Kind.COMMAND:
        return wire_name(Path(split(text)[0]).stem, kind, game)
    return wire_name(text.partition(",")[0] if kind is Kind.REMOTE else text, kind, game)
