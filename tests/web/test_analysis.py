"""Analysis, reviews and hints over HTTP: who gets them, and what they say."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from spielwerk.games.oware.engine import OwareEngine
from spielwerk.store import reading
from spielwerk.tables import analysis
from spielwerk.web import review
from tests.servers.live import Live, live, settings_for
from tests.waiting import PATIENCE, wait_until
from tests.web.people import ENGINE, FREE, HERE, NO_LIMIT, Browser
from tests.web.test_records import finished
from tests.web.test_seats import result

TRAINING = {"gameGeneric": {"timeout": 0, "training": True}}


def analysed(who: Browser, game: str, query: str = "") -> Any:
    answer = who.get(f"/api/v1/matches/{game}/analysis{query}")
    assert answer.status == 200, answer.body
    return answer.json


def reviewed(who: Browser, game: str) -> Any:
    def whole() -> Any:
        told = who.get(f"/api/v1/matches/{game}/review").json
        return None if told["progress"] else told

    return wait_until(whole, 2 * PATIENCE)


# analysis


def test_every_move_has_its_score(anna: Browser) -> None:
    game = anna.new(HERE, FREE, **TRAINING, type="connect4", gameSpecific={"begins": 1})
    told = analysed(anna, game)
    assert (told["ply"], told["turn"], told["perspective"]) == (0, 1, 1)
    assert {move["move"] for move in told["moves"]} == {str(field) for field in range(7)}
    assert told["moves"][0] == {
        "move": "3",
        "value": 1.0,
        "exact": True,
        "result": 1,
        "plies": 41,
        "share": pytest.approx(0.59),
    }
    assert told["proven"]
    assert told["variation"][0] == "3"


def test_oware_is_seen_by_a_whoever_moves(anna: Browser) -> None:
    game = finished(anna, "oware")
    for ply, player in ((0, 0), (1, 1)):
        told = analysed(anna, game, f"?ply={ply}")
        assert (told["turn"], told["perspective"]) == (player, 0)
        values = [move["value"] for move in told["moves"]]
        assert values == sorted(values, reverse=player == 0)
        assert all("gain" in move for move in told["moves"])


def test_dice_have_chances_of_all_three(anna: Browser) -> None:
    game = finished(anna, "dice", 3, target=60)
    told = analysed(anna, game, "?ply=0")
    assert [len(chances) for chances in told["chances"]] == [3, 3]
    assert told["moves"][0]["move"] == "ROLL"
    assert told["moves"][0]["value"] == told["chances"][0][told["turn"]]
    known = [point for point in reviewed(anna, game)["points"] if point]
    assert known
    assert all(len(point["chances"]) == 3 for point in known)


def test_nonsense_is_refused(anna: Browser) -> None:
    game = anna.new(HERE, FREE, **TRAINING)
    for query in ("ply=-1", "ply=99999", "ply=x", "effort=3"):
        assert anna.get(f"/api/v1/matches/{game}/analysis?{query}").status == 400, query
    assert hint(anna, game, "0").status == 400


def test_a_running_tournament_is_not_analysed(anna: Browser) -> None:
    game = anna.new(HERE, FREE, gameGeneric={"tournament": True})
    for path, value in (("analysis", None), ("hint", {"seat": 0})):
        path = f"/api/v1/matches/{game}/{path}"
        answer = anna.get(path) if value is None else anna.post(path, value)
        assert answer.status == 403
        assert "tournament" in answer.json["error"]
    finished_one = anna.new(ENGINE, ENGINE, type="oware", gameGeneric={"tournament": True})
    assert result(anna, finished_one)
    assert analysed(anna, finished_one, "?ply=0")["moves"]


def test_persons_play_without_analysis_unless_they_train(anna: Browser, eve: Browser) -> None:
    """Neither they nor spectators see it: the server cannot tell whose second window that is."""
    game = anna.new(HERE, ENGINE, type="oware", **NO_LIMIT)
    for who in (anna, eve):
        answer = who.get(f"/api/v1/matches/{game}/analysis")
        assert answer.status == 403
        assert answer.json["said"]["code"] == "analysed-when-it-is-over"
    with anna.look(game) as page:
        told = page.until("table")["table"]
        assert told["withheld"]["code"] == "analysed-when-it-is-over"
    assert anna.post(f"/api/v1/matches/{game}/resign", {"seat": 0}).status == 200
    assert result(anna, game)
    assert analysed(eve, game, "?ply=0")["moves"]
    training = anna.new(HERE, FREE, **TRAINING, type="oware")
    assert analysed(anna, training)["moves"]
    with anna.look(training) as page:
        assert page.until("table")["table"]["withheld"] is None
    engines = anna.new(ENGINE, {"type": "COMPUTER"}, type="quarto", **NO_LIMIT)
    assert analysed(eve, engines)["count"]


def test_a_long_queue_says_so(anna: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    board = {"width": 5, "height": 9}
    game = anna.new(HERE, FREE, **TRAINING, type="connect4", gameSpecific=board)
    monkeypatch.setattr(analysis, "QUEUED", 0)
    answer = anna.get(f"/api/v1/matches/{game}/analysis")
    assert answer.status == 429
    assert "try again" in answer.json["error"]


# reviews


def test_a_finished_game_is_reviewed_once_and_kept(server: Live, anna: Browser) -> None:
    game = finished(anna, "connect4", width=4, height=4)
    moves = len(anna.get(f"/api/v1/matches/{game}").json["moves"])
    told = reviewed(anna, game)
    assert (told["effort"], told["deeper"], len(told["points"])) == (0, False, moves + 1)
    kept = reading.review(server.server.store, game)
    assert kept
    assert kept.found["points"] == told["points"]
    for mistake in told["mistakes"]:
        assert set(mistake) == {"ply", "seat", "move", "better", "grade", "loss", "exact"}
    answer = anna.post(f"/api/v1/matches/{game}/review")  # all is proven: nothing is left to find
    assert (answer.status, answer.json) == (200, told)


def test_a_review_outlives_the_server_and_only_a_deeper_one_replaces_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwareEngine, "review_nodes", 1000)
    settings = settings_for(tmp_path)
    with live(settings) as server:
        game = finished(Browser(server), "oware")
        first = reviewed(Browser(server), game)
    monkeypatch.setattr(OwareEngine, "review_nodes", 50)  # would find something else
    with live(settings) as server:
        person = Browser(server)
        assert reviewed(person, game) == first
        assert person.post(f"/api/v1/matches/{game}/review").json["progress"]["effort"] == 1
        deeper = reviewed(person, game)
        assert deeper["effort"] == 1
    with live(settings) as server:
        assert reviewed(Browser(server), game) == deeper


def test_a_running_game_has_no_review(anna: Browser) -> None:
    answer = anna.get(f"/api/v1/matches/{anna.new(HERE, FREE)}/review")
    assert answer.status == 409


# hints


def hint(who: Browser, game: str, seat: Any = 0, player: Any = "level=3") -> Any:
    return who.post(f"/api/v1/matches/{game}/hint", {"seat": seat, "player": player})


def test_the_player_to_move_gets_a_hint_that_can_be_played(anna: Browser) -> None:
    game = anna.new(HERE, FREE, type="oware")
    anna.seat(game, 1, "take", {"name": "Anna again"})
    for player in ("strategy=1,depth=5", "level=1", ""):
        answer = hint(anna, game, 0, player)
        assert answer.status == 200, answer.body
        assert answer.json["move"] in set("012345")


def test_hints_are_counted_and_kept_with_the_move(anna: Browser) -> None:
    game = anna.new(HERE, HERE, type="oware", **NO_LIMIT)
    with anna.look(game) as page:
        for _ in range(2):
            assert hint(anna, game, 0, "level=1").status == 200
        assert page.play(0, 0, "2")["type"] == "ack"
        assert page.until("moved")["plies"][0]["hints"] == 2
        assert page.play(1, 1, "0")["type"] == "ack"
        assert "hints" not in page.until("moved")["plies"][0]
    kept = anna.get(f"/api/v1/matches/{game}/record.json").json
    assert [move["hints"] for move in kept["moves"]] == [2, 0]
    assert not kept["training"]
    text = anna.get(f"/api/v1/matches/{game}/record.txt").body.decode()
    assert text == "# hints taken at seat 0: 2\n20\n"


def test_only_the_owner_whose_turn_it_is_gets_one(anna: Browser, eve: Browser) -> None:
    game = anna.new(HERE, HERE, type="oware")
    assert hint(eve, game).status == 403
    assert hint(anna, game, 1).status == 409
    assert hint(anna, game, 7).status == 403
    assert hint(anna, game, -1).status == 403
    assert hint(anna, finished(anna, "oware")).status == 409


def test_a_hint_cannot_be_made_expensive(anna: Browser) -> None:
    game = anna.new(HERE, FREE, type="oware")
    anna.seat(game, 1, "take", {"name": "Anna again"})
    for player in ("level=0", "level=11", "depth=10", "time=1000", "random", "remote:x:1", 7):
        assert hint(anna, game, 0, player).status == 400, player
    other = anna.new(HERE, HERE, type="connect4", gameSpecific={"begins": 0})
    assert hint(anna, other, 0, "strategy=1,depth=3").status == 400  # it has none


# what was broken once


def test_an_analysis_does_not_hold_up_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = []
    with live(settings_for(tmp_path)) as server:
        person = Browser(server)
        game = person.new(HERE, HERE, type="oware", **TRAINING)
        path = f"/api/v1/matches/{game}/analysis"
        assert person.get(path).status == 200  # the engine is ready now

        def ask() -> None:
            answers.append(person.get(f"{path}?effort=2").status)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.5)
    asking.join(PATIENCE)
    assert answers == [503]
    assert "Exception in ASGI" not in caplog.text


def test_a_game_too_large_for_a_review_is_not_replayed(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Browser(server)
    game = person.new(HERE, HERE, **NO_LIMIT, type="oware")
    with person.look(game) as page:
        assert page.play(0, 0, "0")["type"] == "ack"
        assert person.post(f"/api/v1/matches/{game}/resign", {"seat": 0}).status == 200
        while page.until("state")["state"]["result"] is None:
            pass
    monkeypatch.setattr(review, "LARGEST", 1)
    monkeypatch.setattr(review, "course", None)
    assert person.get(f"/api/v1/matches/{game}/review").status == 409
