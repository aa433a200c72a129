"""The session of the dice sheet, with its slips corrected as decided.

`TURN O` is a misprint of `TURN 0`; the identifiers in the first three THRW lines are swapped; and
nobody has 203 points in a race to 150, so the race goes to 200, which the last messages say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from spielwerk.servers.dice import DiceSettings
from tests.simulation import DicePeer, World

BEGINNING = """\
0> HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!
0< AUTH dice1
1> HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!
1< AUTH dice2
2> HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!
2< AUTH dice3
2> TURN 0 Your turn!
2< ROLL
0> THRW 1 4 5 dice3
1> THRW 0 4 5 dice3
2> THRW 2 4 5 dice3
2> TURN 9 Your turn!
"""

END = """\
0> THRW 0 3 5 dice2
1> THRW 2 3 5 dice2
2> THRW 1 3 5 dice2
1> WIN You win, because you have reached 200 points or more first.
2> DEF You lose, because another player has reached 200 points or more first.
0> DEF You lose, because another player has reached 200 points or more first.
1< BYE 203 0 145
2< BYE 0 145 203
0< BYE 145 203 0
0> BYE
1> BYE
2> BYE
"""

# Who decides what, and what then falls: dice3 loses its points, dice1 saves 145, dice2 195.
MIDDLE = [
    (2, "ROLL", "1 1"),
    *[(0, "ROLL", "6 5")] * 11,
    *[(0, "ROLL", "5 3")] * 3,
    (0, "SAVE", ""),
    *[(1, "ROLL", "6 5")] * 17,
    (1, "ROLL", "3 5"),
    (1, "SAVE", ""),
    (2, "ROLL", "2 2"),
    (0, "SAVE", ""),
]


class Fate:
    """Dice that fall as the document has it: the third bot begins, nobody changes seats."""

    throws: Iterator[str]

    def shuffle(self, _bots: list[Any]) -> None:
        pass

    def randint(self, _low: int, high: int) -> int:
        return high

    def choice(self, moves: list[Any]) -> Any:
        wanted = tuple(map(int, next(Fate.throws).split()))
        (move,) = (move for move in moves if move == wanted)
        return move


def said(session: str, player: int, arrow: str) -> list[str]:
    """One side's lines with one player."""
    return [line[3:] for line in session.splitlines() if line.startswith(f"{player}{arrow}")]


def test_the_documents_session(monkeypatch: pytest.MonkeyPatch) -> None:
    Fate.throws = iter(["4 5", *[throw for _, _, throw in MIDDLE if throw], "3 5"])
    monkeypatch.setattr("spielwerk.servers.dice.FairDice", Fate)
    world = World(dice=DiceSettings(target=200))
    peers = [DicePeer(world) for _ in range(3)]
    for player, peer in enumerate(peers):
        peer.say(*said(BEGINNING, player, "<")[:1])
    peers[2].say("ROLL")
    assert [peer.lines for peer in peers] == [said(BEGINNING, p, ">") for p in range(3)]

    for player, decision, _ in MIDDLE:
        assert peers[player].lines[-1].startswith("TURN ")
        peers[player].say(decision)
    before = [len(peer.lines) for peer in peers]
    assert peers[1].lines[-1] == "TURN 195 Your turn!"
    peers[1].say("ROLL")
    for player in (1, 2, 0):
        peers[player].say(*said(END, player, "<"))
    for player, peer in enumerate(peers):
        assert peer.lines[before[player] :] == said(END, player, ">")
        assert peer.finished
