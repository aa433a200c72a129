"""The bot against a scripted server: whole games, and everything that can go wrong in one."""

from __future__ import annotations

import shlex
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.dice.program import (
    BOT,
    against,
    run,
    start,
    with_resolver,
)
from tests.clients.peer import Host, Peer, finish, unused_port

HELO = "HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!"


def greet(peer: Peer) -> None:
    peer.expect((HELO, "AUTH dice1"))


def ask(peer: Peer) -> None:
    greet(peer)
    peer.expect(("TURN 0 Your turn!", "ROLL"))


def throw(peer: Peer) -> None:
    ask(peer)
    peer.expect(("THRW 2 5 6 dice1\nTURN 11", "ROLL"), ("THRW 2 5 6 dice1\nTURN 22", "ROLL"))
    peer.expect(("THRW 2 5 4 dice1\nTURN 31 Your turn!", "SAVE"))


def end(peer: Peer) -> None:
    throw(peer)
    peer.expect(("THRW 0 6 6 dice2\nTHRW 1 3 4 \x1b[2J\nDEF You lose.", "BYE 31 0 7"))


def win(peer: Peer) -> None:
    ask(peer)
    peer.expect(("THRW 2 5 6 dice1\nWIN You win.", "BYE 11 0 0"))
    peer.say("BYE")
    assert peer.line() == ""


def lose(peer: Peer) -> None:
    end(peer)
    peer.say("BYE")
    assert peer.line() == ""


STATES: dict[str, tuple[Callable[[Peer], object], str]] = {
    "before HELO": (lambda _: None, "HELO"),
    "waiting for others": (greet, "TURN or an opponent's THRW"),
    "waiting for the throw": (ask, "THRW 2"),
    "in the others' turns": (throw, "TURN or an opponent's THRW"),
    "after our BYE": (end, "BYE"),
}


def test_a_target_that_is_not_solved_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    code, out, errors = run("-n", "dice1", "--target", "200", "127.0.0.1")
    assert (code, out) == (1, "")
    assert errors.endswith("not been solved yet; run: spielwerk solve dice --target 200\n")


def test_a_game_that_is_won() -> None:
    assert against(win) == (0, "won with 11 points against 0 and 0\n", "")


def test_the_connection_is_closed_when_the_server_has_said_bye_and_keeps_it_open() -> None:
    def script(peer: Peer) -> None:
        win(peer)
        peer.say("more")

    assert against(script)[0] == 0


@pytest.mark.parametrize("state", STATES)
def test_an_error_from_the_server(state: str) -> None:
    reach, _ = STATES[state]

    def script(peer: Peer) -> None:
        reach(peer)
        peer.say("ERR Too \x1b[31mlate\x07, not your fault: '\u202edice2'")
        assert peer.line() == ""

    code, out, errors = against(script)
    assert (code, out) == (1, "")
    (line,) = errors.splitlines()
    assert line.startswith("dicebot: the server has broken the game off: ERR ")
    assert "Too \\x1b[31mlate\\x07, not your fault: '\\u202edice2'" in line


@pytest.mark.parametrize("state", STATES)
def test_a_connection_that_is_lost(state: str) -> None:
    reach, expected = STATES[state]
    code, out, errors = against(reach)
    assert (code, out) == (1, "")
    assert errors == f"dicebot: connection lost: the server closed it, expected {expected}\n"


RUBBISH = ("", "\x1b[2J", "TURN O Your turn!", 5000 * "x", "\xff\xfe")


@pytest.mark.parametrize(("state", "rubbish"), [*zip(STATES, RUBBISH, strict=True)])
def test_a_message_that_means_nothing(state: str, rubbish: str) -> None:
    reach, expected = STATES[state]

    def script(peer: Peer) -> None:
        reach(peer)
        peer.socket.sendall(rubbish.encode("latin-1") + b"\n")
        assert peer.line() == ""

    code, out, errors = against(script)
    assert (code, out) == (1, "")
    (line,) = errors.splitlines()
    assert line.startswith(f"dicebot: expected {expected}, got '")
    assert line.isprintable()


def test_what_the_server_said_last_is_read_though_it_reads_no_more() -> None:
    def script(peer: Peer) -> None:
        peer.socket.shutdown(socket.SHUT_RD)
        peer.say(HELO, "TURN 0", "ERR Full.")

    code, _, errors = against(script)
    assert code == 1
    assert "ERR 'Full.'" in errors


def test_refused_connections() -> None:
    port = unused_port()
    code, out, errors = run("-n", "dice1", "-p", str(port), "127.0.0.1")
    problem = f"cannot connect to '127.0.0.1', port {port} (127.0.0.1: Connection refused)"
    assert (code, out, errors) == (1, "", f"dicebot: {problem}\n")


@pytest.mark.parametrize("host", ["::1", "a..b", 64 * "x" + ".example", "\x1b[2J"])
def test_unknown_hosts(host: str) -> None:
    code, out, errors = run("-n", "dice1", "--strategy", "random", "--", host)
    assert (code, out) == (1, "")
    (line,) = errors.splitlines()
    assert line.startswith(f"dicebot: unknown host {host!r}: ")
    assert line.isprintable()


def test_the_default_port_and_every_address_in_turn() -> None:
    resolver = (
        "assert (host, port, family, type) == ('dicer', 9001, socket.AF_INET, socket.SOCK_STREAM)\n"
        "    return [(family, type, 6, '', (address, 1)) for address in ('127.1.2.3', '127.1.2.4')]"
    )
    program = with_resolver(resolver)
    code, _, errors = run("-n", "dice1", "dicer", program=program)
    problems = "127.1.2.3: Connection refused, 127.1.2.4: Connection refused"
    assert (code, errors) == (1, f"dicebot: cannot connect to 'dicer', port 9001 ({problems})\n")


def test_a_target_that_was_wrong_is_pointed_out() -> None:
    code, out, errors = against(win, "--strategy", "equilibrium")
    assert (code, out) == (0, "won with 11 points against 0 and 0\n")
    assert errors == "dicebot: the race is not to 150 points; --target is for that\n"
    for target in (3, 11):
        assert against(win, "--target", str(target))[2] == ""


# outputs that cannot be written


def test_a_full_disk_behind_the_result() -> None:
    with Host(win) as host, open("/dev/full", "w") as full:  # noqa: PTH123
        arguments = ("-n", "dice1", "-p", str(host.port), "--strategy", "hold=25", "127.0.0.1")
        code, _, errors = finish(start(*arguments, stdout=full))
    problem = "dicebot: cannot write to the standard output: No space left on device\n"
    assert (code, errors) == (0, problem)


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str) -> None:
    with Host(win) as host:
        command = f" -n dice1 -p {host.port} --strategy hold=25 127.0.0.1 {closed}"
        shell = ["sh", "-c", shlex.join(BOT) + command]
        code, _, errors = finish(start(program=shell))
        host.result()
    assert (code, errors) == (0, "")


# what is loaded

REPORT = """
import sys
from spielwerk.clients.dice import main
main()
print(*{name.partition('.')[0] for name in sys.modules})
"""


@pytest.mark.parametrize(("strategy", "numpy"), [("equilibrium", True), ("hold=25", False)])
def test_the_compiler_and_other_heavy_things_stay_away(strategy: str, numpy: bool) -> None:
    with Host(win) as host:
        arguments = ("-n", "dice1", "-p", str(host.port), "--strategy", strategy, "127.0.0.1")
        _, out, _ = finish(start(*arguments, program=[sys.executable, "-c", REPORT]))
    loaded = set(out.splitlines()[-1].split())
    assert not loaded & {"numba", "llvmlite", "typer", "click", "rich", "asyncio", "sqlalchemy"}
    assert ("numpy" in loaded) == numpy
