"""Open seats: programs that their authors start somewhere else, and that come by themselves."""

from __future__ import annotations

from spielwerk.contests.playing.open.door import NoDoor, OpenDoor

__all__ = ["NoDoor", "OpenDoor"]
