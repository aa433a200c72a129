"""Alpha-beta over boards of any size, on an explicit stack of frames.

Before anything is searched, a node looks at the threats: a four that can be completed wins, two
that the other side could complete lose, one must be answered (which costs no depth), and a field
below one must not be played. Below depth 0 only moves that force an answer are followed. A win or
loss found in this way is proven at any depth; everything is proven once the depth covers all free
fields, as then nothing is reduced or left out.

Values are those of the side to move: WIN less the plies from the root for a win, LIKELY less these
if not every column was looked at, 0 for a draw, and the evaluation in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.connect4.engine.solid_board import (
    BALANCE,
    BOTH_BITS,
    BOTH_MASK,
    COUNT_BITS,
    OPEN,
    STONES_PLACED,
    WINS,
    WINS_SUM,
    SolidBoard,
    borrowed_board,
    cannot_win,
    full,
    place,
    take_back,
)
from spielwerk.games.connect4.engine.solid_search import (
    ABORTED,
    ALPHA,
    BEST,
    BEST_COLUMN,
    BETA,
    CANDIDATES,
    COLUMN,
    COMPLETE,
    COUNT,
    DEPTH,
    EVALUATED,
    FIRST_ALPHA,
    FORCED,
    INFINITE,
    KILLER,
    LIKELY,
    MOST_FORCING,
    MOST_PLIES,
    NEXT,
    NODE_LIMIT,
    NODES,
    PROVEN,
    SCOUTING,
    WIN,
    Search,
    borrowed_search,
    entry,
    look_up,
    store,
)

if TYPE_CHECKING:
    from spielwerk.games.connect4.engine.solid_board import Integers

QUIET_AFTER: Final = 3  # moves searched to full depth before others are reduced
VERY_QUIET_AFTER: Final = 10
MOST_HISTORY: Final = 1 << 20


@kernel
def search_move(
    board: SolidBoard, search: Search, column: int, depth: int, alpha: int, beta: int
) -> int:
    """The value of playing into the column, for the side that plays; or ABORTED."""
    side = board.totals[STONES_PLACED] & 1
    if board.threats[side, board.landing[column]] > 0:
        return WIN - 1
    place(board, column)
    value = _search(board, search, depth - 1, -beta, -alpha)
    take_back(board, column)
    return value if value == ABORTED else -value


@kernel
def _search(board: SolidBoard, search: Search, depth: int, alpha: int, beta: int) -> int:
    """The value of the position one ply below the root."""
    board = borrowed_board(board)
    search = borrowed_search(search)
    ply = 1
    _enter(search, ply, depth, alpha, beta)
    while True:
        value = _arrive(board, search, ply)
        if value == ABORTED:
            while ply > 1:
                ply -= 1
                take_back(board, search.frames[ply, COLUMN])
            return ABORTED
        # Every node that is resolved hands its value up until one has another move to try.
        while True:
            if value == INFINITE:
                if search.frames[ply, NEXT] < search.frames[ply, COUNT]:
                    break
                value = _leave(board, search, ply)
            if ply == 1:
                return value
            ply -= 1
            take_back(board, search.frames[ply, COLUMN])
            if _absorb(board, search, ply, -value):
                break
            value = INFINITE
        _descend(board, search, ply)
        ply += 1


@inlined
def _enter(search: Search, ply: int, depth: int, alpha: int, beta: int) -> None:
    search.frames[ply, DEPTH] = depth
    search.frames[ply, ALPHA] = alpha
    search.frames[ply, BETA] = beta


@inlined
def _arrive(board: SolidBoard, search: Search, ply: int) -> int:
    """The value of a new node if it needs no search; else list its moves and return INFINITE."""
    search.numbers[NODES] += 1
    if search.numbers[NODES] > search.numbers[NODE_LIMIT] or (
        search.numbers[NODES] & 255 == 0 and search.stop[0] != 0
    ):
        return ABORTED
    side = board.totals[STONES_PLACED] & 1
    other = 1 - side
    if board.totals[WINS + side] > 0:
        return WIN - 1 - ply
    lost = ply + 2 - WIN
    if board.totals[WINS + other] > 1:
        return lost
    forced = board.totals[WINS + other] == 1
    if forced and board.threats[other, board.totals[WINS_SUM + other] + 1] > 0:
        return lost
    if board.totals[OPEN + side] == 0 and (
        search.frames[ply, ALPHA] >= 0 or board.totals[OPEN + other] == 0
    ):
        return 0
    if board.totals[OPEN + other] == 0 and search.frames[ply, BETA] <= 0:
        return 0
    if search.frames[ply, ALPHA] >= 0 and _free(board) & 1 == 0 and cannot_win(board, side):
        return 0
    soonest = WIN - 3 - ply
    if search.frames[ply, ALPHA] >= soonest:
        return soonest
    search.frames[ply, BEST] = -INFINITE
    search.frames[ply, BEST_COLUMN] = -1
    search.frames[ply, FIRST_ALPHA] = search.frames[ply, ALPHA]
    search.frames[ply, NEXT] = 0
    search.frames[ply, FORCED] = 1 if forced else 0
    if forced and ply < MOST_PLIES - 2:
        search.moves[ply, 0] = board.column_of[board.totals[WINS_SUM + other]]
        search.frames[ply, COUNT] = 1
        return INFINITE
    if search.frames[ply, DEPTH] <= 0 or ply >= MOST_PLIES - 2:
        return _stand(board, search, ply, side)
    hinted, value = look_up(board, search, ply)
    if value != INFINITE:
        return value
    return _list_moves(board, search, ply, side, hinted)


@inlined
def _stand(board: SolidBoard, search: Search, ply: int, side: int) -> int:
    """Below depth 0: the evaluation if it is enough, else list the moves that force an answer."""
    balance = _evaluation(board, side)
    if (
        balance >= search.frames[ply, BETA]
        or search.frames[ply, DEPTH] <= -MOST_FORCING
        or ply >= MOST_PLIES - 2
    ):
        return balance
    _, known = look_up(board, search, ply)
    if known != INFINITE:
        return known
    search.frames[ply, BEST] = balance
    search.frames[ply, ALPHA] = max(search.frames[ply, ALPHA], balance)
    search.frames[ply, COUNT] = 0
    for index in range(search.numbers[CANDIDATES]):
        column = search.columns[index]
        if not full(board, column) and _forces(board, side, column):
            search.moves[ply, search.frames[ply, COUNT]] = column
            search.promise[ply, search.frames[ply, COUNT]] = 0
            search.frames[ply, COUNT] += 1
    return balance if search.frames[ply, COUNT] == 0 else INFINITE


@inlined
def _evaluation(board: SolidBoard, side: int) -> int:
    """The evaluation from the view of a side."""
    balance = int(board.totals[BALANCE])
    return min(max(balance if side == 0 else -balance, -EVALUATED), EVALUATED)


@inlined
def _forces(board: SolidBoard, side: int, column: int) -> bool:
    """Whether a stone in the column threatens to win at once, and does not let the other win."""
    field = int(board.landing[column])
    if board.threats[1 - side, field + 1] > 0:
        return False
    if board.threats[side, field + 1] > 0:
        return True
    two = 2 << (side * COUNT_BITS)
    for index in range(board.first[field], board.first[field + 1]):
        line = int(board.lines[board.through[index]])
        if line & BOTH_MASK == two:
            target = (line >> BOTH_BITS) - field
            if target == field + 1 or board.landing[board.column_of[target]] == target:
                return True
    return False


@inlined
def _list_moves(board: SolidBoard, search: Search, ply: int, side: int, hinted: int) -> int:
    """List all moves that do not let the other side win at once, with what they promise."""
    count = 0
    for index in range(search.numbers[CANDIDATES]):
        column = search.columns[index]
        field = int(board.landing[column])
        if full(board, column) or board.threats[1 - side, field + 1] > 0:
            continue
        promise = int(search.history[side, field])
        for at in range(board.first[field], board.first[field + 1]):
            promise += search.gain[side, board.lines[board.through[at]] & BOTH_MASK]
        if column == search.frames[ply, KILLER]:
            promise += MOST_HISTORY
        if column == hinted:
            promise += 4 * MOST_HISTORY
        search.moves[ply, count] = column
        search.promise[ply, count] = promise
        count += 1
    search.frames[ply, COUNT] = count
    if count > 0:
        return INFINITE
    return ply + 2 - (WIN if search.numbers[COMPLETE] == 1 else LIKELY)


@inlined
def _descend(board: SolidBoard, search: Search, ply: int) -> None:
    """Play the move of the frame, the most promising next one unless it is tried again."""
    again = search.frames[ply, SCOUTING] == 2
    if not again:
        _choose(search, ply)
    column = search.frames[ply, COLUMN]
    depth = search.frames[ply, DEPTH] - 1 + search.frames[ply, FORCED]
    tried = search.frames[ply, NEXT] - 1
    place(board, column)
    if again or tried == 0 or search.frames[ply, DEPTH] <= 0:
        search.frames[ply, SCOUTING] = 0
        _enter(search, ply + 1, depth, -search.frames[ply, BETA], -search.frames[ply, ALPHA])
        return
    search.frames[ply, SCOUTING] = 1
    depth -= _reduction(board, search.frames[ply, DEPTH], tried)
    _enter(search, ply + 1, depth, -search.frames[ply, ALPHA] - 1, -search.frames[ply, ALPHA])


@inlined
def _reduction(board: SolidBoard, depth: int, tried: int) -> int:
    """By how much a move is searched less deep at first; not if all is to be proven."""
    free = _free(board)
    mover = 1 - (board.totals[STONES_PLACED] & 1)
    if depth < 3 or tried < QUIET_AFTER or board.totals[WINS + mover] > 0 or depth > free:
        return 0
    return 2 if tried >= VERY_QUIET_AFTER and depth > 4 else 1


@inlined
def _free(board: SolidBoard) -> int:
    """How many fields are free."""
    return int(len(board.column_of) - 1 - len(board.landing) - board.totals[STONES_PLACED])


@inlined
def _choose(search: Search, ply: int) -> None:
    """Make the most promising of the moves not tried yet the one to try."""
    at = search.frames[ply, NEXT]
    best = at
    for index in range(at + 1, search.frames[ply, COUNT]):
        if search.promise[ply, index] > search.promise[ply, best]:
            best = index
    search.moves[ply, at], search.moves[ply, best] = search.moves[ply, best], search.moves[ply, at]
    search.promise[ply, at], search.promise[ply, best] = (
        search.promise[ply, best],
        search.promise[ply, at],
    )
    search.frames[ply, COLUMN] = search.moves[ply, at]
    search.frames[ply, NEXT] = at + 1


@inlined
def _absorb(board: SolidBoard, search: Search, ply: int, value: int) -> bool:
    """Take the value of the move just tried; whether it must be tried again with an open window."""
    if search.frames[ply, SCOUTING] == 1 and value > search.frames[ply, ALPHA]:
        search.frames[ply, SCOUTING] = 2
        return True
    search.frames[ply, SCOUTING] = 0
    if value > search.frames[ply, BEST]:
        search.frames[ply, BEST] = value
        search.frames[ply, BEST_COLUMN] = search.frames[ply, COLUMN]
        search.frames[ply, ALPHA] = max(search.frames[ply, ALPHA], value)
        if value >= search.frames[ply, BETA]:
            if search.frames[ply, DEPTH] > 0 and search.frames[ply, FORCED] == 0:
                _remember(board, search, ply)
            search.frames[ply, NEXT] = search.frames[ply, COUNT]
    return False


@inlined
def _remember(board: SolidBoard, search: Search, ply: int) -> None:
    """Note that the move refuted this node."""
    side = board.totals[STONES_PLACED] & 1
    field = board.landing[search.frames[ply, COLUMN]]
    credit = search.history[side, field] + search.frames[ply, DEPTH] * search.frames[ply, DEPTH]
    search.history[side, field] = min(credit, MOST_HISTORY)
    search.frames[ply, KILLER] = search.frames[ply, COLUMN]


@inlined
def _leave(board: SolidBoard, search: Search, ply: int) -> int:
    """The value of a node whose moves are all tried; it is stored in the table."""
    value = int(search.frames[ply, BEST])
    if value < -PROVEN and search.numbers[COMPLETE] == 0 and search.frames[ply, FORCED] == 0:
        value += WIN - LIKELY  # columns that were left out might save it
    if search.frames[ply, FORCED] == 0:
        store(board, search, ply, value)
    return value


@kernel
def survey(board: SolidBoard, search: Search, values: Integers, relevance: Integers) -> None:
    """For every column with room, what a stone there is worth at first sight, and how relevant."""
    side = board.totals[STONES_PLACED] & 1
    other = 1 - side
    for column in range(len(board.landing)):
        field = int(board.landing[column])
        if full(board, column):
            continue
        for above in range(min(3, len(board.column_of) - 1 - field)):
            for at in range(board.first[field + above], board.first[field + above + 1]):
                counts = board.lines[board.through[at]] & BOTH_MASK
                relevance[column] += search.gain[side, counts] >> above
        if board.threats[side, field] > 0:
            values[column] = WIN - 1
            continue
        place(board, column)
        lets_win = board.totals[WINS + other] > 0
        values[column] = 2 - WIN if lets_win else _evaluation(board, side)
        take_back(board, column)


@kernel
def expected_line(board: SolidBoard, search: Search, column: int, line: Integers) -> int:
    """Write the fields of the play that is expected from this move on; return how many."""
    count = 0
    stones = board.totals[STONES_PLACED]
    while count < len(line) and column >= 0:
        field = board.landing[column]
        line[count] = field
        count += 1
        if board.threats[board.totals[STONES_PLACED] & 1, field] > 0:
            break
        place(board, column)
        column = _expected_column(board, search)
    while board.totals[STONES_PLACED] > stones:
        take_back(board, board.column_of[line[board.totals[STONES_PLACED] - stones - 1]])
    return count


@inlined
def _expected_column(board: SolidBoard, search: Search) -> int:
    """The column of the next stone: a four, the answer to one, the table's; or -1."""
    side = board.totals[STONES_PLACED] & 1
    for owner in (side, 1 - side):
        if board.totals[WINS + owner] > 0:
            for column in range(len(board.landing)):
                if board.threats[owner, board.landing[column]] > 0:
                    return column
    _, column = entry(board, search)
    return column if column >= 0 and not full(board, column) else -1
