"""A check as one HTML file that needs nothing else: to hand in, to publish, to print.

It holds both languages, and a switch without scripts. What programs have written is made harmless
twice: every byte that could do something is escaped as in the terminal, and what remains is
escaped for HTML. The file's own policy forbids scripts, and everything from elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from spielwerk import __version__
from spielwerk.check.case import Side, Wording, in_language
from spielwerk.check.dialogue import dialogue, shortened
from spielwerk.check.findings import advice, findings, serious
from spielwerk.check.report import figure, outcome_of, output_lines
from spielwerk.check.texts import has_label, label
from spielwerk.check.visible import Room, line_parts
from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from jinja2 import Template

    from spielwerk.check.case import CaseFault, CaseVerdict
    from spielwerk.check.dialogue import DialogueRow

LANGUAGES: Final = ("en", "de")
ROOM: Final = Room(400, 200, 60, 60)  # columns of a line; the page breaks it
ROWS: Final = 60  # of a dialogue that is shown in full
APART: Final = ("check", "title")  # what the heading tells
ARROWS: Final = {Side.CHECKER: "→", Side.PROGRAM: "←"}


def as_html(verdicts: Sequence[CaseVerdict], about: Mapping[str, Any], language: str) -> str:
    """The page, which opens in this language.

    `about` has the name of the check and what else is known, each shown by its name: `title`,
    `command`, `seed`, `date`, `seconds` and choices.
    """
    found = findings(verdicts)
    where = {
        verdict.case.name: number
        for number, finding in enumerate(found, 1)
        for verdict in finding.verdicts
    }
    return _template().render(
        language=language,
        languages=LANGUAGES,
        version=__version__,
        title=about.get("title") or about["check"],
        facts=list(_facts(about)),
        counts=_counts(verdicts),
        found=found,
        where=where,
        advice=advice(verdicts),
        groups=_groups(verdicts),
        measured=[verdict for verdict in verdicts if verdict.measured],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("spielwerk.check"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        t=lambda code, **values: both(label(code, **values)),
        plain=_plain,
        both=both,
        outcome=outcome_of,
        source=_source,
        seconds=_seconds,
        besides=_besides,
        output=output_lines,
        rows=_rows,
        wire=wire,
        arrows=ARROWS,
    )
    return environment.get_template("report.html")


# texts


def _plain(code: str, language: str, **values: object) -> str:
    """A label in the page's first language, where no markup can stand."""
    return printable(in_language(label(code, **values), language))


def both(text: str) -> Markup:
    """A text in both languages, of which the page shows one."""
    english, german = (printable(in_language(text, language)) for language in LANGUAGES)
    if english == german:
        return escape(english)
    spans = [
        Markup('<span lang="{}">{}</span>').format(language, told)
        for language, told in zip(LANGUAGES, (english, german), strict=True)
    ]
    return Markup("").join(spans)


def _source(verdict: CaseVerdict) -> Wording:
    source, decided = verdict.case.source, label("decided")
    german = in_language(source, "de")
    return (
        Wording(f"{source}; {decided}", f"{german}; {decided.de}")
        if verdict.case.decided
        else Wording(source, german)
    )


def _seconds(value: float) -> Wording:
    return Wording(*(figure(value, 1, language) for language in LANGUAGES))


def _facts(about: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was checked, in pairs of a heading and a text."""
    for name, value in about.items():
        if name in APART or value in (None, "", {}):
            continue
        heading = label(f"fact-{name}") if has_label(f"fact-{name}") else name.capitalize()
        yield heading, _fact(name, value)


def _fact(name: str, value: object) -> str:
    if name == "date":
        return str(value).replace("T", " ").replace("Z", " UTC")
    if isinstance(value, float):
        return _seconds(value)
    if isinstance(value, dict):
        return ", ".join(map(str, value.values()))
    return value if isinstance(value, str) else str(value)


# verdicts


def _counts(verdicts: Sequence[CaseVerdict]) -> dict[str, int]:
    outcomes = [outcome_of(verdict) for verdict in verdicts]
    return {one: outcomes.count(one) for one in ("failed", "advised", "passed")}


def _groups(verdicts: Sequence[CaseVerdict]) -> dict[str, list[CaseVerdict]]:
    groups: dict[str, list[CaseVerdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.case.group, []).append(verdict)
    return groups


def _besides(verdict: CaseVerdict, fault: CaseFault) -> list[CaseFault]:
    """The other things that were wrong, each kind once."""
    others = {one.kind: one for one in serious(verdict) if one.kind != fault.kind}
    return list(others.values())


# bytes


def wire(line: bytes | str, focus: int | None = None, seams: Collection[int] = ()) -> Markup:
    """A line with every byte visible: those that authors overlook framed, the wrong one marked."""
    if isinstance(line, str):
        return Markup('<span class="any">{}</span>').format(both(line))
    shown = Markup("")
    for part in line_parts(line, focus, ROOM, seams):
        text = escape(part.text) or Markup("&nbsp;")
        if part.kind != "text":
            text = Markup('<i class="{}">{}</i>').format(part.kind, text)
        shown += Markup("<mark>{}</mark>").format(text) if part.marked else text
    return shown


def _rows(verdict: CaseVerdict, fault: CaseFault | None) -> list[DialogueRow]:
    return shortened(dialogue(verdict, fault), ROWS)
