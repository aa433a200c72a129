"""The ways through the house that CONTRIBUTING draws are those that the program takes."""

from __future__ import annotations

import asyncio.selector_events
import re
import time
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.settings import Settings
from tests.cli.contests import ContestFolder, description, program
from tests.servers.live import client, live, settings_for
from tests.ways import traced
from tests.web.people import HERE, NO_LIMIT, Browser

SocketTransport: Any = asyncio.selector_events._SelectorSocketTransport  # type: ignore[attr-defined]


GUIDE = Path(__file__).parent.parent / "CONTRIBUTING.md"
AROUND = ("app/", "cli/", "terminal/")  # the command that runs a contest


def drawn(title: str, most: int) -> set[str]:
    """The modules of a way as the guide draws it, no more than are allowed."""
    _, _, rest = GUIDE.read_text("utf-8").partition(f"\n{title}, ")
    lines = rest.split("\n\n")[1].splitlines()
    modules = {name for line in lines for name in re.findall(r"\b[a-z0-9_]+(?:/[a-z0-9_]+)+", line)}
    assert 0 < len(modules) <= most
    return modules


def quiet(folder: Path) -> Settings:
    """Settings of a server that does nothing by itself."""
    settings = settings_for(folder)
    server = settings.server.model_copy(update={"only": ("mnm", "web"), "log": "warning"})
    return settings.replaced(server=server)


def test_a_play_line_to_moveok(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = SocketTransport.write
    with traced() as way, live(quiet(tmp_path)) as server:
        game = server.new(players=[{"type": "COMPUTER"}, {"type": "COMPUTER"}])

        def watched(transport: object, data: bytes) -> None:
            if b"MOVEOK" in data:
                way.end()
            write(transport, data)

        monkeypatch.setattr(SocketTransport, "write", watched)
        with client(server.mnm) as one, client(server.mnm) as two:
            one.join(game)
            two.join(game)
            player = one if one.hear().startswith("+ MOVE") else two
            player.hear_until("+ ENDFIELD")
            player.say(b"THINKING\n")
            player.hear_until("+ OKTHINK")
            way.begin()
            player.say(b"PLAY A1,3\n")
            player.hear_until("+ MOVEOK")
    assert {*way.modules} == drawn("A PLAY line to MOVEOK", 13)


def test_a_click_to_the_other_board(tmp_path: Path) -> None:
    """Of three clicks the one that no timer came between."""
    ways: list[list[str]] = []
    with traced() as way, live(quiet(tmp_path)) as server:
        one, two = Browser(server), Browser(server)
        game = one.new(HERE, HERE, type="oware", **NO_LIMIT)
        with one.look(game) as mine, two.look(game) as other:
            mine.until("table")
            other.until("table")
            time.sleep(1.0)  # until nothing more is told of those who have come
            for ply, move in enumerate("203"):
                way.begin()
                mine.say("move", id=move, seat=ply % 2, ply=ply, move=move)
                other.until("moved")
                way.end()
                ways.append([*way.modules])
                time.sleep(0.3)
    shortest = min(ways, key=len)
    assert {*shortest} <= drawn("A click to the other player's board", 20)


def test_a_game_of_a_contest_to_the_ranking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, noted = tmp_path / "hook", tmp_path / "way"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(f"from tests.ways import trace; trace({str(noted)!r})")
    monkeypatch.setenv("PYTHONPATH", f"{hook}:{Path(__file__).parent.parent}")
    player = program("mnm.py", "-g", "{game}", "-p", "{player}", "-h", "{host}", "-P", "{port}")
    folder = ContestFolder(tmp_path, description("quarto", player, player))
    assert folder.run("--no-web").returncode == 0
    way = {name for name in noted.read_text().split() if "/" in name}
    own = {name for name in way if not name.startswith(AROUND)}
    assert own <= drawn("A game of a contest to the ranking", 44)
