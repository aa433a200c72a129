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
app/server.py
app/services.py
cli/contest.py
cli/contest_running.py
cli/match.py
cli/serve.py
contests/assignment.py
contests/contest.py
contests/describing/checking.py
contests/describing/commands.py
contests/describing/description.py
contests/describing/entrants.py
contests/describing/examples.py
contests/describing/keys.py
contests/describing/naming.py
contests/notes.py
contests/drafts.py
contests/texts/de.json
contests/texts/en.json
contests/playing/open/connect4.py
contests/playing/open/dice.py
contests/playing/open/door.py
contests/playing/seats/__init__.py
contests/playing/seats/connect4.py
contests/playing/seats/connect4_hosts.py
contests/playing/seats/dice.py
contests/playing/seats/mnm.py
contests/playing/seats/oware.py
contests/rating/bootstrap.py
contests/rating/common.py
contests/rating/connections.py
contests/rating/evidence.py
contests/rating/open_ends.py
contests/reporting/moves.py
contests/reporting/report.py
contests/reporting/texts/de.json
contests/reporting/texts/en.json
contests/scheduling/openings.py
contests/scheduling/schedule.py
contests/tallies.py
contests/playing/sitting.py
contests/playing/table.py
messages.json
servers/host.py
servers/index.py
servers/index_session.py
servers/mnm.py
web/creation.py
web/live/messages.py
web/matches.py
web/offered.py
web/seats.py
web/strangers.py
web/templates/contests.html
"""


def test_no_file_names_a_game_but_those_that_are_known_to() -> None:
    named = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if _names(path)}
    assert sorted(named - {*STILL_NAMED.split()}) == []


def _names(path: Path) -> bool:
    place = path.relative_to(SOURCE).as_posix()
    if path.suffix not in TEXTS or place == "games/__init__.py" or place.startswith(OWN):
        return False
    return bool(NAMED.search(path.name) or NAMED.search(path.read_text()))
