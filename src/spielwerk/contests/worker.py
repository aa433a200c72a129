"""`python -m spielwerk.contests.worker`: a process that plays games, one after the other.

It reads an Assignment from its standard input, and writes Progress and Played to its standard
output, pickled and with their length; the log goes to standard error. A game that is over it
reviews instead. It ends when its input ends, so also with the process that started it, and kills
every program that it has started.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

import psutil

from spielwerk.contests.contest import Assignment, Finished, Played, Progress, Tell, our_fault

Play = Callable[[Assignment, Tell], Coroutine[Any, Any, Played]]
Opening = Callable[[], Awaitable[tuple[Play, Callable[[], Awaitable[None]]]]]

log = logging.getLogger(__name__)

EVERY: Final = 0.1  # seconds that moves are gathered before they are told
LAST_LOOKS: Final = 20  # at children, which may start others while we end them
HEAD: Final = 4  # bytes that say how long a value is


# what goes through the pipes


def packed(value: object) -> bytes:
    """The value as bytes, its length first."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEAD, "big") + body


async def receive(reader: asyncio.StreamReader) -> Any:
    """The next value, or EOFError when the other side is gone, even in the middle of one."""
    try:
        length = int.from_bytes(await reader.readexactly(HEAD), "big")
        body = await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        raise EOFError("the other side is gone") from None
    return pickle.loads(body)  # noqa: S301 - nothing but the two processes has the pipe


# playing


class News:
    """Tells the progress of a game from time to time: quick games would flood the listener."""

    def __init__(self, send: Tell) -> None:
        self._send = send
        self._gathered: Progress | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, news: Progress) -> None:
        """Tell this soon, together with what follows at once."""
        known = self._gathered
        self._gathered = news if known is None else together(known, news)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(EVERY, self._tell)

    def _tell(self) -> None:
        gathered, self._gathered, self._timer = self._gathered, None, None
        if gathered:
            self._send(gathered)

    def drop(self) -> None:
        """The game is over, and its result includes all that was not told."""
        if self._timer:
            self._timer.cancel()


def together(first: Progress, second: Progress) -> Progress:
    """Both pieces of news as one; a game that begins anew makes the first worthless."""
    if second.record:
        return second
    return Progress(first.number, first.attempt, first.record, (*first.moves, *second.moves))


class Worker:
    """Plays what comes in, and sends out what comes of it."""

    def __init__(self, play: Play, send: Callable[[bytes], None]) -> None:
        self._play = play
        self._send = send

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Play until the input ends; a running game is broken off then."""
        game: asyncio.Task[None] | None = None
        try:
            while True:
                order = await receive(reader)
                review = isinstance(order, Finished)
                game = asyncio.create_task(self._review(order) if review else self._serve(order))
        except EOFError:
            log.info("no more games are wanted")
        finally:
            if game:
                game.cancel()
                await asyncio.wait([game])

    async def _serve(self, assignment: Assignment) -> None:
        news = News(lambda progress: self._send(packed(progress)))
        try:
            played = await self._play(assignment, news)
        except Exception as error:
            log.exception("cannot play game=%d", assignment.number)
            played = broken_off(assignment, error)
        finally:
            news.drop()
        self._send(packed(played))

    async def _review(self, game: Finished) -> None:
        from spielwerk.contests.reviewing import review_here  # most workers only play

        self._send(packed(await review_here(game)))


def broken_off(assignment: Assignment, error: Exception) -> Played:
    """The game as it ends when we are at fault."""
    return Played(assignment.number, assignment.attempt, our_fault(error), broken=True)


# the process


async def _usual() -> tuple[Play, Callable[[], Awaitable[None]]]:
    """How games are played here: engines stay warm from one game to the next."""
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.contests.playing.referee import play
    from spielwerk.contests.programs.folders import clear_abandoned
    from spielwerk.contests.programs.processes import adopt_orphans

    adopt_orphans()
    await asyncio.to_thread(clear_abandoned)  # what an earlier worker could not
    facilities = Facilities()

    async def play_here(assignment: Assignment, tell: Tell) -> Played:
        return await play(assignment, tell, facilities)

    return play_here, facilities.close


async def _run(outgoing: int, opening: Opening) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    incoming, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(0, "rb", closefd=False)
    )
    sending, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(outgoing, "wb"))
    play, close = await opening()
    work = asyncio.create_task(Worker(play, sending.write).run(reader))
    with suppress(NotImplementedError):  # there are no such signals everywhere
        loop.add_signal_handler(signal.SIGTERM, work.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await work
        await close()
    finally:
        incoming.close()
        sending.abort()


def main(opening: Opening = _usual) -> None:
    """Play until standard input ends."""
    # Not ignored, as programs would inherit that; the process that started us acts on Ctrl-C.
    signal.signal(signal.SIGINT, lambda *_: None)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    outgoing = _take_output()
    try:
        asyncio.new_event_loop().run_until_complete(_run(outgoing, opening))
    except Exception:
        log.exception("the worker failed")
        _leave(1)
    _leave(0)


def _take_output() -> int:
    """Keep standard output for ourselves: what players print goes to standard error."""
    outgoing = os.dup(1)
    os.dup2(2, 1)
    return outgoing


def _leave(code: int) -> None:
    """End now: no engine in the middle of a thought is waited for, and no child is left."""
    own = psutil.Process()
    for _ in range(LAST_LOOKS):
        children = own.children(recursive=True)
        if not children:
            break
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        psutil.wait_procs(children, timeout=0.1)
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
