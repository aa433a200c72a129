"""What people and programs get to read."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as Xml

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.check.case import CaseVerdict, Measurement, Side, TranscriptEntry
from spielwerk.check.exports import as_json, as_junit
from spielwerk.check.findings import advice, findings
from spielwerk.check.page import as_html
from spielwerk.check.report import report
from tests.check.verdicts import CR, LATE, SLOW, talk


def text(*verdicts: CaseVerdict) -> list[str]:
    return [told.text for told in report(verdicts, 1.5)]


def parsed(xml: str) -> Xml.Element:
    return Xml.fromstring(xml)  # noqa: S314 (our own)


def test_all_is_well() -> None:
    assert text(talk("a/b"), talk("a/cde")) == [
        "passed  a/b      0.2 s",
        "passed  a/cde    0.2 s",
        "",
        "2 cases, 1.5 s: all passed.",
    ]


def test_faults_of_one_cause_are_shown_once() -> None:
    other = talk("b/1", replace(CR, problem="another line ends in \\r\\n"))
    verdicts = [talk("a/1", CR), talk("a/2"), talk("a/3", CR), other]
    assert [[one.case.name for one in found.verdicts] for found in findings(verdicts)] == [
        ["a/1", "a/3"],
        ["b/1"],
    ]
    lines = text(*verdicts)
    assert "  also in   a/3" in lines
    assert lines[-2] == "4 cases, 1.5 s: 3 failed."
    assert lines[-1] == "Start with the first; others may follow from it."


def test_the_same_words_are_one_cause_in_all_groups() -> None:
    other = replace(CR, problem="another line ends in \\r\\n")
    verdicts = [talk("a/1", CR), talk("b/1", CR), talk("b/2", other), talk("c/1", other)]
    assert [[one.case.name for one in found.verdicts] for found in findings(verdicts)] == [
        ["a/1", "b/1", "b/2", "c/1"]
    ]
    assert len(findings([talk("a/1", CR), talk("c/1", other)])) == 2


def test_the_case_that_is_about_the_fault_is_told() -> None:
    fault = replace(CR, problem="BYE is wrong")
    rules = ("AUTH has a name.", "BYE, AUTH and ROLL.", "BYE has three numbers.", "BYE.")
    verdicts = [talk(f"a/{number}", fault) for number in range(4)]
    (found,) = findings(
        replace(one, case=replace(one.case, rule=rule))
        for one, rule in zip(verdicts, rules, strict=True)
    )
    assert [one.case.name for one in found.verdicts] == ["a/2", "a/0", "a/1", "a/3"]


def test_faults_that_are_everywhere_are_one_cause() -> None:
    verdicts = [talk(f"{group}/x", LATE) for group in "abc"]
    assert len(findings(verdicts)) == 1


# conversations


def test_a_conversation_is_told_from_both_sides_with_the_wrong_byte_marked() -> None:
    assert text(talk("a/b", CR))[2:-2] == [
        "FAILED a/b",
        "  rule      Lines end in \\n.",
        "  document  a task, 1: “A line ends in a newline.”",
        "  why       Servers split there.",
        "  problem   the line ends in \\r\\n",
        "  wire      seconds, -> the checker says, <- the program says, ¦ end of a piece",
        "     0.100 -- the program connects",
        "     0.200 -> + Hello¦ you\\n",
        "           -> + and¦ more\\n",
        ">    0.500 <- VERSION 1.0\\r\\n",
        "                         ^ first wrong byte",
        "     1.250 <- ID <b>\\x1b[31m\\n",
        "  expected  VERSION 1.0\\n",
        "  hint      println was used",
    ]


def test_the_same_in_german() -> None:
    lines = [told.text for told in report([talk("a/b", CR, SLOW)], 1.5, "de")]
    assert "FEHLER     a/b    0,2 s" in lines
    assert "  Dokument  eine Aufgabe, 1: „Eine Zeile endet mit einem Newline.“" in lines
    assert "     0,100 -- das Programm verbindet sich" in lines
    assert "  Tipp      println wurde verwendet" in lines
    assert "  Hinweis   es war langsam (eine Aufgabe, 1)" in lines
    assert lines[-1] == "1 Fall, 1,5 s: 1 nicht bestanden."


def test_advice_is_told_at_the_end_and_is_no_failure() -> None:
    lines = text(talk("a/b", SLOW), talk("a/c", SLOW), talk("a/d"))
    assert lines[0] == "advice  a/b    0.2 s"
    assert lines[4:] == [
        "Advice: the documents do not require this.",
        "a/b",
        "  advice    it was slow (a task, 1)",
        "  also in   a/c",
        "",
        "3 cases, 1.5 s: all passed, 2 with advice.",
    ]


def test_advice_that_made_other_cases_fail_is_not_told_again() -> None:
    assert advice([talk("a/b", replace(CR, advice=True)), talk("b/c", CR)]) == []


def test_a_case_fails_for_its_first_fault_that_is_no_advice() -> None:
    assert [found.fault for found in findings([talk("a/b", SLOW, CR)])] == [CR]


@given(st.binary(max_size=200), st.binary(max_size=200), st.data())
def test_lines_fit_a_terminal_whatever_was_said(
    sent: bytes, received: bytes, data: st.DataObject
) -> None:
    fault = replace(CR, entry=7, position=data.draw(st.integers(0, len(received)) | st.none()))
    more = (
        TranscriptEntry(2.0, Side.CHECKER, "game", sent),
        TranscriptEntry(2.5, Side.PROGRAM, "index", received),
    )
    lines = text(talk("a/b", replace(fault, problem=repr(received)), more=more))
    assert all(line.isprintable() and len(line) <= 88 for line in lines)
    marked = any(
        line.endswith("^ first wrong byte") or "first wrong byte ^" in line for line in lines
    )
    assert marked == (fault.position is not None and received != b"")
    assert json.loads(as_json([talk("a/b", fault, more=more)], {}))
    assert parsed(as_junit([talk("a/b", fault, more=more)], "oware here:1")) is not None


# files


def test_json_has_both_languages_and_the_transcript() -> None:
    document = json.loads(as_json([talk("a/b", CR, SLOW), talk("a/c", SLOW)], {}))
    assert (document["failed"], document["advised"]) == (1, 1)
    first = document["verdicts"][0]
    assert (first["rule_de"], first["says"]) == (
        "Zeilen enden mit \\n.",
        "A line ends in a newline.",
    )
    assert (first["passed"], first["advised"]) == (False, False)
    fault = first["faults"][0]
    assert (fault["problem_de"], fault["hint"]) == (
        "die Zeile endet mit \\r\\n",
        "println was used",
    )
    assert (fault["entry"], fault["position"], fault["advice"]) == (4, 11, False)
    assert first["transcript"][4] == {
        "at": 0.5,
        "side": "program",
        "channel": "",
        "data": "VERSION 1.0\\r\\n",
    }


def test_junit_takes_advice_for_output() -> None:
    suite = parsed(as_junit([talk("a/b", SLOW), talk("a/c", CR, SLOW)], "mnm x", "de"))
    assert suite.attrib["failures"] == "1"
    first, second = suite.findall("testcase")
    assert first.find("failure") is None
    assert "es war langsam" in (first.findtext("system-out") or "")
    assert "^ erstes falsches Byte" in (second.findtext("failure") or "")
    assert second.find("system-out") is not None


def test_what_was_measured_is_told_of_cases_that_passed_as_well() -> None:
    case = talk("time/depths").case
    rows = (
        Measurement("depth 1: 0.1 s", {"depth": 1}),
        Measurement("depth 2: 3.0 s", {"depth": 2}),
    )
    measured = CaseVerdict(case, (), 2, 0.25, measured=rows)
    lines = text(measured)
    start = lines.index("time/depths")
    assert lines[start + 1 : start + 3] == [
        "  measured  depth 1: 0.1 s",
        "            depth 2: 3.0 s",
    ]
    assert "depth 2: 3.0 s" in as_html([measured], {"check": "x"}, "en")
    document = json.loads(as_json([measured], {}))
    assert document["verdicts"][0]["measured"] == [{"depth": 1}, {"depth": 2}]


def test_the_end_of_what_the_program_wrote_is_shown_and_harmless() -> None:
    written = "\n".join(f"line {number}" for number in range(20)) + "\n\tat <b>\x1b[31m\n"
    failed = replace(talk("a/b", CR), output=written)
    lines = text(failed)
    place = lines.index("  output    line 13")
    assert lines[place + 7] == "                    at <b>\\x1b[31m"
    assert lines[place + 8].startswith("  hint")
    page = as_html([failed], {"check": "x"}, "en")
    assert "line 0\nline 1\n" in page
    assert "at &lt;b&gt;\\x1b[31m</pre>" in page
    assert json.loads(as_json([failed], {}))["verdicts"][0]["output"] == written
