"""Confining: all processes of a program are held to one processor for a while.

It is the same one for everybody, so that the others stay free. Unlike a lower priority this can be
taken back without rights that we may not have. A program can do so itself, too: it is held again
when it is looked at next. Where there is no such thing (macOS), nobody is confined.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.contests.programs.processes import Process
    from spielwerk.contests.programs.trees import Tree

_ROUNDS: Final = 8  # in which those are found, too, who were started meanwhile


class Confinement:
    """Where the processes of a tree may compute; `most` is how many of them matter."""

    def __init__(self, tree: Tree, most: int) -> None:
        self.closed = False
        self._tree = tree
        self._most = most

    def close(self) -> None:
        """Hold everybody to one processor; a second time also those who got away."""
        if sys.platform == "linux":
            self.closed = True
            self._hold({max(os.sched_getaffinity(0))})

    def open(self) -> None:
        """Let everybody compute wherever we do ourselves."""
        if sys.platform == "linux" and self.closed:
            self.closed = False
            self._hold(os.sched_getaffinity(0))

    def _hold(self, processors: set[int]) -> None:
        """What is started by those who are held already is held from its beginning."""
        held: set[int] = set()
        for _ in range(_ROUNDS):
            fresh = _threads(self._tree.look(self._most)) - held
            if not fresh:
                break
            for thread in fresh:
                _hold(thread, processors)
            held |= fresh


def _hold(thread: int, processors: set[int]) -> None:
    with suppress(OSError):  # it has ended already, or become somebody else's
        os.sched_setaffinity(thread, processors)


def _threads(members: Iterable[Process]) -> set[int]:
    """Each has a place of its own, and is asked by its number like a process."""
    found: set[int] = set()
    for process in members:
        with suppress(OSError):
            found.update(map(int, os.listdir(f"/proc/{process.pid}/task")))  # noqa: PTH208
    return found
