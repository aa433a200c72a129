"""Addresses: HOST:PORT as people write it, and which hosts stand for all."""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from spielwerk.errors import NotationError, quote

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing is bound here
"""Where a service listens that is open to all, and where its own machine finds it."""

ANY_PORT: Final = range(65536)  # 0 lets the system choose
PORTS: Final = range(1, 65536)

_FORM: Final = re.compile(r"(?:\[(?P<v6>[^\[\]]*)\]|(?P<name>[^\s,;:=/@\[\]]+))(?::(?P<port>.*))?")
_PORT: Final = re.compile(r"0|[1-9][0-9]{0,4}")


class Endpoint(NamedTuple):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return written(*self)

    @classmethod
    def parse(cls, text: str, port: int, ports: range = PORTS) -> Endpoint:
        """Read HOST, HOST:PORT or [IPV6]:PORT; `port` is for texts without one."""
        match = _FORM.fullmatch(text)
        if not match or not text.isprintable():
            raise NotationError("address", text, "expected HOST:PORT or [IPV6]:PORT")
        if match["v6"] is not None and not _is_ipv6(match["v6"]):
            problem = f"{quote(match['v6'])} is no IPv6 address, and only those stand in brackets"
            raise NotationError("address", text, problem)
        if match["port"] is not None:
            port = _parse_port(text, match["port"], ports)
        return cls(match["v6"] or match["name"], port)


def is_address(text: str) -> bool:
    """Whether that is an address in numbers, and no name."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True


def _parse_port(text: str, value: str, ports: range) -> int:
    if not _PORT.fullmatch(value) or int(value) not in ports:
        hint = "; an IPv6 address stands in brackets" if ":" in value else ""
        problem = f"{quote(value)} is no port: they go from {ports[0]} to {ports[-1]}{hint}"
        raise NotationError("address", text, problem)
    return int(value)


def written(host: str, port: int) -> str:
    """Host and port, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable(host: str) -> str:
    """Where a service that listens there is found from its own machine."""
    return EVERYWHERE.get(host, host)
