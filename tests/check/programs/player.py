"""A small client of the game server that plays Quarto, with habits as a process that are told.

python player.py HABITS HOST PORT GAME-ID PLAYER
"""

# ruff: noqa: S108 (it leaves files where programs leave them)

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import socket
import sys
import time
from pathlib import Path

HABITS = sys.argv[1].split(",")
LIBC = ctypes.CDLL(None)
CREATE = 0o1000
PRIVATE = 0
REMOVE = 0


class Refused(Exception):
    """The server has said no, or plays another game."""


class Line:
    """The connection, line by line."""

    def __init__(self, host: str, port: str) -> None:
        self.socket = connected(host, int(port))
        self.rest = b""
        again = sum(int(habit[6:]) for habit in HABITS if habit.startswith("again-"))
        self.others = [socket.create_connection((host, int(port))) for _ in range(again)]

    def hear(self) -> str:
        while b"\n" not in self.rest:
            data = self.receive()
            if not data:
                raise EOFError
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        if not line.startswith(b"+ "):
            raise Refused("refused", line)
        return line[2:].decode()

    def receive(self) -> bytes:
        if "asks-again" in HABITS:
            self.socket.setblocking(False)
            while True:
                try:
                    return self.socket.recv(4096)
                except BlockingIOError:
                    pass
        return self.socket.recv(4096)

    def hear_until(self, last: str) -> list[str]:
        lines = [self.hear()]
        while not lines[-1].startswith(last):
            lines.append(self.hear())
        return lines

    def say(self, text: str) -> None:
        self.socket.setblocking(True)
        self.socket.sendall(f"{text}\n".encode())


def connected(host: str, port: int) -> socket.socket:
    while True:
        try:
            return socket.create_connection((host, port))
        except OSError:
            if "retries" not in HABITS:
                raise
            time.sleep(0.1)


def chosen(position: list[str]) -> str:
    """A free square, and a stone that is neither placed nor in hand."""
    hand = position[0].split()[1]
    rows = [line.split() for line in position[2:-1]]
    placed = {stone for _, *row in rows for stone in row}
    free = [f"{'ABCD'[x]}{y}" for y, *row in rows for x, stone in enumerate(row) if stone == "*"]
    others = [str(stone) for stone in range(16) if str(stone) not in {*placed, hand}]
    return f"{free[0]},{others[0]}" if others else free[0]


class Thinker:
    """A child that finds moves: it is asked and answers through pipes."""

    def __init__(self, things: Things) -> None:
        self.ours, theirs = os.pipe(), os.pipe()
        self.answers, self.questions = self.ours[0], theirs[1]
        self.pid = os.fork()
        if self.pid:
            if "keeps-ends" not in HABITS:
                os.close(self.ours[1])
                os.close(theirs[0])
            return
        if "keeps-ends" not in HABITS:
            os.close(theirs[1])
            os.close(self.ours[0])
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while question := os.read(theirs[0], 4096):
            os.write(self.ours[1], chosen(question.decode().split("\n")).encode())
        things.remove()
        if "lingers" in HABITS:
            time.sleep(0.5)
        os._exit(0)

    def chosen(self, position: list[str]) -> str:
        os.write(self.questions, "\n".join(position).encode())
        if not (answer := os.read(self.answers, 100)):
            raise EOFError
        return answer.decode()

    def end(self) -> None:
        os.close(self.questions)
        if "lingers" not in HABITS:
            os.waitpid(self.pid, 0)


def begin() -> None:
    """What some programs do at the start."""
    if "ignores-interrupt" in HABITS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "zombie" in HABITS and not os.fork():
        os._exit(0)
    if "child-left" in HABITS and not os.fork():
        time.sleep(60)
    if "daemon-left" in HABITS and not os.fork():
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(60)
    if "daemon" in HABITS:
        if os.fork():
            os._exit(0)
        os.setsid()
    if "spins" in HABITS and not os.fork():
        parent = os.getppid()
        while os.getppid() == parent:
            for _ in range(100_000):
                pass
        os._exit(0)


class Things:
    """What outlives a process unless it is removed."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.segments: list[int] = []
        self.opened: list[object] = []
        for habit in HABITS:
            if make := getattr(self, habit.replace("-", "_"), None):
                make()

    def segment(self, key: int = PRIVATE) -> None:
        number = LIBC.shmget(key, 4096, CREATE | 0o600)
        LIBC.shmat.restype = ctypes.c_void_p
        LIBC.shmat(number, None, 0)
        self.segments.append(number)

    def keyed_segment(self) -> None:
        self.segment(0x5E9A0000 + os.getuid() % 1000)

    def removed_segment(self) -> None:
        self.segment()
        LIBC.shmctl(self.segments.pop(), REMOVE, None)

    def object(self, name: str = "spielwerk-test") -> None:
        path = f"/dev/shm/{name}-{os.getpid()}"
        with Path(path).open("w+b") as file:
            file.truncate(4096)
            self.opened.append(mmap.mmap(file.fileno(), 4096))
        self.names.append(path)

    def semaphore(self) -> None:
        LIBC.semctl(LIBC.semget(PRIVATE, 2, CREATE | 0o600), 1, 16, 1)  # SETVAL

    def named_semaphore(self) -> None:
        self.object("sem.spielwerk-test")

    def queue(self) -> None:
        number = LIBC.msgget(PRIVATE, CREATE | 0o600)
        LIBC.msgsnd(number, ctypes.create_string_buffer(b"\1" + b"\0" * 7 + b"move"), 4, 0)

    def file(self) -> None:
        (Path(os.environ["TMPDIR"]) / "moves.tmp").write_text("A1")

    def machine_file(self) -> None:
        path = Path(f"/tmp/spielwerk-test-{os.getpid()}")
        self.opened.append(path.open("w"))

    def remove(self) -> None:
        if "leaves" in HABITS:
            return
        for number in self.segments:
            LIBC.shmctl(number, REMOVE, None)
        for name in self.names:
            Path(name).unlink(missing_ok=True)


def lost() -> None:
    """What some programs do when the connection is lost."""
    if "forgets-when-lost" in HABITS:
        os._exit(1)
    if "signalled-when-lost" in HABITS:
        os.kill(os.getpid(), signal.SIGTERM)
    if "crashes-when-lost" in HABITS:
        os.kill(os.getpid(), signal.SIGSEGV)
    while "spins-when-lost" in HABITS:
        pass


def prolog(line: Line, game: str, player: str) -> None:
    """From the banner to ENDPLAYERS."""
    line.hear()
    line.say("VERSION 1.0")
    line.hear()
    line.say(f"ID {game}")
    kind = line.hear()
    if kind != "PLAYING Quarto":
        raise Refused("other-game", kind)
    line.hear()
    line.say(f"PLAYER {player}")
    line.hear_until("ENDPLAYERS")


def main(host: str, port: str, game: str, player: str) -> int:
    begin()
    status = 0
    things = Things()
    thinker = Thinker(things) if "two" in HABITS else None
    line = Line(host, port)
    leaked: list[bytes] = []
    try:
        prolog(line, game, player)
        while not (order := line.hear()).startswith("GAMEOVER"):
            if order == "WAIT":
                line.say("OKWAIT")
            elif order.startswith("MOVE "):
                position = line.hear_until("ENDFIELD")
                line.say("THINKING")
                line.hear()
                line.say(f"PLAY {thinker.chosen(position) if thinker else chosen(position)}")
                line.hear()
                if "leaks" in HABITS:
                    leaked.append(os.urandom(200_000))
        line.hear_until("QUIT")
    except (EOFError, OSError, KeyboardInterrupt):
        lost()
    except Refused as refused:
        what, said = refused.args
        if f"silent-{what}" not in HABITS:
            sys.stderr.write(f"the server says {said}\n")
        status = 0 if "cheerful" in HABITS else 1
    things.remove()
    if thinker:
        thinker.end()
    if "stays" in HABITS:
        time.sleep(60)
    if "late" in HABITS:
        time.sleep(0.5)
    return status


sys.exit(main(*sys.argv[2:]))
