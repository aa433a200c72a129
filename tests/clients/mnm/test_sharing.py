"""The shared memory: what is put by one process is taken by the other, or not at all."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from spielwerk.clients.mnm.thinker import _HEAD, WRITING, Request, SharedMemory
from spielwerk.games.morris.rules import Morris

REQUEST = Request(
    number=7,
    game="quarto",
    options=("n=5", "begins=1"),
    name='le "game"\n',
    players=("Uli", "Äpfel \x00"),
    me=1,
    position=" / ".join(["* * * * *"] * 5) + " next 3",
    milliseconds=3000,
    deadline=12345.678901234567,
)


def test_a_request_comes_back_as_it_was() -> None:
    memory = SharedMemory()
    assert memory.take() is None
    memory.put(REQUEST)
    assert memory.take() == REQUEST
    state = REQUEST.state()
    assert (state.turn, state.game.assignments()) == (1, ["n=5", "begins=1"])
    later = replace(REQUEST, number=8, game="morris", options=(), position=str(Morris().start()))
    memory.put(later)
    assert memory.take() == later
    memory.close()


def test_a_request_that_is_being_written_is_not_taken() -> None:
    memory = SharedMemory()
    memory.put(REQUEST)
    _HEAD.pack_into(memory._memory, 0, WRITING, 0)
    assert memory.take() is None
    memory.close()


def test_two_processes_share_it_and_it_has_no_name() -> None:
    code = """
import os
from pathlib import Path
from dataclasses import replace
from tests.clients.mnm.test_sharing import REQUEST
from spielwerk.clients.mnm.thinker import SharedMemory
before = set(Path("/dev/shm").iterdir())
memory = SharedMemory()
pipe = os.pipe()
if not os.fork():
    os.read(pipe[0], 1)
    os._exit(42 if memory.take() == REQUEST else 1)
memory.put(REQUEST)
os.write(pipe[1], b"x")
print(os.waitstatus_to_exitcode(os.wait()[1]), len(set(Path("/dev/shm").iterdir()) - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "42 0\n"
