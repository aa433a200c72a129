"""Cases about messages and turns: names, waiting, who throws what, and whole games."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.dice.race import (
    BOT,
    DOUBLE,
    LAST,
    NEXT,
    SMALL,
    climb,
    double,
    throws_to,
)
from spielwerk.check.dice.trial import ROUNDS, DueAnswer, script
from spielwerk.games.dice.rules import THROWS, Throw

if TYPE_CHECKING:
    from spielwerk.check.dice.race import CheckedRace
    from spielwerk.check.dice.trial import DiceTrial

WHILE: Final = 3.0  # more than the time for an answer
_PATIENT: Final = 12  # turns in which the bot gets near to the target, if it saves


@script
async def _rounds(trial: DiceTrial, rounds: list[str], first: str = "", **manner: Any) -> None:
    """The bot and then the others have their turns; those of `first` are before the bot's first.

    What else is given is how the trial speaks: `cut`, `pause`, `together`, `texts` or `rivals`.
    """
    trial.speaks(**manner)
    await trial.join(begins=(BOT, LAST, NEXT)[bool(first) * len(first.split("/"))])
    trial.rivals = [name or trial.name for name in trial.rivals]
    if first:
        await trial.others(first)
    for turns in rounds:
        await trial.own_turn()
        await trial.others(turns)
    await trial.finish()


# names and waiting


@script
async def _name(trial: DiceTrial, name: str) -> None:
    await trial.connect(name)
    await trial.greet()
    wanted = trial.uses("name") or not trial.settings.command
    if wanted and trial.name != name:
        due = DueAnswer((f"AUTH {name}",))
        trial.fail_at(trial.line(0), "other-name", due, got=repr(trial.name), name=name)
    await trial.finish()


@script
async def _auth_after_helo(trial: DiceTrial) -> None:
    """The server is slow to say HELO."""
    await trial.connect()
    await asyncio.sleep(1.0)
    if trial.pull():
        trial.blame("before-helo", advice=True)
    await trial.greet()
    await trial.finish()


@script
async def _wait_for_throw(trial: DiceTrial) -> None:
    await trial.join()
    if await trial.ask():
        await trial.idle(WHILE)
        await trial.throw(SMALL)
        await trial.own_turn()
    await trial.finish()


@script
async def _wait_for_end(trial: DiceTrial) -> None:
    """The other bots take their time for BYE; a bot may have closed by then."""
    await trial.join(begins=NEXT)
    await trial.lose()
    await trial.part()
    await asyncio.sleep(WHILE / 2)
    trial.machine.bye()
    await trial.over()


# turns


@script
async def _turn_long(trial: DiceTrial) -> None:
    await trial.join()
    for _ in range(3):
        await trial.own_turn(lambda race: SMALL if race.state.points < 30 else DOUBLE)
        await trial.others("/")
    await trial.finish()


@script
async def _behind(trial: DiceTrial, first: int, second: int) -> None:
    """The opponents have this much less than the target when the bot begins to throw."""
    await trial.join(begins=NEXT)
    for short in (first, second):
        await trial.other_turn(*throws_to(trial.target - short))
    for _ in range(3):
        await trial.own_turn(climb(trial.target // 2))
        await trial.others("/")
    await trial.finish()


@script
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
        await trial.others("/")
    await trial.finish()


# points


@script
async def _score_own_double(trial: DiceTrial) -> None:
    """The bot saves if it likes, then loses a turn's points at its first and at a later throw."""
    await trial.join()
    await trial.own_turn(climb(40))
    for dice in (double, _lose_something, climb(60), _lose_something):
        await trial.others("23 /")
        await trial.own_turn(dice)
    await trial.finish()


def _lose_something(race: CheckedRace) -> Throw:
    return DOUBLE if race.state.points else Throw(4, 2)


@script
async def _score_double_beyond(trial: DiceTrial) -> None:
    """A double with which there would be points enough does not win, for any player."""
    await trial.join(begins=NEXT)
    almost = throws_to(trial.target - 2)
    await trial.other_turn(*almost, Throw(6, 6))
    await trial.other_turn(*almost)
    await trial.own_turn(double)
    await trial.others("56 55 / 66")
    await trial.own_turn(double)
    await trial.finish()


@script
async def _other_wins(trial: DiceTrial, winner: int, *, exactly: bool = False) -> None:
    """After two rounds one of the others wins, and the other one has just saved or just lost."""
    await trial.join()
    await trial.own_turn()
    await trial.others("45 / 61 12")
    await trial.own_turn()
    if winner == LAST:
        await trial.others("61 56")
    await trial.lose(trial.target if exactly else 0)
    await trial.finish()


@script
async def _score_won_by_bot(trial: DiceTrial) -> None:
    await trial.join(begins=LAST)
    await trial.others("45 12")
    await trial.own_turn(_lose_something)
    await trial.others("61 / 56 44")
    await trial.win()
    await trial.finish()


# whole games


@script
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


@script
async def _game_hundred_rounds(trial: DiceTrial) -> None:
    """Nothing comes of all rounds but the last."""
    await trial.join()
    for _ in range(ROUNDS - 1):
        await trial.own_turn(double)
        await trial.others("/ 44")
    await trial.finish()


@script
async def _game_status(trial: DiceTrial) -> None:
    """The exit status of a program after a game that it has lost."""
    await trial.join()
    await trial.finish()
    if trial.program and trial.program.code:
        trial.blame("status-after-game", status=trial.program.code)
