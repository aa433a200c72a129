"""Write the golden playthroughs anew."""

from tests.golden import FOLDER, GAMES, playthrough, sessions

for name, game in GAMES.items():
    (FOLDER / f"{name}.txt").write_text(playthrough(game), encoding="utf-8")

sessions.write()
