"""Persons' seats over HTTP: whose they are, and what no other browser can do with them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from spielwerk.tables.table import Table
from tests.servers.live import Live, live, settings_for
from tests.waiting import PATIENCE
from tests.web.people import ENGINE, FREE, HERE, NO_LIMIT, Browser, look

PARTS = ("wire", "views", "record.json", "record.txt")


def table(server: Live, game: str) -> Table:
    found = server.server.arena.find(game)
    assert found
    return found


def over(server: Live, game: str) -> None:
    """Wait until the game is over."""
    ended = threading.Event()

    async def watch() -> None:
        one = table(server, game)
        one.watchers.append(lambda one: ended.set() if one.over else None)
        if one.over:
            ended.set()

    server.call(watch())
    assert ended.wait(PATIENCE)


def result(who: Browser, game: str) -> dict[str, Any]:
    over(who.server, game)
    found: dict[str, Any] = who.get(f"/api/v1/matches/{game}").json["result"]
    return found


def resigned(who: Browser, game: str, seat: int) -> int:
    return who.post(f"/api/v1/matches/{game}/resign", {"seat": seat}).status


# taking and leaving


def test_who_sets_up_a_game_can_sit_there(server: Live, anna: Browser) -> None:
    game = anna.new(HERE, FREE)
    (browser,) = (text.partition(".")[0] for text in anna.cookies.values())
    assert [seat.owner for seat in table(server, game).seats] == [browser, ""]


def test_owners_are_told_to_no_one(server: Live, anna: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE)
    owner = table(server, game).seats[0].record.owner
    for what in ("", f"/{game}", *(f"/{game}/{part}" for part in PARTS)):
        shown = eve.get(f"/api/v1/matches{what}").body.decode()
        assert owner not in shown
        assert owner.partition(":")[0] not in shown


@pytest.mark.parametrize("kind", ["COMPUTER", "ENGINE"])
def test_only_persons_are_here(anna: Browser, kind: str) -> None:
    wish = {"type": "Quarto", "players": [{"type": kind, "here": True}, FREE]}
    answer = anna.post("/api/v1/matches", wish)
    assert answer.status == 400
    assert "only a HUMAN sits at this browser" in answer.json["error"]


def test_a_free_seat_is_the_first_ones(
    server: Live, anna: Browser, bert: Browser, eve: Browser
) -> None:
    game = anna.new(HERE, FREE)
    assert bert.seat(game, 1, "take", {"name": " Bert "}).json == {"seat": 1}
    assert bert.seat(game, 1, "take", {"name": "again"}).status == 200  # the answer was lost
    assert table(server, game).seats[1].name == "Bert"
    answer = eve.seat(game, 1, "take", {"name": "Eve"})
    assert answer.status == 409
    assert "is taken" in answer.json["error"]
    assert anna.seat(game, 1, "take").status == 409


@pytest.mark.parametrize("name", ["x" * 81, "a\nb", "\u202e\x00"])
def test_names_that_would_break_a_line(anna: Browser, name: str) -> None:
    game = anna.new(FREE, FREE)
    assert anna.seat(game, 0, "take", {"name": name}).status == 400
    assert anna.seat(game, 0, "take", {"name": 5}).status == 400


@pytest.mark.parametrize("game", ["AAAAAAAAAAA", "x", "%2e%2e"])
def test_games_that_are_not_there(anna: Browser, game: str) -> None:
    for path in ("seats/0/take", "seats/0/leave", "seats/0/transfer", "rematch"):
        assert anna.post(f"/api/v1/matches/{game}/{path}").status == 404
    assert resigned(anna, game, 0) == 404
    assert anna.get(f"/api/v1/matches/{game}/seats/0/link").status == 404


def test_only_the_owner_leaves(server: Live, anna: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE)
    assert eve.seat(game, 0, "leave").status == 403
    assert anna.seat(game, 1, "leave").status == 403  # it is free
    assert table(server, game).seats[0].ready
    assert anna.seat(game, 0, "leave").status == 200
    assert not table(server, game).seats[0].ready
    assert anna.seat(game, 0, "leave").status == 403
    assert eve.seat(game, 0, "take").status == 200


# links


def test_a_link_moves_a_seat_once(anna: Browser, bert: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE)
    link = anna.seat(game, 0, "link")
    assert link.headers["cache-control"] == "no-store"
    path, _, secret = link.json["path"].partition("#")
    assert path == f"/t/{game}"
    key = secret.removeprefix("seat=0&key=")
    assert bert.seat(game, 0, "transfer", {"key": key}).status == 200
    assert bert.seat(game, 0, "transfer", {"key": key}).status == 200  # it is bert's already
    assert eve.seat(game, 0, "transfer", {"key": key}).status == 403
    assert anna.seat(game, 0, "link").status == 403
    assert resigned(anna, game, 0) == 403
    assert resigned(bert, game, 0) == 200


def test_links_are_for_one_seat_of_one_game(anna: Browser, eve: Browser) -> None:
    games = [anna.new(HERE, HERE) for _ in range(2)]
    keys = {(game, seat): anna.key(game, seat) for game in games for seat in (0, 1)}
    assert len({*keys.values()}) == 4
    for (game, seat), key in keys.items():
        for other in keys.values():
            if other != key:
                assert eve.seat(game, seat, "transfer", {"key": other}).status == 403


@pytest.mark.parametrize("key", [None, "", "0" * 64, "é", "\ud800", 5, "x" * 3000])
def test_keys_that_are_none(anna: Browser, eve: Browser, key: object) -> None:
    game = anna.new(HERE, FREE)
    for seat in (0, 1):
        assert eve.seat(game, seat, "transfer", {"key": key}).status in (400, 403)


# resigning


def test_the_owner_resigns_once(anna: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE)
    assert resigned(eve, game, 0) == 403
    assert resigned(anna, game, 1) == 403
    assert anna.post(f"/api/v1/matches/{game}/resign").status == 400
    assert resigned(anna, game, 0) == 200
    told = result(anna, game)
    assert (told["reason"], told["winner"], told["culprit"]) == ("resignation", 1, 0)
    assert resigned(anna, game, 0) == 409
    assert anna.seat(game, 1, "take").status == 409
    assert anna.seat(game, 0, "link").status == 409


# once more


def seats_of(who: Browser, game: str) -> list[str]:
    return [seat["name"] for seat in who.get(f"/api/v1/matches/{game}").json["seats"]]


def finished(who: Browser, *players: dict[str, Any], **wish: Any) -> str:
    game = who.new(*players, **wish)
    assert resigned(who, game, 0) == 200
    over(who.server, game)
    return game


def rematch(who: Browser, game: str) -> Any:
    return who.post(f"/api/v1/matches/{game}/rematch")


def test_the_other_begins_the_next_time(server: Live, anna: Browser) -> None:
    wish: dict[str, Any] = {
        "gameSpecific": {"n": 5, "begins": 1},
        "gameGeneric": {"name": "Final", "timeout": 0, "pause": 250, "tournament": True},
    }
    wish["gameGeneric"]["clock"] = {"time": 300_000, "increment": 3000}
    game = finished(anna, {**HERE, "name": "Anna"}, {**ENGINE, "name": "Random"}, **wish)
    following = rematch(anna, game).json["id"]
    one = table(server, following)
    assert {"n=5", "begins=0"} <= {*one.record.options}
    assert one.seats[0].owner == table(server, game).seats[0].owner
    assert one.seats[0].record.owner != table(server, game).seats[0].record.owner
    assert (one.record.name, one.record.move_time, one.record.pause) == ("Final", 0, 250)
    assert one.record.tournament
    assert (one.record.game_time, one.record.increment) == (300_000, 3000)
    assert server.server.arena.rematches.of(game).game == following
    assert seats_of(anna, following) == ["Anna", "Random"]


@pytest.mark.parametrize("kind", ["morris", "oware"])
def test_seats_change_where_the_first_begins(server: Live, anna: Browser, kind: str) -> None:
    game = finished(anna, {**HERE, "name": "Anna"}, {**FREE, "name": "Bert"}, type=kind)
    following = rematch(anna, game).json["id"]
    assert seats_of(anna, following) == ["Bert", "Anna"]
    assert [bool(seat.owner) for seat in table(server, following).seats] == [False, True]


def test_a_game_that_starts_elsewhere_does_so_again(server: Live, anna: Browser) -> None:
    """Who begins cannot change there: the stones on the board say it."""
    start = "......./......./......./......./......./...1..."
    wish = {"type": "connect4", "start": start, "gameSpecific": {"begins": 0}}
    game = finished(anna, {**HERE, "name": "Anna"}, {**ENGINE, "name": "Random"}, **wish)
    record = anna.get(f"/api/v1/matches/{game}/record.json").json
    assert (record["start"], record["moves"][0]["seat"]) == (start, 1)
    assert anna.get(f"/api/v1/matches/{game}/record.txt").body.startswith(b"start: .......")
    following = rematch(anna, game).json["id"]
    assert seats_of(anna, following) == ["Random", "Anna"]
    assert table(server, following).record.start == start


def test_there_is_one_rematch(server: Live, anna: Browser, bert: Browser) -> None:
    game = anna.new(HERE, FREE)
    assert bert.seat(game, 1, "take").status == 200
    assert resigned(anna, game, 0) == 200
    over(server, game)
    answers: list[str | None] = []
    threads = [
        threading.Thread(target=lambda who=who: answers.append(rematch(who, game).json["id"]))
        for who in (anna, bert) * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(answers) == 8
    (following,) = {one for one in answers if one}  # who asked first heard of none yet
    assert rematch(anna, game).json["id"] == following
    assert resigned(bert, following, 1) == 200  # everybody has the seat they had


def test_a_rematch_is_offered_and_declined(server: Live, anna: Browser, bert: Browser) -> None:
    game = anna.new(HERE, FREE)
    assert bert.seat(game, 1, "take").status == 200
    assert resigned(anna, game, 0) == 200
    over(server, game)
    with bert.look(game) as page:
        assert rematch(anna, game).json == {"id": None}
        offer = {"seat": 0, "what": "rematch", "declined": False}
        while page.hear().get("state", {}).get("offers") != [offer]:
            pass
        path = f"/api/v1/matches/{game}/rematch"
        assert anna.post(path, {"accept": False}).status == 409
        assert bert.post(path, {"accept": False}).json == {"id": None}
        while page.hear().get("state", {}).get("offers") != [offer | {"declined": True}]:
            pass
    assert rematch(anna, game).status == rematch(bert, game).status == 409
    assert server.server.arena.rematches.of(game).game is None


def test_no_player_is_timed_before_all_have_come_to_the_rematch(
    server: Live, anna: Browser, bert: Browser
) -> None:
    game = anna.new(HERE, FREE, gameSpecific={"begins": 0}, gameGeneric={"timeout": 10_000})
    assert bert.seat(game, 1, "take").status == 200
    assert resigned(anna, game, 0) == 200
    over(server, game)
    assert rematch(anna, game).json["id"] is None
    following = rematch(bert, game).json["id"]
    with bert.look(following) as page:
        state = page.until("table")["state"]
        assert (state["open"], state["clock"]) == (True, None)
        with anna.look(following):
            while not (state := page.hear().get("state", {})).get("clock"):
                pass
            assert (state["open"], state["clock"]["seat"]) == (False, 1)


def test_who_did_not_play_cannot_ask_for_more(anna: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE)
    assert rematch(anna, game).status == 409  # not over yet
    assert rematch(eve, game).status == 403
    assert resigned(anna, game, 0) == 200
    over(anna.server, game)
    assert rematch(eve, game).status == 403
    assert rematch(anna, game).status == 200


def test_a_rematch_that_was_deleted_is_none(server: Live, anna: Browser) -> None:
    game = finished(anna, HERE, HERE, **NO_LIMIT)
    first = rematch(anna, game).json["id"]
    bearer = f"Bearer {server.server.token}"
    assert anna.ask("DELETE", f"/api/v1/matches/{first}", Authorization=bearer).status == 200
    assert server.server.arena.rematches.of(game).game is None
    assert rematch(anna, game).json["id"] != first


# offers


def offered(who: Browser, game: str, seat: Any, what: Any, path: str = "offer", **more: Any) -> int:
    wish = {"seat": seat, "what": what, **more}
    return who.post(f"/api/v1/matches/{game}/{path}", wish).status


def test_moves_are_taken_back_for_all_who_look(server: Live, anna: Browser, bert: Browser) -> None:
    game = anna.new(HERE, FREE, type="oware", **NO_LIMIT)
    assert bert.seat(game, 1, "take").status == 200
    with anna.look(game) as mine, bert.look(game) as yours:
        assert mine.play(0, 0, "2")["type"] == "ack"
        (first,) = yours.until("moved", v=1)["plies"]
        assert yours.play(1, 1, "0")["type"] == "ack"
        assert offered(anna, game, 0, "take back") == 200
        offer = {"seat": 0, "what": "take back", "declined": False}
        while yours.hear().get("state", {}).get("offers") != [offer]:
            pass
        assert offered(anna, game, 0, "take back", "answer") == 409
        assert offered(bert, game, 1, "take back", "answer", accept=True) == 200
        back = mine.until("moved", plies=[])
        assert (back["from"], back["v"], back["state"]["turn"]) == (0, 0, 0)
        with look(server, game) as late:
            told = late.until("table")
            assert told["plies"] == []
            assert told["view"] == told["start"]
        assert mine.play(0, 0, "3")["type"] == "ack"
        (third,) = yours.until("moved", v=1)["plies"]
    with look(server, f"{game}&at={first['at']}", seen=1) as page:
        assert page.until("table")["from"] == 0  # it has seen a ply that never was
    with look(server, f"{game}&at={third['at']}", seen=1) as page:
        assert page.until("table")["from"] == 1
    assert [move["move"] for move in anna.get(f"/api/v1/matches/{game}").json["moves"]] == ["3"]


def test_a_draw_is_agreed(anna: Browser, bert: Browser, eve: Browser) -> None:
    game = anna.new(HERE, FREE, type="oware", **NO_LIMIT)
    assert bert.seat(game, 1, "take").status == 200
    assert offered(eve, game, 0, "draw") == 403
    assert offered(anna, game, 0, "draw") == 200
    assert offered(anna, game, 0, "draw") == 409
    assert offered(eve, game, 1, "draw", "answer") == 403
    assert offered(bert, game, 1, "draw", "answer") == 200
    kept = result(anna, game)
    assert (kept["reason"], kept["winner"]) == ("rule draw", None)
    assert offered(bert, game, 1, "draw") == 409


@pytest.mark.parametrize(
    "wish", [{}, {"seat": 0}, {"seat": 0, "what": "all"}, {"seat": "0", "what": "draw"}]
)
def test_offers_that_are_none(anna: Browser, wish: dict[str, Any]) -> None:
    game = anna.new(HERE, HERE, type="oware", **NO_LIMIT)
    for path in ("offer", "answer"):
        assert anna.post(f"/api/v1/matches/{game}/{path}", wish).status == 400


# restart


def test_seats_survive_a_restart(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        anna, bert = Browser(server), Browser(server)
        game = anna.new(HERE, FREE)
        assert bert.seat(game, 1, "take", {"name": "Bert"}).status == 200
        key = anna.key(game, 0)
    with live(settings_for(tmp_path)) as server:
        anna.server = bert.server = server
        assert seats_of(anna, game) == ["Player 1", "Bert"]
        assert all(seat.ready for seat in table(server, game).seats)
        assert Browser(server).seat(game, 0, "leave").status == 403
        assert anna.key(game, 0) == key
        assert resigned(bert, game, 1) == 200
        assert result(bert, game)["winner"] == 0
