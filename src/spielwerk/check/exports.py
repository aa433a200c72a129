"""What was found for programs: as JSON, and as XML for build servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as Xml

from spielwerk import __version__
from spielwerk.check.case import Side, in_language
from spielwerk.check.findings import serious
from spielwerk.check.report import TextReport
from spielwerk.check.visible import visible
from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from spielwerk.check.case import CaseFault, CaseVerdict, TranscriptEntry
    from spielwerk.check.report import ReportLine


def as_json(verdicts: Sequence[CaseVerdict], about: Mapping[str, Any]) -> str:
    """Everything, faults in full; bytes are escaped as in the report."""
    document = {
        "spielwerk": __version__,
        **about,
        "cases": len(verdicts),
        "failed": sum(not verdict.passed for verdict in verdicts),
        "advised": sum(verdict.advised for verdict in verdicts),
        "requests": sum(verdict.requests for verdict in verdicts),
        "verdicts": [_verdict(verdict) for verdict in verdicts],
    }
    return json.dumps(document, indent=2) + "\n"


def _verdict(verdict: CaseVerdict) -> dict[str, Any]:
    case = verdict.case
    return {
        "name": case.name,
        **_both("rule", case.rule),
        **_both("source", case.source),
        **_both("says", case.says),
        **_both("why", case.why),
        "decided": case.decided,
        "passed": verdict.passed,
        "advised": verdict.advised,
        "requests": verdict.requests,
        "seconds": round(verdict.seconds, 3),
        "faults": [_fault(fault) for fault in verdict.faults],
        "output": verdict.output,
        "transcript": [_entry(entry) for entry in verdict.transcript],
        "measured": [dict(one.values) for one in verdict.measured],
    }


def _fault(fault: CaseFault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        **_both("problem", fault.problem),
        **_both("hint", fault.hint),
        "advice": fault.advice,
        "expected": [
            f"<{line}>" if isinstance(line, str) else visible(line) for line in fault.expected
        ],
        "position": fault.position,
        "entry": fault.entry,
    }


def _entry(entry: TranscriptEntry) -> dict[str, Any]:
    """Bytes escaped; an event in words."""
    event = entry.side is Side.EVENT
    text = entry.data.decode(errors="backslashreplace") if event else visible(entry.data)
    return {"at": round(entry.at, 3), "side": entry.side, "channel": entry.channel, "data": text}


def _both(name: str, text: str) -> dict[str, str]:
    return {name: text, f"{name}_de": in_language(text, "de")}


def as_junit(verdicts: Sequence[CaseVerdict], suite: str, language: str = "en") -> str:
    """One test case a case; a failure carries the report's own lines, and advice is output."""
    failures = sum(not verdict.passed for verdict in verdicts)
    seconds = sum(verdict.seconds for verdict in verdicts)
    root = Xml.Element(
        "testsuite",
        name=printable(suite),
        tests=str(len(verdicts)),
        failures=str(failures),
        errors="0",
        skipped="0",
        time=f"{seconds:.3f}",
    )
    for verdict in verdicts:
        _test_case(root, verdict, suite, language)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, "unicode") + "\n"


def _test_case(root: Xml.Element, verdict: CaseVerdict, suite: str, language: str) -> None:
    test = Xml.SubElement(
        root,
        "testcase",
        classname=f"{suite.split(' ')[0]}.{verdict.case.group}",
        name=verdict.case.name.partition("/")[2],
        time=f"{verdict.seconds:.3f}",
    )
    report = TextReport(language)
    for fault in serious(verdict)[:1]:
        message = printable(in_language(fault.problem, language))
        failure = Xml.SubElement(test, "failure", message=message, type=fault.kind)
        failure.text = _text(report.explained(verdict, fault))
    if advice := [fault for fault in verdict.faults if fault.advice]:
        Xml.SubElement(test, "system-out").text = _text(report.advised(verdict, advice))


def _text(lines: Iterable[ReportLine]) -> str:
    return "\n".join(line.text for line in lines)
