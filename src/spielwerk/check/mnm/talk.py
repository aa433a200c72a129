"""Cases about talking: the prolog, names, waiting, and lines in pieces."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.check.mnm.steps import nearly_a_game
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import Pace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from spielwerk.check.mnm.trial import MnmTrial

    Script = Callable[[MnmTrial], Awaitable[None]]

ENOUGH: Final = 8.0  # seconds after which a client need not be asked again
OTHER_KIND: Final = "Halma"  # no server has it
OTHER_VERSION: Final = "9.1"


async def _conversation(trial: MnmTrial) -> None:
    """A short game, broken off: every kind of line is said once."""
    await trial.join()
    await go_on(trial)


async def go_on(trial: MnmTrial) -> None:
    """The game, from where the client has its seat."""
    await trial.wait()
    await _move_and_end(trial)


async def _move_and_end(trial: MnmTrial) -> None:
    if trial.until_turn():
        await trial.turn()
        if trial.state.outcome is None:
            await trial.wait()
    await _end(trial)


async def _end(trial: MnmTrial) -> None:
    """As the rules say, or the client has won because the other player has given up."""
    outcome = trial.state.outcome
    await trial.end(outcome.winner if outcome else trial.seat)


# the prolog


async def _seat(trial: MnmTrial, seat: int) -> None:
    await trial.join(seat)
    await go_on(trial)


async def _any_seat(trial: MnmTrial) -> None:
    """A client that wants any seat gets the one that it was not told of."""
    await trial.choose()
    if trial.wants_any:
        trial.seat = 1 - trial.seat
    trial.seated()
    await _go_on_at_the_end(trial)  # there it matters whose stones are whose


async def _go_on_at_the_end(trial: MnmTrial) -> None:
    """A position with many stones, from the end of a game."""
    trial.judges_moves = True
    trial.advance(*nearly_a_game(trial))
    await go_on(trial)


async def _minor_version(trial: MnmTrial) -> None:
    trial.dialect = replace(trial.dialect, version=f"{trial.dialect.major}.99")
    await _conversation(trial)


async def _other_version(trial: MnmTrial) -> None:
    """A client may look at the banner itself, or let the server decide."""
    trial.dialect = replace(trial.dialect, version=OTHER_VERSION)
    await trial.greet()
    await trial.flush()
    if await trial.says_more(0, trial.timing.prolog) or not trial.connection.gone:
        await trial.refuse(trial.dialect.wrong_version.replace("1.0", OTHER_VERSION))
    else:
        await trial.ends("other-version")


async def _other_kind(trial: MnmTrial) -> None:
    trial.prolog.title = f"{trial.prolog.kind} 2"  # a game may be called so
    await trial.identify()
    trial.machine.playing(OTHER_KIND, trial.prolog.title, trial.now)
    await trial.flush()
    number = trial.machine.lines_taken
    if await trial.says_more(number, 1.0) and trial.heard().lines[number].startswith(b"PLAYER"):
        place = trial.heard().place(number)
        if not await trial.has_ended(2.0):  # it may have spoken before it looked
            trial.fail("went-on", other=OTHER_KIND, **place)
    await trial.ends("other-kind")
    if trial.program and not trial.program.running and not trial.written:
        trial.blame("no-message", other=OTHER_KIND)


class _Names(NamedTuple):
    """What people could type into the pages of a server."""

    title: str
    first: str
    second: str


NAMES: Final = {
    "blanks-and-digits": _Names("Game from 2019-12-31 16:58", "Player 1", "2 fast 4 you 1"),
    "digits-only": _Names("1357", "1", "0"),
    "quotation-marks": _Names('"Finale"', '"Black" player', "'White' player"),
    "utf-8": _Names("Größe: 5 € ♟", "Jürgen Weiß", "Ђорђе 山田"),
    "long": _Names("Spiel " * 33 + "42", "Spielerin " * 19 + "Nummer Eins", "S" * 200),
    "like-words": _Names("PLAYING " + OTHER_KIND, "TOTAL 3", "ENDPLAYERS"),
    "like-signs": _Names("- Game does not exist", "- TIMEOUT", "+ WAIT"),
}


async def _names(trial: MnmTrial, names: _Names) -> None:
    """Without a first WAIT, so that a word in a name is not taken for it by luck."""
    trial.prolog.title = names.title
    trial.prolog.names = (names.first, names.second)
    await trial.join()
    await _move_and_end(trial)


async def _not_ready(trial: MnmTrial) -> None:
    trial.prolog.ready = False
    await _conversation(trial)


# waiting


async def _move_at_once(trial: MnmTrial) -> None:
    await trial.join()
    trial.until_turn()
    await trial.turn()
    await _end(trial)


async def _wait_long(trial: MnmTrial) -> None:
    await trial.join()
    for _ in range(4):
        await trial.wait()
        await trial.quiet(1.0)
    await go_on(trial)


async def _wait_often(trial: MnmTrial) -> None:
    await trial.join()
    until = trial.now + ENOUGH
    for _ in range(60):
        await trial.wait()
        if trial.now > until:
            break
    await go_on(trial)


async def _no_wait(trial: MnmTrial) -> None:
    """Two moves, one right after the other."""
    await trial.join()
    for _ in range(2):
        if trial.until_turn():
            await trial.turn()
        await trial.quiet(0.5)
    await _end(trial)


async def _over_at_once(trial: MnmTrial) -> None:
    await trial.join()
    await trial.end(trial.seat)


# lines in pieces


def _bytes(segment: bytes) -> Iterator[bytes]:
    return (segment[place : place + 1] for place in range(len(segment)))


def _sevens(segment: bytes) -> Iterator[bytes]:
    return (segment[place : place + 7] for place in range(0, len(segment), 7))


def _numbers(segment: bytes) -> Iterator[bytes]:
    return iter(re.split(rb"(?<=[0-9A-Z.])(?=[0-9])", segment))


def _newlines(segment: bytes) -> Iterator[bytes]:
    return iter(re.split(rb"(?=\n)", segment))


def _threes(segment: bytes) -> Iterator[bytes]:
    return (one.group() for one in re.finditer(rb"(?:[^\n]*\n){1,3}", segment))


class _Cut(NamedTuple):
    """How a segment is cut, and how long each piece waits for the next."""

    pieces: Callable[[bytes], Iterator[bytes]]
    pause: float
    pace: Pace = Pace.BLOCK


CUTS: Final = {
    "byte-by-byte": _Cut(_bytes, 0.001),
    "seven-bytes": _Cut(_sevens, 0.01),
    "inside-numbers": _Cut(_numbers, 0.02),
    "newline-alone": _Cut(_newlines, 0.02),
    "three-lines": _Cut(_threes, 0.05),
}


async def _cut(trial: MnmTrial, cut: _Cut) -> None:
    trial.cut, trial.pause, trial.pace = cut.pieces, cut.pause, cut.pace
    await trial.join()
    await _go_on_at_the_end(trial)


async def _paced(trial: MnmTrial, pace: Pace) -> None:
    trial.pace = pace
    await _conversation(trial)


async def _joined(trial: MnmTrial) -> None:
    """MOVEOK and what follows in one segment: TCP allows it, but the server avoids it."""
    trial.only_advice = True
    await trial.join()
    trial.until_turn()
    trial.judge(await trial.ask())
    trial.until_turn()
    position = "".join(f"+ {line}\n" for line in trial.board.asked(trial.state))
    await trial.raw(f"+ MOVEOK\n+ MOVE 3000\n{position}".encode())
    if not await trial.says_more(trial.machine.lines_taken, trial.timing.thinking + 1.0):
        trial.fail("silent", wanted=words.THINKING, limit=trial.timing.thinking + 1.0)


SCRIPTS: Final[dict[str, Script]] = {
    "prolog/first-seat": partial(_seat, seat=0),
    "prolog/second-seat": partial(_seat, seat=1),
    "prolog/any-seat": _any_seat,
    "prolog/not-ready": _not_ready,
    "prolog/minor-version": _minor_version,
    "prolog/other-version": _other_version,
    "prolog/other-game": _other_kind,
    **{f"names/{name}": partial(_names, names=names) for name, names in NAMES.items()},
    "wait/move-at-once": _move_at_once,
    "wait/long": _wait_long,
    "wait/often": _wait_often,
    "wait/not-at-all": _no_wait,
    "wait/over-at-once": _over_at_once,
    **{f"pace/{pace}": partial(_paced, pace=pace) for pace in Pace},
    **{f"pieces/{name}": partial(_cut, cut=cut) for name, cut in CUTS.items()},
    "pieces/moveok-and-more": _joined,
}
