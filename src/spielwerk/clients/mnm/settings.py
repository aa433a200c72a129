"""What the client is told before it starts: defaults, a configuration file, the command line.

A configuration has lines `name = value`, in any order; `#` begins a comment:

    host = localhost
    port = 1357
    game = KIND
    engine = level=10
    patience = 30
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.mnm.sentences import ClientError
from spielwerk.errors import cause
from spielwerk.games.interface import number
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable
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


class ConfigError(ClientError):
    """A setting that cannot be used."""


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
        return cls(**{name: _value(name, *text) for name, text in texts.items()})


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
            raise ConfigError("config-no-assignment", text=text, **where)
        name = _SPELLINGS.get(re.sub(r"[ _-]", "", spelled.lower()))
        if name is None:
            known = "host, port, game, engine, patience"
            unknown = {"name": spelled, "known": known}
            raise ConfigError("config-unknown-name", **unknown, **where)
        if name in texts:
            raise ConfigError("config-twice", name=spelled, **where)
        texts[name] = (f"{path}:{line}", value)
    return texts


def _lines(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(LARGEST_FILE).splitlines()
    except (OSError, ValueError) as error:  # the latter for what is not UTF-8
        problem = cause(error)
        raise ConfigError("config-unreadable", path=str(path), problem=problem) from None


# values, None where a text is none


def _host(text: str) -> str | None:
    return text if text and text.isprintable() and " " not in text else None


def _port(text: str) -> int | None:
    port = number(text)
    return port if port is not None and 1 <= port <= 65535 else None


def _kind(text: str) -> str | None:
    kinds = game_kinds().items()
    return next((kind for name, kind in kinds if text.lower() in (name, kind.lower())), None)


def _engine(text: str) -> str | None:
    """Only a first look: the engines themselves know what they can do."""
    return text if re.fullmatch(r"[a-z0-9_=.,]+", text) else None


def _patience(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 < seconds <= 86400 else None


_READERS: Final[dict[str, tuple[Callable[[str], Any], str]]] = {
    "host": (_host, "localhost | 192.0.2.1"),
    "port": (_port, "1..65535"),
    "kind": (_kind, ""),  # the kinds of games that there are
    "engine": (_engine, "random | level=1..10 | time=2 | depth=6"),
    "patience": (_patience, "0.1..86400"),
}
"""What reads each setting, and what it expects."""


def _value(name: str, where: str, text: str) -> Any:
    read, expected = _READERS[name]
    value = read(text)
    if value is None:
        known = {"value": text, "expected": expected or " | ".join(game_kinds().values())}
        raise ConfigError("config-wrong-value", where=where, **known)
    return value
