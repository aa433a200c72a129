"""The Connect Four protocol, all roles, without I/O.

`messages` has every message with its parameters. `index` is the list of the index server, with its
`initiators`; `host` and `join` are the machines of the initiator, who hosts a game, and of the
opponent, who joins it.
"""

from __future__ import annotations

from typing import Final

from spielwerk.wire.connect4.messages import Version

TABLE_OPTIONS: Final = {
    "spelling": ("document", "variant"),
    "version": tuple(version.name for version in Version),
    "only": (),  # the player who may join
    "ask": ("yes", "no"),  # whether the owner of the host's seat decides who may
}
"""How a table may speak: the values of each choice; none: a name."""
