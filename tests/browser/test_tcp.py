"""A browser against programs: a TCP client of each protocol, and what the wire shows of it."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from playwright.sync_api import Locator, expect

from spielwerk.games import State
from tests.browser.play import NewPerson, Person
from tests.cli.test_cli import SPIELWERK
from tests.servers.live import process
from tests.waiting import PATIENCE

DICEBOT = Path(sys.executable).with_name("dicebot")
TARGET = 30  # points that win the dice race
TRIED = 30  # moves whose answers are looked at


# programs


@contextmanager
def program(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A program that runs meanwhile; it must end by itself, and well."""
    running = subprocess.Popen(
        [str(argument) for argument in arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield running
        said, _ = running.communicate(timeout=PATIENCE)
        assert running.returncode == 0, said
    finally:
        running.kill()
        running.communicate()


def mnm(one: Person, engine: str = "random") -> Any:
    """Our client for Quarto and Morris, at the table's Game-ID."""
    host, port = one.served.addresses["mnm"]
    table = ("-g", one.table, "-H", host, "-P", port)
    return program(SPIELWERK, "client", *table, "-e", engine)


def dicebot(one: Person, name: str) -> Any:
    host, port = one.served.addresses["dice"]
    return program(DICEBOT, "-n", name, "-p", port, "--strategy", "hold=9", host)


def connect4(one: Person, *arguments: object) -> Any:
    index = ("--index", one.served.address("index"))
    rest = ("--player", "random", "--no-store", "--delay", "0")
    return program(SPIELWERK, "connect4", *arguments, *index, *rest)


# playing against them


def finish(one: Person, choose: Callable[[State[Any]], str]) -> None:
    """Play until the game is over, on the board."""
    while one.ready():
        one.play(choose(one.state()))
    one.ended()


def greedy(state: State[Any]) -> str:
    """Win if that is possible, else keep the other from it, else anything."""
    moves = list(state.legal_moves())
    wins = [move for move in moves if state.play(move).outcome]
    safe = [move for move in moves[:TRIED] if not _loses(state.play(move))]
    return state.game.format_move((wins or safe or moves)[0])


def careful(state: Any) -> str:
    """Dice: a third of the target is enough for a turn."""
    return "SAVE" if state.points >= TARGET // 3 else "ROLL"


def _loses(after: State[Any]) -> bool:
    return any(after.play(answer).outcome for answer in after.legal_moves())


# the wire


def wire(one: Person) -> Locator:
    """The panel with the wire."""
    return one.page.get_by_role("region", name=one.t("table.wire"), exact=True)


def line(one: Person, way: str, text: str) -> Locator:
    """The last line in this direction that has the text: `in` from the client, `out` to it."""
    arrow = one.page.get_by_title(one.t(f"wire.{way}"), exact=True)
    return wire(one).get_by_role("listitem").filter(has=arrow, has_text=text).last


def spoken(one: Person, *lines: tuple[str, str]) -> None:
    """These lines are shown, each with its end, and with the time at the head of its segment."""
    for way, text in lines:
        expect(line(one, way, text)).to_be_visible()
        expect(line(one, way, text).locator(".nl").last).to_have_text("\\n")
    times = wire(one).get_by_role("time")
    expect(times.first).to_have_text(re.compile(r"^(\d+:)?\d\d\.\d{3}$"))


# every protocol


def test_quarto_against_an_mnm_client(person: NewPerson) -> None:
    ada = person(language="en", analysis=True)
    ada.create("quarto", "here Ada", "client", begins=0)
    host, port = ada.served.addresses["mnm"]
    for shown in (ada.table[:11], host, str(port), "dialect 1"):
        expect(wire(ada)).to_contain_text(shown)
    with mnm(ada):
        assert ada.ready()
        expect(ada.seat(1)).to_contain_text(ada.t("table.conn.connected"))
        spoken(ada, ("out", "+ MNM Gameserver"), ("in", "VERSION"), ("in", f"ID {ada.table}"))
        ada.play(greedy(ada.state()))
        assert ada.ready()
        answer = ada.record()["moves"][2]["move"]
        spoken(ada, ("out", "+ MOVE"), ("in", f"PLAY {answer}"), ("out", "+ MOVEOK"))
        finish(ada, greedy)
    spoken(ada, ("out", "+ GAMEOVER"))
    expect(ada.page.get_by_text(ada.t("analysis.searching"))).to_have_count(0)


def test_dice_against_two_bots(person: NewPerson) -> None:
    ada = person(analysis=True)
    ada.create("dice", "here Ada", "client", "client", target=TARGET)
    with dicebot(ada, "Berta"), dicebot(ada, "Cleo"):
        expect(ada.page.locator(".seat", has_text="Berta")).to_be_visible()
        finish(ada, careful)
    choice = wire(ada).get_by_role("group", name=ada.t("wire.choose"))
    for name in ("Berta", "Cleo"):
        choice.get_by_role("button", name=name).click()
        spoken(ada, ("in", f"AUTH {name}"), ("out", "TURN"))


def test_connect_four_hosted_at_the_index(person: NewPerson) -> None:
    ada = person(language="en", analysis=True)
    ada.create("connect4", "here Ada", "client", name="open game")
    expect(ada.banner).to_contain_text(ada.served.address("index"))
    with connect4(ada, "join", "open game", "--me", "Bo"):
        assert ada.ready()
        expect(ada.page.locator(".seat", has_text="Bo")).to_be_visible()
        for _ in range(2):
            ada.play(greedy(ada.state()))
            assert ada.ready()
        finish(ada, greedy)
    spoken(ada, ("in", "open game"), ("in", "move;"), ("out", "updated_game_board;"))


def test_the_host_is_asked_who_may_join(person: NewPerson) -> None:
    """The words are chosen in the form; the answer is given with the keyboard alone."""
    ada, page = (one := person(language="de")), one.page
    page.goto(f"{ada.served.url}/new?game=connect4")
    page.get_by_label(ada.t("new.name.table")).fill("gefragt")
    ada.sit("connect4", 0, "here Ada")
    ada.sit("connect4", 1, "client")
    page.get_by_text(ada.t("new.more"), exact=True).click()
    page.get_by_label(ada.t("new.wire.spelling")).select_option("variant")
    page.get_by_label(ada.t("new.wire.ask")).check()
    page.get_by_role("button", name=ada.t("new.create")).click()
    ada.arrive()
    place = page.evaluate(f"fetch('/api/v1/matches/{ada.table}').then((found) => found.json())")
    assert place["wire"] == {"ask": "yes", "spelling": "variant"}
    eve = person(language="de")
    eve.page.goto(page.url)
    accept, refuse = (
        page.get_by_role("button", name=ada.t(f"table.join.{word}"))
        for word in ("accept", "refuse")
    )
    with stranger(ada, "Otto", "gefragt") as otto:
        asks = ada.t("table.join.asks", name="Otto")
        expect(page.locator("[aria-live]", has_text=asks)).to_be_visible()
        expect(eve.banner).to_contain_text(ada.t("table.waiting"))
        expect(eve.page.get_by_role("button", name=ada.t("table.join.accept"))).to_have_count(0)
        refuse.focus()
        page.keyboard.press("Enter")
        assert otto.readline().startswith("join_game_failed;")
        expect(accept).to_have_count(0)
    with stranger(ada, "Erna", "gefragt") as erna:
        accept.focus()
        page.keyboard.press("Space")
        assert erna.readline() == "join_game_success;V2\n"
        expect(page.locator(".seat", has_text="Erna")).to_be_visible()
        expect(accept).to_have_count(0)


def told(one: Person, request: str) -> str:
    """What the index server answers."""
    with socket.create_connection(one.served.addresses["index"], PATIENCE) as index:
        index.sendall(f"{request}\n".encode())
        return index.makefile("r").readline().rstrip("\n")


@contextmanager
def stranger(one: Person, name: str, game: str) -> Iterator[IO[str]]:
    """A program that asks to join a game in the list; what it hears."""
    cells = told(one, "request_game_list").split(";")
    host, port = cells[cells.index(game) + 4 : cells.index(game) + 6]
    with socket.create_connection((host, int(port)), PATIENCE) as line:
        line.sendall(f"join_game;{name};{game};V2\n".encode())
        yield line.makefile("r")


def test_connect_four_joined_from_the_index(person: NewPerson) -> None:
    ada = person(language="en")
    page = ada.page
    with connect4(
        ada, "host", "--name", "theirs", "--port", "0", "--me", "Bo", "--bind", "127.0.0.1"
    ):
        page.goto(ada.served.url)
        page.get_by_role("button", name=ada.t("connect4.index.open")).click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label(ada.t("connect4.index.name")).fill("Ada")
        join = dialog.get_by_role("button", name=ada.t("connect4.index.joinGame", name="theirs"))
        again = dialog.get_by_role("button", name=ada.t("connect4.index.list"), exact=True)
        for _ in range(300):  # until the host has been listed
            if join.is_visible():
                break
            again.click()
            page.wait_for_timeout(200)
        join.click()
        ada.arrive()
        finish(ada, greedy)
    spoken(ada, ("out", ";theirs;"), ("out", "move;"), ("in", "updated_game_board;"))


def test_oware_against_a_remote_move_server(person: NewPerson, tmp_path: Path) -> None:
    ada = person(language="en", analysis=True)
    with process(tmp_path, "--only", "oware", "--port", "oware=0") as server:
        host, _, port = server.lines(1)[0].split()[1].rpartition(":")
        ada.create("oware", "here Ada", f"remote {host} {port}")
        expect(ada.seat(1)).to_contain_text(ada.t("table.kind.remote"))
        expect(ada.seat(1)).to_contain_text(f"{host}:{port}")
        for _ in range(3):
            assert ada.ready()
            ada.play(str(ada.state().legal_moves()[0]))
        assert ada.ready()
        played = "".join(move["move"] for move in ada.record()["moves"][:-1])
        spoken(ada, ("out", played), ("in", "OK"))
    ada.play(str(ada.state().legal_moves()[0]))
    expect(ada.headline).to_have_text(ada.t("table.end.void", turn=7))
    expect(ada.banner).to_contain_text(f"{host}:{port}")
