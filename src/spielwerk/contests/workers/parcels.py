"""What goes between a worker process and whoever has started it: pickled values with their length.

Both ends are this very program. But a program that runs as the same user could write into the line,
so nothing is made of what comes but our own plain records.
"""

from __future__ import annotations

import io
import pickle
from asyncio import IncompleteReadError
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asyncio import StreamReader

HEAD: Final = 4  # bytes that say how long the rest is
LARGEST: Final = 1 << 28  # bytes of a value
RECORDS: Final = (
    "spielwerk.contests.assignment",
    "spielwerk.store.contest_records",
    "spielwerk.store.records",
    "spielwerk.contests.contest",
)
"""Where the classes are of which values are made."""


def packed(value: object) -> bytes:
    """The value as bytes, its length first."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEAD, "big") + body


async def receive(reader: StreamReader) -> Any:
    """The next value, or EOFError when the other side has ended, even in the middle of one."""
    try:
        length = int.from_bytes(await reader.readexactly(HEAD), "big")
        if length > LARGEST:
            raise pickle.UnpicklingError(f"{length} bytes are too many")
        body = await reader.readexactly(length)
    except (IncompleteReadError, ConnectionError):
        raise EOFError("the other side has ended") from None
    return unpacked(body)


def unpacked(body: bytes) -> Any:
    """The value, or whatever pickle raises if it is none of ours."""
    return _Records(io.BytesIO(body)).load()


class _Records(pickle.Unpickler):
    """Makes records, and nothing else that a pickle could name."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a record."""
        found = super().find_class(module, name) if module in RECORDS else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no record")
        return found
