"""The processes of a program: who belongs to it, and how to be rid of them all.

A process may leave the one that started it: that one ends, and the other makes a session of its
own, as daemons do. It is found again by what it cannot shed all at once: those it was seen with,
its session, and a mark in its environment. In a process that adopts orphans, they turn up among our
own children, too; whoever is there without a mark goes when no program is left (`sweep`).

On macOS only children and their children are found; who has left them is lost.
"""

from __future__ import annotations

import ctypes
import logging
import os
import secrets
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spielwerk.contests.programs.processes import (
    LISTS_CHILDREN,
    PROC,
    children,
    environment,
    everybody,
    is_ours,
    read,
    send,
)

if TYPE_CHECKING:
    from spielwerk.contests.programs.processes import Process

log = logging.getLogger(__name__)

MARK = "SPIELWERK_PROGRAM"  # in the environment of every process of a program
_PR_SET_CHILD_SUBREAPER: Final = 36
_PATIENCE: Final = 10.0  # seconds to wait for the death of a process that was killed
_FIRST_PAUSE: Final = 0.001  # seconds; it doubles
_LONGEST_PAUSE: Final = 0.05  # seconds
_GLANCES: Final = 20  # at an environment that is empty, with a first pause between two
_ROUNDS: Final = 100  # in which nobody has to be left of those who were abandoned

starting: Final = threading.Lock()  # held from a program's start until its tree is known
_trees: Final[set[Tree]] = set()
_adopting = False


def adopt_orphans(adopt: bool = True) -> None:
    """Become the parent of all processes below us that lose theirs, instead of init.

    For workers: besides programs, such a process must not start anything in a new session.
    """
    global _adopting
    if PROC:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0)
        _adopting = adopt


def new_mark() -> str:
    """A mark for a program: who started it, and which one it is."""
    return f"{_name(os.getpid())}.{secrets.token_hex(8)}"


def marked(mark: str) -> dict[str, str]:
    """How a mark stands in an environment."""
    return {MARK: mark}


def mark_of(pid: int, patience: int = _GLANCES) -> str:
    """The mark that a process has; empty if it has none, or hides it.

    One that is just becoming another program has no environment for a moment, and is waited for.
    """
    name = f"{MARK}=".encode()
    entries = environment(pid)
    while not entries and patience and is_ours(pid):
        time.sleep(_FIRST_PAUSE)
        entries, patience = environment(pid), patience - 1
    marks = (entry for entry in entries if entry.startswith(name))
    return next(marks, name).removeprefix(name).decode(errors="replace")


def _name(pid: int) -> str:
    """A process in a way that never means another one, unlike its number."""
    process = read(pid)
    return f"{pid}.{process.started}" if process else ""


class Tree:
    """A process, and everybody who comes from it; if it is sealed, nobody leaves or outlives it."""

    def __init__(self, root: int, mark: str = "", *, sealed: bool = False) -> None:
        self.root = root
        self._mark = mark
        self._sealed = sealed
        itself = read(root)
        self.members: tuple[Process, ...] = (itself,) if itself else ()  # as they were seen last
        self._since = itself.started if itself else 0
        self._known: dict[int, int] = {root: self._since}  # when each was started
        _trees.add(self)

    def look(self, most: int | None = None) -> tuple[Process, ...]:
        """See who is there now; beyond the most that matter, nobody is counted any more."""
        seen = [process for pid in self._known if (process := read(pid))]
        waiting = [process for process in seen if process.started == self._known.get(process.pid)]
        found: dict[int, Process] = {}
        while waiting and (most is None or len(found) <= most):
            process = waiting.pop()
            if process.pid not in found:
                found[process.pid] = process
                waiting += filter(None, map(read, children(process.pid)))
        everybody_else = {process.pid: process.started for process in waiting}
        self._known = {pid: process.started for pid, process in found.items()} | everybody_else
        self.members = tuple(found.values())
        self._reap()
        return self.members

    def _reap(self) -> None:
        """Take notice of orphans that ended; the root's end is for others to see."""
        for process in self.members:
            if process.over and process.parent == os.getpid() and process.pid != self.root:
                _take_notice(process.pid)

    def gather(self, *, anywhere: bool = False) -> None:
        """Look for those who left, if they come to us; from now on they are seen, too.

        To look for them anywhere takes milliseconds if they do not.
        """
        if (_adopting or anywhere) and not self._sealed:
            self._claim(_unknown(), patience=0)

    def search(self) -> list[Process]:
        """Everybody who lives."""
        if not self._sealed:
            with starting:
                unknown = _unknown()
            self._claim(unknown)
        return [process for process in self.look() if not process.over]

    def knows(self, pid: int) -> bool:
        """Whether this process was seen here."""
        return pid in self._known

    def _claim(self, unknown: list[int], patience: int = _GLANCES) -> None:
        since = [one for one in map(read, unknown) if one and one.started >= self._since]
        claimed = (one for one in since if self._claims(one, patience))
        self._known = self._known | {one.pid: one.started for one in claimed}

    def _claims(self, process: Process, patience: int) -> bool:
        if process.session == self.root:
            return True
        if process.parent == os.getpid() and process.session == os.getsid(0):
            return False  # a child of ours, but no program
        return bool(self._mark) and mark_of(process.pid, patience) == self._mark

    # signals

    def send(self, number: int, spared: int = 0) -> None:
        """Send a signal to everybody who is there, but for one who may be spared."""
        for process in self.search():
            if process.pid != spared:
                send(process.pid, number)

    def kill(self) -> bool:
        """Kill everybody, however fast they multiply; False if somebody does not die.

        It takes its time, so it is nothing for an event loop.
        """
        pause, deadline = _FIRST_PAUSE, time.monotonic() + _PATIENCE
        while self._strike():
            if time.monotonic() > deadline:
                log.error("processes do not die: %s", [process.pid for process in self.members])
                return False
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return True

    def _strike(self) -> bool:
        """One blow at everybody; False if nobody was there.

        Those who are stopped start no others, so all can be stopped before the first is killed.
        """
        if _is(self.root, self._since):
            self._strike_root()
        found: set[int] = set()
        while fresh := {process.pid for process in self.search()} - found:
            for pid in fresh:
                send(pid, signal.SIGSTOP)
            found |= fresh
        for pid in found:
            send(pid, signal.SIGKILL)
        return bool(found)

    def _strike_root(self) -> None:
        """Nobody in its group can start another one between this signal and its effect."""
        if self._sealed:
            send(self.root, signal.SIGKILL)
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.root, signal.SIGSTOP)

    def close(self) -> None:
        """Nobody is left: the numbers may belong to others from now on."""
        self.members = ()
        self._known = {}
        _trees.discard(self)


def _is(pid: int, started: int) -> bool:
    process = read(pid)
    return process is not None and process.started == started


def _unknown() -> list[int]:
    """Those whom no tree knows; orphans are among our children, or else they may be anybody."""
    candidates = children(os.getpid()) if _adopting and LISTS_CHILDREN else everybody()
    trees = tuple(_trees)  # others may come and go meanwhile
    return [pid for pid in candidates if not any(tree.knows(pid) for tree in trees)]


def _take_notice(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


# those who outlived their program, or us


def sweep() -> None:
    """Kill the orphans that have come to us, if no program is left that could have started them.

    Of those without a mark it cannot be told whose they are. It takes its time, like `kill`.
    """
    for _ in range(_ROUNDS):
        with starting:
            strays = _strays() if _adopting and not _trees else []
        if not strays:
            return
        _kill_all(strays)
        for pid in strays:
            _take_notice(pid)


def _strays() -> list[int]:
    """Our children that only a program can have started: each of those had its own session."""
    own = os.getpid(), os.getsid(0)
    found = [process for process in map(read, _unknown()) if process and process.parent == own[0]]
    return [process.pid for process in found if process.session != own[1]]


def _kill_all(pids: list[int]) -> None:
    """Stop all before the first is killed, and wait a little."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            send(pid, number)
    time.sleep(_FIRST_PAUSE)


def kill_abandoned() -> None:
    """Kill what is left of programs whose worker was killed; it takes its time, like `kill`."""
    for _ in range(_ROUNDS):
        left = [pid for pid in everybody() if _is_abandoned(pid)]
        if not left:
            return
        _kill_all(left)


def _is_abandoned(pid: int) -> bool:
    """Whether it has the mark of somebody who is gone; in a sandbox, others see to that."""
    owner = mark_of(pid).rpartition(".")[0]
    return bool(owner) and pid != os.getpid() and _same_world(pid) and not _lives(owner)


def _same_world(pid: int) -> bool:
    """Whether numbers of processes mean the same there and here."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/ns/pid").readlink() == Path("/proc/self/ns/pid").readlink()
    return False


def _lives(owner: str) -> bool:
    pid = owner.partition(".")[0]
    return pid.isdecimal() and _name(int(pid)) == owner
