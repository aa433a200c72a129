"""Entrants as they are described: a table of the TOML file, or one line on the command line.

anna=./client -g {game} -p {player}     a program, by its command line
bot:./mybot, ada=bot:python3 ada.py     a program without a protocol (`spielwerk bot`)
engine:level=7, best=engine:level=10    an engine
remote:server.example.org:7889,depth=5  a server that is asked for moves
open:tom                                a program that will connect
"""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
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
from spielwerk.contests.contest import NAME_LIMIT, Entrant
from spielwerk.contests.keys import (
    ENTRANT_KEYS,
    WIRE,
    DescriptionError,
    Unfit,
    accepted,
    fitting,
    shown,
    titles,
)
from spielwerk.engines.players import make_player
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import ContestFacts, contest_facts
from spielwerk.games.interface import number
from spielwerk.store.records import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games import Game

PORT: Final = "7889"
"""Of a server that names none."""

HOSTS: Final = "role=host"
"""The option of a program that offers the game itself."""

BOT: Final = "bot"
"""The key of a program without a protocol."""

WISHES: Final = ("strategy", "depth")  # what servers are asked to play with
CALLERS: Final = (Kind.COMMAND, Kind.OPEN)  # who says its name to a server itself
ENGINE_WORDS: Final = ("level", "time", "depth", "nodes", "threads", "strategy", "hold")

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
    values = accepted(where, table, ENTRANT_KEYS)
    if BOT in values and not values.keys() & {*Kind}:
        with fitting(where, f"{BOT} = {shown(values[BOT])}"):
            folder = values.get("folder") and checked_folder(values["folder"], setting.base)
            line = bot_line(values.pop(BOT), values.get("name", ""), setting, folder or "")
            values[Kind.COMMAND] = line
    kinds = [kind for kind in Kind if values.get(kind)]
    if "name" not in values:
        raise DescriptionError(where, "it has no name; every entrant needs one of its own")
    if len(kinds) != 1:
        given = " and ".join(kinds) or "none"
        choice = "engine, command, bot, remote or open"
        raise DescriptionError(where, f"it needs one of {choice}, and has {given} of them")
    return _entrant(where, kinds[0], values, setting)


def _entrant(where: str, kind: Kind, values: dict[str, Any], setting: Setting) -> Entrant:
    """The entrant with everything checked that can be without running it."""
    for key, value in values.items():
        with fitting(where, f"{key} = {shown(value)}"):
            _check_key(key, kind, setting.game.name)
    name, given, folder = values["name"], values[kind], values.get("folder", "")
    with fitting(where, f"name = {quote(name)}"):
        check_name(name, kind, setting.game.name)
    if folder:
        with fitting(where, f"folder = {quote(folder)}"):
            folder = checked_folder(folder, setting.base)
    options = [f"{key}={values[key]}" for key in (*WISHES, *WIRE) if key in values]
    text, known = "" if given is True else given, ""
    with fitting(where, f"{kind} = {shown(given)}"):
        if kind is Kind.ENGINE:
            _check_engine(text, setting.game)
        elif kind is Kind.REMOTE:
            text, wishes = _address(text, options)
            options += wishes
        elif kind is Kind.COMMAND:
            check_placeholders(text, setting.game.name)
            check_program(text, name, setting.base, folder)
            known = digest(text, name, setting.base, folder) if setting.frozen else ""
            options += [HOSTS] if values.get("role") == "host" else []
    return Entrant(name, kind, text, folder, tuple(options), values.get("reference", False), known)


def _check_key(key: str, kind: Kind, game: str) -> None:
    """Raise Unfit for a key that has no meaning for such an entrant."""
    facts, servers = contest_facts(game), titles("asks_servers")
    if key == Kind.OPEN == kind and facts.asks_servers:
        raise Unfit(f"an {servers} program is a server: name its address with remote = ...")
    if key == Kind.REMOTE == kind and not facts.asks_servers:
        raise Unfit(f"only {servers} has servers that are asked for moves, not {game}")
    if key in WISHES and kind is Kind.ENGINE:
        raise Unfit(f'write it into the engine: engine = "{key}=..."')
    if key in WISHES and not facts.asks_servers:
        raise Unfit(f"it belongs to {servers} servers")
    if key in ("folder", "role") and kind is not Kind.COMMAND:
        raise Unfit("it belongs to a command")
    if key in WIRE and kind not in CALLERS:
        raise Unfit("it belongs to a command or to an open seat")
    if key in ("role", *WIRE) and not facts.has_index:
        raise Unfit(f"it belongs to {titles('has_index')}")


def check_name(name: str, kind: Kind, game: str) -> None:
    """Raise Unfit if the game's protocol cannot say the name."""
    facts = contest_facts(game)
    if facts.name_rule and _is_spoken(kind, game) and not all(map(facts.letter.fullmatch, name)):
        raise Unfit(facts.name_rule)


def wire_name(text: str, kind: Kind, game: str) -> str:
    """A name that can be said, made from what an entrant is."""
    facts = contest_facts(game) if _is_spoken(kind, game) else ContestFacts()
    letters = (letter if facts.letter.fullmatch(letter) else facts.instead for letter in text)
    return "".join(letters).strip()[:NAME_LIMIT]


def _is_spoken(kind: Kind, game: str) -> bool:
    return kind in CALLERS or not contest_facts(game).name_is_called


# what is behind an entrant


def _check_engine(text: str, game: Game[Any]) -> None:
    """Raise Unfit if no engine is described; one is loaded only where the text does not tell.

    Some always are: they may need tables, and load quickly.
    """
    is_loaded = contest_facts(game.name).engine_is_loaded
    if text == "random" or (not is_loaded and _LEVEL.fullmatch(text)):
        return
    try:
        make_player(text, game)
    except SpielwerkError as error:
        raise Unfit(getattr(error, "problem", str(error))) from None


def _address(text: str, given: Sequence[str]) -> tuple[str, list[str]]:
    """The place of a server, and what is wished of it besides what is given; or Unfit."""
    place, *wishes = text.split(",")
    match = _PLACE.fullmatch(place)
    port = number(PORT if match["port"] is None else match["port"]) if match else None
    if not match or port is None or not 0 < port < 65536 or not _is_ipv6(match["v6"]):
        raise Unfit("expected HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535")
    options: list[str] = []
    for wish in wishes:
        key, _, value = wish.partition("=")
        if key not in WISHES:
            raise Unfit(f"{quote(wish)} is neither strategy=NUMBER nor depth=NUMBER")
        if any(option.startswith(f"{key}=") for option in (*given, *options)):
            raise Unfit(f"{key} is given twice")
        options.append(f"{key}={ENTRANT_KEYS[key](number(value))}")
    return place, options


def _is_ipv6(text: str | None) -> bool:
    try:
        return text is None or bool(IPv6Address(text))
    except ValueError:
        return False


def bot_line(text: str, name: str, setting: Setting, folder: str = "") -> str:
    """The command that lets a program without a protocol play by the game's own, or Unfit."""
    check_program(text, name, setting.base, folder)
    place = "{index_host}:{index_port}" if _has_index(setting) else "{host}:{port}"
    ours = f"{shlex.quote(sys.executable)} -m spielwerk bot {setting.game.name}"
    return f"{ours} --server {place} -g {{game}} -p {{player}} -n {{name}} -- {text}"


def _has_index(setting: Setting) -> bool:
    return contest_facts(setting.game.name).has_index


# entrants on the command line


def entrant_from_text(text: str, setting: Setting) -> Entrant:
    """The entrant that was typed, or DescriptionError."""
    where = f"entrant {quote(text)}"
    named = _NAMED.fullmatch(text)
    name, rest = (named[1], named[2]) if named and named[1] not in ENGINE_WORDS else ("", text)
    if rest == "random" or rest.partition("=")[0] in ENGINE_WORDS:
        meant = f"{name}=engine:{rest}" if name else f"engine:{rest}"
        raise DescriptionError(where, f"an engine is written {quote(meant)}")
    if rest.startswith(f"{BOT}:"):
        with fitting(where, BOT):
            command = rest.removeprefix(f"{BOT}:")
            name = name or _own_name(Kind.COMMAND, command, setting.game.name)
            rest = bot_line(command, name, setting)
    kind, told = _told(rest)
    if kind is Kind.OPEN:
        name, told = name or told, told or name
        if name != told:
            raise DescriptionError(where, f"is it {quote(name)} or {quote(told)}? Write one name")
    if not name:
        with fitting(where, kind):
            name = _own_name(kind, told, setting.game.name)
    table = {str(kind): True if kind is Kind.OPEN else told, "name": name}
    return _entrant(where, kind, accepted(where, table, ENTRANT_KEYS), setting)


def _told(text: str) -> tuple[Kind, str]:
    """The kind that a text begins with, and the rest; a command begins with itself."""
    word, colon, rest = text.partition(":")
    if colon and word in (Kind.ENGINE, Kind.REMOTE, Kind.OPEN):
        return Kind(word), rest
    return Kind.COMMAND, text


def _own_name(kind: Kind, text: str, game: str) -> str:
    """What an entrant is called that was given no name."""
    if kind is Kind.COMMAND:
        return wire_name(Path(split(text)[0]).stem, kind, game)
    return wire_name(text.partition(",")[0] if kind is Kind.REMOTE else text, kind, game)
