"""A game whose moves and positions are numbers, by the `numbers.py` in its folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.errors import NotationError
from spielwerk.games import CHANCE, part_of

if TYPE_CHECKING:
    from spielwerk.games import Game, State


class NumberedGame:
    """A game with a fixed list of all moves; an action is the place of a move in it.

    >>> from spielwerk.games import find_game
    >>> numbered = NumberedGame(find_game("dice")())
    >>> numbered.texts, len(numbered.chance)
    (('ROLL', 'SAVE'), 36)
    >>> numbered.observed(numbered.game.start(), seat=2)
    [3, 1, 0, 0, 0, 0, 0]
    """

    def __init__(self, game: Game[Any]) -> None:
        part = part_of(game, "numbers")
        if part is None:
            raise NotationError("game", game.name, "its folder has no numbers.py")
        self.game = game
        self.moves: tuple[Any, ...] = tuple(part.moves(game))
        self.chance: tuple[Any, ...] = tuple(part.chance(game))
        self.texts = tuple(game.format_move(move) for move in self.moves)
        self.longest: int = part.longest(game)  # game, in decisions of players
        self.highest: int = max(part.highest(game), game.players)  # number of an observation
        self._numbers = part.numbers
        self._places = {
            move: n for table in (self.moves, self.chance) for n, move in enumerate(table)
        }

    def legal(self, state: State[Any]) -> list[int]:
        """The actions that are legal, from the smallest; chance has actions of its own."""
        return sorted(self._places[move] for move in state.legal_moves())

    def move(self, state: State[Any], action: int) -> Any:
        """The move that an action means here."""
        return (self.chance if state.turn == CHANCE else self.moves)[action]

    def observed(self, state: State[Any], seat: int) -> list[int]:
        """The observer's seat and the player who decides, both from 1 (0: none); the position."""
        return [seat + 1, max(state.turn + 1, 0), *self._numbers(state)]

    def returns(self, state: State[Any]) -> list[float]:
        """1 for the winner, -1 shared by the others; 0 for all without a winner."""
        players = self.game.players
        if state.outcome is None or state.outcome.winner is None:
            return [0.0] * players
        lost = -1 / (players - 1)
        return [1.0 if player == state.outcome.winner else lost for player in range(players)]
