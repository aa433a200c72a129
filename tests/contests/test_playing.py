"""Whole games: engines and programs, in every protocol, from the first word to the last report."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import psutil
import pytest
from platformdirs import user_cache_path

from spielwerk.contests.contest import AssignedPlayer, Played, Progress
from spielwerk.contests.playing.referee import play
from spielwerk.games import CHANCE, find_game
from spielwerk.games.playing import random_move
from spielwerk.net.connection import Direction
from spielwerk.store.records import Kind, Reason, SeatKind
from spielwerk.tables.parts import SystemClock
from tests.cli.test_cli import SPIELWERK
from tests.contests.stage import (
    BY_RULE,
    COMMANDS,
    assigned,
    engine,
    moves_of,
    played,
    played_by_rule,
    program,
    said,
    venue,
)
from tests.waiting import PATIENCE, until

GAMES = ("quarto", "morris", "dice", "oware", "connect4")
SOLID = ("width=4", "height=4", "depth=4")


def opened(game: str, decisions: int) -> tuple[str, ...]:
    """Random decisions from the start of a game."""
    rules, chance, moves = find_game(game).from_text(()), Random(3), []
    state = rules.start()
    for _ in range(decisions):
        moves.append(random_move(state, chance))
        state = state.play(moves[-1])
    return tuple(map(rules.format_move, moves))


# engines


@pytest.mark.parametrize(
    ("game", "player", "options"),
    [
        ("quarto", "level=2", ()),
        ("dice", "hold=20", ("target=60",)),  # and the dice are the same
    ],
)
def test_engines_play_the_same_game_with_the_same_seed(
    game: str, player: str, options: tuple[str, ...]
) -> None:
    seats = [engine(player)] * (3 if game == "dice" else 2)
    first = assigned(game, *seats, options=options)
    other = replace(first, seed="another")
    games = played(first, other, first)
    assert all(one.ending.reason in BY_RULE for one in games)
    assert moves_of(games[0]) == moves_of(games[2]) != moves_of(games[1])


def test_a_clock_that_is_set_back_meanwhile_makes_no_game_shorter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = count(10**12, -3_600_000)
    monkeypatch.setattr(SystemClock, "wall", lambda _clock: next(moments))
    (game,) = played(assigned("connect4"))
    assert 0 <= game.ending.at - game.started < 1000 * PATIENCE


@pytest.mark.parametrize("game", ["quarto", "oware", "connect4"])
def test_equal_engines_do_not_play_the_same_game_with_changed_seats(game: str) -> None:
    anna, bert = engine("random", "anna"), engine("random", "bert")
    games = played(*(assigned(game, *seats) for seats in ((anna, bert), (bert, anna))))
    assert moves_of(games[0]) != moves_of(games[1])


def test_a_game_has_the_same_dice_whoever_sits_where() -> None:
    """Those who always roll get the same throws in the same order."""
    seats = (engine("random", "a"), engine("random", "b"), engine("random", "c"))
    one, other = played(assigned("dice", *seats), assigned("dice", *reversed(seats)))
    throws = [
        [move.move for move in game.record.moves if move.seat == CHANCE]
        for game in (one, other)
        if game.record
    ]
    shorter = min(map(len, throws))
    assert shorter > 5
    assert throws[0][:shorter] == throws[1][:shorter]


@pytest.mark.parametrize("game", ["quarto", "morris", "oware", "connect4"])
def test_a_game_goes_on_from_its_opening(game: str) -> None:
    opening = opened(game, 5)
    (one,) = played(assigned(game, opening=opening))
    assert one.record is not None
    assert tuple(moves_of(one)[:5]) == opening
    assert [move.took for move in one.record.moves[:5]] == [0] * 5
    assert [move.number for move in one.record.moves] == list(range(len(one.record.moves)))
    assert (one.record.moves[0].seat == CHANCE) == (game == "quarto")
    counted = sum(report.moves for report in one.reports)
    assert counted == len(one.record.moves) - 5


def test_without_an_opening_the_seed_draws_the_first_stone() -> None:
    games = played(*(assigned("quarto", seed=seed) for seed in ("a", "b", "c", "d", "a")))
    stones = [moves_of(one)[0] for one in games]
    assert stones[0] == stones[4]
    assert len(set(stones)) > 1


def test_the_first_seat_begins_unless_the_options_say_otherwise() -> None:
    games = played(assigned("connect4"), assigned("connect4", options=("begins=1",)))
    assert [one.record.moves[0].seat for one in games if one.record] == [0, 1]


# what is told


@pytest.mark.parametrize("game", GAMES)
def test_it_is_told_how_a_game_begins_and_then_every_turn(game: str) -> None:
    news: list[Progress] = []
    opening = () if game == "dice" else opened(game, 2)
    (one,) = played(assigned(game, opening=opening), news=news)
    assert one.record is not None
    first, *others = news
    assert first.record is not None
    assert replace(one.record, moves=first.record.moves, result=None) == first.record
    assert all(progress.record is None for progress in others)
    moves = [*first.record.moves, *(move for progress in others for move in progress.moves)]
    assert tuple(moves) == one.record.moves
    assert {(progress.number, progress.attempt) for progress in news} == {(7, 1)}


def test_a_record_names_the_players_as_the_contest_does() -> None:
    seats = (engine("level=1", "Größte Maschine"), program("quarto", name="Anna Ä."))
    (one,) = played(assigned("quarto", *seats, options=("n=3",)))
    assert one.record is not None
    assert [seat.name for seat in one.record.seats] == ["Größte Maschine", "Anna Ä."]
    assert [seat.kind for seat in one.record.seats] == [SeatKind.ENGINE, SeatKind.CLIENT]
    assert one.record.seats[0].player == "level=1"
    assert one.record.tournament
    assert one.record.result is not None
    assert "Größte Maschine".encode() in said(one, 1, Direction.SENT)


def test_a_bot_is_called_on_the_wire_as_it_calls_itself() -> None:
    other = program("dice.py -n Otherwise -p {port} {host}", name="anna")
    seats = (other, engine("hold=20", "Größte Maschine"), program("dice", name="bert"))
    (one,) = played(assigned("dice", *seats, options=("target=80",)))
    assert one.record is not None
    assert one.ending.reason is Reason.WIN
    assert [seat.name for seat in one.record.seats] == ["anna", "Größte Maschine", "bert"]
    thrown = said(one, 2, Direction.SENT)
    assert b" Otherwise\n" in thrown
    assert b" GrteMaschine\n" in thrown
    assert b" anna\n" not in thrown
    assert thrown.startswith(b"HELO This is the SYSPROG dice game server (v0.1 [contest mode])")


# programs


@pytest.mark.parametrize("game", GAMES)
def test_programs_play_each_other(game: str) -> None:
    seats = [program(game, name=name) for name in ("anna", "bert", "cleo")]
    count = 3 if game == "dice" else 2
    one = played_by_rule(assigned(game, *seats[:count]))
    assert one.record is not None
    assert 0 < one.started <= one.record.created <= one.ending.at
    assert {wire.seat for wire in one.wires} == set(range(count))
    for report in one.reports:
        assert report.moves > 0
        assert report.cpu is not None
        assert report.status == ("stopped" if game == "oware" else "exit 0")


@pytest.mark.parametrize(("seat", "version"), [(0, "V1"), (1, "V2")])
def test_who_joins_may_sit_on_either_seat(seat: int, version: str) -> None:
    players = [engine(), program("connect4", f"--version {version}")]
    seats = players if seat else players[::-1]
    for begins in (0, 1):
        options = (*SOLID, f"begins={begins}")
        one = played_by_rule(assigned("connect4", *seats, options=options))
        assert one.reports[seat].status == "exit 0"
        heard = said(one, seat, Direction.SENT)
        assert (b"start_game" in heard) == (begins == seat)


def test_the_game_server_speaks_the_dialect_of_the_contest() -> None:
    (one,) = played(assigned("quarto", program("quarto"), dialect=3, start=2.0))
    assert one.ending.reason is Reason.PROTOCOL_ERROR  # that client knows the first one only
    assert one.ending.detail == "Client Version does not match server Version"
    assert said(one, 0, Direction.SENT).startswith(b"+ MNM Gameserver v3.")


@pytest.mark.parametrize(
    ("game", "seat", "asked"),
    [
        ("quarto", 0, "{seat}"),  # which counts from 1
        ("morris", 1, "0"),
    ],
)
def test_a_client_gets_its_own_seat_whichever_it_asks_for(game: str, seat: int, asked: str) -> None:
    command = COMMANDS["quarto"].replace("{player}", asked)
    players = (engine(), program(command))
    one = played_by_rule(assigned(game, *(players if seat else players[::-1])))
    talk = rb"^ID [a-z0-9]{11}\nPLAYER %d\n" % (1 - seat)
    assert re.search(talk, said(one, seat), re.MULTILINE)
    assert b"+ YOU %d anna\n" % seat in said(one, seat, Direction.SENT)


@pytest.mark.parametrize(
    ("word", "value", "detail"),
    [
        ("{player}", "2", "No free computer player found for that game - exiting"),
        ("{game}", "aaaaaaaaaaa", "Game does not exist"),
    ],
)
def test_a_client_that_asks_for_something_else_is_refused(
    word: str, value: str, detail: str
) -> None:
    command = COMMANDS["quarto"].replace(word, value)
    (one,) = played(assigned("quarto", engine(), program(command)))
    assert (one.ending.reason, one.ending.culprits) == (Reason.PROTOCOL_ERROR, (1,))
    assert one.ending.detail == detail
    assert value.encode() in said(one, 1)


def test_moves_of_programs_have_their_processor_time(tmp_path: Path) -> None:
    script = tmp_path / "burning.py"
    script.write_text(BURNING)
    bot = AssignedPlayer("anna", Kind.COMMAND, f"{sys.executable} -S -E {script} {{port}}", "/")
    (one,) = played(assigned("dice", bot, options=("target=20",)))
    assert one.record is not None
    own = [move for move in one.record.moves if move.seat == 0]
    assert own
    assert all(move.cpu is not None and 15 <= move.cpu <= move.took + 10 for move in own)
    others = [move.cpu for move in one.record.moves if move.seat in (1, 2)]
    assert None not in others


BURNING = r"""
import socket, sys, time
line = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
score, file = [0, 0, 0], line.makefile('r')
for message in file:
    word = message.split()[0]
    if word == 'HELO':
        line.sendall(b'AUTH anna\n')
    elif word == 'TURN':
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        line.sendall(b'ROLL\n')
    elif word != 'THRW':
        break
"""


def test_rounds_that_pass_without_a_winner_are_a_draw() -> None:
    seats = [program("dice", name=name) for name in ("anna", "bert", "cleo")]
    (one,) = played(assigned("dice", *seats, options=("target=500", "rounds=2")))
    assert (one.ending.reason, one.ending.winner, one.ending.culprits) == (Reason.DRAW, None, ())


# our own programs


CACHE = f"/usr/bin/env SPIELWERK_CACHE={user_cache_path('spielwerk')}"
"""Programs have a home of their own, where nothing is compiled yet."""


OWN = {
    "dice": ("dicebot", "-n", "{name}", "-p", "{port}", "--strategy", "hold=20", "{host}"),
    "quarto": ("client", "-g", "{game}", "-H", "{host}", "-P", "{port}", "-e", "random"),
    "oware": ("serve", "--only", "oware", "--port", "{port}", "--data", "."),
    "connect4": (
        *("connect4", "join", "{game}", "--index", "{index_host}:{index_port}"),
        *("--player", "random", "--me", "{name}", "--delay", "0", "--no-store"),
    ),
}


@pytest.mark.parametrize("game", OWN)
def test_our_own_programs_can_take_part(game: str) -> None:
    first, *words = OWN[game]
    command = SPIELWERK.with_name(first) if game == "dice" else f"{SPIELWERK} {first}"
    ours = AssignedPlayer("unsere", Kind.COMMAND, " ".join((CACHE, str(command), *words)), "/")
    played_by_rule(assigned(game, engine(), ours, move_time=30_000))


# servers elsewhere


def test_a_server_elsewhere_is_asked_with_the_wishes_of_its_entrant(tmp_path: Path) -> None:
    async def playing() -> Played:
        server = await asyncio.create_subprocess_exec(
            *(sys.executable, "-S", "-E", str(Path(__file__).parents[1] / "players" / "oware.py")),
            *("-p", "0"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            cwd=tmp_path,
        )
        port = await listening_port(server.pid)
        remote = AssignedPlayer("hagen", Kind.REMOTE, f"127.0.0.1:{port}", options=("depth=3",))
        try:
            async with venue() as place:
                return await play(assigned("oware", engine(), remote), lambda _: None, place)
        finally:
            server.kill()
            await server.wait()

    one = asyncio.run(playing())
    assert one.ending.reason in BY_RULE
    assert said(one, 1, Direction.SENT).startswith(b"0\n3\n0 0 4 4 4 4")
    assert one.reports[1].moves > 0
    assert (one.reports[1].cpu, one.reports[1].status) == (None, "")


async def listening_port(pid: int) -> int:
    process = psutil.Process(pid)
    found = await until(lambda: process.net_connections("tcp"))
    return found[0].laddr.port


def test_a_server_elsewhere_that_is_not_there_has_not_come() -> None:
    """Whatever the other one, which begins, would have done."""
    missing = AssignedPlayer("hagen", Kind.REMOTE, "127.0.0.1:1")
    (one,) = played(assigned("oware", program("oware", "--fault illegal-move"), missing))
    assert (one.ending.reason, one.ending.culprits) == (Reason.NO_START, (1,)), one.ending
    assert one.ending.winner == 0
    assert one.ending.detail == "cannot connect to 127.0.0.1:1: Connection refused"
    assert moves_of(one) == []
