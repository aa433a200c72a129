"""Fingerprints of programs: the same wherever they lie, another if but a byte is changed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from spielwerk.store.contest_records import Kind
from spielwerk.tournament.contest import Contest, Entrant
from spielwerk.tournament.fingerprints import changed, fingerprints

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A script, another that it is given, and a folder with a program."""
    place = tmp_path / "cup"
    (place / "bert" / "lib").mkdir(parents=True)
    (place / "anna.sh").write_text("#!/bin/sh\n")
    (place / "moves.txt").write_text("4 4 4\n")
    (place / "bert" / "bot").write_text("bot")
    (place / "bert" / "lib" / "table").write_text("table")
    return place


def contest(place: Path) -> Contest:
    entrants = (
        Entrant("anna", Kind.COMMAND, "./anna.sh moves.txt {port}"),
        Entrant("bert", Kind.COMMAND, "./bot {host}", folder=str(place / "bert")),
        Entrant("cleo", Kind.ENGINE, "level=3"),
    )
    return Contest("Cup", "quarto", entrants, base=place)


def test_only_programs_have_one(place: Path) -> None:
    assert fingerprints(contest(place)).keys() == {"anna", "bert"}


@pytest.mark.parametrize(
    ("file", "whose"),
    [("anna.sh", "anna"), ("moves.txt", "anna"), ("bert/bot", "bert"), ("bert/lib/table", "bert")],
)
def test_every_byte_matters(place: Path, file: str, whose: str) -> None:
    kept = fingerprints(contest(place))
    assert changed(kept, contest(place)) == []
    (place / file).write_text("another")
    assert changed(kept, contest(place)) == [whose]


def test_a_file_more_or_less_matters(place: Path) -> None:
    kept = fingerprints(contest(place))
    (place / "bert" / "more").write_text("")
    assert changed(kept, contest(place)) == ["bert"]
    (place / "bert" / "more").unlink()
    (place / "moves.txt").unlink()
    assert changed(kept, contest(place)) == ["anna"]


def test_where_it_lies_does_not(place: Path, tmp_path: Path) -> None:
    kept = fingerprints(contest(place))
    shutil.move(place, tmp_path / "elsewhere")
    assert changed(kept, contest(tmp_path / "elsewhere")) == []
