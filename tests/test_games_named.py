"""No module names a game, except in the game's folder and the packages of its own protocol."""

from __future__ import annotations

import re
from pathlib import Path

import spielwerk
from spielwerk.games import BUILT_IN
from spielwerk.starters import LANGUAGES

SOURCE = Path(spielwerk.__file__).parent
NAMED = re.compile(rf"\b(?:{'|'.join(BUILT_IN)})\b", re.IGNORECASE)
ROOMS = ("games", "wire", "servers", "clients", "check", "contests/playing/seats")
OWN = (
    *(f"{room}/{game}" for room in ROOMS for game in BUILT_IN),
    *("servers/host.py", "servers/index"),  # the servers of Connect Four
    *(f"starters/{language}/" for language in LANGUAGES),
)
EXAMPLE = re.compile(r"^ +(?:>>>|\.\.\.|spielwerk\.\w+).*$", re.MULTILINE)  # of a docstring
TEXTS = {".css", ".html", ".js", ".json", ".py", ".txt"}

# To become shorter: what these ask by name belongs into the folders of the games.
STILL_NAMED = """
cli/serve.py
"""


def test_no_file_names_a_game_but_those_that_are_known_to() -> None:
    named = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if _names(path)}
    assert sorted(named - {*STILL_NAMED.split()}) == []


def _names(path: Path) -> bool:
    place = path.relative_to(SOURCE).as_posix()
    if path.suffix not in TEXTS or place == "games/__init__.py" or place.startswith(OWN):
        return False
    return bool(NAMED.search(path.name) or NAMED.search(EXAMPLE.sub("", path.read_text())))
