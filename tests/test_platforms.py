"""What needs POSIX says so on Windows, and nothing else needs it.

There is no Windows here: a process is made to look like one to our own modules, once the libraries
that they use are loaded. What Windows does not have is gone then.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from spielwerk.app.settings import SERVICES
from tests.servers.live import FREE
from tests.waiting import PATIENCE

WINDOWS: Final = """
import asyncio, builtins, importlib, os, pkgutil, select, signal, sys, types
import distributed, jinja2, numba, platformdirs, prometheus_client, psutil
import psycopg, rich.console, starlette.applications, starlette.templating, typer, uvicorn
import sqlalchemy.dialects.sqlite, websockets, uvicorn.protocols.websockets.websockets_sansio_impl

MODULES = "fcntl grp posix pty pwd resource syslog termios tty".split()
ATTRIBUTES = {
    os: "O_CLOEXEC O_DIRECTORY O_NOFOLLOW P_PID WEXITED WNOHANG WNOWAIT chown fork getegid geteuid "
    "getgid getpgid getpgrp getuid killpg nice openpty pidfd_open posix_spawn sched_getaffinity "
    "sched_setaffinity set_blocking setpgid setsid sysconf uname wait4 waitid",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGUSR2 "
    "SIGXCPU SIGXFSZ SIG_BLOCK SIG_SETMASK pthread_sigmask setitimer sigwait",
    select: "POLLIN POLLOUT epoll poll",
}

def imported(name, scope=None, *rest, **named):
    ours = str((scope or {}).get("__name__")).startswith("spielwerk")
    if ours and name in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}")
    return load(name, scope, *rest, **named)

load, builtins.__import__ = builtins.__import__, imported
for module, names in ATTRIBUTES.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
locks = types.SimpleNamespace(LK_NBLCK=2, LK_UNLCK=0, locking=lambda *_: None)
sys.modules["msvcrt"] = locks
sys.platform = "win32"
"""

EVERYTHING: Final = """
import spielwerk
for module in pkgutil.walk_packages(spielwerk.__path__, "spielwerk.", onerror=lambda name: None):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except (ImportError, AttributeError):
        print(module.name)
"""

CHECKS: Final = (  # of programs that are started; those of servers need nothing special
    *("behaviour", "program", "running", "started", "traces"),
    *("connect4", "dice.", "mnm."),
)
POSIX: Final = (
    *("spielwerk.clients.mnm.", "spielwerk.clients.dice.", "spielwerk.contests."),
    "spielwerk.app.contest",
    *(f"spielwerk.check.{part}" for part in CHECKS),
    "spielwerk.adapters.",  # their libraries are loaded with them
)


def windows(program: str, *arguments: str) -> list[str]:
    """The command that runs a program as on Windows."""
    return [sys.executable, "-W", "ignore", "-c", WINDOWS + program, *arguments]


def on_windows(program: str, *arguments: str, folder: Path | None = None) -> tuple[int, str, str]:
    """Run it as on Windows; exit code and what was printed."""
    command = windows(program, *arguments)
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


def test_only_the_two_process_client_the_bot_and_the_runners_need_posix() -> None:
    code, failed, trouble = on_windows(EVERYTHING)
    assert (code, trouble) == (0, "")
    assert failed  # or nothing was missing
    others = [name for name in failed.split() if not name.startswith(POSIX)]
    assert others == []


LACKING: Final = (
    "needs processes and signals as POSIX has them, and Windows does not; "
    "run it on Linux or macOS, or in WSL"
)
NEED_POSIX: Final = {  # what is called, how it ends, and what is said to need it
    "client -g x": (2, "spielwerk: spielwerk client"),
    "contest run cup.toml": (2, "spielwerk: spielwerk contest run"),
    "contest resume cup.toml": (2, "spielwerk: spielwerk contest resume"),
    "match quarto './mine {game}' random": (2, "spielwerk: a match of programs"),
    "bot quarto ./mine -g x": (2, "spielwerk: a bot"),
    "play quarto --against bot:./mine": (2, "spielwerk: a bot"),
    "games new quarto --seats person,bot:./mine": (2, "spielwerk: a bot"),
    "dicebot -n x localhost": (1, "dicebot: dicebot"),
}
ONE_BY_ONE: Final = """
import contextlib, io, json, shlex
from spielwerk import cli
from spielwerk.clients import dice

ended = {}
for line in sys.argv[1:]:
    sys.argv = ["spielwerk", *shlex.split(line)]
    main = cli.main
    if sys.argv[1] == "dicebot":
        main, sys.argv = dice.main, sys.argv[1:]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            code = main()
        except SystemExit as end:
            code = end.code
    ended[line] = [code, said.getvalue()]
print(json.dumps(ended), file=sys.__stdout__)
"""


def test_what_needs_posix_says_so_in_one_sentence(tmp_path: Path) -> None:
    code, told, trouble = on_windows(ONE_BY_ONE, *NEED_POSIX, folder=tmp_path)
    assert (code, trouble) == (0, "")
    assert json.loads(told) == {
        line: [code, f"{what} {LACKING}\n"] for line, (code, what) in NEED_POSIX.items()
    }


def test_engines_play_a_match_without_posix() -> None:
    program = "from spielwerk.cli import main\nmain()"
    code, said, trouble = on_windows(program, "match", "oware", "random", "random", "--games", "2")
    assert (code, trouble) == (0, "")
    assert said


def test_the_servers_run_without_posix(tmp_path: Path) -> None:
    with subprocess.Popen(
        windows("from spielwerk.cli import main\nmain()", "serve", "--data", str(tmp_path), *FREE),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        listening = [server.stdout.readline().split()[0] for _ in SERVICES]
        server.terminate()
        assert server.wait(PATIENCE) == 0
    assert listening == list(SERVICES)
