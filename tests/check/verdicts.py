"""Verdicts for reports."""

from __future__ import annotations

from spielwerk.check.case import Case, CaseFault, CaseVerdict, Side, TranscriptEntry, Wording

LATE = CaseFault("silent", "no answer came in time", everywhere=True)
SLOW = CaseFault("slow", Wording("it was slow", "es war langsam"), advice=True, entry=0)
CR = CaseFault(
    "cr",
    Wording("the line ends in \\r\\n", "die Zeile endet mit \\r\\n"),
    expected=(b"VERSION 1.0\n",),
    entry=4,
    position=11,
    hint=Wording("println was used", "println wurde verwendet"),
)


async def unused(_probe: object) -> None:
    """These cases are not carried out."""


def talk(name: str, *faults: CaseFault, more: tuple[TranscriptEntry, ...] = ()) -> CaseVerdict:
    """A conversation that begins with six entries."""
    case = Case(
        name,
        Wording("Lines end in \\n.", "Zeilen enden mit \\n."),
        Wording("a task, 1", "eine Aufgabe, 1"),
        unused,
        says=Wording("A line ends in a newline.", "Eine Zeile endet mit einem Newline."),
        why=Wording("Servers split there.", "Server trennen dort."),
    )
    connects = Wording("the program connects", "das Programm verbindet sich")
    entries = (
        TranscriptEntry(0.1, Side.EVENT, "", connects.encode(), connects),
        TranscriptEntry(0.2, Side.CHECKER, "", b"+ Hello"),
        TranscriptEntry(0.3, Side.CHECKER, "", b" you\n+ and"),
        TranscriptEntry(0.4, Side.CHECKER, "", b" more\n"),
        TranscriptEntry(0.5, Side.PROGRAM, "", b"VERSION 1.0\r\n"),
        TranscriptEntry(1.25, Side.PROGRAM, "", b"ID <b>\x1b[31m\n"),
    )
    return CaseVerdict(case, faults, 3, 0.25, (*entries, *more))
