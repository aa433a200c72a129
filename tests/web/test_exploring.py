"""Trying moves over HTTP: lines from positions and games, engines that answer, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from spielwerk.web.exploring import BURST
from spielwerk.web.views import view
from tests.servers.live import Live
from tests.web.people import ENGINE, FREE, HERE, NO_LIMIT, Browser
from tests.web.test_records import finished, forget, kept, states

FLYING = "0.0.0.../1.1.1.1./........ hand 0 0 player 0 capture 0 quiet 0"


def explore(who: Browser, **wish: Any) -> Any:
    answer = who.post("/api/v1/explore", wish)
    assert answer.status == 200, answer.body
    return answer.json


def refused(who: Browser, **wish: Any) -> tuple[int, str]:
    answer = who.post("/api/v1/explore", wish)
    return answer.status, answer.json["error"]


def test_a_line_from_a_position(anna: Browser) -> None:
    line = explore(anna, game="morris", start=FLYING, moves=["A4:A1;B0", "B2:B1"])
    assert line["start"]["position"] == FLYING
    assert "A4:C7" in line["start"]["view"]["legal"]
    assert [(ply["seat"], ply["move"]) for ply in line["plies"]] == [
        (0, "A4:A1"),
        (0, "B0"),
        (1, "B2:B1"),
    ]
    assert line["plies"][1]["position"] == (
        "000...../..1.1.1./........ hand 0 0 player 1 capture 0 quiet 0"
    )
    assert line["at"] == 3


def test_a_line_can_go_on_from_each_of_its_positions(anna: Browser) -> None:
    whole = explore(anna, game="oware", moves=["2", "3", "1"])["plies"]
    last = explore(anna, game="oware", start=whole[1]["position"], moves=["1"])["plies"]
    assert [last[0][part] for part in ("view", "position", "steps")] == [
        whole[2][part] for part in ("view", "position", "steps")
    ]


def test_an_end_is_told(anna: Browser) -> None:
    start = "* * * * / * * * * / * * * * / 1 3 5 * next 7"
    (last,) = explore(anna, game="quarto", options={"begins": 1}, start=start, moves=["D1,0"])[
        "plies"
    ]
    assert (last["result"]["winner"], last["result"]["reason"]) == (0, "rule win")
    assert refused(anna, game="quarto", start=last["position"], answer="level=1")[0] == 409


def test_chance_decides_at_the_end_of_a_line_only(anna: Browser) -> None:
    plies = explore(anna, game="dice", moves=["ROLL", "3 4", "ROLL"])["plies"]
    assert [ply["seat"] for ply in plies] == [0, -1, 0, -1]
    assert plies[1]["move"] == "3 4"
    assert plies[1]["view"]["board"]["points"] == 7


def test_an_engine_answers_and_judges(anna: Browser) -> None:
    start = "......./......./......./......./22...../111...2"
    wish = {"game": "connect4", "start": start}
    (answer,) = explore(anna, **wish, answer="level=10")["plies"]
    assert (answer["move"], answer["result"]["winner"]) == ("3", 0)
    judged = anna.post("/api/v1/explore/analysis", wish).json
    assert (judged["moves"][0]["move"], judged["moves"][0]["plies"]) == ("3", 1)


@pytest.mark.parametrize("archived", [False, True])
def test_a_game_around_one_of_its_positions(server: Live, anna: Browser, archived: bool) -> None:
    game = finished(anna, "connect4")
    all_states = states(kept(server, game))
    if archived:
        forget(server, game)
    line = explore(anna, id=game, ply=3)
    assert (line["at"], len(line["plies"])) == (3, len(all_states) - 1)
    assert line["start"]["view"] == view(all_states[0])
    assert [ply["position"] for ply in line["plies"]] == [str(state) for state in all_states[1:]]
    move = str(all_states[3].legal_moves()[0])
    branch = explore(anna, id=game, ply=3, moves=[move])
    assert (branch["at"], branch["plies"][3]["move"]) == (4, move)
    assert refused(anna, id=game, ply=999)[0] == 400


def test_of_a_long_game_the_neighbourhood_is_told(server: Live, anna: Browser) -> None:
    game = finished(anna, "dice", 3, target=1000, rounds=100)
    plies = len(kept(server, game).moves)
    assert plies > 250
    line = explore(anna, id=game, ply=150)
    assert (line["before"], line["at"], len(line["plies"])) == (50, 100, 200)


def test_who_plays_a_game_cannot_try_its_moves(anna: Browser, bert: Browser) -> None:
    game = anna.new(HERE, ENGINE, **NO_LIMIT)
    assert refused(anna, id=game) == (
        403,
        "moves can be tried by those who watch; you play this game, so wait for its end",
    )
    assert explore(bert, id=game)["game"] == "quarto"
    secret = anna.new(FREE, FREE, gameGeneric={"timeout": 0, "tournament": True})
    assert refused(bert, id=secret)[0] == 403


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({}, "game is missing"),
        ({"game": "chess"}, "is no game"),
        ({"game": "quarto", "options": {"n": 99}}, "must be from 2 to 16"),
        ({"game": "quarto", "options": {"n": "4"}}, "must be a whole number"),
        ({"game": "morris", "start": "." * 4000}, "is no Morris position"),
        ({"game": "morris", "start": "x"}, "is no Morris position"),
        ({"game": "morris", "moves": ["A0", "A0"]}, "Destination is already occupied"),
        ({"game": "morris", "moves": ["A0"] * 201}, "at most 200"),
        ({"game": "morris", "moves": "A0"}, "must be a list"),
        ({"game": "morris", "moves": [7]}, "moves must be a list of texts"),
        ({"game": "morris", "answer": "remote:10.0.0.1:1"}, "expected level=1"),
        ({"id": "../../etc/passwd"}, "there is no such game"),
    ],
)
def test_what_cannot_be_tried(anna: Browser, wish: dict[str, Any], sentence: str) -> None:
    status, error = refused(anna, **wish)
    assert status in (400, 404)
    assert sentence in error


def test_one_address_may_ask_only_so_often(impatient: Live) -> None:
    eve = Browser(impatient)
    answers = (eve.post("/api/v1/explore").status for _ in range(2 * BURST))
    assert 429 in answers
