"""Exercises over HTTP: every game's, with positions that can be played."""

from __future__ import annotations

import pytest

from spielwerk.games import built_in
from tests.web.people import Browser


@pytest.mark.parametrize("game", built_in())
def test_the_solution_is_among_the_moves_that_are_shown(anna: Browser, game: str) -> None:
    told = anna.get(f"/api/v1/exercises/{game}").json
    assert told["game"] == game
    for one in told["exercises"]:
        assert any(one["move"].startswith(legal) for legal in one["view"]["legal"])
        assert one["solved"]["view"]["turn"] != one["view"]["turn"] or game == "dice"
        assert one["solved"]["move"] == one["move"].split(";")[-1]
    page = anna.get(f"/exercises/{game}")
    assert page.status == 200
    assert f'data-exercise="{game}"'.encode() in page.body


def test_other_games_have_none(anna: Browser) -> None:
    assert anna.get("/api/v1/exercises/chess").status == 404
    assert anna.get("/exercises/chess").status == 404
