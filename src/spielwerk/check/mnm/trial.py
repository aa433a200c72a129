"""A game server with one client, as a script tells it to be.

The verbs follow the protocol: `greet` to `join` are the prolog (each goes on from where it stands),
`wait`, `ask` and `confirm` the game, `end` and `refuse` its ends. Each blames the client for what
the server would refuse. Where a script must say what no machine says, `say` sends bytes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.check.mnm.conversation import MnmConversation
from spielwerk.check.mnm.judging import Pitfall, wrong_move
from spielwerk.check.texts import Scripts
from spielwerk.games.interface import NOBODY
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import Choose, Join, MnmServerSide, Pace, Play, Waited
from spielwerk.wire.mnm.words import Board, board_for, game_kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.check.trial import CheckSettings
    from spielwerk.games import Game, State
    from spielwerk.wire.mnm.words import Dialect

GAME_ID: Final = "spielwerk0123"  # as long as the longest; dialect 1 takes its beginning
WAIT_EVERY: Final = 1.0  # seconds
THINKING_TIME: Final = 3000  # milliseconds for a move
HASTE: Final = 500  # milliseconds for the moves of a long series

script: Final = Scripts()


@dataclass
class Prolog:
    """What the server says of the game; a script changes it before it greets."""

    kind: str
    title: str = "Spielwerk check"
    names: tuple[str, str] = ("Spielerin Eins", "Spieler Zwei")
    ready: bool = True  # whether the other player is


class MnmTrial(MnmConversation):
    """What a server says and hears; each verb blames the client for what the server would."""

    scripts: ClassVar = script

    def __init__(
        self,
        settings: CheckSettings,
        dialect: Dialect,
        game: Game[Any],
        pace: Pace = Pace.FIRST_THEN_REST,
    ) -> None:
        super().__init__(settings, dialect, pace)
        self.seat = 0  # the client's, as YOU tells it
        self.wants_any = False  # the client has said PLAYER and no number
        self.rng = Random(settings.seed)
        self.prolog = Prolog(game_kinds()[game.name])
        self.judges_moves = False  # whether the case is about moves
        self.pitfalls: Sequence[Pitfall] = ()  # moves that would show what went wrong
        self._last = ""  # the part of the prolog that is done
        self.play_game(game)

    def play_game(self, game: Game[Any]) -> None:
        """Play this from the start, perhaps with other options."""
        self.game = game
        self.state: State[Any] = game.start()
        self.board: Board = board_for(game)

    # the prolog

    async def greet(self, seat: int = 0) -> None:
        """Start the client for a seat, and have the banner ready."""
        self.seat, self._last = seat, "greet"
        self.launch(await self.listen())
        self.connection = await self.accept()
        self.machine = MnmServerSide(self.dialect, self.pace, self.timing, self.now)

    def launch(self, port: int) -> None:
        """Start the client with this port."""
        self.start(
            {
                "port": str(port),
                "game": self.dialect.game_id(GAME_ID),
                "player": str(self.seat),
                "seat": str(self.seat + 1),
                "name": self.prolog.names[self.seat],
            }
        )

    async def identify(self, seat: int = 0) -> None:
        """The prolog up to the client's ID."""
        if not self._last:
            await self.greet(seat)
        told = self.dialect.game_id(GAME_ID)
        game = (await self.hear(Join)).game
        if game != told:
            wanted = (f"ID {told}\n".encode(),)
            place = {**self.here("ID "), "everywhere": True}
            self.fail("wrong-id", expected=wanted, said=game, told=told, **place)
        self._last = "identify"

    async def choose(self, seat: int = 0) -> None:
        """The prolog up to the client's PLAYER; it is given the seat that it asks for."""
        if self._last != "identify":
            await self.identify(seat)
        self.machine.playing(self.prolog.kind, self.prolog.title, self.now)
        asked = (await self.hear(Choose)).seat
        self._last = "choose"
        if asked is None:
            self.wants_any = True
            return
        if asked >= self.game.players:
            self.fail("no-such-seat", said=f"PLAYER {asked}", **self.here("PLAYER "))
        if asked != self.seat and (self.uses("player") or self.uses("seat")):
            place = self.here("PLAYER ")
            self.blame("other-seat", advice=True, said=asked, told=self.seat, **place)
        self.seat = asked

    async def join(self, seat: int = 0) -> None:
        """The whole prolog, up to ENDPLAYERS; `self.seat` is the seat that the client got."""
        if self._last != "choose":
            await self.choose(seat)
        self.seated()

    def seated(self) -> None:
        """Have YOU to ENDPLAYERS ready: the server says something else at once behind it."""
        names, other = self.prolog.names, 1 - self.seat
        others = [(other, names[other], self.prolog.ready)]
        self.machine.seated((self.seat, names[self.seat]), others, self.now)

    # the game

    async def wait(self) -> None:
        """WAIT, and the client's OKWAIT."""
        self.machine.wait(self.now)
        await self.hear(Waited)

    def ask_for_move(self, milliseconds: int = 3000) -> None:
        """Have MOVE and the position ready."""
        self.milliseconds = milliseconds
        position = self.board.asked(self.state)
        self.asked = self.machine.move(milliseconds, position, self.now)

    async def ask(self, milliseconds: int = 3000) -> str:
        """MOVE with the position, and the client's PLAY, which is not judged here."""
        self.ask_for_move(milliseconds)
        return (await self.hear(Play)).move

    async def confirm(self) -> None:
        """MOVEOK."""
        self.machine.move_ok(self.now)
        await self.flush()

    async def turn(self, milliseconds: int = 3000) -> str:
        """Ask for a move in the position, judge it, confirm it, and play it."""
        said = await self.ask(milliseconds)
        self.judge(said)
        await self.confirm()
        return said

    def judge(self, said: str) -> None:
        """Play the client's decisions, or blame it as the server would.

        Where a case is about something else, a wrong move is overlooked and changes nothing.
        """
        wrong = wrong_move(self.state, said, self.pitfalls)
        if wrong and not self.judges_moves:
            self.happened("wrong-move", rule=wrong.fault["rule"])
            return
        if wrong:
            line = self.line(self.machine.lines_taken - 1).decode("utf-8", "replace")
            right = line[: line.rfind(said) + wrong.column]
            self.fail(**wrong.fault, **self.here(right))
        self.advance(*self.game.parse_turn(said))

    def advance(self, *moves: Any) -> None:
        """Play decisions, of the client or of the other player."""
        for move in moves:
            self.board.played(self.state, move)
            self.state = self.state.play(move)

    def until_turn(self) -> bool:
        """Let chance and the other player move at random; False if the game is over then."""
        while self.state.turn not in (self.seat, NOBODY):
            self.advance(random_move(self.state, self.rng))
        return self.state.turn == self.seat

    async def end(self, winner: int | None = None) -> None:
        """GAMEOVER to QUIT with the position; the client must end then."""
        lines = self.board.ended(self.state, self.dialect)
        self.machine.game_over(winner, self.prolog.names, lines, self.now)
        await self.flush()
        self.connection.close()
        await self.ends("game-over")

    async def conclude(self) -> None:
        """The end as the rules have it; of a game that is not over, the opponent gives up."""
        outcome = self.state.outcome
        await self.end(outcome.winner if outcome else self.seat)

    async def refuse(self, text: str) -> None:
        """A negative answer, after which the server closes and the client must end.

        It is a text of the dialect or of the protocol by its name, or any other.
        """
        said, written = getattr(self.dialect, text, getattr(words, text, text)), self.written
        await self.say(f"- {said}\n".encode())
        self.connection.close()
        await self.ends("refused")
        self.complains(written)

    # a short game

    async def begin(self) -> None:
        """See the base."""
        await self.join()
        await self.wait()

    async def idle(self, seconds: float) -> None:
        """See the base."""
        while seconds > 0:
            await asyncio.sleep(min(seconds, WAIT_EVERY))
            await self.wait()
            seconds -= WAIT_EVERY

    async def next_move(self, number: int) -> None:
        """A position from the end of a game, where little has to be thought about."""
        self.play_game(self.game)
        self.advance(*self.nearly_a_game())
        await self.turn(HASTE if number else THINKING_TIME)

    def nearly_a_game(self) -> list[Any]:
        """Random moves up to the client's last decision of the game."""
        state, enough = self.game.start(), 0
        moves: list[Any] = []
        while state.turn != NOBODY:
            if state.turn == self.seat:
                enough = len(moves)
            moves.append(random_move(state, self.rng))
            state = state.play(moves[-1])
        return moves[:enough]

    async def finish(self) -> None:
        """See the base."""
        await self.end()
