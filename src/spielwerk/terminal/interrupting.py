"""Work that takes a while, and that whoever waits for it can interrupt."""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Empty, Queue
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

PULSE: Final = 0.2  # seconds after which Ctrl-C is heard at the latest

Answer = TypeVar("Answer")


def never() -> bool:
    """Nobody has asked to stop."""
    return False


def interruptible(work: Callable[[], Answer], asked: Callable[[], bool] = never) -> Answer:
    """Do the work in another thread: a kernel in the main one would not let Ctrl-C through.

    Where Ctrl-C is only noted, `asked` says whether it came; KeyboardInterrupt is raised then, too.
    """
    answers: Queue[Answer | BaseException] = Queue()

    def run() -> None:
        try:
            answers.put(work())
        except BaseException as error:  # raised again where it is waited for
            answers.put(error)

    threading.Thread(target=run, daemon=True).start()
    answer = _wait(answers, asked)
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _wait(answers: Queue[Answer], asked: Callable[[], bool]) -> Answer:
    """The answer; not waited for in one go, as some systems hear no Ctrl-C then."""
    while not asked():
        with suppress(Empty):
            return answers.get(timeout=PULSE)
    raise KeyboardInterrupt
