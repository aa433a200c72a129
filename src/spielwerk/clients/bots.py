"""Bots without a protocol: programs that read a decision as one line of JSON and write their move.

    {"game": "...", "options": {}, "position": "...", "seat": 0,
     "moves": ["...", "..."], "time": 2.9, "history": ["..."]}

That is the whole interface, the same for every game. `position` is what `str(state)` writes,
`moves` are all legal ones in the game's own notation, `time` is seconds or null. One line comes
back: the move. Standard error is the bot's own, and is shown.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from spielwerk.engines.players import Fault, Player, PlayerFailed
from spielwerk.errors import IllegalMove, NotationError, quote
from spielwerk.net.addresses import Endpoint
from spielwerk.platforms import require_posix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from spielwerk.games import State
    from spielwerk.games.record import Record

BOT: Final = "bot:"
"""How the description of such a player begins; its command follows."""

LONGEST: Final = 65_536  # bytes of an answer
SHOWN: Final = 12  # legal moves in a complaint
GRACE: Final = 0.5  # seconds for a bot to end when its input ends


class BotProcess:
    """A running bot: lines in, lines out. It ends with the object at the latest."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - it is the user's own program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdin is not None  # noqa: S101 - as it was asked for
        assert self._process.stdout is not None  # noqa: S101
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        self._heard = b""
        self.close = weakref.finalize(self, _end, self._process)

    def ask(self, question: bytes, within: float | None) -> str:
        """Its answer to a line, or PlayerFailed."""
        if early := self._unasked():
            raise PlayerFailed(
                Fault.PROTOCOL,
                f"the bot wrote {quote(early)} and was not asked; "
                "its standard output is for moves only, notes go to standard error",
            )
        deadline = None if within is None else time.monotonic() + within
        self._write(question, deadline)
        return self._line(deadline)

    def _unasked(self) -> str:
        with suppress(BlockingIOError):
            self._heard += os.read(self._output, LONGEST)
        return self._heard.partition(b"\n")[0].decode("utf-8", "replace")

    def _write(self, data: bytes, deadline: float | None) -> None:
        while data:
            self._wait([], [self._input], deadline)
            try:
                data = data[os.write(self._input, data) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._gone()

    def _line(self, deadline: float | None) -> str:
        while b"\n" not in self._heard:
            self._wait([self._output], [], deadline)
            data = os.read(self._output, LONGEST)
            if not data:
                self._gone()
            self._heard += data
            if len(self._heard) > LONGEST:
                size = f"more than {LONGEST:,} bytes without a newline"
                raise PlayerFailed(Fault.PROTOCOL, f"the bot wrote {size}; a move is one line")
        line, _, self._heard = self._heard.partition(b"\n")
        try:
            return line.decode().strip()
        except UnicodeDecodeError:
            text = quote(line.decode("latin-1"))
            raise PlayerFailed(Fault.PROTOCOL, f"the bot wrote {text}, not UTF-8") from None

    def _wait(self, reading: list[int], writing: list[int], deadline: float | None) -> None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not any(select.select(reading, writing, [], left)):
            begun = f"; it has begun with {quote(_text(self._heard))}" if self._heard else ""
            raise PlayerFailed(Fault.LATE, f"the bot did not write a line in time{begun}")

    def _gone(self) -> NoReturn:
        rest = f" after {quote(_text(self._heard))} without a newline" if self._heard else ""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            raise PlayerFailed(Fault.LOST, f"the bot closed its output{rest}") from None
        ending = f"exit {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
        raise PlayerFailed(Fault.LOST, f"the bot ended ({ending}){rest}")


def _text(data: bytes) -> str:
    return data[:80].decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let it end by the end of its input, or make it; nothing of it stays."""
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(frozen=True, slots=True)
class BotOrder:
    """A game that a bot shall play: where, which one, on which seat, under which name."""

    player: BotPlayer
    game: str
    server: str | None = None  # HOST:PORT
    game_id: str = ""
    seat: int | None = None
    name: str = "bot"

    def place(self, port: int) -> Endpoint:
        """Where the server is, at this port if none is named."""
        return Endpoint.parse(self.server or "localhost", port)


class BotPlayer(Player):
    """A player that asks such a program for its moves; it is started with the first."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._command = bot_command(text)
        self._process: BotProcess | None = None

    def choose(
        self,
        state: State[Any],
        rng: Random,  # noqa: ARG002 - chance is the bot's own
        within: float | None = None,
    ) -> Any:
        """The bot's move, or PlayerFailed with its line, the position and the legal moves."""
        return self._asked(state, (), within)

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:  # noqa: ARG002
        """The bot's move where the record stands; the bot hears of all moves before."""
        moves = [record.game.format_move(move) for move in record.moves]
        return self._asked(record.state, moves, within)

    def _asked(self, state: State[Any], history: Sequence[str], within: float | None) -> Any:
        question = decision(state, history, within)
        try:
            if self._process is None:
                self._process = BotProcess(self._command)
            answer = self._process.ask(json.dumps(question).encode() + b"\n", within)
        except OSError as error:
            problem = f"cannot run {quote(self._command[0])}: {error.strerror}"
            raise PlayerFailed(Fault.LOST, problem) from None
        except PlayerFailed as failed:
            if self._process:
                self._process.close()
            self._process = None
            raise PlayerFailed(failed.fault, f"{failed.problem}. {_situation(question)}") from None
        return understood(state, answer, question)


def decision(state: State[Any], history: Sequence[str], within: float | None) -> dict[str, Any]:
    """What a bot is asked, as the JSON object of one line."""
    game = state.game
    return {
        "game": game.name,
        "options": dict(text.split("=") for text in game.assignments()),
        "position": str(state),
        "seat": state.turn,
        "moves": [game.format_move(move) for move in state.legal_moves()],
        "time": None if within is None else round(within, 3),
        "history": list(history),
    }


def understood(state: State[Any], answer: str, question: Mapping[str, Any]) -> Any:
    """The move that the bot has written, or PlayerFailed."""
    try:
        move = state.game.parse_move(answer)
        state.play(move)
    except NotationError as error:
        problem = f"the bot wrote {quote(answer)}, which is not a move: {error.problem}"
        raise PlayerFailed(Fault.PROTOCOL, f"{problem}. {_situation(question)}") from None
    except IllegalMove as error:
        problem = f"the bot wrote {quote(answer)}, an illegal move: {error.rule}"
        raise PlayerFailed(Fault.ILLEGAL, f"{problem}. {_situation(question)}") from None
    return move


def _situation(question: Mapping[str, Any]) -> str:
    """Where it happened, and what would have been legal."""
    moves = question["moves"]
    more = f" and {len(moves) - SHOWN} more" if len(moves) > SHOWN else ""
    legal = " ".join(moves[:SHOWN]) + more
    return f"Seat {question['seat']}, position {quote(question['position'])}, legal: {legal}"


def bot_command(text: str) -> list[str]:
    """The words of the command that a description names, or NotationError."""
    require_posix("a bot")
    try:
        words = shlex.split(text.removeprefix(BOT))
    except ValueError as error:
        raise NotationError(
            "player", text, f"{str(error).lower()}; quotes work as in a shell"
        ) from None
    if not words:
        raise NotationError("player", text, "a command must follow bot:, as in bot:./mybot")
    return words
