"""Where visitors may have the server connect: its own services, and what the operator has listed.

A server that connects wherever a visitor likes is a tool against its own machine and network. So a
name is looked up once, and what is connected to is the address that was found and checked then: it
does not help to give the name another address afterwards.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError
from spielwerk.net.addresses import Endpoint, is_address, reachable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

ANY: Final = "*"
HERE: Final = "localhost"
ADVICE: Final = "the operator may use any host: sign in with the token printed at startup"


class NotAllowed(SpielwerkError, ValueError):
    """A place that a visitor may not name."""


class Destinations:
    """The places that visitors may name; `own` says where a service of ours listens."""

    def __init__(
        self, listed: Collection[str], own: Callable[[str], Iterable[tuple[str, int]]]
    ) -> None:
        self._listed = listed
        self._own = own

    async def find(self, place: Endpoint, service: str) -> Endpoint:
        """Where to connect for that place, which must offer this service; or NotAllowed."""
        for host, port in self._own(service):
            here = {host, reachable(host), HERE}
            if port == place.port and place.host in here:
                return Endpoint(reachable(host), port)
        names = {place.host, str(place)} & {*self._listed}
        if not names and ANY not in self._listed:
            problem = f"this server's setting tables.remote_hosts does not allow the host {place}"
            raise NotAllowed(f"{problem}; {ADVICE}")
        if place.host == HERE or is_address(place.host):
            if names or _is_public(place.host):
                return place
            raise NotAllowed(_private(place, place.host))
        found = await _looked_up(place)
        if not _is_public(found):
            raise NotAllowed(_private(place, found))
        return Endpoint(found, place.port)


def _private(place: Endpoint, address: str) -> str:
    what = f"{place} is {address}, an address of a private network"
    return f"{what}, which tables.remote_hosts must list as such"


async def _looked_up(place: Endpoint) -> str:
    """The first address of the name; what has none fails when a connection is opened."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotAllowed(f"{place} cannot be looked up: {error}") from None
    return str(found[0][4][0]).partition("%")[0]


def _is_public(host: str) -> bool:
    return is_address(host) and ip_address(host).is_global
