"""The command line in this process: much quicker than a process of its own, and nearly the same."""

from __future__ import annotations

import io
import os
import sys
from subprocess import CompletedProcess
from unittest import mock

from spielwerk.cli import main


def spielwerk(*arguments: str, keyboard: str = "", **environment: str) -> CompletedProcess[str]:
    """Run the command with these lines typed; its exit code, and what it has printed."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n") for _ in range(2)]
    typed = io.TextIOWrapper(io.BytesIO(keyboard.encode()), "utf-8")
    code: object = 0
    with (
        mock.patch.dict(os.environ, environment),
        mock.patch.multiple(sys, stdin=typed, stdout=streams[0], stderr=streams[1]),
    ):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
    printed = []
    for stream in streams:
        stream.flush()
        printed.append(stream.detach().getvalue().decode())
    return CompletedProcess(arguments, code if isinstance(code, int) else int(bool(code)), *printed)


def refused(*arguments: str, **environment: str) -> str:
    """The one clear line with which a command refuses what cannot be meant."""
    done = spielwerk(*arguments, **environment)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = (text for text in done.stderr.splitlines() if not text.startswith("Compiling"))
    assert line.startswith("spielwerk: ")
    return line
