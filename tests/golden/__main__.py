"""Write the golden playthroughs anew."""

from tests.golden import FOLDER, GAMES, playthrough

for name, game in GAMES.items():
    (FOLDER / f"{name}.txt").write_text(playthrough(game), encoding="utf-8")
