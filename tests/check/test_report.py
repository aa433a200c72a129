"""What people and programs get to read."""

from __future__ import annotations

import json
from xml.etree import ElementTree as Xml

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.check.case import Case, CaseFault, CaseVerdict
from spielwerk.check.report import as_json, as_junit, findings, report

EXPECTED = (b"OK\n", "the author's name", b"2\n")
WRONG = CaseFault("<move>", "the move is '3', not '2'", b"0\n5", EXPECTED, b"OK\nme\n3\r\n", 6)
LATE = CaseFault("silent", "no answer came in time", b"", everywhere=True, manner="byte by byte")


async def unused(_probe: object) -> None:
    """These cases are not carried out."""


def verdict(name: str, *faults: CaseFault, decided: bool = False) -> CaseVerdict:
    case = Case(name, "A rule", "5.4", unused, decided)
    return CaseVerdict(case, faults, max(1, len(faults)), 0.25)


def text(*verdicts: CaseVerdict) -> list[str]:
    return [told.text for told in report(verdicts, 1.5)]


def parsed(xml: str) -> Xml.Element:
    return Xml.fromstring(xml)  # noqa: S314 (our own)


def test_all_is_well() -> None:
    lines = text(verdict("a/b"), verdict("a/c"))
    assert lines == ["2 cases, 2 requests, 1.5 s: all passed."]


def test_a_fault_shows_rule_problem_and_bytes_with_the_first_different_one_marked() -> None:
    assert text(verdict("a/b", WRONG))[:-1] == [
        "FAILED a/b",
        "  rule      A rule (5.4)",
        "  problem   the move is '3', not '2'",
        "  sent      0\\n",
        "            5",
        "  expected  OK\\n",
        "            <the author's name>",
        "            2\\n",
        "            ^",
        "  received  OK\\n",
        "            me\\n",
        "            3\\r\\n",
        "            ^ byte 6: line 3, column 1",
        "",
    ]


def test_the_mark_can_stand_behind_the_last_byte() -> None:
    fault = CaseFault("cut off", "too short", b"x\n", (b"OK\n", b"me\n"), b"OK\n", 3)
    lines = text(verdict("a/b", fault))
    assert lines[-4:-2] == [
        "            ",
        "            ^ byte 3: line 2, column 1, where the answer ends",
    ]


def test_where_nothing_was_sent_or_received_the_report_says_so() -> None:
    lines = text(verdict("a/b", LATE))
    assert "  sent      (nothing)" in lines
    assert "            (byte by byte)" in lines
    assert "  received  (nothing)" in lines
    assert not any("expected" in line for line in lines)


def test_faults_of_one_cause_are_shown_once() -> None:
    verdicts = [verdict("a/1", WRONG), verdict("a/2"), verdict("a/3", WRONG), verdict("b/1", WRONG)]
    assert [[one.case.name for one in alike] for alike in findings(verdicts)] == [
        ["a/1", "a/3"],
        ["b/1"],
    ]
    lines = text(*verdicts)
    assert "  also in   a/3" in lines
    assert lines[-2] == "4 cases, 4 requests, 1.5 s: 3 failed."
    assert lines[-1] == "Begin with the first; others may follow from it."


def test_faults_that_are_everywhere_are_one_cause() -> None:
    verdicts = [verdict(f"{group}/x", LATE) for group in "abc"]
    assert len(findings(verdicts)) == 1


def test_json_holds_everything() -> None:
    document = json.loads(as_json([verdict("a/b", WRONG), verdict("a/c")], {"seed": 7}))
    assert document["seed"] == 7
    assert (document["cases"], document["failed"], document["requests"]) == (2, 1, 2)
    failed, passed = document["verdicts"]
    assert (failed["name"], failed["passed"], passed["passed"]) == ("a/b", False, True)
    assert failed["faults"] == [
        {
            "kind": "<move>",
            "problem": "the move is '3', not '2'",
            "manner": "",
            "sent": "0\\n5",
            "expected": ["OK\\n", "<the author's name>", "2\\n"],
            "received": "OK\\nme\\n3\\r\\n",
            "position": 6,
        }
    ]


def test_junit_is_what_build_servers_read() -> None:
    suite = parsed(as_junit([verdict("a/b", WRONG), verdict("c/d")], "oware here:1"))
    assert suite.attrib["tests"] == "2"
    assert suite.attrib["failures"] == "1"
    first, second = suite.findall("testcase")
    assert (first.attrib["classname"], first.attrib["name"]) == ("oware.a", "b")
    failure = first.find("failure")
    assert failure is not None
    assert failure.attrib["message"] == "the move is '3', not '2'"
    assert failure.text is not None
    assert "^ byte 6" in failure.text
    assert second.find("failure") is None


@given(st.binary(max_size=300), st.binary(max_size=300), st.data())
def test_no_bytes_whatever_spoil_a_report(
    sent: bytes, received: bytes, data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(received)) | st.none())
    fault = CaseFault("kind", "problem", sent, (received, sent), received, position)
    failed = verdict("a/b", fault)
    assert all(line.isascii() and line.isprintable() for line in text(failed))
    assert json.loads(as_json([failed], {}))
    assert parsed(as_junit([failed], "oware here:1")) is not None
