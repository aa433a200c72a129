from __future__ import annotations

import pytest

from tests.golden import FOLDER, GAMES, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_played_as_it_always_was(name: str) -> None:
    assert playthrough(GAMES[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_no_forgotten_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*GAMES}
