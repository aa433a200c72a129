"""What the client is told before it starts: defaults, a configuration file, the command line.

A configuration has lines `name = value`, in any order; `#` begins a comment:

    host = localhost
    port = 1357
    game = KIND
    engine = level=10
    patience = 30
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.clients.mnm.sentences import (
    CONFIG_NO_ASSIGNMENT,
    CONFIG_TWICE,
    CONFIG_UNKNOWN_NAME,
    CONFIG_UNREADABLE,
    CONFIG_WRONG_VALUE,
    ClientError,
)
from spielwerk.games.interface import number
from spielwerk.wire.mnm.boards import game_kinds

if TYPE_CHECKING:
    from pathlib import Path

GAMEKINDNAME: Final[str | None] = None  # any kind of game that we know
PORTNUMBER: Final = 1357
HOSTNAME: Final = "localhost"  # the documents' own server is long gone
ENGINE: Final = "time=3600"  # an hour, so that only the server limits the time
PATIENCE: Final = 30.0  # seconds; a server says WAIT every second

LARGEST_FILE: Final = 65536

_SPELLINGS: Final = {
    "host": "host",
    "hostname": "host",
    "port": "port",
    "portnumber": "port",
    "game": "kind",
    "gamekind": "kind",
    "gamekindname": "kind",
    "engine": "engine",
    "patience": "patience",
}


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """What is the same for every game; a kind of None is any that we know."""

    host: str = HOSTNAME
    port: int = PORTNUMBER
    kind: str | None = GAMEKINDNAME
    engine: str = ENGINE
    patience: float = PATIENCE

    @classmethod
    def of(cls, texts: dict[str, tuple[str, str]]) -> ClientSettings:
        """Read values; each comes with the words that say where it was written."""
        values = {name: _READERS[name](*text) for name, text in texts.items()}
        return cls(**values)  # type: ignore[arg-type]


def read_config(path: Path) -> dict[str, tuple[str, str]]:
    """The settings in a file, each with where it stands and its text."""
    texts: dict[str, tuple[str, str]] = {}
    for line, content in enumerate(_lines(path), 1):
        text = content.partition("#")[0].strip()
        if not text:
            continue
        spelled, equals, value = (part.strip() for part in text.partition("="))
        where = {"path": str(path), "line": line}
        if not equals:
            raise ClientError(CONFIG_NO_ASSIGNMENT, code=2, text=text, **where)
        name = _SPELLINGS.get(re.sub(r"[ _-]", "", spelled.lower()))
        if name is None:
            known = "host, port, game, engine, patience"
            raise ClientError(CONFIG_UNKNOWN_NAME, code=2, name=spelled, known=known, **where)
        if name in texts:
            raise ClientError(CONFIG_TWICE, code=2, name=spelled, **where)
        texts[name] = (f"{path}:{line}", value)
    return texts


def _lines(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(LARGEST_FILE).splitlines()
    except OSError as error:
        problem = error.strerror or str(error)
    except ValueError as error:  # not UTF-8
        problem = str(error)
    raise ClientError(CONFIG_UNREADABLE, code=2, path=str(path), problem=problem)


def _host(where: str, value: str) -> str:
    if not value or not value.isprintable() or " " in value:
        raise _wrong(where, value, "localhost, 192.0.2.1, ...")
    return value


def _port(where: str, value: str) -> int:
    port = number(value)
    if port is None or not 1 <= port <= 65535:
        raise _wrong(where, value, "1 ... 65535")
    return port


def _kind(where: str, value: str) -> str:
    for name, kind in game_kinds().items():
        if value.lower() in (name, kind.lower()):
            return kind
    raise _wrong(where, value, " / ".join(game_kinds().values()))


def _engine(where: str, value: str) -> str:
    """Only a first look: the engines themselves know what they can do."""
    if not re.fullmatch(r"[a-z0-9_=.,]+", value):
        raise _wrong(where, value, "random, level=1 ... level=10, time=2, depth=6, ...")
    return value


def _patience(where: str, value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 86400:
        raise _wrong(where, value, "0.1 ... 86400")
    return seconds


_READERS: Final = {
    "host": _host,
    "port": _port,
    "kind": _kind,
    "engine": _engine,
    "patience": _patience,
}


def _wrong(where: str, value: str, expected: str) -> ClientError:
    return ClientError(CONFIG_WRONG_VALUE, code=2, where=where, value=value, expected=expected)
