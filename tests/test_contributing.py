"""The words of CONTRIBUTING are classes of the house, each of them once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import spielwerk

ROOT = Path(spielwerk.__file__).parent
GUIDE = Path(__file__).parent.parent / "CONTRIBUTING.md"
STARTERS = ROOT / "starters"  # programs for others to begin with: each is a house of its own


def test_every_word_is_one_class() -> None:
    defined = Counter(
        name
        for path in ROOT.rglob("*.py")
        if STARTERS not in path.parents
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
    )
    words = re.findall(r"^\| \w+ \| `(\w+)` \|", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert len(words) > 25
    assert {word: defined[word] for word in words if defined[word] != 1} == {}
    assert {name: count for name, count in defined.items() if count > 1} == {}


def test_every_module_on_the_map_is_there() -> None:
    named = re.findall(r"\b([a-z_0-9]+\.py)\b", GUIDE.read_text("utf-8"))
    known = {path.name for path in (*ROOT.rglob("*.py"), *Path(__file__).parent.rglob("*.py"))}
    assert sorted({*named} - known) == []
