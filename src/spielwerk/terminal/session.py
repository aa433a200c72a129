"""The talk at the keyboard: lines in, boards and sentences out. It knows no game by name."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from spielwerk.engines.players import RandomPlayer
from spielwerk.errors import NotationError, SpielwerkError, UsageError
from spielwerk.games.interface import CHANCE, NOBODY
from spielwerk.games.playing import play_turn, random_move
from spielwerk.terminal.boards import draw, emblem, in_ascii
from spielwerk.terminal.files import save
from spielwerk.terminal.keyboard import ask

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from rich.console import Console

    from spielwerk.engines.players import Player
    from spielwerk.games.record import Record

HELP: Final = """\
?          list the legal moves
undo       take your last decision back
save FILE  write the game to a file; --load FILE plays it on
help       show the board and this list
quit       leave; so do Ctrl-C and Ctrl-D"""

LISTED: Final = 500
"""How many legal moves `?` lists at most."""


class Session:
    """One game at one keyboard: people at some seats, another player at all the others.

    `people` are the seats of people; `rng` throws the dice and decides for the other player.
    """

    def __init__(
        self,
        console: Console,
        record: Record,
        people: Collection[int],
        rng: Random,
        other: Player | None = None,
    ) -> None:
        self.console = console
        self.record = record
        self.people = people
        self.rng = rng
        self.other = other or RandomPlayer("random")

    def run(self) -> bool:
        """Play until somebody leaves; False if that was with Ctrl-C or Ctrl-D.

        After the end of the game one can still undo and save.
        """
        game = self.record.game
        self._say(f"{game.title}. Moves: {game.move_help}. Type help for more.")
        try:
            self._advance()
            while self._obey(ask(self.console, self._prompt())):
                pass
        except (EOFError, KeyboardInterrupt):
            self._say("\nBye.")
            return False
        self._say("Bye.")
        return True

    def _advance(self) -> None:
        """Let chance and the other player move, until a person has to decide or all is over."""
        while self.record.state.turn not in (*self.people, NOBODY):
            state = self.record.state
            chance = state.turn == CHANCE
            move = (random_move if chance else self.other.choose)(state, self.rng)
            who = Text("chance") if chance else self._name(state.turn)
            self._say(Text.assemble(who, f": {state.game.format_move(move)}"))
            self.record = self.record.play(move)
        self._show()

    def _show(self) -> None:
        """The board, and the result if there is one."""
        board = draw(self.record.state)
        widest = max(len(line) for line in board.plain.split("\n"))
        if widest > self.console.width:
            self._say(f"The board needs {widest} columns, the terminal has {self.console.width}.")
        self._say("")
        self.console.print(self._fit(board), no_wrap=True)
        self._say("")
        outcome = self.record.state.outcome
        if outcome:
            self._say(Text(f"Game over: {outcome.sentence(self.record.game.sides)}.", "bold"))

    def _prompt(self) -> Text:
        turn = self.record.state.turn
        name = Text("undo, save or quit") if turn == NOBODY else self._name(turn)
        return self._fit(Text.assemble(name, "> "))

    def _name(self, player: int) -> Text:
        return Text.assemble(emblem(player), f" {self.record.game.sides[player]}")

    def _obey(self, line: str) -> bool:
        """Do what was typed; False to leave."""
        command, _, argument = line.partition(" ")
        try:
            match command.lower(), argument.strip():
                case ("quit" | "exit" | "q", ""):
                    return False
                case ("help", ""):
                    self._show()
                    self._say(HELP)
                case ("?", ""):
                    self._say(self._legal_moves())
                case ("undo", ""):
                    self._undo()
                case ("save", name) if name or not self._is_move(line):
                    self._save(name)
                case _ if line:
                    self._play(line)
        except SpielwerkError as error:
            self._say(str(error))
        return True

    def _is_move(self, line: str) -> bool:
        """Whether the game can read the line as a move: the dice race has its own `save`."""
        with suppress(NotationError):
            return bool(self._parse(line))
        return False

    def _legal_moves(self) -> str:
        state = self.record.state
        moves = state.legal_moves()
        listed = "  ".join(state.game.format_move(move) for move in moves[:LISTED])
        rest = f"  ... {len(moves)} in all" if len(moves) > LISTED else ""
        return f"{listed}{rest}" or "none, the game is over"

    def _undo(self) -> None:
        """Go back to the last decision that was a person's."""
        turns = [state.turn for state in self.record.states[:-1]]
        plies = [ply for ply, turn in enumerate(turns) if turn in self.people]
        if not plies:
            self._say("There is nothing to take back.")
            return
        self.record = self.record.back_to(plies[-1])
        self._show()

    def _save(self, name: str) -> None:
        if not name:
            raise UsageError("say where to: save FILE")
        path = Path(os.path.expanduser(name))  # noqa: PTH111  (Path's own raises for unknown users)
        save(self.record, path)
        self._say(f"Saved: {path}")

    def _play(self, line: str) -> None:
        """Play a decision, or several given at once: all of them or none."""
        moves = self._parse(line)
        play_turn(self.record.state, moves)
        for move in moves:
            self.record = self.record.play(move)
        self._advance()

    def _parse(self, line: str) -> tuple[Any, ...]:
        """Read moves as the wire writes them; people may also type a1 or roll."""
        game = self.record.game
        try:
            return game.parse_turn(line)
        except NotationError as error:
            with suppress(NotationError):
                return game.parse_turn(line.upper())
            raise error from None

    def _say(self, text: str | Text) -> None:
        self.console.print(self._fit(text if isinstance(text, Text) else Text(text)))

    def _fit(self, text: Text) -> Text:
        return text if self.console.encoding.lower().startswith("utf") else in_ascii(text)
