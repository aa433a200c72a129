"""Cases that are drawn by the seed: odd boards, games to their end, and mangled requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.requests import asking, drawing, message, plays, shows
from spielwerk.games.oware.rules import HOUSES, STANDARD, STONES, Oware, format_board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from spielwerk.check.case import Case
    from spielwerk.check.oware.requests import Sending
    from spielwerk.games.oware.rules import Board

BOARDS: Final = 40
GAMES: Final = 12
MANGLED: Final = 60
LONGEST_GAME: Final = 400
DEEP: Final = (b"4", b"5", b"6", b"7", b"8", b"9")
BITS: Final = (
    b"",
    b" ",
    b"0",
    b"1",
    b"5",
    b"9",
    b"-",
    b"x",
    b"\t",
    b"\r",
    b"\x00",
    b"\xe4",
    b"\xff",
    b"33",
)


def cases(seed: int) -> Iterator[Case]:
    """All of them, for this seed."""
    yield _boards("boards", "Any distribution of the stones", _scattered, seed)
    yield _boards("few-stones", "Few stones on the board", _few, seed)
    yield _boards("heaps", "Most stones in one or two houses", _heaps, seed)
    yield _boards("hungry", "The opponent has no stones", _hungry, seed)
    yield _boards("collecting", "Many houses that can be collected", _ripe, seed)
    yield _games("games", "Games from the usual start", lambda _: format_board(STANDARD), seed)
    yield _games(
        "endgames",
        "Games with few stones, to their end",
        lambda random: format_board(_few(random)),
        seed,
    )
    yield _mangled(seed)


def _boards(name: str, rule: str, draw: Callable[[Random], Board], seed: int) -> Case:
    """Boards with a move or two; any legal move will do, and the board must follow from it."""
    random = drawing(seed, name)
    requests: list[bytes | Sending] = []
    for _ in range(BOARDS):
        board = format_board(draw(random))
        moves = _some_moves(board, random.randrange(3), random)
        requests += [plays(board, moves, random.choice("01"), random.choice("123"))]
        requests += [shows(board, moves + random.choice("012345"))]
    return asking(
        f"random/{name}", f"{rule}: a legal move and the right board", "2.5, 5.4.7", requests
    )


def _games(name: str, rule: str, draw: Callable[[Random], str], seed: int) -> Case:
    """Whole games: their end, the moves before it, a move too many, a wrong one in between."""
    random = drawing(seed, name)
    requests = []
    for _ in range(GAMES):
        board = draw(random)
        moves = _some_moves(board, LONGEST_GAME, random)
        cut = random.randrange(len(moves) + 1)
        wrong = random.choice("0123456789")
        requests += [plays(board, moves, random.choice("01")), plays(board, moves[:-1])]
        requests += [plays(board, moves[:cut], random.choice("01"), "2")]
        requests += [plays(board, moves[:cut] + wrong + moves[cut:]), plays(board, moves + wrong)]
    return asking(f"random/{name}", f"{rule}: moves, ends and errors", "2, 5.4", requests)


def _mangled(seed: int) -> Case:
    random = drawing(seed, "mangled")
    requests = []
    for _ in range(MANGLED):
        board = format_board(_scattered(random))
        lines = [
            random.choice(b"01").to_bytes(1, "big"),
            random.choice(b"123").to_bytes(1, "big"),
            board.encode(),
            _some_moves(board, 6, random).encode(),
        ]
        for place in random.sample(range(4), random.randint(1, 2)):
            lines[place] = _spoiled(lines[place], random)
        requests.append(message(*_harmless(lines)))
    return asking(
        "random/mangled",
        "Whatever the lines hold, the first fault is told",
        "5.4",
        requests,
        decided=True,
    )


def _harmless(lines: list[bytes]) -> list[bytes]:
    """The same without strategies that some servers have, and without depths that take long."""
    strategy, depth, *others = lines
    if strategy.isdigit() and strategy not in (b"0", b"1"):
        strategy = b"x" + strategy
    return [strategy, b"2" if depth in DEEP else depth, *others]


def _spoiled(line: bytes, random: Random) -> bytes:
    """The line with a part of it replaced."""
    start = random.randrange(len(line) + 1)
    stop = min(len(line), start + random.randrange(3))
    return line[:start] + random.choice(BITS) + line[stop:]


def _some_moves(board: str, count: int, random: Random) -> str:
    """Up to so many random legal moves."""
    state, moves = Oware().parse_state(board), ""
    while len(moves) < count and (legal := state.legal_moves()):
        moves += str(random.choice(legal))
        state = state.play(int(moves[-1]))
    return moves


def _dealt(stones: int, places: list[int], random: Random) -> list[int]:
    row = [0] * (2 * HOUSES)
    for place in random.choices(places, k=stones):
        row[place] += 1
    return row


def _banked(row: list[int], random: Random) -> Board:
    """The houses, and the rest of the stones taken so that neither player has won."""
    rest = STONES - sum(row)
    least, most = max(0, rest - STONES // 2), min(rest, STONES // 2)
    a = random.randint(least, most)
    return (a, rest - a, *row)


def _scattered(random: Random) -> Board:
    return _banked(_dealt(random.randint(6, STONES), [*range(2 * HOUSES)], random), random)


def _few(random: Random) -> Board:
    return _banked(_dealt(random.randint(2, 8), [*range(2 * HOUSES)], random), random)


def _heaps(random: Random) -> Board:
    heaps = random.sample(range(2 * HOUSES), 2)
    return _banked(_dealt(random.randint(30, STONES), heaps, random), random)


def _hungry(random: Random) -> Board:
    return _banked(_dealt(random.randint(1, 14), [*range(HOUSES)], random), random)


def _ripe(random: Random) -> Board:
    a = [random.choice((0, 1, 2, 3, 4, 5, 6, 7)) for _ in range(HOUSES)]
    b = [random.choice((0, 1, 1, 2, 2)) for _ in range(HOUSES)]
    while sum(a) + sum(b) > STONES:
        a[a.index(max(a))] -= 1
    return _banked([*a, *b], random)
