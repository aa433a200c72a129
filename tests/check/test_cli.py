"""The command: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import typer

from spielwerk.check.running import ByHand
from spielwerk.errors import UsageError
from tests.check.live import exit_code, running
from tests.check.oware.move_server import MoveServer
from tests.check.oware.wrong_players import CollectsFour
from tests.check.oware.wrong_talkers import EndsLinesWithCrLf
from tests.check.verdicts import talk

command = partial(exit_code, "oware")


def test_a_good_server(capsys: pytest.CaptureFixture[str]) -> None:
    with running(MoveServer()) as port:
        assert command("127.0.0.1", port, "--only", "cycle", "--timeout", 60) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(
        f"Oware server 127.0.0.1:{port}, by Karl Muster, strategies: Karl"
    )
    assert re.search(r"^9 cases, [\d.]+ s: all passed\.$", printed.out, re.MULTILINE)
    assert printed.err == ""


def test_a_faulty_server(capsys: pytest.CaptureFixture[str]) -> None:
    with running(CollectsFour()) as port:
        assert command("127.0.0.1", port, "--only", "collecting", "--timeout", 60) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "FAILED collecting/two-or-three" in lines
    assert "(Oware task, 2.5.3)" in " ".join(line.strip() for line in lines)
    assert any(line.endswith("^ first wrong byte") for line in lines)
    assert "\x1b" not in "".join(lines)


def test_files_for_programs(tmp_path: Path) -> None:
    results, suite, page = (tmp_path / name for name in ("results.json", "suite.xml", "page.html"))
    arguments = ("--only", "answer", "--only", "strategy/*", "--seed", 5, "--timeout", 60)
    with running(EndsLinesWithCrLf()) as port:
        files = ("--json", results, "--junit", suite, "--html", page)
        assert command("127.0.0.1", port, *arguments, *files) == 1
    document = json.loads(results.read_text(encoding="utf-8"))
    assert document["check"] == "oware"
    assert (document["seed"], document["port"]) == (5, port)
    assert document["author"] == "Karl Muster"
    assert document["failed"] == document["cases"] == len(document["verdicts"])
    assert document["verdicts"][0]["faults"][0]["kind"] == "line-ends"
    root = Xml.fromstring(suite.read_text(encoding="utf-8"))  # noqa: S314 (our own)
    assert root.attrib["failures"] == str(document["failed"])
    assert "Karl Muster" in page.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write"):
        command("127.0.0.1", 1, "--json", tmp_path)


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 150
    assert any(line.startswith("sowing/A.4 ") for line in lines)
    assert any(line.startswith("strategy/cr ") and " * " in line for line in lines)
    assert command("--list", "--document-only", "--only", "strategy") == 0
    assert " * " not in capsys.readouterr().out


def test_nobody_there() -> None:
    with running(MoveServer()) as port:
        pass
    with pytest.raises(UsageError, match=f"port {port}"):
        command("127.0.0.1", port)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["localhost", "x"], "'x' is not a whole number"),
        (["localhost", "0"], "0 is no TCP port"),
        (["localhost", "65536"], "65536 is no TCP port"),
        (["--timeout", "0"], "'0' is not between"),
        (["--timeout", "nan"], "'nan' is not between"),
        (["--close-timeout", "soon"], "'soon' is not a number of seconds"),
        (["--silence", "-1"], "'-1' is not between"),
        (["--parallel", "0"], "0 is not between 1 and 256"),
        (["--seed", "x"], "'x' is not a whole number"),
        (["--language", "fr"], "'fr': expected de or en"),
    ],
)
def test_arguments_that_are_wrong(arguments: list[str], message: str) -> None:
    with pytest.raises(typer.TyperException) as caught:
        command(*arguments)
    assert message in caught.value.format_message()


def test_authors_who_start_the_program_are_told_how() -> None:
    said: list[str] = []
    cases = [talk("a/b").case, talk("a/c").case]
    by_hand = ByHand(cases, ["./client", "-p", "{port}", "{host}"], "de", said.append)
    by_hand.tell({"case": "a/c", "port": "1357", "host": "127.0.0.1"})
    by_hand.done(talk("a/c"))
    assert said[0].startswith("2 von 2, a/c: Zeilen enden mit")
    assert said[1:3] == ["  jetzt starten: ./client -p 1357 127.0.0.1", "  bestanden"]
