"""The person at the keyboard: asked for a line, and heard while work takes its time."""

from __future__ import annotations

import re
import sys
import threading
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.text import Text

with suppress(ImportError):  # not on every system; where it is, `input` lets people edit the line
    import readline  # noqa: F401

PULSE: Final = 0.2  # seconds after which Ctrl-C is heard at the latest

Answer = TypeVar("Answer")

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


def ask(console: Console, prompt: Text) -> str:
    """The line that is typed, without blanks around it; EOFError when there is none."""
    if not (console.is_terminal and sys.stdin.isatty()):
        return console.input(prompt).strip()
    with console.capture() as capture:
        console.print(prompt, end="")
    # The line editor must not count colours as columns.
    return input(_COLOURS.sub("\x01\\g<0>\x02", capture.get())).strip()


def in_thread(work: Callable[[], Answer]) -> Future[Answer]:
    """Do the work in a thread that does not keep the program from ending."""
    done: Future[Answer] = Future()

    def run() -> None:
        done.set_running_or_notify_cancel()
        try:
            done.set_result(work())
        except BaseException as error:  # raised again where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return done


def never() -> bool:
    """No request to stop."""
    return False


def interruptible(work: Callable[[], Answer], asked: Callable[[], bool] = never) -> Answer:
    """Do the work in another thread: a kernel in the main one would not let Ctrl-C through.

    Where Ctrl-C is only noted, `asked` says whether it came; KeyboardInterrupt is raised then, too.
    """
    answer = in_thread(work)
    while not asked():  # not waited for in one go, as some systems hear no Ctrl-C then
        if wait([answer], PULSE).done:
            return answer.result()
    raise KeyboardInterrupt
