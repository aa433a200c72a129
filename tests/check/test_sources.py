"""The sections that are referred to are explained in docs/sources.md."""

from __future__ import annotations

import re
from pathlib import Path

from spielwerk.check.oware.cases import all_cases

DOCS = Path(__file__).parents[2] / "docs"
SOURCES = (DOCS / "sources.md").read_text(encoding="utf-8")


def explained(heading: str) -> set[str]:
    """The sections in the table below a heading."""
    part = SOURCES.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)
    return {section for row in rows for section in row.split(", ")}


def test_every_section_that_the_check_names_is_explained() -> None:
    sources = [case.source for case in all_cases()]
    named = {part.partition(" (")[0] for source in sources for part in source.split(", ")}
    assert len(named) > 20
    assert named - explained("Oware task") == set()


def test_the_documents_are_called_by_name() -> None:
    """Readers do not have them under our numbers."""
    pages = [DOCS.parent / "README.md", DOCS.parent / "CHANGELOG.md", *DOCS.glob("*.md")]
    for page in pages:
        if page.name != "sources.md":
            assert not re.search(r"ocuments? 00\d", page.read_text(encoding="utf-8")), page.name
