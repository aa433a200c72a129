"""Boards of the solved sectors, drawn at random, against the rules.

The rules play every turn, and the sectors are asked only after it. Turns lead to higher counts, to
fewer stones on the board or in hand, so if every board agreed, all would be right.
"""

from __future__ import annotations

import random
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine.board import FULL, MorrisPosition
from spielwerk.games.morris.engine.index import classes_of, places_of, sector_size
from spielwerk.games.morris.engine.sectors import result_at
from spielwerk.games.morris.rules import FREE, QUIET_TURNS, STONES, Morris, MorrisState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games.morris.engine.index import Sector
    from spielwerk.games.morris.engine.sectors import SolvedSectors

DOUBT: Final = 3.0
"""If none of n boards is wrong, fewer than 3 / n of all are, with a confidence of 95 %."""


def verify(
    solved: SolvedSectors, boards: int, progress: Callable[[float], None], seed: int | None = None
) -> None:
    """Compare so many boards, every one of the solved sectors as likely as any other."""
    rng = random.Random(seed)
    sectors = solved.sectors
    sizes = list(accumulate(map(sector_size, sectors)))
    for number in range(boards):
        sector = rng.choices(sectors, cum_weights=sizes)[0]
        compare(solved, sector, rng.randrange(sector_size(sector)))
        progress((number + 1) / boards)


def compare(solved: SolvedSectors, sector: Sector, number: int) -> None:
    """Look at the last count at which the board is won or lost, and at the next one."""
    own, opponent = _board(sector, number)
    value = solved.value(own, opponent, sector.hands)
    assert value is not None  # noqa: S101  (the sector is one of those)
    for quiet in {max(0, abs(value) - 1), min(abs(value), QUIET_TURNS - 1)}:
        state = _state(sector, own, opponent, quiet)
        if result_at(value, quiet) != _best(solved, state):
            raise EngineError(f"sector {sector}: {value} is wrong for {state}")


def _board(sector: Sector, number: int) -> tuple[int, int]:
    """The stones of the board of this number."""
    places = places_of(24 - sector.mover, sector.opponent)
    own = int(classes_of(sector.mover).sets[number // len(places)])
    around = [field for field in range(24) if FULL & ~own & 1 << field]
    chosen = int(places[number % len(places)])
    return own, sum(1 << field for n, field in enumerate(around) if chosen & 1 << n)


def _state(sector: Sector, own: int, opponent: int, quiet: int) -> MorrisState:
    """The board as the rules know it; with an odd number in hand Black is to place."""
    black = sector.hands % 2
    fields = [
        STONES[black] if own & 1 << f else STONES[1 - black] if opponent & 1 << f else FREE
        for f in range(24)
    ]
    board = "".join(fields)
    squares = "/".join(board[start : start + 8] for start in (0, 8, 16))
    white_hand, black_hand = sector.hands // 2, (sector.hands + 1) // 2
    hands = f"hand {white_hand} {black_hand} player {black}"
    state = Morris().parse_state(f"{squares} {hands} capture 0 quiet {quiet}")
    assert isinstance(state, MorrisState)  # noqa: S101
    return state


def _best(solved: SolvedSectors, state: MorrisState) -> int:
    """The same as the rules say, one turn ahead."""
    if state.outcome:
        return _ending(state, state.player)
    return max(_after(solved, after, state.player) for after in _whole_turns(state))


def _whole_turns(state: MorrisState) -> Iterator[MorrisState]:
    """What the turns of the player lead to."""
    for move in state.legal_moves():
        now = state.play(move)
        if now.capture and not now.outcome:
            yield from _whole_turns(now)
        else:
            yield now


def _after(solved: SolvedSectors, state: MorrisState, player: int) -> int:
    if state.outcome:
        return _ending(state, player)
    position = MorrisPosition.of(state)
    hands = position.own_hand + position.opponent_hand
    return -solved.result(position.own, position.opponent, hands, position.quiet)


def _ending(state: MorrisState, player: int) -> int:
    winner = state.outcome.winner if state.outcome else None
    return 0 if winner is None else (1 if winner == player else -1)
