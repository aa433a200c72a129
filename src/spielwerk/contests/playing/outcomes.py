"""How a game of a contest ended: what the table says, seen together with what the programs did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.store.contest_records import End, PairingOutcome
from spielwerk.store.records import Reason, ResultRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.playing.game import Failure
    from spielwerk.games.interface import Outcome as RuleOutcome

_ENDS: Final = {
    Reason.WIN: End.WIN,
    Reason.DRAW: End.DRAW,
    Reason.TIME_OUT: End.TIME_OUT,
    Reason.ILLEGAL_MOVE: End.ILLEGAL_MOVE,
    Reason.PROTOCOL_ERROR: End.PROTOCOL_ERROR,
    Reason.CONNECTION_LOST: End.CRASH,
    Reason.RESIGNATION: End.CRASH,  # a program that gives up has left
    Reason.STALLED: End.STALL,
    Reason.SERVER_ERROR: End.SERVER_ERROR,
}

_REASONS: Final = {
    End.WIN: Reason.WIN,
    End.DRAW: Reason.DRAW,
    End.TIME_OUT: Reason.TIME_OUT,
    End.ILLEGAL_MOVE: Reason.ILLEGAL_MOVE,
    End.PROTOCOL_ERROR: Reason.PROTOCOL_ERROR,
    End.CRASH: Reason.CONNECTION_LOST,
    End.STALL: Reason.STALLED,
    End.NO_START: Reason.ABORTED,
    End.SERVER_ERROR: Reason.SERVER_ERROR,
}


def judged(result: ResultRecord, by_rule: RuleOutcome | None, players: int) -> PairingOutcome:
    """The outcome of a game that was played, if not to its end by the rules (`by_rule`)."""
    end = _end(result, by_rule)
    if end in (End.WIN, End.DRAW, End.SERVER_ERROR):
        winner = result.winner if end is End.WIN else None
        return PairingOutcome(end, winner, detail=result.detail)
    return blamed(end, result.culprits, players, result.detail)


def _end(result: ResultRecord, by_rule: RuleOutcome | None) -> End:
    if result.reason is Reason.ABORTED:
        if result.culprit is not None:
            return End.CRASH  # it has said that it would not go on
        return End.DRAW if by_rule and by_rule.void else End.SERVER_ERROR
    return _ENDS[result.reason]


def absent(
    failures: Mapping[int, Failure], names: Mapping[int, str], players: int
) -> PairingOutcome:
    """The outcome of a game to which these have not come.

    A game has one end. Where they failed in different ways, it is what they have in common: none
    is to be disqualified for what another one has done.
    """
    ours = [failure for failure in failures.values() if failure.end is End.SERVER_ERROR]
    if ours:
        return PairingOutcome(End.SERVER_ERROR, detail=ours[0].detail)
    ends = {failure.end for failure in failures.values()}
    end = ends.pop() if len(ends) == 1 else End.NO_START
    details = [f"{names[number]}: {failures[number].detail}" for number in sorted(failures)]
    detail = failures[min(failures)].detail if len(failures) == 1 else "; ".join(details)
    return blamed(end, tuple(sorted(failures)), players, detail)


def blamed(end: End, culprits: tuple[int, ...], players: int, detail: str) -> PairingOutcome:
    """The outcome of a game that these have spoilt: of two players, the other one has won."""
    others = [number for number in range(players) if number not in culprits]
    winner = others[0] if players == 2 and len(others) == 1 else None
    return PairingOutcome(end, winner, culprits, detail)


def as_result(outcome: PairingOutcome, at: int) -> ResultRecord:
    """The outcome as the record of the game has it."""
    reason = _REASONS[outcome.end]
    return ResultRecord(reason, outcome.winner, outcome.detail, at, outcome.culprits[:1])
