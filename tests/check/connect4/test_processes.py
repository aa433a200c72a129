"""What only a process can show: how it ends when the other side says or does what it must not."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from spielwerk.check.case import CaseVerdict, run, select
from spielwerk.check.catalogue import ProgramCheck
from spielwerk.check.connect4 import HOST, JOIN
from spielwerk.check.trial import CheckSettings
from tests.check.connect4.peers import find, told

JOINS = """
import os, socket, sys
index = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
index.sendall(b"request_game_list\\n")
game = index.makefile().readline().strip().split(";")[-8:]
line = socket.create_connection((game[6], int(game[7])))
line.sendall(f"join_game;student;{game[2]};V2\\n".encode())
for text in line.makefile(encoding="utf-8"):
    word, *values = text.strip().split(";")
    if word == "start_game":
        line.sendall(b"move;3\\n")
    elif word == "updated_game_board":
        int(values[0]), int(values[1])
    elif word != "join_game_success":
        END
END
"""

HOSTS = """
import os, socket, sys
server = socket.create_server(("127.0.0.1", 0))
index = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
port = server.getsockname()[1] + SHIFT
index.sendall(f"register_game;student;mine;7;6;1;127.0.0.1;{port}\\n".encode())
word, guid = index.makefile().readline().strip().split(";")
line, _ = server.accept()
line.makefile().readline()
line.sendall(b"join_game_success;V1\\nstart_game\\n")
word, field = line.makefile().readline().strip().split(";")
line.sendall(b"moved_failed;no\\nabort_game;no\\n")
"""


def verdict(check: ProgramCheck, program: str, case: str, folder: Path) -> dict[str, CaseVerdict]:
    """What one case says of a program."""
    script = folder / "program.py"
    script.write_text(program, encoding="utf-8")
    settings = CheckSettings((sys.executable, str(script), "{index_port}"), folder)
    cases, trial = check.prepare(check.chosen({}))

    async def judge() -> list[CaseVerdict]:
        return await run(select(cases, [case]), lambda: trial(settings), 1, lambda _: None)

    return {one.case.name: one for one in asyncio.run(judge())}


@pytest.mark.parametrize(
    ("end", "case", "kind", "words"),
    [
        ("raise ValueError(word)", "wrong/word", "uncaught", "ValueError: updated_game_bored"),
        ("print('not understood:', word); sys.exit(1)", "wrong/no-number", "uncaught", "'three'"),
        ("os.abort()", "wrong/word", "crashed", "SIGABRT"),
        ("os._exit(1)", "wrong/word", "no-words", "without a word"),
        ("raise EOFError", "gone/closed-our-turn", "uncaught", "EOFError"),
    ],
)
def test_a_crash_is_found(end: str, case: str, kind: str, words: str, tmp_path: Path) -> None:
    judged = verdict(JOIN, JOINS.replace("END", end), case, tmp_path)
    find(judged, case, kind, words)


@pytest.mark.parametrize("case", ["wrong/word", "abort/our-turn", "gone/closed-our-turn"])
def test_a_program_may_end_with_a_message(case: str, tmp_path: Path) -> None:
    end = "print('the initiator is gone or talks nonsense'); sys.exit(1)"
    assert told(verdict(JOIN, JOINS.replace("END", end), case, tmp_path), advice=True) == []


def test_where_a_host_really_listens_is_told(tmp_path: Path) -> None:
    judged = verdict(HOST, HOSTS.replace("SHIFT", "1"), "register/parameters", tmp_path)
    find(judged, "register/parameters", "not-listening", "but did not listen there", "127.0.0.1:")


def test_a_host_that_cannot_read_a_move_crashes(tmp_path: Path) -> None:
    judged = verdict(HOST, HOSTS.replace("SHIFT", "0"), "wrong/no-parameter", tmp_path)
    find(judged, "wrong/no-parameter", "uncaught", "not enough values")


def test_a_host_that_never_registers_says_what_it_has_said(tmp_path: Path) -> None:
    judged = verdict(HOST, "print('Name of the game: ', end='')", "register/parameters", tmp_path)
    find(judged, "register/parameters", "ended-unregistered", "had not registered")
