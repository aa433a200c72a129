"""Whose a connection is: a seat is for its own program, and for nobody else on the machine.

The programs of a game share a loopback, in the sandbox, too, and whoever looks there finds the
ports of the others. So a connection is followed to its other end, and that to the processes of the
seat's program, before anything is read from it. Likewise a program that we connect to must itself
be the one who listens. Whoever stands where another one belongs has broken every protocol.

A port belongs to the seat that it was given to, and nobody is accused for being at its own. Where
two programs are connected, each by a port of its own, nobody can tell who has called whom: then the
game counts for nobody.

Where the system does not tell (macOS), and where processes of a program cannot be looked into (a
program that runs as another user, or hides itself), everybody is taken for whom they should be.
"""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from enum import Enum, auto
from itertools import islice
from typing import TYPE_CHECKING, Final

from spielwerk.contests.playing.ports import is_listening
from spielwerk.contests.playing.venue import HERE
from spielwerk.contests.programs import sandbox, sockets
from spielwerk.contests.programs.lines import lines_to
from spielwerk.contests.programs.processes import descriptors, name

if TYPE_CHECKING:
    from asyncio import BaseTransport
    from collections.abc import Callable, Iterable, Iterator

    from spielwerk.contests.programs.processes import Process
    from spielwerk.contests.programs.trees import Tree

log = logging.getLogger(__name__)

CONNECTED: Final = "connected to the seat of somebody else"
TOOK_PORT: Final = "took the port of somebody else"
UNCLEAR: Final = "two programs are connected, and nobody can tell who called whom"
TAKEN: Final = "somebody else listens on the program's port"  # and nobody knows who

LINES: Final = 16  # connections that a program may have at once; one or two are of use
_MOST: Final = 4096  # things that processes have open; who has more is not looked into


class Whose(Enum):
    """Who it is that listens at a port."""

    NOBODYS = auto()
    ITS_OWN = auto()
    SHARED = auto()  # its own program, and another one of the game
    ANOTHERS = auto()


class Doorkeeper:
    """Knows the programs of a game by their seats; `accuse` is told who did what.

    `most` is how many processes a program may have.
    """

    def __init__(self, most: int, accuse: Callable[[int, str], None]) -> None:
        self._most = most + sandbox.PROCESSES
        self._accuse = accuse
        self._told = sockets.are_told()  # asked before anybody can have used up all there is
        self._trees: dict[int, Tree] = {}
        self._ports: defaultdict[int, set[int]] = defaultdict(set)
        self._lines: defaultdict[int, list[BaseTransport]] = defaultdict(list)

    def introduce(self, number: int, tree: Tree | None) -> None:
        """These are the processes of a seat's program."""
        if tree:
            self._trees[number] = tree

    def give(self, number: int, port: int) -> None:
        """A seat's program may be called at this port; 0 is none."""
        self._ports[number] |= {port} - {0}

    # those who come to us

    def admits(self, number: int, transport: BaseTransport) -> bool:
        """Whether a connection at a seat's door is its own program's; another one is accused.

        A connection that nobody has any more is not let in: nothing is lost with it. Nor is one
        that is too many: if we had no room left, others could not come.
        """
        lines = [line for line in self._lines[number] if not line.is_closing()]
        welcome = len(lines) < LINES and (not self._told or self._is_from(number, transport))
        self._lines[number] = [*lines, transport] if welcome else lines
        return welcome

    def _is_from(self, number: int, transport: BaseTransport) -> bool:
        found = _other_end(transport)
        if self._is_own(number, found):
            return True
        log.info("turned away, not the program of seat=%d sockets=%s", number, found)
        self._accuse_others(number, found, CONNECTED)
        return False

    # those whom we go to

    def listener(self, number: int, port: int) -> Whose:
        """Who listens at a port: the seat's own program, or somebody else."""
        if not self._told:
            return Whose.ITS_OWN if is_listening(HERE, port) else Whose.NOBODYS
        found = sockets.listening(port)
        if not found:
            return Whose.NOBODYS
        if not self._is_own(number, found):
            return Whose.ANOTHERS
        shared = len(found) > 1 and any(self._others(number, found))
        return Whose.SHARED if shared else Whose.ITS_OWN

    def accuse_visitors(self, number: int, port: int) -> None:
        """Whoever is connected to the program that listens there has kept it from playing."""
        if self._told:
            found = _seen(sockets.connected_to, port) - _ours()
            self._accuse_connected(number, port, found)

    def accuse_callers(self, number: int, port: int) -> None:
        """Likewise where a program has said itself what its port is, which need not be true.

        What counts is who is connected to it, whether it still listens there or not.
        """
        tree = self._trees.get(number)
        if self._told and tree and _seen(sockets.connected_to, port) - _ours():
            lines = lines_to(port)
            own = _held(tree, {called for called, _ in lines}, self._most)
            callers = {caller for called, caller in lines if called in own}
            self._accuse_connected(number, port, callers)

    def accuse_occupants(self, number: int, port: int) -> None:
        """Whoever else has the port that the program was to listen on has taken it."""
        if self._told:
            self._accuse_others(number, _seen(sockets.bound_to, port), TOOK_PORT)

    def _accuse_connected(self, number: int, port: int, found: set[int]) -> None:
        """These are connected to a program's port.

        Those who are so by a port of their own may have been called: then it is not clear.
        """
        for other in list(self._others(number, found)):
            own = (_seen(sockets.connected_to, port, place) for place in self._ports[other])
            calling = found - set().union(*own)
            clear = calling and _holds(self._trees[other], calling, self._most)
            self._accuse(other, CONNECTED if clear else UNCLEAR)

    # who holds what

    def _is_own(self, number: int, found: set[int]) -> bool:
        """Whether the program holds one of these; in doubt it does, unless another one does."""
        tree = self._trees.get(number)
        if not found or tree is None:
            return False
        holds = _holds(tree, found, self._most)
        return holds or (holds is None and not any(self._others(number, found)))

    def _accuse_others(self, number: int, found: set[int], crime: str) -> None:
        for other in list(self._others(number, found)):
            self._accuse(other, crime)

    def _others(self, number: int, found: set[int]) -> Iterator[int]:
        for other, tree in self._trees.items():
            if found and other != number and _holds(tree, found, self._most):
                yield other


def _other_end(transport: BaseTransport) -> set[int]:
    own, peer = (transport.get_extra_info(end) for end in ("sockname", "peername"))
    try:
        return sockets.other_end(own[:2], peer[:2]) if own and peer else set()
    except OSError as error:  # we have no room for one more socket, and let nobody in
        log.warning("nobody tells whose it is peer=%s error=%r", peer, str(error))
        return set()


def _holds(tree: Tree, found: set[int], most: int) -> bool | None:
    """Whether somebody in a tree holds one of these sockets; None if that cannot be seen."""
    names = {sockets.held(number) for number in found}
    answer: bool | None = False
    for members in _sights(tree, most):
        answer = _have(members, names)
        if answer:
            break
    return answer


def _held(tree: Tree, found: set[int], most: int) -> set[int]:
    """Which of these sockets somebody in a tree holds, as far as that can be seen."""
    numbers = {sockets.held(number): number for number in found}
    members = {one.pid for sight in _sights(tree, most) for one in sight}
    things = (thing for pid in members for thing in descriptors(pid))
    return {numbers[thing] for thing in islice(things, _MOST) if thing in numbers}


def _seen(look: Callable[..., set[int]], port: int, *others: int) -> set[int]:
    """The sockets at a port; none if we have no room to ask, and then nobody is accused."""
    try:
        return look(port, *others)
    except OSError as error:
        log.warning("nobody tells who is there port=%d error=%r", port, str(error))
        return set()


def _ours() -> set[int]:
    """The sockets that we have ourselves: to look for them with others takes longer."""
    things = (thing for thing in descriptors(os.getpid()) if thing)
    return {int(thing[8:-1]) for thing in things if thing.startswith("socket:[")}


def _sights(tree: Tree, most: int) -> Iterator[Iterable[Process]]:
    """Who is in a tree: as it was known, as it is, and with those who have left their parents."""
    yield tree.members
    yield tree.look(most)
    tree.gather(anywhere=True)
    yield tree.look(most)


def _have(members: Iterable[Process], names: set[str]) -> bool | None:
    hidden = False
    things = ((one.pid, thing) for one in members for thing in descriptors(one.pid))
    for count, (pid, thing) in enumerate(things):
        if thing in names:
            return True
        if count == _MOST:
            return None
        # Bubblewrap hides itself until the program begins, and connects to nobody.
        hidden |= thing is None and name(pid) != sandbox.PROGRAM
    return None if hidden else False
