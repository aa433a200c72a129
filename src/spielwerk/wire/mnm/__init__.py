"""The protocol of the MNM game server (games of two), both sides, without I/O.

`words` has the texts of the three dialects, and says how a game writes and reads its positions as
lines; `server` and `client` are the two state machines.
"""

from __future__ import annotations

from typing import Final

from spielwerk.wire.mnm.server import Pace

TABLE_OPTIONS: Final = {"pace": tuple(map(str, Pace))}
"""How a table may speak: the values of each choice."""
