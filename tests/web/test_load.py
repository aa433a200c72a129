"""Pages that come in crowds, send floods or do not read: others hardly notice."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from spielwerk.web import channel, hub
from tests.web.sockets import Browser, look
from tests.web.test_live import NO_LIMIT, deaf, gone
from tests.web.test_live import hub as hub_of

if TYPE_CHECKING:
    import socket

    from tests.servers.live import Live

HUMAN = {"type": "HUMAN", "here": True}

FLOODS = {
    "pings": b"\x89\x80\0\0\0\0" * 100_000,
    "messages": b"\x81\x82\0\0\0\0{}" * 100_000,
    "fragments": b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 100_000,
    "long messages": (b"\x81\xfe\x3e\x80\0\0\0\0" + b"[" * 16_000) * 100,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_of_frames_is_cut_off_and_others_are_answered(server: Live, flood: bytes) -> None:
    with look(server, server.new()) as page, deaf(server, server.new()) as hostile:
        page.until("table")
        with suppress(ConnectionError):
            hostile.sendall(flood)
        started = time.monotonic()
        page.say("ping", t=7)
        page.until("pong", t=7)
        assert time.monotonic() - started < 1
        assert gone(hostile)


def test_the_worst_readers_are_dropped_if_all_together_wait_for_too_much(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "UNSENT", 1000)
    game = server.new()
    with look(server, game) as page, deaf(server, game, 4096) as slow:
        page.until("viewers", count=2)
        server.call(_tell(slow, server))
        page.until("viewers", count=1)
        assert gone(slow)


async def _tell(slow: socket.socket, server: Live) -> None:
    """Say something long to the page at the other end of this socket."""
    for one in hub_of(server)._viewers:
        if one._transport.get_extra_info("peername") == slow.getsockname():
            one.offer("x" * 400_000)


def test_large_positions_are_told_only_a_few_at_once(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel, "LONGEST", 1000)
    me = Browser(server)
    game = me.new("oware", HUMAN, {**HUMAN}, **NO_LIMIT)
    with me.look(game) as page:
        for ply in range(6):
            assert page.play(ply % 2, ply, str(ply // 2))["type"] == "ack"
        page.until("moved", v=6)
    with me.look(game) as page:
        plies = page.until("table")["plies"]
    viewed = ["view" in ply for ply in plies]
    assert len(plies) == 6
    assert viewed == sorted(viewed)
    assert 0 < sum(viewed) < 6
