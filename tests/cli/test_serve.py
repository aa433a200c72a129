"""`spielwerk serve` as a process: what it prints, how it fails, and how it stops."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import tomllib
from contextlib import ExitStack, chdir, closing
from pathlib import Path

import pytest

from spielwerk.wire.mnm.words import STOPPING
from tests.cli import test_cli
from tests.cli.command import spielwerk
from tests.cli.test_cli import SPIELWERK
from tests.servers.live import FREE, Client, ask, process
from tests.waiting import PATIENCE

QUARTO = b'{"type": "Quarto", "gameSpecific": {"begins": 0}}'


def test_it_prints_where_it_listens_and_accepts_there(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as serving:
        mnm, web = serving.listening()
        one = Client(mnm)
        assert one.hear() == "+ MNM Gameserver v1.0 accepting connections"
        one.close()
        assert ask(f"{web}/healthz").json == {"status": "ok"}
        code, log = serving.stop(signal.SIGTERM)
    assert code == 0
    assert all(line.split()[1] in ("info", "warning") for line in log.splitlines())
    assert "started store=" in log


def test_a_crowd_at_one_service_does_not_use_up_the_open_files(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as serving, ExitStack() as stack:
        resource.prlimit(serving.process.pid, resource.RLIMIT_NOFILE, (300, 300))
        mnm, web = serving.listening()
        for _ in range(400):
            stack.enter_context(socket.create_connection(mnm, PATIENCE, ("127.0.0.2", 0)))
        assert ask(f"{web}/healthz").json == {"status": "ok"}
        _, log = serving.stop(signal.SIGTERM)
    assert "connections limited" in log
    assert "cannot accept" not in log


def test_it_starts_without_what_only_engines_need() -> None:
    code = (
        "import sys, spielwerk.app.process, spielwerk.servers.mnm, spielwerk.web.serving, "
        "spielwerk.web.app; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numba", "rich"} & {*done.stdout.split()}


def test_the_operators_token_is_printed_and_never_logged(tmp_path: Path) -> None:
    with process(tmp_path, *FREE, "--set", "server.log=debug") as serving:
        _, web = serving.listening()
        (line,) = serving.lines(1)
        word, token = line.rsplit(" ", 1)
        assert word == "operator token"
        answer = ask(f"{web}/api/v1/operator", json.dumps({"token": token}).encode())
        assert answer.json == {"operator": True}
        assert ask(f"{web}/api/v1/operator", b'{"token": "guess"}').status == 403
        _, log = serving.stop(signal.SIGTERM)
    assert token not in log
    assert "guess" not in log


def test_a_token_can_be_chosen_and_is_not_shown(tmp_path: Path) -> None:
    chosen = "SPIELWERK_WEB_TOKEN"
    with process(tmp_path, *FREE, **{chosen: "a-long-word"}) as serving:
        serving.listening()
        assert serving.lines(1) == ["operator token a-long-word"]
        serving.stop(signal.SIGTERM)
    assert config(folder=tmp_path)["web"]["token"] == ""
    assert config(folder=tmp_path, **{chosen: "a-long-word"})["web"]["token"] == "***"  # noqa: S105
    for wrong in ("short", "with blanks", "***", "umläute-umläute"):
        done = spielwerk("serve", "--print-config", "--set", f"web.token={wrong}")
        assert done.returncode == 2
        assert wrong not in done.stderr.replace("web.token = '***'", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_gracefully(tmp_path: Path, number: signal.Signals) -> None:
    with process(tmp_path, *FREE, "--pace", "block") as serving:
        mnm, web = serving.listening()
        game_id = ask(f"{web}/api/v1/matches", QUARTO).json["id"]
        one = Client(mnm)
        one.join(game_id)
        one.hear_until("+ ENDFIELD")
        serving.process.send_signal(number)
        assert one.hear_until("- ")[-1] == f"- {STOPPING}"
        one.close()
        code, log = serving.end()
    assert code == 0
    assert f"asked to stop signal={number.name}" in log
    assert game_id not in log
    assert f"{game_id[:4]}..." in log


def test_a_signal_while_it_starts_stops_it_too(tmp_path: Path) -> None:
    for delay in (0.3, 0.5, 0.7):
        with process(tmp_path, *FREE) as serving:
            time.sleep(delay)
            code, _ = serving.stop(signal.SIGTERM)
            assert code in (0, -signal.SIGTERM)  # before or after it could take signals


def test_a_second_signal_stops_it_at_once(tmp_path: Path) -> None:
    with process(tmp_path, *FREE) as serving:
        mnm, _ = serving.listening()
        one = Client(mnm)  # it will not go by itself
        one.hear()
        serving.process.send_signal(signal.SIGTERM)
        code, _ = serving.stop(signal.SIGINT)
        one.close()
    assert code == 1


def test_an_engine_that_thinks_does_not_hold_it_up(tmp_path: Path) -> None:
    engine = b'{"type": "ENGINE", "engine": "time=300"}'
    wish = b'{"type": "Quarto", "gameGeneric": {"timeout": 600000}, "players": [%b, %b]}'
    with process(tmp_path, *FREE) as serving:
        _, web = serving.listening()
        assert ask(f"{web}/api/v1/matches", wish % (engine, engine)).status == 201
        code, _ = serving.stop(signal.SIGTERM)
    assert code == 0


# services, ports and other settings


def test_only_one_service_and_its_ports(tmp_path: Path) -> None:
    ports = ("--port", "0:2", "--port", "0:3:line")
    with process(tmp_path, "--only", "mnm", *ports) as serving:
        heard, dialects = [], []
        for line in serving.lines(2):
            place, _, spoken = line.partition(" dialect ")
            name, _, port = place.rpartition(":")
            assert name == "mnm 127.0.0.1"
            dialects.append(spoken)
            one = Client(("127.0.0.1", int(port)))
            heard.append(one.hear())
            one.close()
        assert serving.stop(signal.SIGTERM)[0] == 0
    assert [line.split()[3] for line in heard] == ["v2.3", "v3.1"]
    assert dialects == ["2", "3"]


def test_ids_are_long_where_the_dialect_has_them_so(tmp_path: Path) -> None:
    with process(tmp_path, *FREE, "--dialect", "2") as serving:
        _, web = serving.listening()
        assert len(ask(f"{web}/api/v1/matches", QUARTO).json["id"]) == 13


def config(*arguments: str, folder: Path, **environment: str) -> dict[str, dict[str, object]]:
    with chdir(folder):
        done = spielwerk("serve", "--print-config", *arguments, **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return tomllib.loads(done.stdout)


def test_the_command_line_goes_before_variables_before_the_file(tmp_path: Path) -> None:
    text = "[mnm]\nokwait = 2\nthinking = 2\ngrace = 2\n"
    (tmp_path / "spielwerk.toml").write_text(text)
    variables = {"SPIELWERK_MNM_OKWAIT": "3", "SPIELWERK_MNM_THINKING": "3"}
    mnm = config("--set", "mnm.okwait=4", folder=tmp_path, **variables)["mnm"]
    assert (mnm["okwait"], mnm["thinking"], mnm["grace"], mnm["prolog"]) == (4, 3, 2, 30)
    (tmp_path / "other.toml").write_text("[mnm]\ngrace = 5\n")
    mnm = config("--config", "other.toml", folder=tmp_path)["mnm"]
    assert (mnm["grace"], mnm["okwait"]) == (5, 5)


def test_every_option_is_a_setting(tmp_path: Path) -> None:
    arguments = "--bind ::1 --dialect 3 --pace line --data here --store sqlite:///x --only web,mnm"
    settings = config(*arguments.split(), "--port", "web=1", folder=tmp_path)
    assert settings["server"]["bind"] == "::1"
    assert settings["server"]["data"] == "here"
    assert settings["server"]["only"] == ["web", "mnm"]
    assert (settings["mnm"]["dialect"], settings["mnm"]["pace"]) == (3, "line")
    assert settings["store"]["url"] == "sqlite:///x"
    assert settings["web"]["ports"] == ["1"]
    assert not (tmp_path / "here").exists()


def test_what_is_printed_can_be_given_back(tmp_path: Path) -> None:
    done = spielwerk("serve", "--print-config", "--set", "mnm.okwait=2.5", "--port", "web=9")
    (tmp_path / "spielwerk.toml").write_text(done.stdout)
    assert config(folder=tmp_path) == tomllib.loads(done.stdout)


# what keeps it from starting


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "cat"], "--only: server.only = 'cat': 'cat' is not a service"),
        (["--port", "2000"], "for which service? Write --port mnm=2000"),
        (["--port", "mnm=x"], "--port: mnm.ports = 'x': 'x' is no port"),
        (["--dialect", "4"], "--dialect: mnm.dialect = '4': must be one of 1, 2, 3"),
        (["--dialect", "x"], "'x' is not a whole number"),
        (["--pace", "x"], "--pace: mnm.pace = 'x': must be one of first-then-rest"),
        (["--bind", ""], "--bind: server.bind = '': must be an address"),
        (["--config", "/does/not/exist"], "/does/not/exist: No such file"),
        (["--config", "/"], "/: it is not a regular file"),
        (["--set", "x"], "--set 'x': expected SECTION.NAME=VALUE"),
        (["--set", "mnm.cat=1"], "there is no setting 'mnm.cat'"),
        (["--store", "mysql://u:secret@h/d"], "there are sqlite and postgresql"),
        (["--store", "postgresql://u:secret@127.0.0.1:1/d"], "store"),
        (["--data", "/dev/null/x"], "/dev/null"),
        (["--bind", "192.0.2.1"], "mnm cannot listen"),
    ],
)
def test_what_is_wrong_is_one_clear_line_and_exit_code_2(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    free = [] if "--port" in arguments else FREE
    starts = arguments[0] in ("--store", "--data", "--bind")  # or it is over before that
    command = test_cli.spielwerk if starts else spielwerk
    done = command("serve", *free, *arguments, SPIELWERK_DATA=str(tmp_path))
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("spielwerk: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr


def failure(folder: Path, *arguments: str) -> str:
    """The one line with which it fails."""
    with process(folder, *arguments) as serving:
        code, errors = serving.end()
    assert code == 2
    assert errors.count("\n") == 1
    return errors


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for mnm, web, name in ((port, 0, "mnm"), (0, port, "web")):
            ports = ("--port", f"mnm={mnm}", "--port", f"web={web}", "--only", "mnm,web")
            line = failure(tmp_path, *ports)
            assert line.startswith(f"spielwerk: {name} cannot listen: ")
            assert str(port) in line
            assert "in use" in line


def test_a_store_in_use(tmp_path: Path) -> None:
    elsewhere = tmp_path / "second"
    elsewhere.mkdir()
    with process(tmp_path, *FREE) as serving:
        serving.listening()
        line = failure(elsewhere, *FREE, "--data", str(tmp_path))
    assert "another Spielwerk server" in line


def test_a_foreign_and_a_broken_store(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "spielwerk.db")) as other:
        other.execute("CREATE TABLE notes (text)")
    assert "another program" in failure(tmp_path, *FREE)
    (tmp_path / "spielwerk.db").write_bytes(b"something else entirely" * 100)
    assert "no SQLite database" in failure(tmp_path, *FREE)


def test_a_file_that_cannot_be_understood(tmp_path: Path) -> None:
    (tmp_path / "spielwerk.toml").write_text("[mnm\n")
    assert "spielwerk.toml: " in failure(tmp_path, *FREE)
    (tmp_path / "spielwerk.toml").unlink()
    os.mkfifo(tmp_path / "spielwerk.toml")
    assert "not a regular file" in failure(tmp_path, *FREE)


# streams


def test_what_it_prints_need_not_be_read(tmp_path: Path) -> None:
    command = 'timeout -s TERM 3 "$0" serve "$@"'
    started = [
        subprocess.Popen(
            ["/bin/sh", "-c", f"{command} {redirection}", SPIELWERK, *FREE, "--data", folder],
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        for folder, redirection in (("full", ">/dev/full 2>/dev/full"), ("none", "<&- >&- 2>&-"))
    ]
    for one in started:
        _, errors = one.communicate(timeout=PATIENCE)
        assert one.returncode == 124  # it ran until it was told to stop
        assert errors == ""


def test_a_log_that_is_not_read_does_not_stop_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.txt")
    reader = os.open(tmp_path / "log.txt", os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
    with process(tmp_path, *FREE) as serving:
        _, web = serving.listening()
        for _ in range(200):  # more lines than the pipe holds
            assert ask(f"{web}/api/v1/matches", b'{"type": "oware"}').status == 201
        serving.process.send_signal(signal.SIGTERM)
        assert serving.process.wait(PATIENCE) == 0
    assert 10 < os.read(reader, 65536).count(b"created game=") < 200
    os.close(reader)
