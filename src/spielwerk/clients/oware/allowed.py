"""Which remote players visitors of a server may name: only those at the hosts of its setting.

Anyone who may set up games could otherwise have the server connect to any machine it can reach.
The operator may name any address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.clients.oware.address import Address
from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

ANY: Final = "*"
ADVICE: Final = "the operator may name any: sign in with the token printed at the server's start"


class NotAllowed(SpielwerkError, ValueError):
    """A remote player at a host that a visitor may not name."""


def only_at(hosts: Collection[str]) -> Callable[[str], None]:
    """A check that raises NotAllowed for a remote player at any other host."""

    def check(text: str) -> None:
        host = Address.parse(text).host
        if ANY not in hosts and host not in hosts:
            problem = f"this server's setting tables.remote_hosts does not allow the host {host}"
            raise NotAllowed(f"{problem}; {ADVICE}")

    return check
