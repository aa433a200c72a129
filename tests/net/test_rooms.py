"""An address takes what is free, and gives way to others when nothing is."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.net.connection import NEVER
from spielwerk.net.rooms import IDLE, LOOKED, FairRoom, household


@dataclass(eq=False)
class Visitor:
    """A guest that remembers whether it had to go."""

    address: str
    active: float = 0.0
    dropped: bool = field(default=False)

    def drop(self) -> None:
        self.dropped = True


class Door:
    """A room and its time."""

    def __init__(self, places: int, share: int = 1000) -> None:
        self.now = 100.0
        self.room: FairRoom[Visitor] = FairRoom(places, share, lambda: self.now)

    def enter(self, address: str, active: float = 0.0) -> Visitor | None:
        visitor = Visitor(address, active)
        return visitor if self.room.enter(visitor, address) else None

    def fill(self, address: str, count: int, active: float = 0.0) -> list[Visitor]:
        entered = [self.enter(address, active + number) for number in range(count)]
        return [one for one in entered if one]


def test_an_address_alone_has_the_whole_room() -> None:
    door = Door(5)
    assert len(door.fill("10.0.0.1", 5, active=100)) == 5
    assert door.enter("10.0.0.1", active=100) is None  # none of them is idle


def test_others_always_come_in_and_the_idlest_goes() -> None:
    door = Door(5)
    crowd = door.fill("10.0.0.1", 5)
    crowd[2].active = -1
    assert door.enter("10.0.0.2")
    assert [one.dropped for one in crowd] == [False, False, True, False, False]


def test_those_who_are_few_are_never_sent_away() -> None:
    door = Door(4)
    alone = door.enter("10.0.0.1", active=-1000)
    door.fill("10.0.0.2", 3)
    for number in range(3, 20):
        door.enter(f"10.0.0.{number}")
    assert alone
    assert not alone.dropped
    assert len(door.room) == 4


def test_idle_guests_of_small_addresses_go_before_the_one_of_a_large_one() -> None:
    door = Door(200)
    honest = [door.enter("10.0.0.1", active=door.now) for _ in range(49)]
    quiet = door.enter("10.0.0.1", active=door.now - 2 * IDLE)
    for number in range(2, 52):
        door.fill(f"10.0.0.{number}", 3, active=door.now - 10)
    assert all(door.enter(f"10.1.0.{number}", active=door.now) for number in range(30))
    assert door.enter("10.0.0.1", active=door.now)  # though it has most
    assert not any(one.dropped for one in (*honest, quiet) if one)


def test_players_of_a_large_address_stay_while_a_crowd_of_others_is_idle() -> None:
    door = Door(80)
    players = [door.enter("10.0.0.1", active=NEVER) for _ in range(10)]
    asking = [door.enter("10.0.0.1", active=door.now) for _ in range(10)]
    crowd = [one for n in range(2, 22) for one in door.fill(f"10.0.0.{n}", 3)]
    for number in range(100, 130):
        assert door.enter(f"10.0.0.{number}", active=door.now)
    assert door.enter("10.0.0.1", active=door.now)  # though it has most
    assert [one.dropped for one in crowd].count(True) == 31
    assert not any(one.dropped for one in (*players, *asking) if one)
    alone = Door(5)
    seated = [alone.enter("10.0.0.2", active=NEVER) for _ in range(5)]
    assert alone.enter("10.0.0.1")  # who only plays does not keep out others, either
    assert [one.dropped for one in seated if one].count(True) == 1


def test_few_are_looked_at_however_many_there_are() -> None:
    looks = 0

    class Busy(Visitor):
        @property
        def active(self) -> float:
            nonlocal looks
            looks += 1
            return door.now

        @active.setter
        def active(self, _: float) -> None:
            pass

    door = Door(5000, share=5000)
    for _ in range(5000):
        door.room.enter(Busy("10.0.0.1"), "10.0.0.1")
    assert door.enter("10.0.0.1") is None
    assert door.enter("10.0.0.2")
    assert looks < 500
    idle = next(iter(door.room))
    idle.__class__ = Visitor  # the idle one is found after a while
    idle.active = 0.0
    for _ in range(5000 // LOOKED + 2):
        if door.enter("10.0.0.1"):
            break
    assert idle.dropped


def test_an_idle_crowd_does_not_keep_out_its_own_address() -> None:
    door = Door(3)
    crowd = door.fill("10.0.0.1", 3, active=door.now)
    assert door.enter("10.0.0.1", door.now) is None
    door.now += 10
    assert door.enter("10.0.0.1", door.now)
    assert sum(one.dropped for one in crowd) == 1


def test_a_share_is_the_most_that_an_address_has() -> None:
    door = Door(10, share=2)
    assert len(door.fill("10.0.0.1", 5, active=100)) == 2
    assert len(door.fill("10.0.0.2", 5, active=100)) == 2


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=80))
def test_no_address_has_less_than_its_share_by_another_s_doing(
    steps: list[tuple[int, bool]],
) -> None:
    """Whoever was sent away had more than the newcomer has then, or was idle and not alone."""
    door, inside = Door(7), list[Visitor]()
    for number, comes in steps:
        address = f"10.0.0.{number}"
        own = [one for one in inside if one.address == address]
        if comes:
            entered = door.enter(address, active=door.now)
            gone = [one for one in inside if one.dropped and one.address != address]
            inside = [one for one in inside if not one.dropped] + ([entered] if entered else [])
            counts = {one.address: sum(x.address == one.address for x in inside) for one in gone}
            for one in gone:
                idle = one.active < door.now - IDLE and counts[one.address] >= 1
                assert idle or counts[one.address] >= len(own) + 1
        elif own:
            door.room.leave(own[0])
            inside.remove(own[0])
        assert len(door.room) == len(inside) <= 7
        door.now += 0.1


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_households_share_an_address(host: str, address: str) -> None:
    assert household(host) == address
