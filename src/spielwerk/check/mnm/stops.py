"""Cases about a conversation that stops: refused, silent, closed, reset, or never begun."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.mnm.conversation import CERTAIN
from spielwerk.check.mnm.talk import go_on
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import Play

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.mnm.trial import MnmTrial

    Script = Callable[[MnmTrial], Awaitable[None]]

SILENCE: Final = 2.5  # seconds


# where a conversation can stop: the client has spoken, and the server has not answered


async def _connected(trial: MnmTrial) -> None:
    await trial.greet()


async def _versioned(trial: MnmTrial) -> None:
    await trial.greet()
    await trial.reach(words.VERSION)


async def _identified(trial: MnmTrial) -> None:
    await trial.identify()


async def _chosen(trial: MnmTrial) -> None:
    await trial.choose()


async def _waiting(trial: MnmTrial) -> None:
    await trial.join()
    await trial.wait()


async def _asked(trial: MnmTrial) -> None:
    """In the middle of a position."""
    await _waiting(trial)
    trial.until_turn()
    lines = ["MOVE 3000", *trial.board.asked(trial.state)]
    await trial.raw(b"".join(f"+ {line}\n".encode() for line in lines[: len(lines) // 2]))


async def _thinking(trial: MnmTrial) -> None:
    await _waiting(trial)
    trial.until_turn()
    trial.ask_for_move()
    await trial.reach(words.THINKING)


async def _played(trial: MnmTrial) -> None:
    await _waiting(trial)
    trial.until_turn()
    await trial.ask()


async def _over(trial: MnmTrial) -> None:
    """Before QUIT."""
    await _waiting(trial)
    lines = ["GAMEOVER", *trial.board.ended(trial.state, trial.dialect)]
    await trial.raw(b"".join(f"+ {line}\n".encode() for line in lines))


STOPS: Final = {
    "connected": _connected,
    "version": _versioned,
    "id": _identified,
    "player": _chosen,
    "waiting": _waiting,
    "position": _asked,
    "thinking": _thinking,
    "played": _played,
    "over": _over,
}


async def _close(trial: MnmTrial, stop: Script) -> None:
    await stop(trial)
    trial.connection.close()
    await trial.ends("connection-closed")


async def _reset(trial: MnmTrial, stop: Script) -> None:
    await stop(trial)
    await asyncio.sleep(0.05)  # it may read what was said
    trial.connection.reset()
    await trial.ends("connection-reset")


# the server takes its time

EARLY: Final = {  # what a client may say in such a moment, as some do
    "connected": words.VERSION,
    "version": words.ID,
    "id": words.PLAYER,
    "player": "",
    "waiting": "",
    "thinking": words.PLAY,
}


async def _silence(trial: MnmTrial, stop: str) -> None:
    await STOPS[stop](trial)
    await trial.quiet(SILENCE, EARLY[stop])
    if stop == "thinking":
        trial.judge((await trial.hear(Play)).move)
        await trial.confirm()
    elif stop != "waiting":
        await trial.join()
    await go_on(trial)


async def _silence_after_move(trial: MnmTrial) -> None:
    await _waiting(trial)
    trial.until_turn()
    said = await trial.ask()
    await trial.quiet(SILENCE)
    trial.judge(said)
    await trial.confirm()
    await go_on(trial)


async def _no_server(trial: MnmTrial) -> None:
    """Nothing listens where the client shall connect."""
    if not trial.settings.command:
        return
    trial.only_advice = True
    with trial.start_in_vain():
        await trial.ends("no-server", trial.settings.patience + CERTAIN)
    trial.advise(0)


# negative answers

REFUSALS: Final[dict[str, tuple[Script, Callable[[words.Dialect], str]]]] = {
    "connected": (_connected, lambda _: words.INTERNAL),
    "version": (_versioned, lambda dialect: dialect.wrong_version),
    "malformed-id": (_identified, lambda _: words.BAD_ID),
    "no-game": (_identified, lambda _: words.NO_GAME),
    "no-seat": (_chosen, lambda dialect: dialect.no_seat),
    "waiting": (_waiting, lambda _: words.late(words.OKWAIT, 5.0)),
    "position": (_asked, lambda _: words.INTERNAL),
    "thinking": (_thinking, lambda _: words.THINK),
    "invalid-move": (_played, lambda _: words.invalid_move("Destination is already occupied")),
    "time-out": (_played, lambda _: words.TOO_SLOW),
}


async def _refusal(trial: MnmTrial, stop: Script, text: Callable[[words.Dialect], str]) -> None:
    await stop(trial)
    await trial.refuse(text(trial.dialect))


async def _refused_thinking(trial: MnmTrial) -> None:
    """The time is over while the client thinks."""
    await _thinking(trial)
    await trial.flush()
    await trial.refuse(words.TOO_SLOW)


SCRIPTS: Final[dict[str, Script]] = {
    **{
        f"refusal/{name}": partial(_refusal, stop=stop, text=text)
        for name, (stop, text) in REFUSALS.items()
    },
    "refusal/while-thinking": _refused_thinking,
    **{f"silence/{name}": partial(_silence, stop=name) for name in EARLY},
    "silence/played": _silence_after_move,
    **{f"close/{name}": partial(_close, stop=stop) for name, stop in STOPS.items()},
    **{f"reset/{name}": partial(_reset, stop=stop) for name, stop in STOPS.items()},
    "lost/no-server": _no_server,
}
