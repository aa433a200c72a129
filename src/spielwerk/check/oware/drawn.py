"""Cases that are drawn by the seed: odd boards, games to their end, and mangled requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.check.oware.requests import drawing, message, plays, shows
from spielwerk.check.oware.trial import script
from spielwerk.games.oware.rules import HOUSES, STANDARD, STONES, Oware, format_board

if TYPE_CHECKING:
    from random import Random

    from spielwerk.check.oware.trial import OwareTrial
    from spielwerk.games.oware.rules import Board

BOARDS: Final = 40
GAMES: Final = 12
MANGLED: Final = 60
LONGEST_GAME: Final = 400
DEEP: Final = (b"4", b"5", b"6", b"7", b"8", b"9")
BITS: Final = [bytes([byte]) for byte in b" 0159-x\t\r\x00\xe4\xff"] + [b"", b"33"]


@script
async def _boards(trial: OwareTrial, seed: int, name: str) -> None:
    """Boards with a move or two; any legal move will do, and the board must follow from it."""
    random = drawing(seed, name)
    for _ in range(BOARDS):
        board = format_board(_DRAWS[name](random))
        moves = _some_moves(board, random.randrange(3), random)
        await trial.ask(plays(board, moves, random.choice("01"), random.choice("123")))
        await trial.ask(shows(board, moves + random.choice("012345")))
        if trial.gave_up:
            return


@script
async def _games(trial: OwareTrial, seed: int, name: str, *, few: bool) -> None:
    """Whole games: their end, the moves before it, a move too many, a wrong one in between."""
    random = drawing(seed, name)
    for _ in range(GAMES):
        board = format_board(_few(random) if few else STANDARD)
        moves = _some_moves(board, LONGEST_GAME, random)
        cut = random.randrange(len(moves) + 1)
        wrong = random.choice("0123456789")
        requests = [plays(board, moves, random.choice("01")), plays(board, moves[:-1])]
        requests += [plays(board, moves[:cut], random.choice("01"), "2")]
        requests += [plays(board, moves[:cut] + wrong + moves[cut:]), plays(board, moves + wrong)]
        for request in requests:
            if not trial.gave_up:
                await trial.ask(request)


@script
async def _random_mangled(trial: OwareTrial, seed: int) -> None:
    random = drawing(seed, "mangled")
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
        if not trial.gave_up:
            await trial.ask(message(*_harmless(lines)))


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


_DRAWS: Final = {
    "boards": _scattered,
    "few-stones": _few,
    "heaps": _heaps,
    "hungry": _hungry,
    "collecting": _ripe,
}
