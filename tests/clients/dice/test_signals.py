"""Signals in every state: the message, a closed connection, and a clean end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.clients.dice.program import (
    bot,
    connecting,
    deaf_port,
    start,
    with_resolver,
)
from tests.clients.dice.test_program import STATES, win
from tests.clients.peer import Host, Peer, finish
from tests.waiting import PATIENCE, wait_until

MESSAGE = "Received termination request - terminating...\n"
SIGNALS = [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM]
ARGUMENTS = ("-n", "dice1", "--strategy", "hold=25", "127.0.0.1")


def terminated(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Send the signal, and see a clean end."""
    process.send_signal(number)
    assert finish(process) == (0, "", MESSAGE)


@contextmanager
def reached_by(reach: Callable[[Peer], object]) -> Iterator[tuple[Host, threading.Event]]:
    """A server, and whether the game is as far there; then it hears what the bot still says."""
    reached = threading.Event()

    def script(peer: Peer) -> str:
        reach(peer)
        reached.set()
        return peer.line()

    with Host(script) as host:
        yield host, reached


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("state", STATES)
def test_a_signal_closes_the_connection(state: str, number: signal.Signals) -> None:
    with reached_by(STATES[state][0]) as (host, reached):
        process = bot(host.port)
        assert reached.wait(PATIENCE)
        terminated(process, number)
        assert host.result() == "", "closed, and not a word more"


def test_a_signal_while_connecting() -> None:
    with deaf_port() as port:
        others = connecting(port)
        process = bot(port)
        wait_until(lambda: connecting(port) > others)
        terminated(process, signal.SIGINT)


def test_a_signal_while_looking_up() -> None:
    # As the real thing does, this sleeps in C and does not care for signals.
    resolver = "import ctypes; print('looking', flush=True); ctypes.CDLL(None).sleep(60)"
    process = start(*ARGUMENTS, program=with_resolver(resolver))
    assert process.stdout
    assert process.stdout.readline() == "looking\n"
    terminated(process, signal.SIGINT)


def test_a_signal_while_the_strategy_is_made_ready() -> None:
    source = """
import os, signal, sys
from spielwerk.clients.dice import bot, main
real = bot.find_strategy
def find_strategy(name, target):
    os.kill(os.getpid(), signal.SIGTERM)
    return real(name, target)
bot.find_strategy = find_strategy
sys.exit(main())
"""
    assert finish(start(*ARGUMENTS, program=[sys.executable, "-c", source])) == (0, "", MESSAGE)


def test_several_signals_at_once_are_one_request() -> None:
    with reached_by(lambda _: None) as (host, reached):
        process = bot(host.port)
        assert reached.wait(PATIENCE)
        for number in 10 * SIGNALS:
            process.send_signal(number)
        assert finish(process) == (0, "", MESSAGE)


def test_a_signal_when_everything_is_over_changes_nothing() -> None:
    source = """
import signal, sys
from spielwerk.clients.dice import main
code = main()
assert {signal.getsignal(number) for number in (2, 3, 15)} == {signal.SIG_IGN}
sys.exit(code)
"""
    with Host(win) as host:
        program = [sys.executable, "-c", source, "-p", str(host.port)]
        code, _, errors = finish(start(*ARGUMENTS, program=program))
    assert (code, errors) == (0, "")


def test_a_signal_while_the_server_floods_and_reads_nothing() -> None:
    flooding = threading.Event()

    def script(peer: Peer) -> None:
        peer.say("HELO")
        try:
            while True:
                peer.socket.sendall(10_000 * b"THRW 0 1 2 a\n")
                flooding.set()
        except OSError:
            return

    with Host(script) as host:
        process = bot(host.port)
        assert flooding.wait(PATIENCE)
        terminated(process, signal.SIGTERM)
        host.result()


def test_a_signal_while_the_result_is_not_taken() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, 1024 * b"x")
    os.set_blocking(writing, True)
    with Host(win) as host:
        process = start("-p", str(host.port), *ARGUMENTS, stdout=writing)
        host.result()
        process.send_signal(signal.SIGTERM)
        code, _, errors = finish(process)
    assert (code, errors) == (0, MESSAGE)
    os.close(reading)
    os.close(writing)


def test_signals_that_were_ignored_by_the_parent_are_heard_all_the_same() -> None:
    with reached_by(lambda _: None) as (host, reached):
        ignoring = ["sh", "-c", 'trap "" INT QUIT; exec "$@"', "sh", sys.executable]
        program = [*ignoring, "-m", "spielwerk.clients.dice", "-p", str(host.port)]
        process = start(*ARGUMENTS, program=program)
        assert reached.wait(PATIENCE)
        terminated(process, signal.SIGINT)
