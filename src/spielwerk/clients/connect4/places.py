"""Where somebody listens: HOST:PORT, with an IPv6 address in brackets."""

from __future__ import annotations

import re
from ipaddress import IPv6Address
from typing import Final, NamedTuple

from spielwerk.errors import NotationError, quote
from spielwerk.games.notation import number
from spielwerk.net.addresses import written

INDEX_PORT: Final = 9090
HOST_PORT: Final = 8080
PORTS: Final = range(1, 65536)

_PLACE: Final = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|(?P<name>[^\s,;:=/@\[\]]+))(?::(?P<port>.*))?")


class Place(NamedTuple):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return written(*self)

    @classmethod
    def parse(cls, text: str, port: int) -> Place:
        """Read HOST or HOST:PORT; without it the port is the given one."""
        match = _PLACE.fullmatch(text)
        if not match or not text.isprintable():
            raise NotationError("address", text, "expected HOST:PORT or [IPV6]:PORT")
        if match["v6"] is not None:
            _check_ipv6(text, match["v6"])
        chosen = port if match["port"] is None else _port(text, match["port"])
        return cls(match["v6"] or match["name"], chosen)


def _check_ipv6(text: str, host: str) -> None:
    try:
        IPv6Address(host)
    except ValueError:
        problem = f"{quote(host)} is no IPv6 address, and only those stand in brackets"
        raise NotationError("address", text, problem) from None


def _port(text: str, value: str) -> int:
    port = number(value)
    if port is None or port not in PORTS:
        problem = f"{quote(value)} is no port: they go from {PORTS[0]} to {PORTS[-1]}"
        raise NotationError("address", text, problem)
    return port
