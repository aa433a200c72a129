"""What was found, as lines for people: every case, each cause of failures once, advice apart."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Side, in_language
from spielwerk.check.dialogue import dialogue, shortened
from spielwerk.check.findings import advice, findings, serious
from spielwerk.check.texts import label
from spielwerk.check.visible import SEAM, excerpt, room_of
from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spielwerk.check.case import Case, CaseFault, CaseVerdict
    from spielwerk.check.dialogue import DialogueRow
    from spielwerk.check.findings import Finding

MENTIONED: Final = 12  # further cases that are named
WIDTH: Final = 80  # columns
INDENT: Final = 12  # the width of the labels
OUTPUT: Final = 8  # lines that the program wrote
TIMES: Final = 14  # columns before what was said

_ARROWS: Final = {Side.CHECKER: "->", Side.PROGRAM: "<-", Side.EVENT: "--"}
_STYLES: Final = {"passed": "", "advised": "yellow", "failed": "bold red"}


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of the report, and how it looks where there are colours."""

    text: str
    style: str = ""


def report(
    verdicts: Sequence[CaseVerdict], seconds: float, language: str = "en", width: int = WIDTH
) -> Iterator[ReportLine]:
    """Every case in a line, everything that was wrong, advice, and the sum."""
    return TextReport(language, width).everything(verdicts, seconds)


def outcome_of(verdict: CaseVerdict) -> str:
    """The label of how a case ended."""
    if not verdict.passed:
        return "failed"
    return "advised" if verdict.advised else "passed"


def source_of(case: Case, language: str) -> str:
    """Where a case's rule stands."""
    source = in_language(case.source, language)
    return f"{source}; {in_language(label('decided'), language)}" if case.decided else source


def output_lines(verdict: CaseVerdict) -> list[str]:
    """The end of what the program wrote for people, made harmless."""
    return [printable(line.expandtabs()) for line in verdict.output.splitlines() if line.strip()]


def figure(value: float, digits: int, language: str) -> str:
    """A figure with the language's decimal sign."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language == "de" else text


class TextReport:
    """Puts a report into lines of a language that fit into so many columns."""

    def __init__(self, language: str = "en", width: int = WIDTH) -> None:
        self.language = language
        self.width = width

    def everything(self, verdicts: Sequence[CaseVerdict], seconds: float) -> Iterator[ReportLine]:
        """The whole report."""
        yield from self._overview(verdicts)
        yield ReportLine("")
        yield from self._measured(verdicts)
        for found in findings(verdicts):
            yield ReportLine(f"{self._label('failed')} {found.verdict.case.name}", "bold red")
            yield from self.explained(found.verdict, found.fault)
            yield from self._others(found)
            yield ReportLine("")
        yield from self._advice(verdicts)
        yield from self._sum(verdicts, seconds)

    def explained(self, verdict: CaseVerdict, fault: CaseFault) -> Iterator[ReportLine]:
        """A failed case: what the document asks, what the program did, and what may cause it."""
        case = verdict.case
        rule, where = self._said(case.rule), source_of(case, self.language)
        yield from self._text("rule", rule if case.says else f"{rule} ({where})")
        if case.says:
            says = self._label("quoted", text=case.says)
            yield from self._text("document", f"{where}: {says}")
        if case.why:
            yield from self._text("why", self._said(case.why))
        yield from self._text("problem", self._said(fault.problem), "bold")
        yield from self._conversation(verdict, fault)
        if lines := output_lines(verdict)[-OUTPUT:]:
            columns = self.width - INDENT
            yield from self._block("output", [line[:columns] for line in lines])
        if fault.hint:
            yield from self._text("hint", self._said(fault.hint))
        kinds = {fault.kind}
        for other in serious(verdict):
            if other.kind not in kinds:
                yield from self._text("besides", self._said(other.problem))
            kinds.add(other.kind)

    # all cases

    def _overview(self, verdicts: Sequence[CaseVerdict]) -> Iterator[ReportLine]:
        words = max(len(self._label(one)) for one in _STYLES)
        names = max((len(verdict.case.name) for verdict in verdicts), default=0)
        for verdict in verdicts:
            outcome = outcome_of(verdict)
            took = figure(verdict.seconds, 1, self.language)
            text = f"{self._label(outcome):<{words}}  {verdict.case.name:<{names}} {took:>6} s"
            yield ReportLine(text, _STYLES[outcome])

    def _measured(self, verdicts: Sequence[CaseVerdict]) -> Iterator[ReportLine]:
        for verdict in verdicts:
            if verdict.measured:
                yield ReportLine(verdict.case.name, "bold")
                yield from self._block(
                    "measured", (self._said(one.text) for one in verdict.measured)
                )
                yield ReportLine("")

    def _advice(self, verdicts: Sequence[CaseVerdict]) -> Iterator[ReportLine]:
        found = advice(verdicts)
        if found:
            yield ReportLine(self._label("advice-title"), "bold yellow")
        for one in found:
            yield ReportLine(one.verdict.case.name, "yellow")
            yield from self.advised(one.verdict, [one.fault])
            yield from self._others(one)
        if found:
            yield ReportLine("")

    def advised(self, verdict: CaseVerdict, faults: Iterable[CaseFault]) -> Iterator[ReportLine]:
        """What could be better in a case."""
        where = source_of(verdict.case, self.language)
        for fault in faults:
            yield from self._text("advised", f"{self._said(fault.problem)} ({where})")
            if fault.hint:
                yield from self._text("hint", self._said(fault.hint))

    def _others(self, found: Finding) -> Iterator[ReportLine]:
        names = ", ".join(verdict.case.name for verdict in found.others[:MENTIONED])
        if len(found.others) > MENTIONED:
            names = self._label("more", names=names, count=len(found.others) - MENTIONED)
        if names:
            yield from self._text("also-in", names)

    def _sum(self, verdicts: Sequence[CaseVerdict], seconds: float) -> Iterator[ReportLine]:
        count = len(verdicts)
        told = [self._label("one-case") if count == 1 else self._label("cases", count=count)]
        told.append(f"{figure(seconds, 1, self.language)} s")
        failed = sum(not verdict.passed for verdict in verdicts)
        advised = sum(verdict.advised for verdict in verdicts)
        ends = [self._label("some-failed", count=failed) if failed else self._label("all-passed")]
        ends += [self._label("some-advised", count=advised)] if advised else []
        style = "bold red" if failed else "bold green"
        yield ReportLine(f"{', '.join(told)}: {', '.join(ends)}.", style)
        if len(findings(verdicts)) > 1:
            yield ReportLine(self._label("begin"))

    # conversations

    def _conversation(self, verdict: CaseVerdict, fault: CaseFault) -> Iterator[ReportLine]:
        rows = shortened(dialogue(verdict, fault))
        key = self._label("wire-key")
        if any(row.seams for row in rows):
            key += self._label("wire-key-seam", seam=SEAM)
        if rows:
            yield from self._text("wire", key)
        for row in rows:
            yield from self._row(row)
        if fault.expected:
            room = room_of(self.width - INDENT)
            lines = [
                f"<{self._said(line)}>" if isinstance(line, str) else excerpt(line, None, room)[0]
                for line in fault.expected
            ]
            yield from self._block("expected", lines)

    def _row(self, row: DialogueRow) -> Iterator[ReportLine]:
        columns = self.width - TIMES
        if row.left_out:
            yield ReportLine(" " * TIMES + self._label("left-out", count=row.left_out))
            return
        time = "" if row.at is None else figure(row.at, 3, self.language)
        start = f"{'>' if row.here else ' '}{time:>9} {_ARROWS[row.side]} "
        style = "bold" if row.here else ""
        if row.side is Side.EVENT:
            for line in wrap(self._said(row.event), columns, break_on_hyphens=False) or [""]:
                yield ReportLine(start + line, style or "dim")
                start = " " * TIMES
            return
        start += f"[{printable(row.channel)}] " if row.channel else ""
        text, column = excerpt(row.data, row.mark, room_of(self.width - len(start)), row.seams)
        yield ReportLine(start + text, style)
        if column is not None:
            where = self._label("first-wrong")
            yield ReportLine(_mark(len(start) + column, where, self.width), "bold yellow")

    # lines

    def _label(self, code: str, **values: object) -> str:
        return in_language(label(code, **values), self.language)

    def _said(self, text: str) -> str:
        """A sentence, of which others may have written a part."""
        return printable(in_language(text, self.language))

    def _text(self, code: str, text: str, style: str = "") -> Iterator[ReportLine]:
        """A label, and a text beside it in as many lines as it needs."""
        return self._block(
            code, wrap(text, self.width - INDENT, break_on_hyphens=False) or [""], style
        )

    def _block(self, code: str, lines: Iterable[str], style: str = "") -> Iterator[ReportLine]:
        name = self._label(code) if code else ""
        for line in lines:
            yield ReportLine(f"  {name:<{INDENT - 2}}{line}", style)
            name = ""


def _mark(column: int, where: str = "", width: int = WIDTH) -> str:
    """The mark below a byte; where it is stands on the side that has room."""
    if where and column + len(where) + 2 > width and column > len(where):
        return f"{where:>{column - 1}} ^"
    return " " * column + "^" + (f" {where}" if where else "")
