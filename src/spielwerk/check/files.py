"""The report for programs: JSON, and JUnit's XML as most build servers read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as Xml

from spielwerk import __version__
from spielwerk.check.report import exchanged
from spielwerk.check.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spielwerk.check.case import Fault, Verdict


def as_json(verdicts: Sequence[Verdict], about: Mapping[str, Any]) -> str:
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


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.name,
        "rule": verdict.rule,
        "source": verdict.source,
        "decided": verdict.decided,
        "passed": verdict.passed,
        "requests": verdict.requests,
        "seconds": round(verdict.seconds, 3),
        "faults": [_fault(fault) for fault in verdict.faults],
    }


def _fault(fault: Fault) -> dict[str, Any]:
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


def as_junit(verdicts: Sequence[Verdict], suite: str) -> str:
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


def _test_case(root: Xml.Element, verdict: Verdict, suite: str) -> None:
    test = Xml.SubElement(
        root,
        "testcase",
        classname=f"{suite.split(' ')[0]}.{verdict.group}",
        name=verdict.name.partition("/")[2],
        time=f"{verdict.seconds:.3f}",
    )
    if verdict.faults:
        fault = verdict.faults[0]
        failure = Xml.SubElement(test, "failure", message=fault.problem, type=fault.kind)
        lines = [f"{verdict.rule} ({verdict.source})", *(told.text for told in exchanged(fault))]
        failure.text = "\n".join(lines)
