"""A game at the keyboard: lines in, boards and sentences out, at a pace that people can follow."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from rich.live import Live
from rich.text import Text

from spielwerk.engines.players import make_player, usual_player
from spielwerk.errors import NotationError, SpielwerkError, UsageError
from spielwerk.games import CHANCE, NOBODY, find_game, kits
from spielwerk.games.playing import random_move
from spielwerk.games.record import Record
from spielwerk.terminal.boards import draw, emblem, fitted, frames, mark
from spielwerk.terminal.files import save
from spielwerk.terminal.keyboard import ask, ready_player

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import Console

    from spielwerk.engines.players import Making, Player
    from spielwerk.games import Game

HELP: Final = """\
?          list the legal moves
hint       show a move that the computer would play
undo       take your last decision back
save FILE  write the game to a file; --load FILE plays it on
help       show the board and this list
quit       leave; so do Ctrl-C and Ctrl-D"""

SHOW: Final = 1.0
PAUSE: Final = 0.25


@dataclass(frozen=True)
class Tempo:
    """How long things stay on the screen, in seconds; 0 is no time at all.

    `show` is for a position, before a computer's move is carried out; what the computer thinks
    counts. `pause` is for every step of a move; with 0 only its result is shown. `every` says
    whether the positions between the moves of computers are shown, too.
    """

    show: float = 0.0
    pause: float = 0.0
    every: bool = False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def wait_until(self, moment: float) -> None:
        """Sleep until the clock shows that moment, if it is still to come."""
        left = moment - self.clock()
        if left > 0:
            self.sleep(left)


def usual_tempo(
    console: Console, game: Game[Any], show: float | None = None, pause: float | None = None
) -> Tempo:
    """A pleasant tempo for people, none for a pipe, and what was asked for in any case.

    Where chance decides all along, a turn is many small decisions: these are listed, not shown.
    """
    watched = console.is_terminal and not game.throws_dice
    show = (SHOW if watched else 0.0) if show is None else show
    pause = (PAUSE if watched else 0.0) if pause is None else pause
    return Tempo(show, pause, every=watched or show > 0 or pause > 0)


def animate(console: Console, pictures: Sequence[Text], tempo: Tempo) -> None:
    """Show the pictures, each for the tempo's pause, in place where the screen can do that."""
    if not pictures:
        return
    if console.is_terminal and not console.is_dumb_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as screen:
            for picture in pictures:
                picture.no_wrap, picture.overflow = True, "crop"
                screen.update(picture, refresh=True)
                tempo.sleep(tempo.pause)
    else:
        for picture in pictures:
            console.print()
            console.print(picture, no_wrap=True)
            tempo.sleep(tempo.pause)


LISTED: Final = 500
"""How many legal moves `?` lists at most."""


class KeyboardSession:
    """One game at one keyboard: players at some seats, people at all the others.

    `rng` decides for chance and for the players; `hint` gives hints, if not the usual player.
    `failure` is what broke the game off, if anything did.
    """

    def __init__(
        self,
        console: Console,
        record: Record,
        players: Mapping[int, Player],
        rng: Random,
        tempo: Tempo | None = None,
        hint: Player | None = None,
    ) -> None:
        self.console = console
        self.record = record
        self.players = players
        self.rng = rng
        self.tempo = tempo or Tempo()
        self.failure: SpielwerkError | None = None
        self._hinter = hint
        self._shown = self.tempo.clock()

    def run(self) -> bool:
        """Play until the person leaves; False if that was with Ctrl-C or Ctrl-D.

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
        """Let chance and the players move, until a person has to decide or all is over."""
        while not self.failure and self.record.state.turn in (CHANCE, *self.players):
            if self.record.state.turn == CHANCE:
                self._carry_out(Text("chance"), random_move(self.record.state, self.rng))
            else:
                self._let_play(self.record.state.turn)
        self._show()

    def _let_play(self, seat: int) -> None:
        """Have a player decide; the position before that stays on the screen for its time."""
        if self.tempo.every:
            self._show()
            self._say(Text.assemble(self._name(seat), " thinks ..."))
        try:
            move = self.players[seat].decide(self.record, self.rng)
        except SpielwerkError as error:
            self.failure = error
        else:
            self.tempo.wait_until(self._shown + self.tempo.show)
            self._carry_out(self._name(seat), move)

    def _carry_out(self, who: Text | None, move: Any) -> None:
        """Play a move and show its steps; one that is not legal is never begun."""
        before, self.record = self.record.state, self.record.play(move)
        if who:
            self._say(Text.assemble(who, f": {before.game.format_move(move)}"))
        if self.tempo.pause:
            steps = [self._fit(picture) for picture in frames(before, move)]
            animate(self.console, steps, self.tempo)

    def _show(self) -> None:
        """The board, and the result if there is one."""
        self._picture(draw(self.record.state))
        self._shown = self.tempo.clock()
        outcome = self.record.state.outcome
        if outcome:
            self._say(Text(f"Game over: {outcome.sentence(self.record.game.sides)}.", "bold"))
        elif self.failure:
            self._say(Text(f"The game was aborted: {self.failure}.", "bold"))

    def _picture(self, board: Text) -> None:
        widest = max(len(line) for line in board.plain.split("\n"))
        if widest > self.console.width:
            self._say(f"The board needs {widest} columns, the terminal has {self.console.width}.")
        self._say("")
        self.console.print(self._fit(board), no_wrap=True)
        self._say("")

    def _prompt(self) -> Text:
        turn = self.record.state.turn
        ended = turn == NOBODY or self.failure
        name = Text("undo, save or quit") if ended else self._name(turn)
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
                case ("hint", ""):
                    self._hint()
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
        """Whether the game can read the line as a move: a game may have its own `save`."""
        with suppress(NotationError):
            return bool(self._parse(line))
        return False

    def _legal_moves(self) -> str:
        state = self.record.state
        moves = state.legal_moves()
        listed = "  ".join(state.game.format_move(move) for move in moves[:LISTED])
        rest = f"  ... {len(moves)} in all" if len(moves) > LISTED else ""
        return f"{listed}{rest}" or "none, the game is over"

    def _hint(self) -> None:
        """Point out a move; what chance decides stays what it would have been."""
        self._require_going_on()
        game, state = self.record.game, self.record.state
        if state.turn == NOBODY:
            raise UsageError("the game is over; there is no move to make")
        self._hinter = self._hinter or ready_player(usual_player(game), game)
        move = self._hinter.decide(self.record, Random(0))
        self._picture(mark(state, move))
        self._say(Text.assemble("Hint: ", (game.format_move(move), "bold")))

    def _require_going_on(self) -> None:
        if self.failure:
            raise UsageError("the game was aborted: undo takes your last move back, quit leaves")

    def _undo(self) -> None:
        """Go back to the last decision that was a person's."""
        turns = [state.turn for state in self.record.states[:-1]]
        plies = [ply for ply, turn in enumerate(turns) if turn not in (CHANCE, *self.players)]
        if not plies:
            self._say("There is nothing to take back.")
            return
        self.record, self.failure = self.record.back_to(plies[-1]), None
        self._show()

    def _save(self, name: str) -> None:
        if not name:
            raise UsageError("name a file: save FILE")
        path = Path(os.path.expanduser(name))  # noqa: PTH111  (Path's own raises for unknown users)
        save(self.record, path)
        self._say(f"Saved: {path}")

    def _play(self, line: str) -> None:
        """Play a decision, or several given at once: all of them or none."""
        self._require_going_on()
        moves = self._parse(line)
        self.record.state.play_turn(moves)
        for move in moves:
            self._carry_out(None, move)
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
        return fitted(text, self.console.encoding)


def menu(console: Console, rng: Random, make: Making = make_player) -> None:
    """Offer the games until the person leaves; `make` makes the opponents."""
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            game = _choose(console)
            if game is None:
                return
            other = _opponent(console, game, make)
            players = dict.fromkeys(range(1, game.players), other) if other else {}
            tempo = usual_tempo(console, game)
            if not KeyboardSession(console, Record((game.start(),)), players, rng, tempo).run():
                return
    console.print()


def _choose(console: Console) -> Game[Any] | None:
    """The chosen game with the options as typed; None to leave."""
    names = {str(number): name for number, name in enumerate(kits(), start=1)}
    console.print("\n[bold]Spielwerk[/]\n")
    for number, name in names.items():
        console.print(
            Text.assemble(f"  {number}  ", (f"{name:10}", "bold"), kits()[name].game.title)
        )
        for option in kits()[name].game.options():
            values = f"{option.name}={option.low}..{option.high}"
            console.print(Text(f"       {values:18} {option.meaning}", "dim"))
    console.print(f"\nType a number or a name, with options after it ({_example()}); quit leaves.")
    while True:
        words = ask(console, Text("Game> ", "bold")).split()
        if words and words[0].lower() in ("quit", "exit", "q"):
            return None
        if words:
            try:
                return find_game(names.get(words[0], words[0])).from_text(words[1:])
            except SpielwerkError as error:
                console.print(Text(str(error)))


def _example() -> str:
    """A game with an option, as one may type it."""
    kit = next(kit for kit in kits().values() if kit.game.options())
    option = kit.game.options()[0]
    return f"{kit.name} {option.name}={(option.default or 0) + 1}"


def _opponent(console: Console, game: Game[Any], make: Making) -> Player | None:
    """Who takes the other seats; None if people do."""
    console.print(
        "To play the computer: a level from 1 to 10, or random. To share this keyboard: Enter."
    )
    while True:
        answer = ask(console, Text("Against> ", "bold")).lower()
        if not answer:
            return None
        try:
            return ready_player(f"level={answer}" if answer.isdecimal() else answer, game, make)
        except SpielwerkError as error:
            console.print(Text(str(error)))
