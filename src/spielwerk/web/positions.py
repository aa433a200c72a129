"""Positions as pages show them: plain JSON made from the rules' states.

The browser holds no rules: a view says what lies where, whose decision it is and which moves are
legal. A game's folder has a module `view` with a function `board(state, last)`, where `last` is the
move that led to the state, if there was one, and perhaps `legal(state)` and `steps(state, move)`.
A game without it is shown by the position's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.games import CHANCE, find_game, part_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spielwerk.games import Outcome, State
    from spielwerk.store.records import GameRecord, MoveRecord

    View = dict[str, Any]


def _from_folder(state: State[Any], name: str, default: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the `view` in the game's folder, or what does without."""
    found: Callable[..., Any] = getattr(part_of(state.game, "view"), name, default)
    return found


def view(state: State[Any], last: Any = None) -> View:
    """The position as the contract with the pages has it; `last` is the move that led here."""
    listed = _from_folder(state, "legal", _moves)
    return picture(state, last) | {"legal": [] if state.turn == CHANCE else listed(state)}


def picture(state: State[Any], last: Any = None) -> View:
    """The position where it is only to be looked at: the same without a legal move."""
    return {
        "turn": state.turn,
        "legal": [],
        "board": _from_folder(state, "board", _text)(state, last),
        "outcome": _outcome(state.outcome),
    }


def _text(state: State[Any], _: Any) -> View:
    return {"text": str(state)}


def _moves(state: State[Any]) -> list[str]:
    return [state.game.format_move(move) for move in state.legal_moves()]


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "score": list(outcome.score),
        "void": outcome.void,
    }


def steps(state: State[Any], move: Any) -> list[list[Any]] | None:
    """What happens in a move piece by piece, for games that are shown so."""
    told: list[list[Any]] | None = _from_folder(state, "steps", _no_steps)(state, move)
    return told


def _no_steps(_: State[Any], __: Any) -> None:
    return None


def ply(kept: MoveRecord, before: State[Any], after: State[Any] | None = None) -> dict[str, Any]:
    """A decision as messages carry it; with the view after it if that state is given."""
    move = before.game.parse_move(kept.move)
    shown: dict[str, Any] = {
        "n": kept.number,
        "seat": kept.seat,
        "move": kept.move,
        "at": kept.at,
        "took": kept.took,
    }
    told = steps(before, move)
    if told is not None:
        shown["steps"] = told
    if after is not None:
        shown["view"] = view(after, move)
    return shown


def states(game: GameRecord) -> list[State[Any]]:
    """All positions of a game that was kept, the start first; or what this version cannot play."""
    return [state for state, _ in walk(game)]


def walk(game: GameRecord) -> Iterator[tuple[State[Any], Any]]:
    """The positions one by one, each with the move that led to it; the first has none."""
    kind = find_game(game.game).from_text(game.options)
    state = kind.start()
    yield state, None
    for kept in game.moves:
        move = kind.parse_move(kept.move)
        state = state.play(move)
        yield state, move


def plies(
    moves: Sequence[MoveRecord], reached: Sequence[State[Any]], first: int = 0, viewed: int = 50
) -> list[dict[str, Any]]:
    """The decisions from the first one wanted; the last `viewed` of them with their views.

    `reached` holds the state before each of the moves, and the one after the last.
    """
    plain = len(moves) - viewed
    return [
        ply(moves[n], reached[n], reached[n + 1] if n >= plain else None)
        for n in range(first, len(moves))
    ]
