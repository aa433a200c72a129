"""The rules of Oware for kernels: a position is two numbers, seen by the player to move.

A row holds a player's six houses in its lower six bytes and what the player has taken in the
seventh. No byte can overflow, for there are 48 stones. Every move swaps the two rows, so that the
first one always belongs to the player to move.

Situations can repeat only without captures. In a line of moves that comes back to where it
was, every house that receives a stone must be sown again, and sowing always gives a stone to the
next house: so all twelve houses were sown, and a repetition takes at least twelve moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.oware.rules import HOUSES, MAJORITY, STONES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from spielwerk.games.oware.rules import Board, OwareState

WIN: Final = 1 << 30
"""The score of a won game; a draw is 0."""

SHORTEST_CYCLE: Final = 2 * HOUSES

ONE_HOUSE: Final = np.uint64(0xFF)
ALL_HOUSES: Final = np.uint64(0xFFFFFFFFFFFF)
EACH_HOUSE: Final = np.uint64(0x0101010101010101)
STORE: Final = np.uint64(8 * HOUSES)
TOP_BYTE: Final = np.uint64(56)


def _sowings() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.int64]]:
    """For each house and number of stones: what both rows receive, and where the last stone is."""
    gifts = np.zeros((2, HOUSES, STONES + 1), np.uint64)
    last = np.zeros((HOUSES, STONES + 1), np.int64)
    for house in range(HOUSES):
        places = [place % 12 for place in range(house + 1, house + 12)]
        for stones in range(1, STONES + 1):
            last[house, stones] = places[(stones - 1) % len(places)]
            row, place = divmod(int(last[house, stones]), HOUSES)
            gifts[:, house, stones] = gifts[:, house, stones - 1]
            gifts[row, house, stones] += np.uint64(1 << 8 * place)
    return gifts[0], gifts[1], last


GIFT_MINE, GIFT_THEIRS, LAST = _sowings()


def pack(board: Board, player: int) -> tuple[np.uint64, np.uint64]:
    """The two rows of a board, the player's first."""
    rows = (board[2:8], board[8:14])
    packed = [
        np.uint64(int.from_bytes(bytes((*houses, taken)), "little"))
        for houses, taken in zip(rows, board[:2], strict=True)
    ]
    return packed[player], packed[1 - player]


def path_of(state: OwareState, room: int) -> NDArray[np.uint64]:
    """The situations since the last capture up to the state's own, and room for more to come."""
    boards = (*state.seen, state.board)
    path = np.zeros((len(boards) + room, 2), np.uint64)
    for index, board in enumerate(boards):
        path[index] = pack(board, (state.player + len(boards) - 1 - index) % 2)
    return path


@inlined
def signed(number: np.uint64) -> int:
    """The number as one that may be mixed with others: unsigned and signed ones give a float."""
    return np.int64(number)  # type: ignore[return-value]


@inlined
def stones_in(row: np.uint64, house: int) -> int:
    """How many stones lie in the house."""
    return signed((row >> np.uint64(8 * house)) & ONE_HOUSE)


@inlined
def taken(row: np.uint64) -> int:
    """How many stones the player has taken."""
    return signed(row >> STORE)


@inlined
def all_stones(row: np.uint64) -> int:
    """How many stones the player has if the game ends: those taken and those on the own side."""
    return signed((row * EACH_HOUSE) >> TOP_BYTE)


@inlined
def is_legal(mine: np.uint64, theirs: np.uint64, house: int) -> bool:
    """Whether the player to move may sow from the house."""
    stones = stones_in(mine, house)
    if theirs & ALL_HOUSES == np.uint64(0):
        return stones > 0 and house + stones >= HOUSES
    return stones > 0


@inlined
def gain_of(sown: np.uint64, last: int) -> tuple[np.uint64, int]:
    """The opponent's row after collecting back from the last stone, and how much was collected."""
    kept = sown
    gain = 0
    while last >= HOUSES:
        stones = stones_in(kept, last - HOUSES)
        if stones != 2 and stones != 3:
            break
        kept &= ~(ONE_HOUSE << np.uint64(8 * (last - HOUSES)))
        gain += stones
        last -= 1
    if kept & ALL_HOUSES == np.uint64(0):  # a grand slam collects nothing
        return sown, 0
    return kept, gain


@inlined
def after(mine: np.uint64, theirs: np.uint64, house: int) -> tuple[np.uint64, np.uint64, int]:
    """The rows after a move, the next player's first, and how many stones were captured."""
    stones = stones_in(mine, house)
    sown = (mine & ~(ONE_HOUSE << np.uint64(8 * house))) + GIFT_MINE[house, stones]
    kept, gain = gain_of(theirs + GIFT_THEIRS[house, stones], LAST[house, stones])
    return kept, sown + (np.uint64(gain) << STORE), gain


@inlined
def can_move(mine: np.uint64, theirs: np.uint64) -> bool:
    """Whether the player to move has a legal move."""
    if theirs & ALL_HOUSES != np.uint64(0):
        return bool(mine & ALL_HOUSES != np.uint64(0))
    for house in range(HOUSES):  # noqa: SIM110  (kernels have no generators)
        if is_legal(mine, theirs, house):
            return True
    return False


@inlined
def repeats(path: NDArray[np.uint64], first: int, index: int) -> bool:
    """Whether the situation at the index was there before, for the same player, since `first`."""
    earlier = index - SHORTEST_CYCLE
    while earlier >= first:
        if path[earlier, 0] == path[index, 0] and path[earlier, 1] == path[index, 1]:
            return True
        earlier -= 2
    return False


@inlined
def is_over(path: NDArray[np.uint64], first: int, index: int) -> bool:
    """Whether E-1, E-2 or E-3 ends the game in the situation at the index."""
    mine, theirs = path[index, 0], path[index, 1]
    if taken(mine) >= MAJORITY or taken(theirs) >= MAJORITY or not can_move(mine, theirs):
        return True
    return repeats(path, first, index)


@inlined
def final_score(mine: np.uint64, theirs: np.uint64) -> int:
    """WIN, 0 or -WIN for the player to move, once both have taken the stones on their side."""
    lead = all_stones(mine) - all_stones(theirs)
    if lead > 0:
        return WIN
    return -WIN if lead < 0 else 0


@kernel
def perft(path: NDArray[np.uint64], first: int, index: int, depth: int) -> int:
    """The number of move sequences of the length from the situation at the index of the path."""
    if depth == 0:
        return 1
    if is_over(path, first, index):
        return 0
    count = 0
    for house in range(HOUSES):
        if is_legal(path[index, 0], path[index, 1], house):
            mine, theirs, gain = after(path[index, 0], path[index, 1], house)
            path[index + 1, 0], path[index + 1, 1] = mine, theirs
            count += perft(path, index + 1 if gain else first, index + 1, depth - 1)
    return count
