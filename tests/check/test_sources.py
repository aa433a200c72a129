"""The sections that are referred to are explained in docs/sources.md."""

from __future__ import annotations

import re
from pathlib import Path

import spielwerk
from spielwerk.check.oware.cases import all_cases

SOURCE = Path(spielwerk.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"
SOURCES = (DOCS / "sources.md").read_text(encoding="utf-8")


def part(heading: str) -> str:
    """What stands below a heading."""
    assert f"\n## {heading}\n" in SOURCES
    return SOURCES.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def explained(heading: str) -> set[str]:
    """The sections in the table below a heading."""
    rows = re.findall(r"^\| ([^|]+) \|", part(heading), re.MULTILINE)
    return {section for row in rows for section in row.split(", ")}


def test_every_section_that_the_check_names_is_explained() -> None:
    sources = [case.source.removeprefix("Oware task, ") for case in all_cases()]
    named = {part.partition(" (")[0] for source in sources for part in source.split(", ")}
    assert len(named) > 20
    assert named - explained("Oware task") == set()


HEADINGS = {
    "quarto": ("Quarto sheet",),
    "morris": ("Morris sheet",),
    "mnm": ("Quarto sheet", "Morris sheet"),
    "dice": ("Dice sheet",),
    "oware": ("Oware task",),
    "connect4": ("Connect Four protocol",),
}


def test_every_source_of_a_case_is_explained() -> None:
    """Cases name a document and its sections, or a step of one (`5.`, `3. (b)`, `2.6 (E-1)`)."""
    texts = "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.toml"))
    for source in {*re.findall(r'^source = "(.+)"$', texts, re.MULTILINE)}:
        document, _, sections = source.partition(" ")
        about = "\n".join(map(part, HEADINGS[document]))
        for section in filter(None, sections.split(", ")):
            section = section.partition(" (")[0]
            step = re.fullmatch(r"\d+\.", section)
            assert step or re.search(rf"(?<![\d.]){re.escape(section)}(?!\d)", about), source


def test_the_documents_are_called_by_name() -> None:
    """Readers do not have them under our numbers."""
    pages = [DOCS.parent / "README.md", DOCS.parent / "CHANGELOG.md", *DOCS.glob("*.md")]
    for page in pages:
        if page.name != "sources.md":
            assert not re.search(r"ocuments? 00\d", page.read_text(encoding="utf-8")), page.name
