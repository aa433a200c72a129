"""Where a remote player is, and how it is to play: `remote:HOST:PORT,strategy=0,depth=5`.

The port may be left out, an IPv6 address stands in brackets (`remote:[::1]:7889`). Behind it may
stand strategy=NUMBER, depth=1 to 9, and in seconds connect=10 and timeout=60: how long the
connection may take to be made, and then the whole answer to come.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Any, Final

from spielwerk.engines.players import REMOTE
from spielwerk.errors import NotationError, quote
from spielwerk.games.notation import number
from spielwerk.net.addresses import written

PORT: Final = 7889
PORTS: Final = range(65536)

_PLACE: Final = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|(?P<name>[^\s,:=/@\[\]]+))(?::(?P<port>.*))?")
_NUMBERS: Final = {"strategy": range(10**9), "depth": range(1, 10)}
_SECONDS: Final = {"connect": (0.01, 3600.0), "timeout": (0.01, 86400.0)}


@dataclass(frozen=True, slots=True)
class Address:
    """A move server and what is asked of it; limits in seconds."""

    host: str
    port: int = PORT
    strategy: int = 0
    depth: int = 5
    connect: float = 10.0
    timeout: float = 60.0

    def __str__(self) -> str:
        return written(self.host, self.port)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read a description, or raise NotationError."""
        place, *wishes = text.removeprefix(REMOTE).split(",")
        match = _PLACE.fullmatch(place)
        if not text.startswith(REMOTE) or not match or not place.isprintable():
            problem = "expected remote:HOST:PORT or remote:[IPV6]:PORT, then strategy=0,depth=5"
            raise NotationError("remote player", text, problem)
        if match["v6"] is not None:
            _check_ipv6(text, match["v6"])
        port = PORT if match["port"] is None else _port(text, match["port"])
        return cls(match["v6"] or match["name"], port, **_wishes(text, wishes))


def _check_ipv6(text: str, host: str) -> None:
    try:
        IPv6Address(host)
    except ValueError:
        problem = f"{quote(host)} is no IPv6 address, and only those stand in brackets"
        raise NotationError("remote player", text, problem) from None


def _port(text: str, value: str) -> int:
    port = number(value)
    if port is None or port not in PORTS:
        hint = "; an IPv6 address stands in brackets" if ":" in value else ""
        problem = f"{quote(value)} is no port: they go from 0 to {PORTS[-1]}{hint}"
        raise NotationError("remote player", text, problem)
    return port


def _wishes(text: str, parts: list[str]) -> dict[str, Any]:
    """What stands behind the place, the numbers read and checked."""
    values: dict[str, Any] = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key in values:
            raise NotationError("remote player", text, f"{key} is given twice")
        if key in _NUMBERS:
            values[key] = _number(text, key, value)
        elif key in _SECONDS:
            values[key] = _seconds(text, key, value)
        else:
            known = ", ".join([*_NUMBERS, *_SECONDS])
            problem = f"{quote(part)} is none of its settings; they are {known}, each =NUMBER"
            raise NotationError("remote player", text, problem)
    return values


def _number(text: str, key: str, value: str) -> int:
    wanted, allowed = number(value), _NUMBERS[key]
    if wanted is None or wanted not in allowed:
        problem = f"{key} goes from {allowed[0]} to {allowed[-1]}, not {quote(value)}"
        raise NotationError("remote player", text, problem)
    return wanted


def _seconds(text: str, key: str, value: str) -> float:
    low, high = _SECONDS[key]
    try:
        wanted = float(value)
    except ValueError:
        wanted = 0.0
    if not low <= wanted <= high:
        problem = f"{key} goes from {low:g} to {high:g} seconds, not {quote(value)}"
        raise NotationError("remote player", text, problem)
    return wanted
