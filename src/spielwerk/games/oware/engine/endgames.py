"""Endgame tables: for every board with few stones, what its player to move still gets of them.

**What is stored.** Two bounds, `low` and `high`, in one byte a board: with the best play of both,
the player to move gets at least `low` and at most `high` of the stones on the board, when nothing
is remembered, as it is after a capture. A board has no stores: to count stones and to win is the
same aim, for E-1 only ends what is decided. Who has taken t stones wins if t + low >= 25, loses if
t + high <= 23, and draws if both sums are 24.

**Where the memory matters.** Captures never come back, so a board can repeat only among those with
as many stones (a layer), and what happens after a capture does not depend on what was before. In a
layer the game is left by a capture or by E-2, or it ends by E-3 where a situation comes back, and
each player takes what lies on the own side *there*. Where that is depends on where the players came
from: no single number a board can be right. So each player is granted what can be forced:

    Z   the largest set of boards on which at least k stones lie on the player's side, and from
        which the player, whatever the opponent does, stays in Z or leaves the layer with k or more
    W   the boards from which the player can force to come to Z or to leave with k or more

`low` is the greatest k for which the board is in the W of the player to move; `high` is all stones
less the greatest k for which it is in the W of the opponent.

**Why that is sound.** Outside Z the player moves nearer to it, or to the way out, with every move,
so that no board is met twice; in Z the player stays. If a situation comes back it is in Z, and k
stones lie on the player's side. This holds while all that is remembered was met in this play: with
an empty memory, and only then. Elsewhere what is remembered must be looked at: see `proof`.

**Numbers and files.** Let s(i) be the stones in the first i + 1 of the twelve houses, those of the
player to move first. The number of a board is the sum of C(s(i) + i, i + 1) for i from 0 to 11. It
counts all boards with fewer stones first, so that one array holds all layers. A file holds a layer.
"""

from __future__ import annotations

import lzma
from functools import cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined
from spielwerk.engines.tables import TableFileError, data_folder, read_table, write_table
from spielwerk.games.oware.engine.kernel import WIN, stones_in, taken
from spielwerk.games.oware.rules import HOUSES, MAJORITY, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint8]  # low and high of each board in one number

KIND: Final = "oware"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("shipped")

MOST: Final = 20
"""The most stones that a table can have: a byte has room for the bounds of one more."""

SURE_WIN: Final = WIN - 1
"""The score of a game that the tables tell is won: an end that is seen is better."""

UNDECIDED: Final = 2 * WIN
"""In place of a score."""

PARTS: Final = np.array(
    [[comb(stones + i, i + 1) for stones in range(MOST + 1)] for i in range(2 * HOUSES)], np.int64
)
_PAIRS: Final = [(low, high) for high in range(MOST + 1) for low in range(high + 1)]
LOW, HIGH = np.array(_PAIRS, np.uint8).T.copy()
"""The bounds that a code stands for."""


def codes_of(low: Codes, high: Codes) -> Codes:
    """The bounds as codes."""
    wide = high.astype(np.uint16)
    return (wide * (wide + 1) // 2 + low).astype(np.uint8)


@inlined
def number_of(mine: np.uint64, theirs: np.uint64) -> int:
    """The number of the board among all with at most `MOST` stones; stores do not count."""
    stones = 0
    number = 0
    for house in range(HOUSES):
        stones += stones_in(mine, house)
        number += PARTS[house, stones]
    for house in range(HOUSES):
        stones += stones_in(theirs, house)
        number += PARTS[HOUSES + house, stones]
    return number


@inlined
def promise(mine: np.uint64, theirs: np.uint64, seeking: bool, codes: Codes) -> int:
    """What a player owns at the end for sure when nothing is remembered.

    `seeking` says that it is the player to move, who has the first row.
    """
    code = codes[number_of(mine, theirs)]
    if seeking:
        return taken(mine) + int(LOW[code])
    return STONES - taken(mine) - int(HIGH[code])


@inlined
def decided(mine: np.uint64, theirs: np.uint64, codes: Codes) -> int:
    """SURE_WIN, 0 or -SURE_WIN for the player to move when nothing is remembered, or UNDECIDED."""
    code = codes[number_of(mine, theirs)]
    low = taken(mine) + int(LOW[code])
    high = taken(mine) + int(HIGH[code])
    if low >= MAJORITY:
        return SURE_WIN
    if high < MAJORITY - 1:
        return -SURE_WIN
    return 0 if low == high else UNDECIDED


def first_number(stones: int) -> int:
    """How many boards have fewer stones."""
    return comb(stones + 2 * HOUSES - 1, 2 * HOUSES)


def layer_size(stones: int) -> int:
    """How many boards have so many stones."""
    return first_number(stones + 1) - first_number(stones)


def most_stones(codes: Codes) -> int:
    """The most stones that these boards have; -1 if there are none."""
    return next(n for n in range(-1, MOST + 1) if first_number(n + 1) == codes.size)


def own_folder() -> Path:
    """Where the user's tables are kept."""
    return data_folder() / KIND


def layer_path(folder: Path, stones: int) -> Path:
    """The file of a layer in a folder."""
    return folder / f"oware-{stones}.table"


def save_layer(folder: Path, stones: int, codes: Codes, *, packed: bool = False) -> None:
    """Write the file of a layer."""
    content = codes.tobytes()
    facts = {"stones": stones, "packing": "xz" if packed else "none"}
    content = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME) if packed else content
    write_table(layer_path(folder, stones), KIND, VERSION, facts, content)


def load_layer(folder: Path, stones: int) -> Codes:
    """The codes of a layer, or TableFileError."""
    path = layer_path(folder, stones)
    facts, content = read_table(path, KIND, VERSION)
    if facts.get("stones") != stones:
        raise TableFileError(path, f"it holds the boards with {facts.get('stones')} stones")
    try:
        content = lzma.decompress(content) if facts.get("packing") == "xz" else content
    except lzma.LZMAError as error:
        raise TableFileError(path, f"damaged: {error}") from None
    if len(content) != layer_size(stones):
        raise TableFileError(path, f"damaged: {len(content)} boards, not {layer_size(stones)}")
    return np.frombuffer(content, np.uint8)


def find_layer(folder: Path, stones: int) -> Codes | None:
    """The codes from the folder or else from the package; None if they are not solved."""
    places = (place for place in (folder, SHIPPED) if layer_path(place, stones).exists())
    place = next(places, None)
    return None if place is None else load_layer(place, stones)


def solved_layers(folder: Path) -> int:
    """The most stones for which the tables are there, with all below; -1 if there are none."""
    layers = range(MOST + 1)
    missing = (n for n in layers if not any(layer_path(f, n).exists() for f in (folder, SHIPPED)))
    return next(missing, MOST + 1) - 1


def read_codes(folder: Path) -> Codes:
    """The codes of all boards for which the tables are there, from the disk."""
    most = solved_layers(folder)
    layers = [find_layer(folder, stones) for stones in range(most + 1)]
    return np.concatenate([np.zeros(0, np.uint8), *(one for one in layers if one is not None)])


@cache
def solved_codes(folder: Path) -> Codes:
    """The same, read once: all engines of a process share the array."""
    return read_codes(folder)
