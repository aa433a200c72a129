"""The sandbox: what programs can reach in it, what they cannot, and that all else is as outside."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spielwerk.contests.contest import AssignedPlayer, Resources
from spielwerk.contests.programs import sandbox
from spielwerk.contests.programs.network import SandboxNetwork
from spielwerk.contests.programs.program import CannotRun
from spielwerk.store.records import Kind
from tests.contests.contests import in_loop
from tests.contests.running import (
    NO_SANDBOX,
    SLEEP,
    Program,
    killed_worker,
    lives,
    only,
    outcome,
    python,
    said,
)
from tests.contests.terms import usual_terms
from tests.waiting import PATIENCE, until

pytestmark = [
    NO_SANDBOX,
    pytest.mark.usefixtures("place"),
]

MEGABYTE = 1_000_000


async def inside(code: str, **options: Any) -> Program:
    """A few lines of Python that have run in the sandbox."""
    return await outcome(*python(code), sandboxed=True, **options)


async def tells(code: str, **options: Any) -> str:
    """What a few lines of Python tell from the sandbox."""
    program = await inside(code, **options)
    assert program.status == "exit 0", program.output
    return program.output


def test_it_works_here() -> None:
    assert sandbox.available() is None


# the network

CONNECT = """
import socket
for port in {ports!r}:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            print(line.recv(100).decode())
    except OSError as error:
        print(error.strerror)
print(*(name for _, name in socket.if_nameindex()))
"""


@in_loop
async def test_a_program_reaches_its_own_seat_and_nothing_else() -> None:
    own, another = SandboxNetwork(), SandboxNetwork()
    for network in (own, another):
        await network.open()
    seats = own.listen(), another.listen(), socket.create_server(("127.0.0.1", 0))
    ports = [seat.getsockname()[1] for seat in seats]
    loop = asyncio.get_running_loop()
    seats[0].setblocking(False)
    async with Program(python(CONNECT.format(ports=ports)), own) as program:
        line, _ = await loop.sock_accept(seats[0])
        await loop.sock_sendall(line, b"hello")
        line.close()
        await program.ended
    refused = "Connection refused"
    assert program.output.split("\n") == ["hello", refused, refused, "lo"]
    await another.close()
    for seat in seats:
        seat.close()


@in_loop
async def test_two_programs_may_listen_at_the_same_port_and_are_not_confused() -> None:
    serve = """
import socket, sys
with socket.create_server(("127.0.0.1", 7889)) as server:
    print("ready", flush=True)
    line, _ = server.accept()
    line.sendall(sys.argv[1].encode())
"""
    heard = []
    for name in ("anna", "bert"):
        network = SandboxNetwork()
        async with Program([*python(serve), name], network) as program:
            await said(program, "ready")
            assert network.is_listening(7889)
            assert not network.is_listening(7890)
            line = await network.connect("127.0.0.1", 7889)
            heard.append(await asyncio.get_running_loop().sock_recv(line, 100))
            line.close()
    assert heard == [b"anna", b"bert"]


@in_loop
async def test_a_gate_ends_with_its_network() -> None:
    network = SandboxNetwork()
    await network.open()
    assert network.pid
    assert lives(network.pid)
    await network.close()
    assert not lives(network.pid)
    with pytest.raises(OSError, match="Bad file descriptor"):
        network.listen()


@in_loop
async def test_a_port_that_is_taken_is_told_as_anywhere() -> None:
    network = SandboxNetwork()
    await network.open()
    with network.listen(4711), pytest.raises(OSError, match=os.strerror(errno.EADDRINUSE)):
        network.listen(4711)
    await network.close()


# files

WRITE = """
import os
for place in {places!r}:
    try:
        with open(place + '/x', 'w') as file: file.write('x')
        print('written', place)
    except OSError as error:
        print(place, error.strerror)
"""


@in_loop
async def test_a_program_writes_to_its_own_places_only() -> None:
    own = [".", "/tmp", "/dev/shm"]  # noqa: S108 - its own
    homes = [str(home) for home in (Path.home(), Path.cwd()) if Path(own[1]) not in home.parents]
    others = ["/", "/usr", "/etc", "/opt", "/dev", "/bin", *homes]
    told = (await tells(WRITE.format(places=own + others))).splitlines()
    assert told[:3] == [f"written {place}" for place in own]
    assert len(told) == len(own + others)
    assert not [line for line in told[3:] if line.startswith("written")]


READ = (
    "import sys\ntry: print(open({path!r}).read())\nexcept OSError as error: print(error.strerror)"
)


@in_loop
async def test_what_is_readable_can_be_read_and_no_more(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (tmp_path / "other").touch()
    # If that is below /tmp, it can write there: but it is its own /tmp.
    read, write = READ.format(path=str(secret)), WRITE.format(places=[str(tmp_path)])
    look = f"import os; print(os.listdir({str(tmp_path)!r}))"
    told = await tells(f"{read}\n{write}\n{look}", readable=[str(secret)])
    first, _, names = told.splitlines()
    assert first == "secret"
    assert "other" not in names
    assert only(tmp_path) == ["other", "secret", "temporary"]


@in_loop
async def test_a_part_of_the_system_can_be_hidden() -> None:
    places = ["/usr/share"]
    look = "import os; print(os.listdir('/usr/share'))"
    told = await tells(f"{look}\n{WRITE.format(places=places)}", hidden=places)
    assert told == "[]\n/usr/share Read-only file system"


@in_loop
async def test_a_file_in_a_hidden_place_can_be_readable() -> None:
    file = next(path for path in Path("/usr/share").rglob("*") if path.is_file())
    look = f"import os; print(os.listdir({str(file.parent)!r}))"
    told = await tells(look, hidden=["/usr/share"], readable=[str(file)])
    assert told == str([file.name])


@pytest.mark.skipif(os.geteuid() != 0, reason="others cannot read it anyway")
@in_loop
async def test_what_only_root_may_read_is_hidden() -> None:
    told = await tells(READ.format(path="/etc/shadow"))
    assert told in ("", "Permission denied")
    assert "root:" in await tells(READ.format(path="/etc/passwd"))


@in_loop
async def test_a_player_sees_the_files_that_its_command_names(tmp_path: Path) -> None:
    for name in ("bot.py", "other.py", "contest.db"):
        (tmp_path / name).write_text(
            "import os, sys; print(os.listdir(os.path.dirname(sys.argv[0])))"
        )
    text = f"{sys.executable} -I -S bot.py"
    player = AssignedPlayer("anna", Kind.COMMAND, text, base=str(tmp_path))
    async with Program.of(player, {}, usual_terms(), SandboxNetwork()) as program:
        await program.ended
    assert "bot.py" in program.output
    assert "other.py" not in program.output
    assert "contest.db" not in program.output


@in_loop
async def test_our_own_players_run_in_it() -> None:
    code = "import spielwerk.clients.dice; print('imported')"
    program = await outcome(sys.executable, "-c", code, sandboxed=True)
    assert program.output == "imported"


@in_loop
async def test_a_program_that_is_not_in_the_sandbox_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert sandbox.search_path(os.environ["PATH"]) == "/usr/bin:/bin"
    with pytest.raises(CannotRun, match="no such program on the PATH"):
        await outcome("tool", sandboxed=True)
    assert (await outcome("tool")).status == "exit 0"


FILL = """
written = 0
for place in (".", "/tmp", "/dev/shm"):
    try:
        for number in range(100):
            with open(f"{place}/{number}", "wb") as file:
                written += file.write(bytes(1_000_000))
    except OSError as error:
        print(error.strerror)
print(written // 1_000_000)
"""


@in_loop
async def test_a_program_has_a_small_disk_for_all_that_it_writes(tmp_path: Path) -> None:
    full, *_, megabytes = (await tells(FILL, limits=Resources(disk=20 * MEGABYTE))).split("\n")
    assert full == os.strerror(errno.ENOSPC)
    assert 15 <= int(megabytes) <= 20
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "table").write_bytes(bytes(3 * MEGABYTE))
    with pytest.raises(CannotRun, match="larger than the 2,000,000 bytes"):
        await inside("", folder=str(tmp_path / "anna"), limits=Resources(disk=2 * MEGABYTE))
    told = await tells("import os; print(os.stat('table').st_size)", folder=str(tmp_path / "anna"))
    assert told == "3000000"


HOSTILE = """
import resource, socket
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
bound, lists = [], [open(f"/proc/net/{name}") for name in ("tcp", "udp")]
for port in range(1, 65536):
    try:
        bound.append(socket.create_server(("127.0.0.1", port)))
    except OSError:
        pass
for lines in lists:
    ports = {int(line.split()[1].split(":")[1], 16) for line in lines if ":" in line}
    print(*(ports - {one.getsockname()[1] for one in bound}))
print(len(bound))
"""


@in_loop
async def test_one_that_takes_all_ports_harms_nobody_and_sees_nobody() -> None:
    opponent = SandboxNetwork()
    await opponent.open()
    with opponent.datagrams(65_000), socket.create_server(("127.0.0.1", 0)) as outside:
        assert outside.getsockname()[1]
        *others, bound = (await tells(HOSTILE, limits=Resources(cpu=60.0))).split("\n")
        assert int(bound) > 500
        assert not any(others)
        with opponent.listen(4711):
            pass
    await opponent.close()


# others


@in_loop
async def test_a_program_does_not_see_other_processes() -> None:
    code = "import os; print(*sorted(int(n) for n in os.listdir('/proc') if n.isdigit()))"
    assert await tells(code) == "1 2"


@in_loop
async def test_a_program_has_no_power() -> None:
    code = "print(*(line for line in open('/proc/self/status') if line.startswith('CapEff')))"
    assert (await tells(code)).split() == ["CapEff:", "0" * 16]


# all as outside


@in_loop
async def test_who_does_not_listen_is_killed() -> None:
    code = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"
    async with Program(python(code), sandboxed=True, grace=0.1) as program:
        await said(program, "ready")
        members = [one.pid for one in _tree(program)]
        assert len(members) == sandbox.WRAPPERS + 1
    assert not any(map(lives, members))


def _tree(program: Program) -> Any:
    assert program._tree
    return program._tree.find()


@in_loop
async def test_a_program_that_is_not_even_there_yet_is_not_asked() -> None:
    async with Program(python(SLEEP), sandboxed=True, grace=PATIENCE) as program:
        pass
    assert program.status == "stopped"


@in_loop
async def test_as_many_processes_as_allowed_are_allowed() -> None:
    code = f"import os\nfor _ in range(4):\n    if os.fork() == 0: break\n{SLEEP}"
    async with Program(python(code), sandboxed=True, limits=Resources(processes=5)) as program:
        await until(lambda: program.output.count("ready") == 5)
        await until(lambda: len(_tree(program)) == 5 + sandbox.WRAPPERS)
        assert program._tree
        program._look(program._tree)
        assert program.status == "running"


@in_loop
async def test_programs_die_with_a_worker_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    left = killed_worker("SandboxNetwork", sandbox.WRAPPERS + 3)
    await until(lambda: not any(map(lives, left)))


# where it is not available


@pytest.fixture
def _asked_anew() -> Iterator[None]:
    sandbox.available.cache_clear()
    yield
    sandbox.available.cache_clear()


@pytest.mark.usefixtures("_asked_anew")
def test_without_bubblewrap_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/no/such/folder")
    assert sandbox.available() == (
        "the sandbox needs bubblewrap, and there is no bwrap; install bubblewrap"
    )


@pytest.mark.usefixtures("_asked_anew")
def test_on_another_system_it_is_said_that_it_needs_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert sandbox.available() == "the sandbox needs Linux, and this is darwin"


@pytest.mark.usefixtures("_asked_anew")
def test_where_it_is_forbidden_it_is_said_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "bwrap: No permissions to create new namespace"
    forbidden = tmp_path / "bwrap"
    forbidden.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    forbidden.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert sandbox.available() == (
        f"the sandbox does not start ({said}); the system must allow user namespaces"
    )
