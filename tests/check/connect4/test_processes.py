"""What only a process can show: how it ends when the other side says or does what it must not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spielwerk.check.case import CaseVerdict
from spielwerk.check.catalogue import ProgramCheck
from spielwerk.check.connect4 import HOST, JOIN
from tests.check.planting import checked, found, told

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
port = server.getsockname()[1]
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
    (folder / "program.py").write_text(program, encoding="utf-8")
    command = (sys.executable, "program.py", "{index_port}")
    return checked(check, command, [case], folder=folder)


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
    fault = found(judged, case, kind)
    assert words in f"{fault.problem} {fault.hint}"


@pytest.mark.parametrize("case", ["wrong/word", "abort/our-turn", "gone/closed-our-turn"])
def test_a_program_may_end_with_a_message(case: str, tmp_path: Path) -> None:
    end = "print('the initiator is gone or talks nonsense'); sys.exit(1)"
    assert told(verdict(JOIN, JOINS.replace("END", end), case, tmp_path), advice=True) == []


def test_a_host_that_cannot_read_a_move_crashes(tmp_path: Path) -> None:
    judged = verdict(HOST, HOSTS, "wrong/no-parameter", tmp_path)
    assert "not enough values" in found(judged, "wrong/no-parameter", "uncaught").problem


def test_a_host_that_never_registers_says_what_it_has_said(tmp_path: Path) -> None:
    judged = verdict(HOST, "print('Name of the game: ', end='')", "register/parameters", tmp_path)
    fault = found(judged, "register/parameters", "ended-unregistered")
    assert "had not registered" in fault.problem
