"""Nine Men's Morris as pages show it: people play whole turns, captures included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games.morris.rules import FREE, MILLS_OF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games.morris.rules import Decision, MorrisState


def board(state: MorrisState, last: Decision | None) -> dict[str, Any]:
    """The fields, the stones beside the board, and the mills that the last decision closed."""
    return {
        "fields": state.board,
        "hand": list(state.hand),
        "lost": [state.lost(player) for player in (0, 1)],
        "capture": state.capture,
        "quiet": state.quiet,
        "mills": _closed(state.board, last.target) if last else [],
    }


def _closed(fields: str, field: int) -> list[list[int]]:
    """The mills through the field; none if a stone was captured there."""
    stone = fields[field]
    return [
        list(mill)
        for mill in MILLS_OF[field]
        if stone != FREE and all(fields[f] == stone for f in mill)
    ]


def legal(state: MorrisState) -> list[str]:
    """Every whole turn: `A1`, `A1:A2`, `A1:A2;B3`."""
    return [";".join(turn) for turn in _turns(state)]


def _turns(state: MorrisState) -> Iterator[tuple[str, ...]]:
    """The turns that can be played from here, decision by decision."""
    for decision in state.legal_moves():
        text = state.game.format_move(decision)
        after = state.play(decision)
        if after.turn == state.turn:
            for rest in _turns(after):
                yield text, *rest
        else:
            yield (text,)
