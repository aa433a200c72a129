"""Count the trees anew, to the same depths."""

from spielwerk.games.playing import perft
from tests.perft import FILE, trees

lines = []
for tree in trees():
    counts = [perft(tree.state, depth) for depth in range(1, len(tree.counts) + 1)]
    lines.append(f"{tree.label} : {' '.join(map(str, counts))}")
FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
