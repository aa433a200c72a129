"""Packed sectors: blocks of boards, each compressed for itself, so that one can be read alone.

The content of a file begins with where each block ends, eight bytes a block, little endian; the
blocks follow, compressed by zlib, which notes a checksum in each.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.tables import TableFileError

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.typing import NDArray

BLOCK: Final = 1 << 14
"""Boards of a block: larger ones are smaller on the disk and take longer to read."""

KEPT: Final = 1 << 6
"""So many blocks of a sector stay unpacked in memory."""


def pack(values: NDArray[np.int8], pool: Executor) -> bytes:
    """The content of a packed file."""
    starts = range(0, len(values), BLOCK)
    parts = (values[start : start + BLOCK].tobytes() for start in starts)
    blocks = list(pool.map(zlib.compress, parts))
    ends = np.array(list(accumulate(map(len, blocks))), "<u8")
    return b"".join([ends.tobytes(), *blocks])


class PackedValues:
    """The values of a packed sector, read block by block as they are asked for."""

    def __init__(self, path: Path, content: memoryview, size: int) -> None:
        self._path = path
        self._size = size
        blocks = -(-size // BLOCK)
        if len(content) < 8 * blocks:
            raise TableFileError(path, f"damaged: {len(content)} bytes for {blocks} blocks")
        ends = np.frombuffer(content[: 8 * blocks], "<u8").astype(np.int64)
        self._bounds = [0, *ends.tolist()]
        self._content = content[8 * blocks :]
        self._kept: OrderedDict[int, NDArray[np.int8]] = OrderedDict()

    def __getitem__(self, number: int) -> int:
        """The value of a board, or TableFileError."""
        return int(self._block(number // BLOCK)[number % BLOCK])

    def unpacked(self) -> NDArray[np.int8]:
        """All of them."""
        return np.concatenate([self._read(block) for block in range(len(self._bounds) - 1)])

    def _block(self, block: int) -> NDArray[np.int8]:
        found = self._kept.pop(block, None)
        if found is None:
            found = self._read(block)
            if len(self._kept) >= KEPT:
                self._kept.popitem(last=False)
        self._kept[block] = found
        return found

    def _read(self, block: int) -> NDArray[np.int8]:
        first, last = self._bounds[block : block + 2]
        try:
            values = zlib.decompress(self._content[first:last])
        except zlib.error as error:
            raise TableFileError(self._path, f"damaged: block {block}: {error}") from None
        if len(values) != min(BLOCK, self._size - block * BLOCK):
            raise TableFileError(self._path, f"damaged: block {block} has {len(values)} boards")
        return np.frombuffer(values, np.int8)
