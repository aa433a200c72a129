"""Connections with both of their ends, as /proc/net has them: all that there are on the machine.

That takes milliseconds to be read; `sockets` is quicker, and enough where one end matters. This is
wanted only when somebody has failed, and there it matters who is connected with whom: a port's
number may be in use at several addresses.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES: Final = ("tcp", "tcp6")
_LISTENING: Final = "0A"
_MAPPED: Final = "0000000000000000FFFF0000"  # before an address of the older protocol


class _Row(NamedTuple):
    """A socket: its own end and the other one, as addresses with ports."""

    own: tuple[str, int]
    other: tuple[str, int]
    state: str
    number: int  # 0 if no process has it


def lines_to(port: int) -> set[tuple[int, int]]:
    """Every connection to a port by its sockets: who was called, and who has called.

    For one that is not accepted yet, that is the socket that listens there.
    """
    rows = [row for row in _rows() if port in (row.own[1], row.other[1])]
    listeners = {row.own[0]: row.number for row in rows if row.state == _LISTENING}
    everywhere = next((n for place, n in listeners.items() if not place.strip("0")), 0)
    accepted = {(row.own, row.other): row.number for row in rows if row.state != _LISTENING}
    return {
        (
            accepted.get((row.other, row.own)) or listeners.get(row.other[0], everywhere),
            row.number,
        )
        for row in rows
        if row.other[1] == port and row.number
    }


def _rows() -> Iterator[_Row]:
    for table in TABLES:
        with suppress(OSError):  # a system without the newer protocol, or none of these tables
            for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                yield _Row(_end(fields[1]), _end(fields[2]), fields[3], int(fields[9]))


def _end(text: str) -> tuple[str, int]:
    address, _, port = text.partition(":")
    return address.removeprefix(_MAPPED), int(port, 16)
