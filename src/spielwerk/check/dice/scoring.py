"""Cases about turns and points: every rule of the race, and whole games."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from spielwerk.check.dice.race import BOT, DOUBLE, LARGE, SMALL, climb, double, throws_to
from spielwerk.games.dice.rules import THROWS, Throw

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.dice.race import CheckedRace
    from spielwerk.check.dice.trial import DiceTrial

    Script = Callable[[DiceTrial], Awaitable[None]]

NEXT, LAST = 1, 2  # the seats of identifiers 0 and 1
GAMES: Final = 6
ROUNDS: Final = 100
_PATIENT: Final = 12  # turns in which the bot gets near to the target, if it saves


async def _begins(trial: DiceTrial, begins: int) -> None:
    """The bot is first, second or third; the others throw before it, each in its own way."""
    await trial.join(begins=begins)
    for throws in ((SMALL, LARGE), (LARGE, Throw(2, 4)))[begins - 1 :] if begins else ():
        await trial.other_turn(*throws)
    await trial.own_turn()
    await trial.others((Throw(6, 2),), (Throw(3, 1),))
    await trial.finish()


async def _long_turn(trial: DiceTrial) -> None:
    await trial.join()
    for _ in range(3):
        await trial.own_turn(lambda race: SMALL if race.state.points < 30 else DOUBLE)
        await trial.others((), ())
    await trial.finish()


async def _after_double(trial: DiceTrial) -> None:
    """The bot saves if it likes, then loses a turn's points at its first and at a later throw."""
    await trial.join()
    await trial.own_turn(climb(40))
    for dice in (double, _lose_something, climb(60), _lose_something):
        await trial.others((Throw(2, 3),), ())
        await trial.own_turn(dice)
    await trial.finish()


def _lose_something(race: CheckedRace) -> Throw:
    return DOUBLE if race.state.points else Throw(4, 2)


async def _behind(trial: DiceTrial, first: int, second: int) -> None:
    """The opponents have this much less than the target when the bot begins to throw."""
    await trial.join(begins=NEXT)
    await trial.others(throws_to(trial.target - first), throws_to(trial.target - second))
    for _ in range(3):
        await trial.own_turn(climb(trial.target // 2))
        await trial.others((), ())
    await trial.finish()


async def _near(trial: DiceTrial, short: int) -> None:
    """The bot gets near to the target; the opponents have what it has, less this many points."""
    await trial.join()
    limit = trial.target - 1
    for _ in range(_PATIENT):
        await trial.own_turn(climb(limit))
        own = trial.race.state.saved[BOT]
        done = own >= trial.target - 11
        goal = max(0, own - short) if done or short == 0 else 0
        for seat in (NEXT, LAST):
            missing = goal - trial.race.state.saved[seat]
            await trial.other_turn(*throws_to(missing) if missing >= sum(SMALL) else ())
        if done:
            break
    for _ in range(2):
        await trial.own_turn(climb(limit))
        await trial.others((), ())
    await trial.finish()


# what others throw, identifier 0 and 1 in turn, round by round

Rounds = tuple[tuple[tuple[Throw, ...], tuple[Throw, ...]], ...]

_FOUR_FIVE, _SIX_ONE = Throw(4, 5), Throw(6, 1)

OTHERS: Final[dict[str, Rounds]] = {
    "score/others-save": (((_FOUR_FIVE, _SIX_ONE), (SMALL,)), ((SMALL,), (_SIX_ONE, _SIX_ONE))),
    "score/other-double": (
        ((_FOUR_FIVE,), (_SIX_ONE,)),
        ((_FOUR_FIVE, _SIX_ONE, DOUBLE), (SMALL, DOUBLE)),
        ((SMALL,), (SMALL,)),
    ),
    "score/first-throw-double": (
        ((_SIX_ONE,), (_FOUR_FIVE,)),
        ((DOUBLE,), (DOUBLE,)),
        ((Throw(1, 1),), (Throw(6, 6),)),
    ),
    "score/others-pass": (((), (_FOUR_FIVE,)), ((_SIX_ONE,), ()), ((), ()), ((), (SMALL,))),
    "score/one-throws": (((), (_FOUR_FIVE,)), ((), (_SIX_ONE, SMALL)), ((), (LARGE, DOUBLE))),
}


async def _others(trial: DiceTrial, rounds: Rounds) -> None:
    await trial.join()
    for turns in rounds:
        await trial.own_turn()
        await trial.others(*turns)
    await trial.finish()


async def _double_beyond(trial: DiceTrial) -> None:
    """A double with which there would be points enough does not win, for any player."""
    await trial.join(begins=NEXT)
    almost = throws_to(trial.target - 2)
    await trial.others((*almost, Throw(6, 6)), almost)
    await trial.own_turn(double)
    await trial.others((LARGE, Throw(5, 5)), (Throw(6, 6),))
    await trial.own_turn(double)
    await trial.finish()


async def _no_turn(trial: DiceTrial, begins: int) -> None:
    """An opponent wins before the bot has had a turn."""
    await trial.join(begins=begins)
    await trial.finish()


async def _other_wins(trial: DiceTrial, winner: int, *, exactly: bool = False) -> None:
    """After two rounds one of the others wins, and the other one has just saved or just lost."""
    await trial.join()
    await trial.own_turn()
    await trial.others((_FOUR_FIVE,), (_SIX_ONE, SMALL))
    await trial.own_turn()
    if winner == LAST:
        await trial.other_turn(_SIX_ONE, LARGE)
    await trial.lose(trial.target if exactly else 0)
    await trial.finish()


async def _bot_wins(trial: DiceTrial) -> None:
    await trial.join(begins=LAST)
    await trial.other_turn(_FOUR_FIVE, SMALL)
    await trial.own_turn(_lose_something)
    await trial.others((_SIX_ONE,), (LARGE, DOUBLE))
    await trial.win()
    await trial.finish()


async def _everything(trial: DiceTrial) -> None:
    await trial.join(begins=NEXT)
    await trial.others((_SIX_ONE, _FOUR_FIVE), (_FOUR_FIVE, DOUBLE))
    for rounds in (*OTHERS.values(), OTHERS["score/other-double"]):
        for turns in rounds:
            await trial.own_turn(climb(trial.target - 40))
            await trial.others(*turns)
    await trial.finish()


async def _game(trial: DiceTrial, number: int) -> None:
    """A whole game with real dice against opponents that hold at some number of points."""
    rng = Random(f"{trial.settings.seed}/{number}")
    hold = {seat: rng.randrange(8, 30) for seat in (NEXT, LAST)}
    trial.together = number % 2 == 1
    await trial.join(begins=number % 3)
    race = trial.race
    while not race.over:
        if race.player == BOT:
            await trial.own_turn(lambda _: rng.choice(THROWS))
        elif race.state.points >= hold[race.player]:
            race.save()
        else:
            await trial.throw(rng.choice(THROWS))
    await trial.finish()


async def _many_rounds(trial: DiceTrial) -> None:
    """Nothing comes of all rounds but the last."""
    await trial.join()
    for _ in range(ROUNDS - 1):
        await trial.own_turn(double)
        await trial.others((), (DOUBLE,))
    await trial.finish()


async def _status(trial: DiceTrial) -> None:
    """The exit status of a program after a game that it has lost."""
    await trial.join()
    await trial.finish()
    if trial.program and trial.program.code:
        trial.blame("status-after-game", status=trial.program.code)


SCRIPTS: Final[dict[str, Script]] = {
    "turn/first": partial(_begins, begins=BOT),
    "turn/second": partial(_begins, begins=LAST),
    "turn/third": partial(_begins, begins=NEXT),
    "turn/long": _long_turn,
    "turn/behind": partial(_behind, first=1, second=1),
    "turn/behind-one": partial(_behind, first=90, second=1),
    "turn/level": partial(_near, short=0),
    "turn/ahead": partial(_near, short=100),
    "score/own-double": _after_double,
    **{name: partial(_others, rounds=rounds) for name, rounds in OTHERS.items()},
    "score/double-beyond": _double_beyond,
    "score/won-by-next": partial(_other_wins, winner=NEXT),
    "score/won-by-last": partial(_other_wins, winner=LAST),
    "score/won-exactly": partial(_other_wins, winner=LAST, exactly=True),
    "score/won-at-once": partial(_no_turn, begins=NEXT),
    "score/won-before-turn": partial(_no_turn, begins=LAST),
    "score/won-by-bot": _bot_wins,
    "score/everything": _everything,
    **{f"game/whole-{number + 1}": partial(_game, number=number) for number in range(GAMES)},
    "game/hundred-rounds": _many_rounds,
    "game/status": _status,
}
