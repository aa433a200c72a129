"""Descriptions that something has happened to: whatever it was, it is one line or a contest."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.contests.description import read
from spielwerk.contests.drafts import as_toml, example
from spielwerk.contests.entrants import Setting, entrant_from_text
from spielwerk.contests.keys import DescriptionError
from spielwerk.games import kits
from spielwerk.games.oware.rules import Oware
from tests.contests.test_description import (
    OWARE,
    executable,
    mistake,
    write,
)
from tests.contests.test_examples import uncommented

LONGEST = 1000  # characters of a line that can still be read


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with some programs, and with things that are none."""
    folder = tmp_path_factory.mktemp("contest")
    for place in ("anna", "bert"):
        for program in ("client", "dicebot", "oware-server", "connectfour"):
            executable(folder / place / program)
    os.mkfifo(folder / "pipe", 0o755)
    (folder / "circle").symlink_to("circle")
    executable(folder / "garbage").write_bytes(b"#!\0\xff\n")
    return folder


# numbers, names and paths that are far too long


HUGE = "0x" + "f" * 5000  # which Python reads, but does not write


@pytest.mark.parametrize(
    "text",
    [f"seed = {HUGE}", f"options = [[{HUGE}]]", f"phase.{'x.' * 3000}y = 1", f"a = {'[' * 3000}"],
)
def test_a_value_that_python_does_not_write(text: str, tmp_path: Path) -> None:
    assert mistake(tmp_path, OWARE + text) == "a number or a table in it is far too large"


def test_seconds_that_are_too_many_for_a_float(tmp_path: Path) -> None:
    line = mistake(tmp_path, OWARE + f"[time]\nmove = 1{'0' * 400}")
    assert line.startswith("time.move = 1000")
    assert "... (401 characters): must be a number of seconds from 0." in line


LONG = "x" * 3000


def test_where_a_long_text_is_no_toml_is_still_said(tmp_path: Path) -> None:
    line = mistake(tmp_path, f"[{LONG}]\n[{LONG}]")
    assert line.startswith("it is not TOML: ")
    assert line.endswith("(at line 2, column 3002)")


def test_the_folder_of_a_description_can_have_any_name(tmp_path: Path) -> None:
    base = tmp_path / "two\nlines \x1b[31m" / ("x" * 250) / ("y" * 250)
    base.mkdir(parents=True)
    for key in ("command", "folder"):
        program = f'[[entrant]]\nname = "a"\ncommand = "true"\n{key} = "./none"\n'
        path = write(base, OWARE + program.replace('command = "true"\ncommand', "command"))
        with pytest.raises(DescriptionError) as caught:
            read(path)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 2 * LONGEST


@pytest.mark.parametrize(
    "text", ["level=" + LONG, "./" + LONG, LONG, "\x1b", "a\nb=c", "\0", "a=\0"]
)
def test_what_is_typed_is_one_line_too(text: str, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError) as caught:
        entrant_from_text(text, Setting(Oware(), tmp_path))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < LONGEST


# anything


ORIGINALS = [text for game in kits() for text in (example(game), uncommented(example(game)))]

VALUES = [
    *("9" * 5000, HUGE, "-1", "0", "1e400", "nan", "-inf", "true", "1979-05-27", "07:32:00"),
    *("[]", "[[]]", "[" * 3000, f"[{HUGE}]", "{}", "{a={b=1}}", '["x"]', f'["{LONG}"]', "[nan]"),
    *(
        '""',
        f'"{LONG}"',
        f'"{"x" * 300}"',
        f'"./{LONG}"',
        '"\\u0000"',
        '"\\u001b[31m"',
        "'''\na'''",
    ),
    *('"/"', '"."', '"./pipe"', '"circle"', '"./circle/x"', '"./garbage"', '"/dev/null"', '"true"'),
    *('"{}"', '"{name!r}"', '"{"', f'"{{{LONG}}}"', '"true {port.x}"', '"\'"', '"\\\\"', '"="'),
    *('"level=10"', '"time=nan"', '"time=1e999"', f'"nodes={"9" * 4000}"', '"threads=-1"', '","'),
    *('"a:1"', '"[%]:1"', f'"a:{"9" * 4000}"', '"512 MB"', '"999999999999999 TiB"', '"\\u202e"'),
]
NAMES = re.compile(r"^(\w+) =", re.MULTILINE)
KEYS = [
    *sorted({name for text in ORIGINALS for name in NAMES.findall(text)}),
    *('""', '"\\u001b"', LONG, "a.b", "time.x", f"time.{'b.' * 2000}c", "entrant", "mnm"),
]
CHARACTERS = "\0\x1b\r\n\"'\\[]{}=.,#-+ \t\x7f\u2028é\ufeff0x_e"


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """An example with a few changes: values, keys, lines, characters."""
    lines = draw(st.sampled_from(ORIGINALS)).split("\n")
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        key, value = draw(st.sampled_from(KEYS)), draw(st.sampled_from(VALUES))
        before, equals, after = lines[place].partition("=")
        cut = draw(st.integers(0, len(lines[place])))
        changed: list[list[str]] = [
            [f"{before}= {value}"] if equals else [lines[place], f"{key} = {value}"],
            [f"{key} ={after}"],
            [lines[place], f"[[{key}]]"],
            [lines[place], f"[{key}]"],
            [lines[place], lines[place]],
            [lines[place][:cut] + draw(st.sampled_from(CHARACTERS)) + lines[place][cut:]],
            [],
        ]
        lines[place : place + 1] = draw(st.sampled_from(changed))
        lines = lines or [""]
    return "\n".join(lines)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(text=mutated())
def test_a_mutated_description_is_a_contest_or_one_line(folder: Path, text: str) -> None:
    path = write(folder, text)
    try:
        contest = read(path)
    except DescriptionError as error:
        assert str(error).isprintable()
        assert len(str(error)) < LONGEST
    else:
        assert read(write(folder, as_toml(contest))) == contest
