"""Rooms: places for so many connections, shared fairly by the addresses that they come from.

An address may take every place that is free. When all are taken, a newcomer gets the place of an
idle guest, of the address that has most idle ones, or else of the idlest of the one that has most
at all; so no address keeps another out, and idle connections, however many, keep no visitor out.
Guests that should stay do, unless their address has a quarter of the room: a class behind one
address keeps its players while crowds come and go. However many there are, few are looked at, for a
flood asks often.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from heapq import nlargest
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from spielwerk.net.connection import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sized

LATEST: Final = sys.float_info.max  # when those were last heard of who need not stay
LOOKED: Final = 64  # guests that are looked at to find an idle one
ADDRESSES: Final = 8  # that have most, whose guests are looked at
LARGE: Final = 4  # the part of a room with which an address has so much that none of it may stay
IDLE: Final = 0.25  # seconds after which a guest may have to make room before others


class RoomGuest(Protocol):
    """What has a place in a room."""

    @property
    def active(self) -> float:
        """When it was last heard of, in the room's time; NEVER for those who should stay."""

    def drop(self) -> None:
        """Go at once."""


GuestT = TypeVar("GuestT", bound=RoomGuest)
T = TypeVar("T")


class FairRoom(Generic[GuestT]):
    """So many places; one address may have `share` of them at most."""

    def __init__(self, places: int, share: int, now: Callable[[], float]) -> None:
        self._places = places
        self._share = min(share, places)
        self._now = now
        self._addresses: dict[GuestT, str] = {}
        self._guests: dict[str, dict[GuestT, None]] = {}  # by address

    def __len__(self) -> int:
        return len(self._addresses)

    def __iter__(self) -> Iterator[GuestT]:
        return iter(list(self._addresses))

    def __contains__(self, guest: object) -> bool:
        return guest in self._addresses

    def enter(self, guest: GuestT, host: str) -> bool:
        """Give the guest a place, perhaps another's; False if there is none for its address."""
        address = household(host)
        own = len(self._guests.get(address, ()))
        if own >= self._share:
            admitted = self._displace(self._guests[address], self._now() - IDLE)
        elif len(self._addresses) < self._places:
            admitted = True
        else:
            admitted = self._make_room(address, own)
        if admitted:
            self._addresses[guest] = address
            self._guests.setdefault(address, {})[guest] = None
        return admitted

    def leave(self, guest: GuestT) -> None:
        """The guest is gone; that of one who had no place is no news."""
        address = self._addresses.pop(guest, None)
        if address is not None:
            guests = self._guests[address]
            del guests[guest]
            if not guests:
                del self._guests[address]

    def _make_room(self, address: str, own: int) -> bool:
        most = nlargest(ADDRESSES, self._guests, key=lambda one: len(self._guests[one]))
        several = [guests for one in most if len(guests := self._guests[one]) > 1]
        larger = [guests for guests in several if len(guests) > own + 1]
        idle = self._now() - IDLE
        return (
            self._displace_idle(idle)
            or any(self._displace(guests, idle) for guests in several)
            or any(self._displace(guests, LATEST) for guests in larger)
            or any(self._displace(guests, NEVER) for guests in larger[:1] if self._has_much(guests))
            or (own > 0 and self._displace(self._guests[address], idle))
        )

    def _has_much(self, guests: Sized) -> bool:
        return LARGE * len(guests) > self._places

    def _displace_idle(self, before: float) -> bool:
        """Send away an idle guest, of the address that has most of those that are looked at."""
        idle: dict[str, list[GuestT]] = {}
        for guest in _looked_at(self._addresses):
            if guest.active <= before:
                idle.setdefault(self._addresses[guest], []).append(guest)
        most = max(idle, key=lambda one: (len(idle[one]), len(self._guests[one])), default="")
        return len(self._guests.get(most, ())) > 1 and self._send_away(idle[most])

    def _displace(self, guests: dict[GuestT, None], before: float) -> bool:
        """Send away the idlest of these guests, if it was last heard of before that."""
        return self._send_away([one for one in _looked_at(guests) if one.active <= before])

    def _send_away(self, guests: list[GuestT]) -> bool:
        idlest = min(guests, key=lambda guest: guest.active, default=None)
        if idlest is None:
            return False
        self.leave(idlest)
        idlest.drop()
        return True


def _looked_at(guests: dict[GuestT, T]) -> list[GuestT]:
    """A few of them; of many, others the next time."""
    looked = list(islice(guests, LOOKED))
    for guest in looked if len(guests) > LOOKED else ():
        guests[guest] = guests.pop(guest)
    return looked


@lru_cache(maxsize=10_000)
def household(host: str) -> str:
    """The address; of IPv6 the part that a household has to itself."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = getattr(address, "ipv4_mapped", None)
    if address.version == 4 or mapped:
        return str(mapped or address)
    return str(ip_network((address, 64), strict=False))
