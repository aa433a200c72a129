"""The score that the bot keeps from what it sees, against the rules that know everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games.dice.rules import Choice, Dice, DiceState, Throw
from spielwerk.wire.dice import words
from spielwerk.wire.dice.client import (
    Asked,
    DiceClientSide,
    Event,
    Greeted,
    RaceEnded,
    RacePosition,
    ServerParted,
)
from tests.wire.test_dice_client import DEF, HELO, PLAYERS, WIN, greeted


class Table:
    """Three machines and the rules; everybody's decisions come from one source."""

    def __init__(self, game: Dice, swapped: bool = False) -> None:
        self.state: DiceState = game.start()
        self.bots = [DiceClientSide() for _ in PLAYERS]
        self._swapped = swapped
        for number, bot in enumerate(self.bots):
            assert self._event(bot, HELO) == Greeted()
            bot.auth(f"bot{number}")

    @staticmethod
    def _event(bot: DiceClientSide, line: str) -> Event | None:
        bot.receive(f"{line}\n".encode())
        return bot.next_event()

    def identifier(self, player: int, seen_by: int) -> int:
        right = words.identifier(player, seen_by)
        return 1 - right if self._swapped and right != words.OWN else right

    def ask(self) -> RacePosition:
        """TURN for the player to move; what its bot believes."""
        player, state = self.state.player, self.state
        event = self._event(self.bots[player], f"TURN {state.saved[player] + state.points}")
        assert isinstance(event, Asked)
        return event.position

    def true_position(self) -> RacePosition:
        own, following, last = (self.state.saved[(self.state.player + n) % 3] for n in PLAYERS)
        return RacePosition(own, following, last, self.state.points)

    def decide(self, choice: Choice, throw: Throw) -> None:
        """The player's decision, and the throw that follows it."""
        player = self.state.player
        bot = self.bots[player]
        bot.roll() if choice is Choice.ROLL else bot.save()
        self.state = self.state.play(choice)
        if choice is Choice.ROLL:
            self.state = self.state.play(throw)
            for seen_by, bot in enumerate(self.bots):
                number = self.identifier(player, seen_by)
                line = f"THRW {number} {throw.first} {throw.second} bot{player}"
                assert self._event(bot, line) is None

    def end(self) -> None:
        """WIN and DEF; every BYE must be right."""
        winner = self.state.player
        for player, bot in enumerate(self.bots):
            event = self._event(bot, WIN if player == winner else DEF)
            assert isinstance(event, RaceEnded)
            assert event.won == (player == winner)
            assert event.points == self.true_score(player)
            assert bot.bye().decode() == "BYE {} {} {}\n".format(*self.true_score(player))
            assert self._event(bot, "BYE") == ServerParted()

    def true_score(self, player: int) -> tuple[int, int, int]:
        saved = self.state.saved
        others = [saved[(player + 1) % 3], saved[(player + 2) % 3]]
        if self._swapped:
            others.reverse()
        return saved[player], others[0], others[1]


def chooser(rng: Random) -> Callable[[DiceState], Choice]:
    """A temper: careful or greedy, and how often it passes without a throw."""
    greed, passing = rng.choice([5, 15, 25, 60, 1000]), rng.choice([0.0, 0.1, 0.5, 0.9])

    def choose(state: DiceState) -> Choice:
        chance = passing if state.points == 0 else state.points / greed
        return Choice.SAVE if rng.random() < chance else Choice.ROLL

    return choose


def throws(rng: Random) -> Iterator[Throw]:
    """Dice that fall on a double as often as they do, or hardly ever, or very often."""
    doubles = rng.choice([1 / 6, 0.02, 0.6])
    while True:
        first, other = rng.sample(range(1, 7), 2)
        yield Throw(first, first if rng.random() < doubles else other)


def play_out(seed: int, swapped: bool = False) -> Table:
    """A game of three tempers; whenever a bot is asked, it knows the score."""
    rng = Random(seed)
    game = Dice(
        target=rng.choice([3, 20, 60, 150, 200]),
        rounds=rng.choice([9, 300]),
        begins=rng.randrange(3),
    )
    table = Table(game, swapped)
    tempers, dice = [chooser(rng) for _ in PLAYERS], throws(rng)
    while not table.state.outcome:
        believed = table.ask()
        right = table.true_position()
        assert (believed.own, believed.points) == (right.own, right.points)
        assert {believed.following, believed.last} == {right.following, right.last}
        if not swapped:
            assert believed == right
        table.decide(tempers[table.state.player](table.state), next(dice))
    return table


@given(seed=st.integers(0, 2**32), swapped=st.booleans())
def test_the_score_is_that_of_the_rules(seed: int, swapped: bool) -> None:
    table = play_out(seed, swapped)
    if not table.state.outcome or not table.state.outcome.void:
        table.end()


def test_who_follows_is_identifier_0_unless_the_throws_say_otherwise() -> None:
    bot = greeted("SAVE", "SAVE")
    bot.hear("THRW 1 1 2 b", "TURN 0", "THRW 0 2 3 a", "TURN 0")
    assert bot.position == RacePosition(0, 5, 3, 0)
    bot.hear("THRW 1 6 6 b", "THRW 0 1 1 a", "TURN 0")
    assert bot.position == RacePosition(0, 3, 5, 0)
