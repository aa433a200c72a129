"""What was found: as lines for people (each cause once), as JSON, and as XML for build servers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as Xml

from spielwerk import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from spielwerk.check.case import Case, CaseFault, CaseVerdict

MENTIONED: Final = 12  # further cases that are named
WIDTH: Final = 88  # of a list of names
INDENT: Final = 12  # the width of the labels

LONG: Final = 160  # bytes of a line that are still shown in full
HEAD: Final = 60
AROUND: Final = 30
TAIL: Final = 20

_NAMED: Final = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord("\\"): "\\\\"}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of the report, and how it looks where there are colours."""

    text: str
    style: str = ""


def findings(verdicts: Iterable[CaseVerdict]) -> list[list[CaseVerdict]]:
    """The failed cases, those together whose first fault has the same cause."""
    causes: dict[tuple[str, str], list[CaseVerdict]] = {}
    for verdict in verdicts:
        if not verdict.passed:
            fault = verdict.faults[0]
            group = "" if fault.everywhere else verdict.case.group
            causes.setdefault((group, fault.kind), []).append(verdict)
    return list(causes.values())


def report(verdicts: Sequence[CaseVerdict], seconds: float) -> Iterator[ReportLine]:
    """Everything that was wrong, and the sum."""
    for alike in findings(verdicts):
        yield from _finding(alike)
        yield ReportLine("")
    failed = sum(not verdict.passed for verdict in verdicts)
    requests = sum(verdict.requests for verdict in verdicts)
    total = f"{len(verdicts)} cases, {requests} requests, {seconds:.1f} s: "
    if failed:
        causes = len(findings(verdicts))
        yield ReportLine(f"{total}{failed} failed.", "bold red")
        if causes > 1:
            yield ReportLine("Begin with the first; others may follow from it.")
    else:
        yield ReportLine(f"{total}all passed.", "bold green")


def _finding(alike: Sequence[CaseVerdict]) -> Iterator[ReportLine]:
    first, *others = alike
    yield ReportLine(f"FAILED {first.case.name}", "bold red")
    yield from explained(first)
    if others:
        names = ", ".join(verdict.case.name for verdict in others[:MENTIONED])
        more = f" and {len(others) - MENTIONED} more" if len(others) > MENTIONED else ""
        yield from _block("also in", wrap(f"{names}{more}", WIDTH, break_on_hyphens=False))


def explained(verdict: CaseVerdict) -> Iterator[ReportLine]:
    """A failed case: the rule, what was sent, what was expected, and what came."""
    fault = verdict.faults[0]
    yield _labelled("rule", f"{verdict.case.rule} ({_source(verdict.case)})")
    yield _labelled("problem", fault.problem, "bold")
    if verdict.requests > 1:
        count = f"{len(verdict.faults)} of {verdict.requests} requests of this case"
        yield _labelled("failed", count)
    yield from exchanged(fault)


def _source(case: Case) -> str:
    return f"{case.source}; left open there, decided so" if case.decided else case.source


def exchanged(fault: CaseFault) -> Iterator[ReportLine]:
    """The bytes of a fault, the first different one marked."""
    yield from _block("sent", [excerpt(line)[0] for line in lines_of(fault.sent)] or ["(nothing)"])
    if fault.manner:
        yield _labelled("", f"({fault.manner})")
    if fault.expected:
        yield from _block("expected", _wanted(fault))
    yield from _block("received", _received(fault))


def _wanted(fault: CaseFault) -> list[str]:
    """The expected lines, with the mark where the received ones begin to differ."""
    shown = []
    place = None if fault.position is None else locate(fault.received, fault.position)
    for number, line in enumerate(fault.expected):
        here = place[1] if place and place[0] == number else None
        if isinstance(line, str):
            shown.append(f"<{line}>")
        else:
            text, column = excerpt(line, here)
            shown += [text] if column is None else [text, _mark(column)]
    return shown


def _received(fault: CaseFault) -> list[str]:
    if fault.position is None:
        return [excerpt(line)[0] for line in lines_of(fault.received)] or ["(nothing)"]
    row, place = locate(fault.received, fault.position)
    lines = lines_of(fault.received)
    shown = []
    for number, line in enumerate([*lines, b""] if row == len(lines) else lines):
        text, column = excerpt(line, place if number == row else None)
        where = f"byte {fault.position}: line {row + 1}, column {place + 1}"
        ends = ", where the answer ends" if fault.position == len(fault.received) else ""
        shown += [text] if column is None else [text, f"{_mark(column)} {where}{ends}"]
    return shown


def _mark(column: int) -> str:
    return " " * column + "^"


def _block(label: str, lines: Iterable[str]) -> Iterator[ReportLine]:
    for line in lines:
        marks = line.lstrip(" ").startswith("^")
        yield _labelled(label, line, "bold yellow" if marks else "")
        label = ""


def _labelled(label: str, text: str, style: str = "") -> ReportLine:
    return ReportLine(f"  {label:<{INDENT - 2}}{text}", style)


def as_json(verdicts: Sequence[CaseVerdict], about: Mapping[str, Any]) -> str:
    """Everything, faults in full; bytes are escaped as in the report."""
    failed = sum(not verdict.passed for verdict in verdicts)
    document = {
        "spielwerk": __version__,
        **about,
        "cases": len(verdicts),
        "failed": failed,
        "requests": sum(verdict.requests for verdict in verdicts),
        "verdicts": [_verdict(verdict) for verdict in verdicts],
    }
    return json.dumps(document, indent=2) + "\n"


def _verdict(verdict: CaseVerdict) -> dict[str, Any]:
    return {
        "name": verdict.case.name,
        "rule": verdict.case.rule,
        "source": verdict.case.source,
        "decided": verdict.case.decided,
        "passed": verdict.passed,
        "requests": verdict.requests,
        "seconds": round(verdict.seconds, 3),
        "faults": [_fault(fault) for fault in verdict.faults],
    }


def _fault(fault: CaseFault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "problem": fault.problem,
        "manner": fault.manner,
        "sent": visible(fault.sent),
        "expected": [
            f"<{line}>" if isinstance(line, str) else visible(line) for line in fault.expected
        ],
        "received": visible(fault.received),
        "position": fault.position,
    }


def as_junit(verdicts: Sequence[CaseVerdict], suite: str) -> str:
    """One test case a case; a failure carries the report's own lines."""
    failures = sum(not verdict.passed for verdict in verdicts)
    seconds = sum(verdict.seconds for verdict in verdicts)
    root = Xml.Element(
        "testsuite",
        name=suite,
        tests=str(len(verdicts)),
        failures=str(failures),
        errors="0",
        skipped="0",
        time=f"{seconds:.3f}",
    )
    for verdict in verdicts:
        _test_case(root, verdict, suite)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _test_case(root: Xml.Element, verdict: CaseVerdict, suite: str) -> None:
    test = Xml.SubElement(
        root,
        "testcase",
        classname=f"{suite.split(' ')[0]}.{verdict.case.group}",
        name=verdict.case.name.partition("/")[2],
        time=f"{verdict.seconds:.3f}",
    )
    if verdict.faults:
        fault = verdict.faults[0]
        failure = Xml.SubElement(test, "failure", message=fault.problem, type=fault.kind)
        lines = [
            f"{verdict.case.rule} ({verdict.case.source})",
            *(told.text for told in exchanged(fault)),
        ]
        failure.text = "\n".join(lines)


# bytes as text in which nothing is hidden


def visible(data: bytes) -> str:
    """Printable ASCII as it is, everything else and the backslash escaped as in Python."""
    return "".join(_NAMED.get(byte) or _shown(byte) for byte in data)


def _shown(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}"


def excerpt(line: bytes, focus: int | None = None) -> tuple[str, int | None]:
    """A line made visible, long ones with gaps, and the column where the focused byte stands."""
    text, column, end = "", None, 0
    for start, stop in _windows(len(line), focus):
        if start > end:
            text += f"...({start - end} bytes)..."
        if focus is not None and start <= focus < stop:
            column = len(text) + len(visible(line[start:focus]))
        text += visible(line[start:stop])
        end = stop
    return text, len(text) if focus is not None and column is None else column


def _windows(length: int, focus: int | None) -> list[tuple[int, int]]:
    """The parts of a line that are shown, in order and without overlap."""
    if length <= LONG:
        return [(0, length)]
    parts = [(0, HEAD), (length - TAIL, length)]
    if focus is not None:
        parts.append((max(0, focus - AROUND), min(length, focus + AROUND)))
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(parts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their newlines; what follows the last newline is a line too."""
    *lines, rest = data.split(b"\n")
    return [line + b"\n" for line in lines] + ([rest] if rest else [])


def locate(data: bytes, position: int) -> tuple[int, int]:
    """Line and column, both from 0, of a byte; behind the last one is a place as well."""
    before = data[:position]
    return before.count(b"\n"), position - (before.rfind(b"\n") + 1)
