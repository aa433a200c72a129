"""Who hosts games, and whether they are still there: heartbeats, to and from the index server.

An initiator is an address and a port as a registration names them, and the host that the
registration came from. Its heartbeats count if they come from that port, of either the address
(if it is written in numbers) or that host. Names are not looked up: what a stranger writes must
not make the server ask around. So an initiator that believes in a name, in 0.0.0.0 or in an
address behind a translating router is known by the host that it registered from.

Heartbeats go to that host and port, which a connection has proven, and to the address only after
a heartbeat has come from there: registering a stranger's address does not pester it, nor
this machine's own services. Datagrams are never answered, and their senders can be forged; all
that a forged one brings about is that games stay in the list for a while longer.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from itertools import takewhile
from typing import Final, NamedTuple

Source = tuple[str, int]
"""A host in numbers and a port."""

DEAF: Final = 2.0  # seconds between two looks at the time, after which we have heard nothing


class InitiatorKey(NamedTuple):
    """What makes an initiator: the registered address and port, and whose registration it was."""

    address: str
    port: int
    owner: str


@dataclass(slots=True, eq=False)
class Initiator:
    """A program with games in the list."""

    identity: InitiatorKey
    heard: float
    games: dict[str, None] = field(default_factory=dict)  # their GUIDs
    targets: dict[Source, None] = field(default_factory=dict)

    @property
    def sources(self) -> set[Source]:
        """From where its heartbeats may come."""
        address, port, owner = self.identity
        return {(host, port) for host in (numeric(address), owner) if host}


def numeric(host: str) -> str | None:
    """The one way to write this address in numbers; None for a name."""
    try:
        address = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(inner or address)


class Initiators:
    """All initiators, by what they are known by, and in the order in which they were heard."""

    def __init__(self, silence: float, beat: float, now: float) -> None:
        self._silence = silence  # seconds after which an initiator is gone; 0: never
        self._beat = beat
        self._known: dict[InitiatorKey, Initiator] = {}  # the one heard longest ago comes first
        self._by_source: dict[Source, dict[Initiator, None]] = {}
        self._beats: deque[tuple[float, Initiator]] = deque()
        self._looked = now
        self._deaf = 0.0  # seconds in which we did not listen, and nothing could be heard

    def __len__(self) -> int:
        return len(self._known)

    def add(
        self, identity: InitiatorKey, guid: str, now: float, first: float | None = None
    ) -> None:
        """An initiator has one more game; `first` is when its heartbeats begin, if it is new."""
        initiator = self._known.get(identity) or self._new(identity, now, first)
        initiator.games[guid] = None
        self._alive(initiator, now)

    def _new(self, identity: InitiatorKey, now: float, first: float | None) -> Initiator:
        initiator = Initiator(identity, now)
        initiator.targets[identity.owner, identity.port] = None
        for source in initiator.sources:
            self._by_source.setdefault(source, {})[initiator] = None
        self._known[identity] = initiator
        self._beats.append((now + self._beat if first is None else first, initiator))
        return initiator

    def remove(self, identity: InitiatorKey, guid: str) -> None:
        """A game is gone; with the last one its initiator is."""
        initiator = self._known[identity]
        del initiator.games[guid]
        if not initiator.games:
            self._forget(initiator)

    def _forget(self, initiator: Initiator) -> None:
        del self._known[initiator.identity]
        for source in initiator.sources:
            listeners = self._by_source[source]
            del listeners[initiator]
            if not listeners:
                del self._by_source[source]

    # signs of life

    def alive(self, identity: InitiatorKey, now: float) -> None:
        """An initiator has said something."""
        self._alive(self._known[identity], now)

    def _alive(self, initiator: Initiator, now: float) -> None:
        self.look(now)
        initiator.heard = now - self._deaf
        self._known[initiator.identity] = self._known.pop(initiator.identity)

    def heartbeat(self, source: Source, now: float) -> bool:
        """A heartbeat has come; False if its sender is unknown, and nothing has changed."""
        if source not in self._by_source:
            source = (numeric(source[0]) or source[0], source[1])
        known = self._by_source.get(source, {})
        for initiator in known:
            self._alive(initiator, now)
            initiator.targets[source] = None
        return bool(known)

    # time

    def look(self, now: float) -> None:
        """Tell the time, often; initiators are not blamed while we did not listen."""
        if now - self._looked > DEAF:
            self._deaf += now - self._looked
        self._looked = now

    def due(self, now: float) -> list[Source]:
        """To whom heartbeats are to be sent now."""
        targets: list[Source] = []
        while self._beats and self._beats[0][0] <= now:
            _, initiator = self._beats.popleft()
            if self._known.get(initiator.identity) is initiator:
                targets += initiator.targets
                self._beats.append((now + self._beat, initiator))
        return targets

    def silent(self, now: float) -> list[Initiator]:
        """Those who have not been heard for too long."""
        if not self._silence:
            return []
        limit = now - self._deaf - self._silence
        return [*takewhile(lambda one: one.heard <= limit, self._known.values())]
