"""Descriptions whose parts contradict each other, and remarks on those that do not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.description import read, remarks
from tests.contests.test_description import (
    CONNECT_FOUR,
    DICE,
    MORRIS,
    OWARE,
    TWO,
    executable,
    mistake,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_too_many_games(tmp_path: Path) -> None:
    class_ = "".join(f'[[entrant]]\nname = "e{n}"\nengine = "random"\n' for n in range(150))
    assert mistake(tmp_path, DICE + class_) == (
        "150 entrants: that would be 3307800 games in a round, more than 1000000; take fewer"
        " entrants, or format = 'gauntlet' or 'ladder'"
    )
    assert "150 entrants: " in mistake(tmp_path, DICE + "rounds = 2\n" + class_)
    gauntlet = class_.replace("[[entrant]]", "[[entrant]]\nreference = true", 149)
    assert mistake(tmp_path, DICE + 'format = "gauntlet"\nrounds = 100\n' + gauntlet) == (
        "rounds = 100: that would be 6615600 games, more than 1000000; take fewer rounds"
    )


def test_openings_that_connect_four_programs_cannot_be_told(tmp_path: Path) -> None:
    program = f'[[entrant]]\nname = "a"\ncommand = "{sys.executable} {{port}}"\n'
    text = CONNECT_FOUR + "opening = 4\n" + TWO
    assert read(write(tmp_path, text)).opening == 4
    assert mistake(tmp_path, text + program) == (
        "opening = 4: programs of Connect Four cannot be told a board, only engines can;"
        " take it out"
    )


# hosts and open seats

HOST = '[[entrant]]\nname = "bert"\ncommand = "./bot {index_port}"\nrole = "host"\n'
OPEN = '[[entrant]]\nname = "tom"\nopen = true\n'
GAUNTLET = CONNECT_FOUR + 'format = "gauntlet"\n'
REFERENCE = "reference = true\n"


@pytest.mark.parametrize(
    "text",
    [
        CONNECT_FOUR + HOST + OPEN,
        CONNECT_FOUR + 'format = "ladder"\n' + HOST + OPEN,
        GAUNTLET + HOST + REFERENCE + OPEN,
        GAUNTLET + HOST + OPEN + REFERENCE,
    ],
)
def test_one_who_hosts_cannot_meet_an_open_seat(text: str, tmp_path: Path) -> None:
    executable(tmp_path / "bot")
    assert mistake(tmp_path, text) == (
        "entrant 'bert': role = \"host\": a program that hosts cannot meet the open seat 'tom';"
        " let it join, or take one of them out"
    )


# what is worth a remark


def test_a_key_without_effect_is_remarked(tmp_path: Path) -> None:
    strict = 'disqualify = ["crash"]\n'
    assert list(remarks(read(write(tmp_path, OWARE + strict + TWO)))) == [
        "disqualify has no effect in training"
    ]
    competition = strict + 'phase = "competition"\n'
    assert list(remarks(read(write(tmp_path, OWARE + competition + TWO)))) == []
    assert list(remarks(read(write(tmp_path, OWARE + TWO)))) == []


def test_a_word_that_could_be_a_file_is_remarked(tmp_path: Path) -> None:
    for file in ("run", "bot.sh"):
        executable(tmp_path / file)
    text = OWARE + TWO + '[[entrant]]\nname = "a"\ncommand = "sh {} {{port}}"\n'
    assert list(remarks(read(write(tmp_path, text.format("run"))))) == [
        "entrant 'a': 'run' is not taken for the file here; if it is meant write ./run"
    ]
    for plain in ("./run", "bot.sh", "other"):
        assert list(remarks(read(write(tmp_path, text.format(plain))))) == []
    (tmp_path / "own").mkdir()
    own = text.format("run") + 'folder = "own"\n'
    assert list(remarks(read(write(tmp_path, own)))) == []


@pytest.mark.parametrize(
    ("game", "entrant", "missing"),
    [
        (MORRIS, 'command = "true -g {game} -p {player}"', "{port}"),
        (OWARE, 'command = "true --bind {host} {{port}}"', "{port}"),
        (CONNECT_FOUR, 'command = "true {index_host}"', "{index_port} or {port}"),
        (CONNECT_FOUR, 'command = "true {port}"\nrole = "host"', "{index_port}"),
        (MORRIS, 'command = "true -s {host}:{port}"', ""),
        (CONNECT_FOUR, "command = \"sh -c 'exec true {index_port}'\"", ""),
    ],
)
def test_a_program_that_is_not_told_its_port_is_remarked(
    game: str, entrant: str, missing: str, tmp_path: Path
) -> None:
    contest = read(write(tmp_path, f'{game}{TWO}[[entrant]]\nname = "a"\n{entrant}\n'))
    why = f"ports are new for every game, and without {missing} it is not told its own"
    assert list(remarks(contest)) == ([f"entrant 'a': {why}"] if missing else [])
