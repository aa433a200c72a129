"""A race as a case lets it go: throws by the rules, and which mistake explains a wrong score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from spielwerk.games.dice.rules import Choice, Dice, DiceState, Throw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BOT, NEXT, LAST = 0, 1, 2  # seats: the bot's, and those that are identifiers 0 and 1 to it
SMALL: Final = Throw(1, 2)
LARGE: Final = Throw(5, 6)
DOUBLE: Final = Throw(4, 4)

Score = tuple[int, int, int]


def throws(text: str) -> tuple[Throw, ...]:
    """Throws as cases write them: two digits each."""
    return tuple(Throw(int(word[0]), int(word[1])) for word in text.split())


def throws_to(points: int) -> tuple[Throw, ...]:
    """Throws without a double that bring so many points: 0, or at least 3."""
    found: list[Throw] = []
    while points > 0:
        most = points if points <= sum(LARGE) else min(sum(LARGE), points - 3)
        first = min(6, most - 1)
        first -= 2 * first == most
        found.append(Throw(first, most - first))
        points -= most
    return tuple(found)


@dataclass(slots=True)
class PlayedTurn:
    """A turn: its throws, and whether its points were kept."""

    player: int
    throws: list[Throw] = field(default_factory=list)

    @property
    def lost(self) -> bool:
        """Whether it ended with a double."""
        return bool(self.throws) and self.throws[-1].first == self.throws[-1].second

    @property
    def gathered(self) -> int:
        """The points before a double, or all."""
        return sum(map(sum, self.throws[:-1] if self.lost else self.throws))


class CheckedRace:
    """The state of a race, and all turns so far."""

    def __init__(self, target: int, begins: int) -> None:
        self.state: DiceState = Dice(target=target, begins=begins).start()
        self.turns: list[PlayedTurn] = []

    @property
    def player(self) -> int:
        """Whose turn it is."""
        return self.state.player

    @property
    def over(self) -> bool:
        """Whether there is a winner."""
        return self.state.outcome is not None

    @property
    def total(self) -> int:
        """What TURN tells: saved points and those of this turn."""
        return self.state.saved[self.player] + self.state.points

    @property
    def score(self) -> Score:
        """The numbers of the bot's BYE."""
        own, first, second = self.state.saved
        return own, first, second

    def throw(self, throw: Throw) -> None:
        """The player at turn rolls, and the dice fall so."""
        self._turn().throws.append(throw)
        self.state = self.state.play(Choice.ROLL).play(throw)

    def save(self) -> None:
        """The player at turn saves."""
        self._turn()
        self.state = self.state.play(Choice.SAVE)

    def _turn(self) -> PlayedTurn:
        if len(self.turns) == self.state.turns:
            self.turns.append(PlayedTurn(self.player))
        return self.turns[-1]

    def mistake(self, told: Score) -> str:
        """The only mistake that gives this score, for all players or for some; or nothing."""
        found = [
            code
            for code, count in MISTAKES.items()
            if all(
                one in pair for one, *pair in zip(told, self.score, count(self.turns), strict=True)
            )
        ]
        return found[0] if len(found) == 1 else ""


# how the dice fall in the bot's turns


def double(_: CheckedRace) -> Throw:
    """Dice that lose."""
    return DOUBLE


def climb(limit: int) -> Callable[[CheckedRace], Throw]:
    """Dice that lead to this number of points and not beyond."""

    def fall(race: CheckedRace) -> Throw:
        missing = limit - race.total
        if missing >= sum(LARGE):
            return LARGE
        return throws_to(missing)[0] if missing >= sum(SMALL) else DOUBLE

    return fall


# wrong ways to count; each is given all turns of a race that is over


def _sums(turns: Sequence[PlayedTurn], points: Callable[[PlayedTurn], int]) -> list[int]:
    return [sum(points(turn) for turn in turns if turn.player == player) for player in range(3)]


def _right(turns: Sequence[PlayedTurn]) -> list[int]:
    return _sums(turns, lambda turn: 0 if turn.lost else turn.gathered)


def _loses_all(turns: Sequence[PlayedTurn]) -> list[int]:
    """What is left if a double takes the saved points, too, as it seems if no SAVE is noticed."""
    kept = [0, 0, 0]
    for turn in turns:
        kept[turn.player] = 0 if turn.lost else kept[turn.player] + turn.gathered
    return kept


MISTAKES: Final[dict[str, Callable[[Sequence[PlayedTurn]], list[int]]]] = {
    "keeps-lost": lambda turns: _sums(turns, lambda turn: turn.gathered),
    "counts-doubles": lambda turns: _sums(turns, lambda turn: sum(map(sum, turn.throws))),
    "loses-all": _loses_all,
    "without-winning-turn": lambda turns: _right(turns[:-1]),
    "own-only": lambda turns: [_right(turns)[0], 0, 0],
}
