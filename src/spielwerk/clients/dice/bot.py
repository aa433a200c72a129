"""The dice bot: its command line (read as getopt(3) would), its strategies, and one game."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from getopt import GetoptError, gnu_getopt
from typing import TYPE_CHECKING, Final, TypeAlias

from spielwerk.clients.dice.connection import BotError, connected
from spielwerk.errors import UsageError, printable, quote
from spielwerk.games.dice.rules import Choice, Dice, DiceState
from spielwerk.wire.dice.client import (
    Asked,
    BotRefused,
    DiceClientSide,
    Greeted,
    RaceEnded,
    ServerParted,
)
from spielwerk.wire.dice.words import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.clients.bots import BotOrder
    from spielwerk.clients.dice.connection import BotConnection
    from spielwerk.engines.players import Player
    from spielwerk.wire.dice.client import RacePosition

    Strategy: TypeAlias = Callable[[RacePosition], bool]  # whether to roll


EQUILIBRIUM: Final = "equilibrium"
RANDOM: Final = "random"
BEYOND: Final = 25  # where to hold when the solved game knows no answer

_HOLD: Final = re.compile(r"hold=([1-9][0-9]{0,3})")


def check_strategy(name: str) -> str:
    """The name, or UsageError if there is no such strategy."""
    if name in (EQUILIBRIUM, RANDOM) or _HOLD.fullmatch(name):
        return name
    known = f"{EQUILIBRIUM}, {RANDOM} or hold=<points>, for example hold={BEYOND}"
    raise UsageError(f"{quote(name)} is not a strategy: expected {known}")


def find_strategy(name: str, target: int) -> Strategy:
    """The strategy of that name, ready to decide."""
    hold = _HOLD.fullmatch(check_strategy(name))
    if hold:
        return hold_at(int(hold[1]))
    return by_chance(random.Random()) if name == RANDOM else equilibrium(target)


def hold_at(points: int) -> Strategy:
    """Roll until the turn has so many points."""
    return lambda position: position.points < points


def by_chance(rng: random.Random) -> Strategy:
    """Roll every other time or so."""
    return lambda _: rng.random() < 0.5


def equilibrium(target: int) -> Strategy:
    """Do what the solved game says.

    If a player has passed the target and the game goes on, the server's target is another, which
    it does not tell before the end; then hold at a number of points that is good in most races.
    """
    from spielwerk.games.dice.engine.policy import load_policy  # NumPy, only where it is needed

    policy = load_policy(target)
    beyond = hold_at(BEYOND)

    def decide(position: RacePosition) -> bool:
        own, following, last, points = position
        if max(own + points, following, last) >= target:
            return beyond(position)
        return policy.roll((target - own, target - following, target - last), points)

    return decide


SYNOPSIS: Final = "dicebot -n <bot-name> [-p <server-port>] <server-hostname>"
HELP: Final = f"""\
SYNOPSIS: {SYNOPSIS}

Plays one game of the dice race on a dice server.

  -n <bot-name>           1 to 80 letters or digits
  -p <server-port>        default 9001
  --strategy <strategy>   equilibrium (default): what the solved game says
                          hold=<points>: rolls until a turn has so many points
                          random: rolls or saves by chance
  --target <points>       points that win, where the strategy needs to know (default 150); more
                          must be solved first: spielwerk solve dice --target <points>
  -h, --help              this text

Exit codes: 0 after a whole game, won or lost, and when SIGINT, SIGQUIT or SIGTERM has ended the
bot; 1 if anything went wrong."""

PORT: Final = 9001
TARGETS: Final = (150, 200)  # that courses have had; the server does not tell
ANSWER: Final = 1.8  # seconds that a bot has, of the server's two
TARGET: Final = 150
_LARGEST_PORT: Final = 65535
_LARGEST_TARGET: Final = 10_000
_NUMBER: Final = re.compile("[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class BotSettings:
    """What the bot was told to do."""

    name: str
    host: str
    port: int = PORT
    strategy: str = EQUILIBRIUM
    target: int = TARGET


def read_arguments(arguments: Sequence[str]) -> BotSettings | None:
    """The settings, None if only help is wanted, or UsageError."""
    try:
        found, rest = gnu_getopt(arguments, "n:p:h", ["strategy=", "target=", "help"])
    except GetoptError as error:
        raise UsageError(printable(error.msg)) from None
    options = dict(found)
    if options.keys() & {"-h", "--help"}:
        return None
    if len(options) < len(found):
        raise UsageError("an option is given more than once")
    if "-n" not in options:
        raise UsageError("the name of the bot is missing (-n)")
    return BotSettings(
        name=_name(options["-n"]),
        host=_host(rest),
        port=_number("-p", options.get("-p", str(PORT)), 1, _LARGEST_PORT),
        strategy=check_strategy(options.get("--strategy", EQUILIBRIUM)),
        target=_number("--target", options.get("--target", str(TARGET)), 3, _LARGEST_TARGET),
    )


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise UsageError(
            f"{quote(text)} is not a name for a bot: 1 to 80 letters (a to z) or digits"
        )
    return text


def _host(rest: list[str]) -> str:
    if not rest or not rest[0]:
        raise UsageError("the server's hostname is missing")
    if len(rest) > 1:
        raise UsageError(f"one hostname is expected, {quote(rest[1])} is too much")
    return rest[0]


def _number(option: str, text: str, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise UsageError(f"{option} {quote(text)}: expected a number from {least} to {most}")
    return int(text)


def play(connection: BotConnection, name: str, strategy: Strategy) -> RaceEnded:
    """Play until the server has said BYE; how the game ended."""
    side = DiceClientSide()
    ended: RaceEnded | None = None
    while True:
        match side.next_event():
            case Greeted():
                connection.send(side.auth(name))
            case Asked(position):
                connection.send(side.roll() if strategy(position) else side.save())
            case RaceEnded() as end:
                ended = end
                connection.send(side.bye())
            case ServerParted() if ended:
                return ended
            case BotRefused(text):
                raise BotError(f"the server has broken the game off: ERR {quote(text)}")
            case _:
                _listen(connection, side)


def play_bot(order: BotOrder) -> str:
    """Play one game for a bot without a protocol; how it ended, in a sentence."""
    with connected(*order.place(PORT)) as connection:
        return told(play(connection, _name(order.name), asking(order.player)))


def asking(player: Player) -> Strategy:
    """Do what the player decides, who sits on seat 0 of a game that is just as far."""
    rng = random.Random()

    def decide(position: RacePosition) -> bool:
        *saved, points = position
        most = max(saved[0] + points, *saved)
        target = next(one for one in (*TARGETS, most + 1) if most < one)
        state = DiceState(Dice(target), None, tuple(saved), points, 0, throwing=False)
        return player.choose(state, rng, ANSWER) is Choice.ROLL

    return decide


def told(ended: RaceEnded) -> str:
    """How the race ended, in a sentence."""
    own, first, second = ended.points
    return f"{'won' if ended.won else 'lost'} with {own} points against {first} and {second}"


def _listen(connection: BotConnection, side: DiceClientSide) -> None:
    data = connection.receive()
    if not data:
        raise BotError(f"connection lost: the server closed it, expected {side.expected}")
    side.receive(data)
