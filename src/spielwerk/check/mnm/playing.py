"""Cases about playing: time, prepared positions, whole games and their ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.mnm.judging import prepared
from spielwerk.check.mnm.trial import script
from spielwerk.check.texts import sentence
from spielwerk.games.interface import CHANCE, NOBODY
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from random import Random

    from spielwerk.check.case import Case
    from spielwerk.check.mnm.judging import Prepared
    from spielwerk.check.mnm.trial import MnmTrial
    from spielwerk.games import State

SHORT: Final = 500  # milliseconds for a move
LONG: Final = 30_000
WASTE: Final = 0.8  # of a long time, where there is nothing to think about
LENIENT: Final = 2.5  # seconds that a move may be late where a case is not about time
PATIENT: Final = 15.0  # seconds after which the opponent of a whole game gives up
PLAYOUTS: Final = 500  # to find an end
GLANCES: Final = 6  # moves that the opponent considers, if it cannot win at once


# time


@script
async def _in_time(trial: MnmTrial, times: list[int]) -> None:
    """Moves from the start, each with its own time."""
    await trial.join()
    for milliseconds in times:
        await trial.wait()
        if trial.until_turn():
            await trial.turn(milliseconds)
    await trial.conclude()


@script
async def _time_thirty_seconds(trial: MnmTrial) -> None:
    """A long time, if possible for the only move that there is."""
    forced = next((one for one in prepared(trial.game.name) if one.is_forced), None)
    if forced is None:
        await trial.join()
        trial.until_turn()
    elif not await _shown(trial, forced):
        return
    began = trial.now
    await trial.turn(LONG)
    seconds = trial.now - began
    if forced and seconds > LONG / 1000 * WASTE:
        trial.blame("wasted", advice=True, seconds=seconds, limit=LONG / 1000)
    await trial.conclude()


# positions


def positions(game: str) -> list[Case]:
    """A case for each position that the game brings."""
    usual = sentence(__package__ or "", "why", "prepared", {})
    entry = {"why": usual, "why_de": usual.de, "does": "in-position"}
    return [script.case({**entry, **one.entry, "with": {"one": one}}) for one in prepared(game)]


@script
async def _in_position(trial: MnmTrial, one: Prepared) -> None:
    """The client's whole turn in a position."""
    if not await _shown(trial, one):
        return
    trial.judges_moves, trial.pitfalls = True, one.pitfalls
    winning = _wins(one.state)
    while trial.state.turn == trial.seat:
        await trial.turn()
    if winning and trial.state.outcome is None:
        trial.blame("missed-win", advice=True, move=one.state.game.format_move(winning[0]))
    await trial.conclude()


async def _shown(trial: MnmTrial, one: Prepared) -> bool:
    """Join where the position is; False if the client insists on another seat."""
    seat = one.state.turn
    await trial.join(seat)
    if trial.seat != seat:
        trial.blame("not-shown", advice=True, wanted=seat, said=trial.seat)
        await trial.end()
        return False
    trial.game, trial.state, trial.board = one.state.game, one.state, one.board
    return True


def _wins(state: State[Any]) -> list[Any]:
    """The moves that win at once."""
    if state.turn in (NOBODY, CHANCE):
        return []
    outcomes = [(move, state.play(move).outcome) for move in state.winning_candidates()]
    return [move for move, outcome in outcomes if outcome and outcome.winner == state.turn]


# whole games


@script
async def _game(trial: MnmTrial, seat: int, *, greedy: bool) -> None:
    """A game from its start to its end, in which the opponent moves at once."""
    choose = partial(greedy_move if greedy else random_move, rng=trial.rng)
    trial.judges_moves = True
    trial.timing = replace(trial.timing, grace=LENIENT)
    await trial.join(seat)
    until = trial.now + PATIENT
    while trial.state.turn != NOBODY:
        if trial.state.turn == trial.seat:
            await trial.turn(SHORT)
            continue
        await trial.wait()
        if trial.now > until:
            trial.happened("gives-up")
            break
        while trial.state.turn not in (trial.seat, NOBODY):
            trial.advance(choose(trial.state))
    await trial.conclude()


def greedy_move(state: State[Any], rng: Random) -> Any:
    """Win at once, if possible; else a move after which the other player cannot, if one is seen."""
    if winning := _wins(state):
        return rng.choice(winning)
    for _ in range(GLANCES):
        move = random_move(state, rng)
        after = state.play(move)
        if after.turn in (NOBODY, state.turn) or not _wins(after):
            break
    return move


# ends


@script
async def _ended(trial: MnmTrial, winner: str) -> None:
    """GAMEOVER while the client waits: it or the other player has won, or neither."""
    await trial.join()
    seat = {"client": trial.seat, "other": 1 - trial.seat}.get(winner)
    trial.advance(*_moves_to(trial, seat))
    await trial.wait()
    await trial.end(seat)


def _moves_to(trial: MnmTrial, winner: int | None) -> list[Any]:
    """A game that ends so; the last one tried, if none does."""
    for _ in range(PLAYOUTS):
        state, moves = trial.state, []
        while state.turn != NOBODY:
            moves.append(random_move(state, trial.rng))
            state = state.play(moves[-1])
        if state.outcome and state.outcome.winner == winner:
            break
    return moves
