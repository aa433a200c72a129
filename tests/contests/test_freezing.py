"""Competitions and the programs in them: whoever is replaced is noticed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spielwerk.contests.commands import digest, replaced
from spielwerk.contests.contest import Contest, pack, unpack
from spielwerk.contests.description import read
from spielwerk.contests.drafts import differences
from spielwerk.contests.keys import DescriptionError
from tests.contests.test_description import MORRIS, TWO, executable, write

ANNA = "entrant anna has another program: its files are not the same"


def contest(folder: Path, command: str, more: str = "", phase: str = "competition") -> Contest:
    program = f'[[entrant]]\nname = "anna"\ncommand = "{command} {{port}}"\n{more}\n'
    return read(write(folder, MORRIS + f'phase = "{phase}"\n' + program + TWO))


def changes(before: Contest, after: Contest) -> list[str]:
    """What is found to have changed since the contest was kept."""
    return differences(unpack(pack(before)), after)


# what belongs to a program


def test_a_program_that_is_replaced_is_noticed(tmp_path: Path) -> None:
    bot = executable(tmp_path / "bot")
    before = contest(tmp_path, "./bot -p")
    assert changes(before, contest(tmp_path, "./bot -p")) == []
    bot.write_text("#!/bin/sh\nexit 0\n")
    assert changes(before, contest(tmp_path, "./bot -p")) == [ANNA]


@pytest.mark.parametrize(
    "command", ["sh bot.sh", "sh ./bot.sh", "sh {folder}/bot.sh", "sh b{name}"]
)
def test_files_that_a_command_names_belong_to_it(command: str, tmp_path: Path) -> None:
    (tmp_path / "bot.sh").touch()
    (tmp_path / "banna").touch()
    before = contest(tmp_path, command)
    (tmp_path / "bot.sh").write_text("exit")
    named = "{name}" not in command  # which is a name, not a file
    assert changes(before, contest(tmp_path, command)) == [ANNA] * named


def test_all_files_of_a_folder_belong_to_it(tmp_path: Path) -> None:
    own = tmp_path / "own"
    executable(own / "bot")
    (own / "deep").mkdir()
    data, link = own / "deep" / "data", own / "library"
    data.write_text("1")
    link.symlink_to(tmp_path)
    os.mkfifo(own / "pipe")  # which is not read
    before = contest(tmp_path, "./bot", 'folder = "own"')

    def now() -> list[str]:
        return changes(before, contest(tmp_path, "./bot", 'folder = "own"'))

    assert now() == []
    data.write_text("2")
    assert now() == [ANNA]
    data.write_text("1")
    assert now() == []
    link.unlink()
    link.symlink_to("/")
    assert now() == [ANNA]
    link.unlink()
    link.symlink_to(tmp_path)
    data.rename(data.with_name("other"))
    assert now() == [ANNA]


def test_the_systems_own_programs_may_be_brought_up_to_date(tmp_path: Path) -> None:
    interpreter = executable(tmp_path / "system" / "interpreter")
    (tmp_path / "contest").mkdir()
    before = contest(tmp_path / "contest", f"{interpreter} -x")
    interpreter.write_text("#!/bin/sh\nexit 0\n")
    assert changes(before, contest(tmp_path / "contest", f"{interpreter} -x")) == []


# when it matters


def test_a_contest_that_moves_as_a_whole_keeps_its_digests(tmp_path: Path) -> None:
    for place in ("here", "there"):
        executable(tmp_path / place / "own" / "bot")
    here, there = (contest(tmp_path / place, "own/bot") for place in ("here", "there"))
    assert here.entrants == there.entrants
    places = [tmp_path / place for place in ("here", "there")]
    one, other = (digest("./bot", "anna", place, str(place / "own")) for place in places)
    assert one == other


def test_what_was_kept_without_a_digest_is_not_held_against_anybody(tmp_path: Path) -> None:
    executable(tmp_path / "bot")
    after = contest(tmp_path, "./bot")
    packed = pack(after)
    del packed["entrants"][0]["digest"]
    assert differences(unpack(packed), after) == []


def test_a_program_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    memory = os.path.relpath("/proc/self/mem", tmp_path)  # a file, but nothing is at its beginning
    with pytest.raises(DescriptionError) as caught:
        contest(tmp_path, f"sh {memory}")
    problem = "a competition knows its programs, but this one cannot be read: input/output error"
    assert str(caught.value).endswith(
        f"entrant 1 ('anna'): command = 'sh {memory} {{port}}': {problem}"
    )
    assert contest(tmp_path, f"sh {memory}", phase="training").entrants


# when all is played


def test_a_program_that_was_rewritten_meanwhile_is_named(tmp_path: Path) -> None:
    bot = executable(tmp_path / "bot")
    played = contest(tmp_path, "./bot -p")
    assert replaced(played) == []
    bot.write_text("#!/bin/sh\nexit 0\n")
    assert replaced(played) == ["anna"]
