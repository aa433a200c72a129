"""The shared memory: what the connector knows when it is asked to move.

It has no name, so nothing can be left behind: two processes have it because one was forked from
the other after it was made, and it goes with the last of them.
"""

from __future__ import annotations

import json
import mmap
import struct
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from spielwerk.games import find_game

if TYPE_CHECKING:
    from spielwerk.games import State

SIZE: Final = 1 << 17
_HEAD: Final = struct.Struct("<QQ")  # the request's number, the length of what follows
WRITING: Final = 0  # no request has this number


@dataclass(frozen=True, slots=True)
class Request:
    """A position in which we have to move; `deadline` is by the clock both processes share."""

    number: int
    game: str
    options: tuple[str, ...]
    name: str
    players: tuple[str, ...]
    me: int
    position: str
    milliseconds: int
    deadline: float

    def state(self) -> State[Any]:
        """The position."""
        return find_game(self.game).from_text(self.options).parse_state(self.position)


class SharedMemory:
    """Room for one request: the connector puts it, the thinker takes it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, SIZE)

    def put(self, request: Request) -> None:
        """Write the request; its number comes last, so that nobody reads one half written."""
        content = json.dumps(asdict(request), ensure_ascii=False).encode()
        if _HEAD.size + len(content) > SIZE:
            raise ValueError(f"a request of {len(content)} bytes does not fit")
        _HEAD.pack_into(self._memory, 0, WRITING, 0)
        self._memory[_HEAD.size : _HEAD.size + len(content)] = content
        _HEAD.pack_into(self._memory, 0, request.number, len(content))

    def take(self) -> Request | None:
        """The request, or None while there is none, or one is being written."""
        before, length = _HEAD.unpack_from(self._memory, 0)
        content = self._memory[_HEAD.size : _HEAD.size + min(length, SIZE - _HEAD.size)]
        after, _ = _HEAD.unpack_from(self._memory, 0)
        if before == WRITING or before != after:
            return None
        values = json.loads(content)
        for name in ("options", "players"):
            values[name] = tuple(values[name])
        return Request(**values)

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
