"""Remote players for a server: only at the hosts that its owner has named.

Whoever may set up games could otherwise have the server connect to any machine it can reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.oware.address import Address
from spielwerk.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Collection

    from spielwerk.engines.players import Making, Player
    from spielwerk.games import Game

ANY: Final = "*"


def make_allowed_remote(hosts: Collection[str]) -> Making:
    """What makes remote players at these hosts and refuses all others."""

    def make(text: str, game: Game[Any]) -> Player:
        from spielwerk.clients.oware.player import make_remote

        host = Address.parse(text).host
        if ANY not in hosts and host not in hosts:
            problem = f"this server's setting tables.remote_hosts does not allow the host {host}"
            raise NotationError("player", text, problem)
        return make_remote(text, game)

    return make
