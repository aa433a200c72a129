"""Views of any ply and exports over HTTP, of games that are played and of those that are kept."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
import segno

from spielwerk.games import State, find_game
from spielwerk.net.connection import Direction, Transcript
from spielwerk.store import reading
from spielwerk.store.records import GameRecord, MoveRecord, SeatKind, SeatRecord, WireRecord
from spielwerk.tables.parts import History
from spielwerk.web.matches import session
from spielwerk.web.views import view
from tests.servers.live import Live
from tests.web.people import ENGINE, FREE, HERE, Browser
from tests.web.test_seats import over


def finished(who: Browser, kind: str, players: int = 2, **options: int) -> str:
    game = who.new(*[ENGINE] * players, type=kind, gameSpecific=options)
    over(who.server, game)
    return game


def forget(server: Live, game: str) -> None:
    """Leave the game to the archive alone."""

    async def drop() -> None:
        server.server.arena._tables.pop(game[:11])

    server.call(drop())


def states(record: GameRecord) -> list[State[Any]]:
    """All positions of a game, the start first."""
    return list(History.of(record).record().states)


def kept(server: Live, game: str) -> GameRecord:
    record = reading.game(server.server.store, game)
    assert record
    return record


# views


@pytest.mark.parametrize("archived", [False, True])
def test_views_are_those_of_the_rules(server: Live, anna: Browser, archived: bool) -> None:
    game = finished(anna, "connect4")
    record = kept(server, game)
    if archived:
        forget(server, game)
    moves = len(record.moves)
    answer = anna.get(f"/api/v1/matches/{game}/views?from=2&to={moves}").json
    kind = find_game("connect4").from_text(record.options)
    played = [kind.parse_move(move.move) for move in record.moves]
    all_states = states(record)
    assert answer["from"] == 2
    assert answer["views"] == [
        view(all_states[n], played[n - 1]) for n in range(2, len(all_states))
    ]
    first = anna.get(f"/api/v1/matches/{game}/views?to=0").json
    assert first == {"from": 0, "views": [view(all_states[0])]}


@pytest.mark.parametrize("query", ["from=-1", "from=x", "from=9999", "to=²", "from=1e3"])
def test_nonsense_is_refused(anna: Browser, query: str) -> None:
    game = anna.new(HERE, FREE)
    answer = anna.get(f"/api/v1/matches/{game}/views?{query.replace('²', '%C2%B2')}")
    assert answer.status == 400
    assert "must be a number" in answer.json["error"]


@pytest.mark.parametrize(
    "what", ["", "/wire", "/views", "/record.json", "/record.txt", "/analysis", "/review"]
)
def test_there_is_nothing_about_games_that_do_not_exist(anna: Browser, what: str) -> None:
    for game in ("AAAAAAAAAAA", "A" * 13, "..%2F..", "%00", "a" * 4000):
        answer = anna.get(f"/api/v1/matches/{game}{what}")
        assert answer.status == 404
        assert answer.json["error"]


# exports


def test_the_json_record_can_be_read_back(server: Live, anna: Browser) -> None:
    game = finished(anna, "oware")
    answer = anna.get(f"/api/v1/matches/{game}/record.json")
    assert answer.headers["content-disposition"] == f'attachment; filename="oware-{game}.json"'
    told = answer.json
    assert (told["format"], told["version"]) == ("Spielwerk game", 1)
    assert imported(told).moves == kept(server, game).moves
    assert imported(told).options == kept(server, game).options
    assert str(states(imported(told))[-1]) == told["position"]
    assert told["result"]["reason"] in ("rule win", "rule draw")


def imported(told: dict[str, Any]) -> GameRecord:
    """The game as it was before it was written."""
    moves = tuple(MoveRecord(**move) for move in told["moves"])
    seats = tuple(
        SeatRecord(SeatKind(s["kind"]), s["name"], s.get("engine", "")) for s in told["seats"]
    )
    return GameRecord(
        told["id"],
        told["game"],
        tuple(told["options"]),
        told["name"],
        seats,
        told["timeout"],
        told["tournament"],
        told["created"],
        moves,
    )


def test_quarto_begins_with_the_drawn_stone(anna: Browser) -> None:
    game = finished(anna, "Quarto")
    lines = anna.get(f"/api/v1/matches/{game}/record.txt").body.decode().splitlines()
    assert lines[0].startswith("NEXT ")
    assert all(line.startswith("PLAY ") for line in lines[1:])


def test_dice_without_clients_are_listed_decision_by_decision(anna: Browser) -> None:
    game = finished(anna, "dice", 3)
    lines = anna.get(f"/api/v1/matches/{game}/record.txt").body.decode().splitlines()
    assert lines[0][0] in "012"
    assert any(line.startswith("- ") for line in lines)


def packed(*pieces: tuple[float, Direction, bytes]) -> bytes:
    transcript = Transcript(10_000)
    for piece in pieces:
        transcript.add(*piece)
    return transcript.pack()


def test_a_session_is_what_all_seats_said_and_heard_in_order() -> None:
    sent, received = Direction.SENT, Direction.RECEIVED
    first = packed((0.0, sent, b"HELO\n"), (0.03, received, b"ROLL\r\n"))
    second = packed((0.015, sent, b"HELO\nTURN 1 Your turn!\n"), (0.04, sent, b"x"))
    wires = [
        WireRecord("g", 0, "dice", "a", 1000, first),
        WireRecord("g", 1, "dice", "b", 1000, second),
        WireRecord("g", None, "dice", "c", 1000, second),
    ]
    assert session(wires) == ["0> HELO", "1> HELO", "1> TURN 1 Your turn!", r"0< ROLL\r", "1> x"]


# the code


def test_the_code_has_the_tables_own_address_and_no_other(server: Live) -> None:
    game = server.new()
    path = f"/api/v1/matches/{game}/qr.svg"
    own = segno.make(f"https://{server.url.removeprefix('http://')}/t/{game}", micro=False)
    expected = BytesIO()
    own.save(expected, "svg", light="white", omitsize=True)
    assert server.get(f"{path}?scheme=https").body == expected.getvalue()
    assert server.get(f"{path}?scheme=javascript").status == 400
    assert server.get("/api/v1/matches/nonono/qr.svg").status == 404
