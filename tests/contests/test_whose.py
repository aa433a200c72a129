"""Whose a connection is: programs come to their own doors, to others' doors, or have gone again."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.playing import whose
from spielwerk.contests.playing.ports import reserved_port
from spielwerk.contests.playing.whose import CONNECTED, LINES, TOOK_PORT, UNCLEAR, Doorkeeper, Whose
from spielwerk.contests.programs import processes, sandbox, sockets
from tests.contests.running import DAEMON, Program, python, run, said
from tests.contests.test_sockets import NEW_ENOUGH
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

HERE = "127.0.0.1"
PROCESSES = 64

# What programs do; they are given the ports of both doors, and the one that they may listen on.
TALK = "print('here', flush=True); time.sleep(100)"
CONNECT = f"""
import os, socket, sys, time
line = socket.create_connection(('{HERE}', int(sys.argv[1])))
"""
COME = f"{CONNECT}\n{TALK}"
TRESPASS = COME.replace("argv[1]", "argv[2]")
STAY = f"import time; {TALK}"
LISTEN = f"""
import socket, sys, time
server = socket.create_server(('{HERE}', int(sys.argv[3])))
{TALK}
"""


class Door(asyncio.Protocol):
    """Notes who was let in."""

    def __init__(self, house: House, seat: int) -> None:
        self._house = house
        self._seat = seat

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._house.seen.append((self._seat, self._house.keeper.admits(self._seat, transport)))
        self._house.lines.append(transport)


class House:
    """Two seats, each with its door, and their programs."""

    def __init__(self, port: int) -> None:
        self.accused: list[tuple[int, str]] = []
        self.keeper = Doorkeeper(PROCESSES, lambda *crime: self.accused.append(crime))
        self.seen: list[tuple[int, bool]] = []
        self.lines: list[asyncio.BaseTransport] = []
        self.port = port  # that the first one may listen on
        self.doors = [socket.create_server((HERE, 0)) for _ in range(2)]
        self.servers: list[asyncio.Server] = []

    async def open(self) -> None:
        """Accept who has come, and who comes."""
        loop = asyncio.get_running_loop()
        for seat, door in enumerate(self.doors):
            self.servers.append(await loop.create_server(partial(Door, self, seat), sock=door))

    def ports(self, seat: int) -> list[str]:
        own, other = (str(self.doors[n].getsockname()[1]) for n in (seat, 1 - seat))
        return [own, other, str(self.port)]

    def close(self) -> None:
        for line in self.lines:
            line.close()
        for server in self.servers:
            server.close()
        for door in self.doors:
            door.close()


@asynccontextmanager
async def house(
    *commands: Sequence[str], sandboxed: bool = False, ready: str = "here"
) -> AsyncIterator[House]:
    """The house when the programs have said that they are ready, but before it is opened."""
    async with AsyncExitStack() as stack:
        made = House(stack.enter_context(reserved_port(HERE)))
        stack.callback(made.close)
        for seat, command in enumerate(commands):
            program = Program([*command, *made.ports(seat)], sandboxed=sandboxed)
            await stack.enter_async_context(program)
            made.keeper.introduce(seat, program.tree)
            await said(program, ready)
        yield made


@asynccontextmanager
async def together(*commands: Sequence[str]) -> AsyncIterator[House]:
    """The house when all programs have been started that wait for each other."""
    async with AsyncExitStack() as stack:
        made = House(stack.enter_context(reserved_port(HERE)))
        stack.callback(made.close)
        programs = [Program([*command, *made.ports(n)]) for n, command in enumerate(commands)]
        for seat, program in enumerate(programs):
            await stack.enter_async_context(program)
            made.keeper.introduce(seat, program.tree)
        for program in programs:
            await said(program, "here")
        yield made


async def visited(*commands: Sequence[str], sandboxed: bool = False) -> House:
    """The house when somebody has come."""
    async with house(*commands, sandboxed=sandboxed) as made:
        await made.open()
        await until(lambda: made.seen)
        return made


def seen(*commands: Sequence[str], sandboxed: bool = False) -> House:
    houses: list[House] = []

    async def main() -> None:
        houses.append(await visited(*commands, sandboxed=sandboxed))

    run(main())
    return houses[0]


def assert_welcome(made: House) -> None:
    assert made.seen == [(0, True)]
    assert made.accused == []


@pytest.fixture(params=["outside", "sandboxed"])
def sandboxed(request: pytest.FixtureRequest) -> bool:
    if request.param == "sandboxed" and not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    return bool(request.param == "sandboxed")


# those who come


def test_a_program_is_let_in_at_its_own_door(sandboxed: bool) -> None:
    assert_welcome(seen(python(COME), python(STAY), sandboxed=sandboxed))


def test_nobody_is_let_in_at_the_door_of_another_one(sandboxed: bool) -> None:
    made = seen(python(STAY), python(TRESPASS), sandboxed=sandboxed)
    assert made.seen == [(0, False)]
    assert made.accused == [(1, CONNECTED)]


SHELL = ["/bin/sh", "-c", '"$0" -I -S -c "$@"; true', sys.executable]

FORK = f"""
{CONNECT}
if os.fork():
    line.close()
    print('here', flush=True)
    os.wait()
time.sleep(100)
"""

ORPHAN = f"""
import os, time
if os.fork() == 0:
    if os.fork() == 0:
        {"; ".join(line for line in CONNECT.strip().splitlines())}
        {TALK}
    os._exit(0)
os.wait()
time.sleep(100)
"""

HAND_OVER = f"""
{CONNECT}
import array
mine, yours = socket.socketpair()
if os.fork() == 0:
    line.close()
    data, kept, *_ = yours.recvmsg(1, 100)
    {TALK}
mine.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [line.fileno()]))])
line.close()
os.wait()
"""

REPLACED = f"""
{CONNECT}
os.set_inheritable(line.fileno(), True)
print('here', flush=True)
os.execv('/bin/sleep', ['sleep', '100'])
"""

MAPPED = f"""
import socket, sys, time
line = socket.socket(socket.AF_INET6)
line.connect(('::ffff:{HERE}', int(sys.argv[1])))
{TALK}
"""

HALF_CLOSED = f"{CONNECT}\nline.shutdown(socket.SHUT_WR)\n{TALK}"

HEADLESS = f"""
import ctypes, threading
{CONNECT}
def talk():
    while open('/proc/self/stat').read().split()[2] != 'Z':
        time.sleep(0.001)
    {TALK}
threading.Thread(target=talk).start()
ctypes.CDLL(None).pthread_exit(None)
"""

STRAY = DAEMON.format(
    then=f"{'; '.join(line for line in CONNECT.strip().splitlines())}; {TALK}", seconds=100
)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param([*SHELL, COME], id="child-of-a-shell"),
        pytest.param(["/usr/bin/env", "A=B", *python(COME)], id="replaced-env"),
        pytest.param(python(FORK), id="kept-by-a-child"),
        pytest.param(python(ORPHAN), id="child-whose-parent-has-ended"),
        pytest.param(python(STRAY), id="child-in-a-session-of-its-own"),
        pytest.param(python(HAND_OVER), id="handed-over"),
        pytest.param(python(REPLACED), id="became-another-program"),
        pytest.param(python(MAPPED), id="with-the-new-protocol"),
        pytest.param(python(HALF_CLOSED), id="has-said-everything"),
        pytest.param(python(HEADLESS), id="first-thread-has-ended"),
    ],
)
def test_however_a_program_comes_it_is_let_in(command: list[str], sandboxed: bool) -> None:
    assert_welcome(seen(command, python(STAY), sandboxed=sandboxed))


@pytest.mark.usefixtures("adopting")
@pytest.mark.parametrize("code", [ORPHAN, STRAY])
def test_in_a_worker_orphans_are_known_as_well(code: str) -> None:
    assert_welcome(seen(python(code), python(STAY)))


def test_a_stranger_is_not_let_in_and_nobody_is_to_blame() -> None:
    async def main() -> None:
        async with house(python(STAY), python(STAY)) as made:
            await made.open()
            with socket.create_connection(made.doors[0].getsockname()):
                await until(lambda: made.seen)
        assert made.seen == [(0, False)]
        assert made.accused == []

    run(main())


def test_before_its_program_is_there_a_door_is_shut() -> None:
    async def main() -> None:
        async with house(python(COME)) as made:
            made.keeper._trees.clear()
            await made.open()
            await until(lambda: made.seen)
        assert made.seen == [(0, False)]

    run(main())


def test_who_has_gone_before_anybody_looked_is_no_loss() -> None:
    leave = f"{CONNECT}\nline.close()\n{TALK}"

    async def main() -> None:
        async with house(python(leave), python(leave.replace("argv[1]", "argv[2]"))) as made:
            await made.open()
            await until(lambda: len(made.seen) == 2)
        assert made.seen == [(0, False)] * 2
        assert made.accused == []

    run(main())


def nobody(seat: int, crime: str) -> None:
    pytest.fail(f"seat {seat} is accused: {crime}")


class Transport(asyncio.BaseTransport):
    """A connection of which only the ends are known."""

    def __init__(self, own: object, peer: object) -> None:
        super().__init__({"sockname": own, "peername": peer})


CROWD = f"""
import socket, sys, time
lines = [socket.create_connection(('{HERE}', int(sys.argv[1]))) for _ in range({LINES} + 4)]
{TALK}
"""


def test_a_program_may_have_a_few_connections_and_no_more() -> None:
    async def main() -> None:
        async with house(python(CROWD)) as made:
            await made.open()
            await until(lambda: len(made.seen) == LINES + 4)
            assert made.seen == [(0, True)] * LINES + [(0, False)] * 4
            made.lines[0].close()
            assert made.keeper.admits(0, made.lines[-1])
            assert not made.keeper.admits(0, made.lines[-1])
            assert made.accused == []

    run(main())


def test_a_connection_that_has_gone_with_its_address_is_nobodys() -> None:
    keeper = Doorkeeper(PROCESSES, nobody)
    assert not keeper.admits(0, Transport((HERE, 1), None))


def test_if_there_is_no_room_to_ask_nobody_is_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> set[int]:
        raise OSError("too many open files")

    monkeypatch.setattr(sockets, "other_end", refuse)
    keeper = Doorkeeper(PROCESSES, nobody)
    assert not keeper.admits(0, Transport((HERE, 1), (HERE, 2)))


# those of whom it is not told


def test_where_the_system_does_not_tell_everybody_is_let_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "are_told", lambda: False)
    made = seen(python(STAY), python(TRESPASS))
    assert made.seen == [(0, True)]
    made.keeper.accuse_visitors(0, made.port)
    made.keeper.accuse_occupants(0, made.port)
    assert made.accused == []


def hide(root: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a process were another user's."""
    usual = processes.descriptors

    def descriptors(pid: int) -> Iterator[str | None]:
        return iter([None]) if pid == root else usual(pid)

    monkeypatch.setattr(whose, "descriptors", descriptors)


def root_of(made: House, seat: int) -> int:
    return made.keeper._trees[seat].root


def test_who_cannot_be_looked_into_is_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with house(python(COME), python(STAY)) as made:
            hide(root_of(made, 0), monkeypatch)
            await made.open()
            await until(lambda: made.seen)
        assert_welcome(made)

    run(main())


def test_but_not_if_it_is_known_to_be_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with house(python(STAY), python(TRESPASS)) as made:
            hide(root_of(made, 0), monkeypatch)
            await made.open()
            await until(lambda: made.seen)
        assert made.seen == [(0, False)]
        assert made.accused == [(1, CONNECTED)]

    run(main())


def test_bubblewrap_may_hide_itself_and_nobody_comes_in_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(whose, "name", lambda _: "bwrap")

    async def main() -> None:
        async with house(python(STAY)) as made:
            hide(root_of(made, 0), monkeypatch)
            await made.open()
            with socket.create_connection(made.doors[0].getsockname()):
                await until(lambda: made.seen)
        assert made.seen == [(0, False)]

    run(main())


def test_who_has_too_much_open_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whose, "_MOST", 2)
    assert_welcome(seen(python(COME), python(STAY)))


# those who listen


async def listeners(*codes: str) -> tuple[Whose, list[tuple[int, str]]]:
    """Who listens where the first one should, and who is accused of being there."""
    async with house(*map(python, codes)) as made:
        found = made.keeper.listener(0, made.port)
        made.keeper.accuse_occupants(0, made.port)
        return found, made.accused


LISTEN_TOO = LISTEN.replace("create_server(", "create_server(reuse_port=True, address=")
LISTEN_TWICE = LISTEN.replace(
    "\nprint",
    "\nother = socket.create_server(('::1', int(sys.argv[3])), family=socket.AF_INET6)\nprint",
)


@pytest.mark.parametrize(
    ("codes", "listener", "accused"),
    [
        pytest.param((STAY, STAY), Whose.NOBODYS, [], id="nobody"),
        pytest.param((LISTEN, STAY), Whose.ITS_OWN, [], id="itself"),
        pytest.param((LISTEN_TWICE, STAY), Whose.ITS_OWN, [], id="itself-with-both-protocols"),
        pytest.param((STAY, LISTEN), Whose.ANOTHERS, [(1, TOOK_PORT)], id="another"),
        pytest.param((LISTEN_TOO, LISTEN_TOO), Whose.SHARED, [(1, TOOK_PORT)], id="both"),
    ],
)
def test_who_listens_at_a_port(
    codes: tuple[str, ...], listener: Whose, accused: list[tuple[int, str]]
) -> None:
    async def main() -> None:
        assert await listeners(*codes) == (listener, accused)

    run(main())


def test_a_stranger_may_listen_as_well() -> None:
    async def main() -> None:
        async with house(python(STAY), python(STAY)) as made:
            with socket.create_server((HERE, made.port)):
                assert made.keeper.listener(0, made.port) is Whose.ANOTHERS
                made.keeper.accuse_occupants(0, made.port)
        assert made.accused == []

    run(main())


def test_where_the_system_does_not_tell_whoever_listens_is_the_right_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "are_told", lambda: False)
    keeper = Doorkeeper(PROCESSES, nobody)
    with reserved_port(HERE) as port:
        assert keeper.listener(0, port) is Whose.NOBODYS
        with socket.create_server((HERE, port)):
            assert keeper.listener(0, port) is Whose.ITS_OWN


BIND = f"""
import socket, sys, time
taken = socket.socket()
taken.bind(('{HERE}', int(sys.argv[3])))
{TALK}
"""


@pytest.mark.skipif(not NEW_ENOUGH, reason="Linux tells that since 6.8")
def test_who_only_keeps_a_port_from_another_one_is_found() -> None:
    async def main() -> None:
        assert await listeners(STAY, BIND) == (Whose.NOBODYS, [(1, TOOK_PORT)])

    run(main())


def test_who_visits_a_program_that_listens_is_found() -> None:
    visit = COME.replace("argv[1]", "argv[3]")

    async def main() -> None:
        async with house(python(LISTEN), python(visit)) as made:
            made.keeper.accuse_visitors(0, made.port)
        assert made.accused == [(1, CONNECTED)]

    run(main())


ACCEPT = LISTEN.replace(TALK, f"line, _ = server.accept(); server.close(); {TALK}")
VISIT = f"""
import socket, sys, time
while True:
    try:
        line = socket.create_connection(('{HERE}', int(sys.argv[3])))
        break
    except OSError:
        time.sleep(0.01)
{TALK}
"""


@pytest.mark.parametrize("code", [LISTEN, ACCEPT], ids=["waiting", "accepted"])
def test_who_calls_a_program_is_found_whether_that_still_listens_or_not(code: str) -> None:
    async def main() -> None:
        async with together(python(code), python(VISIT)) as made:
            made.keeper.accuse_callers(0, made.port)
        assert made.accused == [(1, CONNECTED)]

    run(main())


# At the port of the other one's door, but not at that door.
ELSEWHERE = """
import socket, sys, time
server = socket.create_server(('127.0.0.2', int(sys.argv[2])))
line = socket.create_connection(server.getsockname())
"""


def test_who_is_at_its_own_door_calls_nobody_else_with_the_same_port() -> None:
    async def main() -> None:
        async with house(python(ELSEWHERE + TALK), python(COME)) as made:
            await made.open()
            await until(lambda: made.seen)
            made.keeper.accuse_callers(0, made.doors[1].getsockname()[1])
        assert made.seen == [(1, True)]
        assert made.accused == []

    run(main())


# It is called at a port of its own, by one who calls from the port where it may be called itself.
CALLED = """
import socket, sys, time
server = socket.create_server(('127.0.0.3', int(sys.argv[1])))
line, _ = server.accept()
"""
CALL = """
import socket, sys, time
line = socket.socket()
line.bind(('127.0.0.2', int(sys.argv[3])))
while line.connect_ex(('127.0.0.3', int(sys.argv[2]))):
    time.sleep(0.01)
"""


@pytest.mark.parametrize("accuse", [Doorkeeper.accuse_visitors, Doorkeeper.accuse_callers])
def test_of_two_who_are_connected_by_ports_of_their_own_nobody_is_accused(
    accuse: Callable[[Doorkeeper, int, int], None],
) -> None:
    async def main() -> None:
        async with together(python(CALL + TALK), python(CALLED + TALK)) as made:
            own = made.doors[1].getsockname()[1]
            made.keeper.give(0, made.port)
            made.keeper.give(1, own)
            accuse(made.keeper, 0, made.port)
            accuse(made.keeper, 1, own)
        assert made.accused == [(1, UNCLEAR), (0, UNCLEAR)]

    run(main())


# in a worker that has a network of its own

WORKER = """
from tests.contests.test_whose import COME, STAY, TRESPASS, python, seen

for codes in ((COME, STAY), (STAY, TRESPASS)):
    made = seen(*map(python, codes), sandboxed=True)
    print(made.seen, made.accused)
"""


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_it_is_the_same_in_a_worker_with_a_network_of_its_own() -> None:
    command = sandbox.worker_command([sys.executable, "-c", WORKER])
    root = Path(__file__).parents[2]
    ran = subprocess.run(command, cwd=root, capture_output=True, check=True)
    assert ran.stdout.decode().splitlines() == [
        "[(0, True)] []",
        f"[(0, False)] [(1, '{CONNECTED}')]",
    ]
