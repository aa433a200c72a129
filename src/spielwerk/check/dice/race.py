"""A race as a case lets it go: throws by the rules, and which mistake explains a wrong score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from spielwerk.games.dice.rules import Choice, Dice, DiceState, Throw

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BOT: Final = 0  # the bot's seat; the next ones are identifiers 0 and 1 to it
SMALL: Final = Throw(1, 2)
LARGE: Final = Throw(5, 6)
DOUBLE: Final = Throw(4, 4)

Score = tuple[int, int, int]


def pips(throw: Throw) -> int:
    """What both dice show together."""
    return throw.first + throw.second


def throws_to(points: int) -> tuple[Throw, ...]:
    """Throws without a double that bring so many points: 0, or at least 3."""
    throws: list[Throw] = []
    while points > 0:
        most = points if points <= pips(LARGE) else min(pips(LARGE), points - 3)
        first = min(6, most - 1)
        first -= 2 * first == most
        throws.append(Throw(first, most - first))
        points -= most
    return tuple(throws)


@dataclass(slots=True)
class PlayedTurn:
    """A turn: its throws, and whether its points were kept."""

    player: int
    throws: list[Throw] = field(default_factory=list)
    told: int = 0  # the last figure that TURN had, if it was the bot's

    @property
    def lost(self) -> bool:
        """Whether it ended with a double."""
        return bool(self.throws) and self.throws[-1].first == self.throws[-1].second

    @property
    def gathered(self) -> int:
        """The points before a double, or all."""
        return sum(map(pips, self.throws[:-1] if self.lost else self.throws))


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

    def asked(self) -> None:
        """The bot is told its points."""
        self._turn().told = self.total

    def throw(self, throw: Throw) -> None:
        """The player at turn rolls, and the dice fall so."""
        self._turn().throws.append(throw)
        self.state = self.state.play(Choice.ROLL).play(throw)

    def save(self) -> None:
        """The player at turn saves."""
        self._turn()
        self.state = self.state.play(Choice.SAVE)

    def _turn(self) -> PlayedTurn:
        number = self.state.turns
        if len(self.turns) == number:
            self.turns.append(PlayedTurn(self.player))
        return self.turns[number]

    def mistake(self, told: Score) -> str:
        """The only mistake that gives exactly this score; nothing if there are several or none."""
        own, *others = self.score
        found = []
        for code, (count, concerns) in MISTAKES.items():
            first, *rest = count(self.turns)
            scores = {"all": (first, *rest), "bot": (first, *others), "others": (own, *rest)}
            if told in [scores[one] for one in concerns.split()]:
                found.append(code)
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


# Wrong ways to count; each is given all turns of a race that is over.


def _sum(turns: Sequence[PlayedTurn], points: Callable[[PlayedTurn], int]) -> Score:
    own, first, second = (
        sum(points(turn) for turn in turns if turn.player == player) for player in range(3)
    )
    return own, first, second


def right(turns: Sequence[PlayedTurn]) -> Score:
    """As the document has it."""
    return _sum(turns, lambda turn: 0 if turn.lost else turn.gathered)


def _keeps_lost(turns: Sequence[PlayedTurn]) -> Score:
    return _sum(turns, lambda turn: turn.gathered)


def _counts_doubles(turns: Sequence[PlayedTurn]) -> Score:
    return _sum(turns, lambda turn: sum(map(pips, turn.throws)))


def _adds_double(turns: Sequence[PlayedTurn]) -> Score:
    return _sum(turns, lambda turn: pips(turn.throws[-1]) if turn.lost else turn.gathered)


def _loses_all(turns: Sequence[PlayedTurn]) -> Score:
    """What is left if a double takes the saved points, too, as it seems if no SAVE is noticed."""
    kept = [0, 0, 0]
    for turn in turns:
        kept[turn.player] = 0 if turn.lost else kept[turn.player] + turn.gathered
    return kept[0], kept[1], kept[2]


def _without_winning_turn(turns: Sequence[PlayedTurn]) -> Score:
    return right(turns[:-1])


def _without_winning_throw(turns: Sequence[PlayedTurn]) -> Score:
    last = turns[-1]
    return right([*turns[:-1], PlayedTurn(last.player, last.throws[:-1])])


def _without_last_saved(turns: Sequence[PlayedTurn]) -> Score:
    """As if a turn of an opponent counted only when that opponent throws again."""
    last = {turn.player: number for number, turn in enumerate(turns) if turn.throws}
    kept = [t for number, t in enumerate(turns) if t.player == BOT or last.get(t.player) != number]
    return right([*kept, turns[-1]] if turns[-1].player != BOT else kept)


def _without_beginning(turns: Sequence[PlayedTurn]) -> Score:
    first = next((number for number, turn in enumerate(turns) if turn.player == BOT), len(turns))
    return right(turns[first:])


def _as_told(turns: Sequence[PlayedTurn]) -> Score:
    """The figure of the last TURN for the own points."""
    told = [turn.told for turn in turns if turn.player == BOT]
    _, first, second = right(turns)
    return told[-1] if told else 0, first, second


def _own_only(turns: Sequence[PlayedTurn]) -> Score:
    return right(turns)[0], 0, 0


MISTAKES: Final[dict[str, tuple[Callable[[Sequence[PlayedTurn]], Score], str]]] = {
    "keeps-lost": (_keeps_lost, "all bot others"),
    "counts-doubles": (_counts_doubles, "all bot others"),
    "adds-double": (_adds_double, "all bot others"),
    "loses-all": (_loses_all, "all bot others"),
    "without-winning-throw": (_without_winning_throw, "others"),
    "without-winning-turn": (_without_winning_turn, "all"),
    "without-last-saved": (_without_last_saved, "all"),
    "without-beginning": (_without_beginning, "all"),
    "as-told": (_as_told, "all"),
    "own-only": (_own_only, "all"),
}
"""Ways to count wrongly, and whose points they may concern."""
