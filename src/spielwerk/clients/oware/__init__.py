"""The remote player of the Oware task, section 3.7: Oware moves from a server somewhere else.

`make_player` makes it from a text like `remote:HOST:PORT,strategy=0,depth=5`.
"""

from __future__ import annotations

from spielwerk.clients.oware.address import Address
from spielwerk.clients.oware.allowed import only_at
from spielwerk.clients.oware.player import RemotePlayer, make_player, make_remote

__all__ = ["Address", "RemotePlayer", "make_player", "make_remote", "only_at"]
