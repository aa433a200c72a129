"""How a game of a contest ended: what the table says, seen together with what the programs did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.store.records import Ending, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.games.interface import Outcome

BY_RULE: Final = (Reason.WIN, Reason.DRAW)


def judged(ending: Ending, by_rule: Outcome | None, players: int) -> Ending:
    """The ending of a game that was played, if not to its end by the rules (`by_rule`)."""
    reason = _reason(ending, by_rule)
    if reason in (*BY_RULE, Reason.SERVER_ERROR):
        winner = ending.winner if reason is Reason.WIN else None
        return Ending(reason, winner, ending.detail)
    return blamed(reason, ending.culprits, players, ending.detail)


def _reason(ending: Ending, by_rule: Outcome | None) -> Reason:
    if ending.reason is Reason.RESIGNATION:
        return Reason.CONNECTION_LOST  # a program that gives up has left
    if ending.reason is not Reason.ABORTED:
        return ending.reason
    if ending.culprit is not None:
        return Reason.CONNECTION_LOST  # it has said that it would not go on
    return Reason.DRAW if by_rule and by_rule.void else Reason.SERVER_ERROR


def absent(failures: Mapping[int, Ending], names: Mapping[int, str], players: int) -> Ending:
    """The ending of a game to which these have not come.

    A game has one ending. Where they failed in different ways, it is what they have in common: none
    is to be disqualified for what another one has done.
    """
    ours = [failure for failure in failures.values() if failure.reason is Reason.SERVER_ERROR]
    if ours:
        return ours[0]
    reasons = {failure.reason for failure in failures.values()}
    reason = reasons.pop() if len(reasons) == 1 else Reason.NO_START
    details = [f"{names[number]}: {failures[number].detail}" for number in sorted(failures)]
    detail = failures[min(failures)].detail if len(failures) == 1 else "; ".join(details)
    return blamed(reason, tuple(sorted(failures)), players, detail)


def blamed(reason: Reason, culprits: tuple[int, ...], players: int, detail: str) -> Ending:
    """The ending of a game that these have spoilt: of two players, the other one has won."""
    others = [number for number in range(players) if number not in culprits]
    winner = others[0] if players == 2 and len(others) == 1 else None
    return Ending(reason, winner, detail, culprits=culprits)


def as_result(ending: Ending) -> Ending:
    """The ending as the record of the game has it."""
    begun = ending.reason is not Reason.NO_START
    return ending if begun else replace(ending, reason=Reason.ABORTED)
