"""Cases about talking: the prolog, names, waiting, lines in pieces, and where it all may stop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.mnm.trial import script
from spielwerk.check.started import ENDING
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import Pace, Play

if TYPE_CHECKING:
    from spielwerk.check.mnm.trial import MnmTrial

ENOUGH: Final = 8.0  # seconds after which a client need not be asked again
SILENCE: Final = 2.5  # seconds
OTHER_KIND: Final = "Halma"  # no server has it
OTHER_VERSION: Final = "9.1"


@script
async def _plays(trial: MnmTrial, seat: int = 0, **manner: Any) -> None:
    """A short game, broken off: every kind of line is said once.

    What else is given is how the trial speaks: `cut`, `pause`, `pace`, or its `title`, `names` and
    whether the other player is `ready`. `wait` is whether WAIT comes first, `late` whether the
    position is one from the end of a game, which has many stones.
    """
    wait, late = manner.pop("wait", True), manner.pop("late", False)
    for name in {"title", "names", "ready"} & {*manner}:
        setattr(trial.prolog, name, manner.pop(name))
    trial.pace = Pace(manner.pop("pace", trial.pace))
    trial.speaks(**manner)
    await trial.join(seat)
    await _go_on(trial, wait=wait, late=late)


@script
async def _go_on(trial: MnmTrial, *, wait: bool = True, late: bool = False) -> None:
    """The game, from where the client has its seat."""
    if late:
        trial.judges_moves = True
        trial.advance(*trial.nearly_a_game())
    if wait:
        await trial.wait()
    if trial.until_turn():
        await trial.turn()
        if trial.state.outcome is None:
            await trial.wait()
    await trial.conclude()


# the prolog


@script
async def _prolog_any_seat(trial: MnmTrial) -> None:
    """A client that wants any seat gets the one that it was not told of."""
    await trial.choose()
    if trial.wants_any:
        trial.seat = 1 - trial.seat
    trial.seated()
    await _go_on(trial, late=True)  # there it matters whose stones are whose


@script
async def _prolog_minor_version(trial: MnmTrial) -> None:
    trial.dialect = replace(trial.dialect, version=f"{trial.dialect.major}.99")
    await _plays(trial)


@script
async def _prolog_other_version(trial: MnmTrial) -> None:
    """A client may look at the banner itself, or let the server decide."""
    trial.dialect = replace(trial.dialect, version=OTHER_VERSION)
    await trial.greet()
    await trial.flush()
    if await trial.says_more(0, trial.timing.prolog) or not trial.connection.gone:
        await trial.refuse(trial.dialect.wrong_version.replace("1.0", OTHER_VERSION))
    else:
        await trial.ends("other-version")


@script
async def _prolog_other_game(trial: MnmTrial) -> None:
    trial.prolog.title = f"{trial.prolog.kind} 2"  # a game may be called so
    await trial.identify()
    trial.machine.playing(OTHER_KIND, trial.prolog.title, trial.now)
    await trial.flush()
    number = trial.machine.lines_taken
    if await trial.says_more(number, 1.0) and trial.line(number).startswith(b"PLAYER"):
        place = trial.where(trial.line(number))
        if not await trial.has_ended(2.0):  # it may have spoken before it looked
            trial.fail("went-on", other=OTHER_KIND, **place)
    await trial.ends("other-kind")
    if trial.program and not trial.program.running and not trial.written:
        trial.blame("no-message", other=OTHER_KIND)


# waiting


@script
async def _wait_often(trial: MnmTrial) -> None:
    await trial.join()
    until = trial.now + ENOUGH
    for _ in range(60):
        await trial.wait()
        if trial.now > until:
            break
    await _go_on(trial)


@script
async def _wait_not_at_all(trial: MnmTrial) -> None:
    """Two moves, one right after the other."""
    await trial.join()
    for _ in range(2):
        if trial.until_turn():
            await trial.turn()
        await trial.quiet(0.5)
    await trial.conclude()


@script
async def _pieces_moveok_and_more(trial: MnmTrial) -> None:
    """MOVEOK and what follows in one segment: TCP allows it, but the server avoids it."""
    trial.only_advice = True
    await trial.join()
    trial.until_turn()
    trial.judge(await trial.ask())
    trial.until_turn()
    position = "".join(f"+ {line}\n" for line in trial.board.asked(trial.state))
    await trial.say(f"+ MOVEOK\n+ MOVE 3000\n{position}".encode())
    if not await trial.says_more(trial.machine.lines_taken, trial.timing.thinking + 1.0):
        trial.fail("silent", wanted=words.THINKING, limit=trial.timing.thinking + 1.0)


# where a conversation can stop, besides the states of `cases.toml`


@script
async def _position(trial: MnmTrial) -> None:
    """In the middle of it."""
    await trial.begin()
    trial.until_turn()
    lines = ["MOVE 3000", *trial.board.asked(trial.state)]
    await trial.say(b"".join(f"+ {line}\n".encode() for line in lines[: len(lines) // 2]))


@script
async def _over(trial: MnmTrial) -> None:
    """Before QUIT."""
    await trial.begin()
    lines = ["GAMEOVER", *trial.board.ended(trial.state, trial.dialect)]
    await trial.say(b"".join(f"+ {line}\n".encode() for line in lines))


@script
async def _silence(trial: MnmTrial, at: str, early: str = "") -> None:
    """The server takes its time; a client may say early what it will have to say, as some do."""
    await trial.take(at)
    await trial.quiet(SILENCE, early)
    if at == "thinking":
        trial.judge((await trial.hear(Play)).move)
        await trial.confirm()
    elif at != "begin":
        await trial.join()
    await _go_on(trial)


@script
async def _silence_played(trial: MnmTrial) -> None:
    await trial.begin()
    trial.until_turn()
    said = await trial.ask()
    await trial.quiet(SILENCE)
    trial.judge(said)
    await trial.confirm()
    await _go_on(trial)


@script
async def _lost_no_server(trial: MnmTrial) -> None:
    """Nothing listens where the client shall connect."""
    if not trial.settings.command:
        return
    trial.only_advice = True
    with trial.deaf_port() as port:
        trial.launch(port)
        await trial.ends("no-server", trial.settings.patience + ENDING)
    trial.complains()
