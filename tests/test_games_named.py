"""No module names a game, except in the game's folder and the packages of its own protocol."""

from __future__ import annotations

import re
from pathlib import Path

import spielwerk
from spielwerk.games import BUILT_IN

SOURCE = Path(spielwerk.__file__).parent
NAMED = re.compile(rf"\b(?:{'|'.join(BUILT_IN)})\b", re.IGNORECASE)
OWN = tuple(
    f"{room}/{game}"
    for room in ("games", "wire", "servers", "clients", "check")
    for game in BUILT_IN
)
TEXTS = {".css", ".html", ".js", ".json", ".py", ".txt"}

# To become shorter: what these ask by name belongs into the folders of the games.
STILL_NAMED = """
app/contest.py
app/running.py
app/server.py
app/services.py
cli/analyse.py
cli/app.py
cli/check.py
cli/client.py
cli/connect4.py
cli/contest.py
cli/contest_running.py
cli/games.py
cli/match.py
cli/perft.py
cli/play.py
cli/programs.py
cli/serve.py
cli/solve.py
clients/mnm/__init__.py
clients/mnm/settings.py
contests/assignment.py
contests/drafts.py
contests/texts/de.json
contests/texts/en.json
contests/texts/sentences.de.json
contests/playing/open/connect4.py
contests/playing/open/dice.py
contests/playing/open/door.py
contests/playing/seats/__init__.py
contests/playing/seats/connect4.py
contests/playing/seats/dice.py
contests/playing/seats/hosts.py
contests/playing/seats/index.py
contests/playing/seats/mnm.py
contests/playing/seats/oware.py
contests/playing/sitting.py
contests/playing/table.py
contests/playing/venue.py
engines/analysis.py
errors.py
servers/host.py
servers/index.py
servers/index_session.py
servers/index/figures.py
servers/index/records.py
servers/index/service.py
servers/index/session.py
servers/mnm.py
servers/settings.py
tables/arena.py
tables/chance.py
tables/engines.py
tables/table.py
web/creation.py
web/live/messages.py
web/matches.py
web/offered.py
web/seats.py
web/static/css/analysis.css
web/static/css/boards.css
web/static/css/boards/connect4.css
web/static/css/boards/dice.css
web/static/css/boards/morris.css
web/static/css/boards/oware.css
web/static/css/boards/quarto.css
web/static/css/boards/solid.css
web/static/css/contest-beamer.css
web/static/css/results.css
web/static/css/table-sizes.css
web/static/css/table.css
web/static/css/tokens.css
web/static/js/boards/connect4.js
web/static/js/boards/dice.js
web/static/js/boards/die.js
web/static/js/boards/houses.js
web/static/js/boards/men.js
web/static/js/boards/morris.js
web/static/js/boards/oware.js
web/static/js/boards/quarto.js
web/static/js/boards/solid-cells.js
web/static/js/boards/stones.js
web/static/js/contest/running.js
web/static/js/lobby.js
web/static/js/new.js
web/static/js/pages/choices.js
web/static/js/pages/index-games.js
web/static/js/pages/operator.js
web/static/js/pages/rows.js
web/static/js/pages/samples.js
web/static/js/pages/seats.js
web/static/js/pages/services.js
web/static/js/settings-page.js
web/static/js/table/analysis.js
web/static/js/table/curve.js
web/static/js/table/display.js
web/static/js/table/input.js
web/static/js/table/matrix.js
web/static/js/table/moves.js
web/static/js/table/page.js
web/static/js/table/seats.js
web/static/js/table/state.js
web/static/js/table/title.js
web/static/js/table/turn.js
web/static/js/table/words.js
web/static/js/tiles.js
web/strangers.py
web/templates/contests.html
web/templates/help.html
web/templates/sessions/connect4.txt
web/templates/sessions/dice.txt
web/templates/sessions/morris.txt
web/templates/sessions/oware.txt
web/templates/sessions/quarto.txt
web/templates/settings.html
web/texts/de/analysis.json
web/texts/de/common.json
web/texts/de/connect4.json
web/texts/de/dice.json
web/texts/de/help.json
web/texts/de/lobby.json
web/texts/de/morris.json
web/texts/de/new.json
web/texts/de/oware.json
web/texts/de/quarto.json
web/texts/de/settings.json
web/texts/de/table.json
web/texts/de/wire.json
web/texts/en/analysis.json
web/texts/en/common.json
web/texts/en/connect4.json
web/texts/en/dice.json
web/texts/en/help.json
web/texts/en/lobby.json
web/texts/en/morris.json
web/texts/en/new.json
web/texts/en/oware.json
web/texts/en/quarto.json
web/texts/en/settings.json
web/texts/en/table.json
web/texts/en/wire.json
"""


def test_no_file_names_a_game_but_those_that_are_known_to() -> None:
    named = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if _names(path)}
    assert sorted(named - {*STILL_NAMED.split()}) == []


def _names(path: Path) -> bool:
    place = path.relative_to(SOURCE).as_posix()
    if path.suffix not in TEXTS or place == "games/__init__.py" or place.startswith(OWN):
        return False
    return bool(NAMED.search(path.name) or NAMED.search(path.read_text()))
