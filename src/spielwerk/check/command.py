"""The frame of `spielwerk check NAME`: options, progress, files and the report."""

from __future__ import annotations

import inspect
import math
import time
from contextlib import nullcontext, suppress
from dataclasses import MISSING, dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_type_hints

import typer

from spielwerk.errors import UsageError, printable, quote
from spielwerk.platforms import require_posix
from spielwerk.terminal.commands import progress, whole_number

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from spielwerk.check.case import Case, CaseVerdict
    from spielwerk.check.catalogue import ProgramCheck
    from spielwerk.check.trial import CheckSettings, Trial


LANGUAGES: Final = ("de", "en")
WIDEST: Final = 120  # columns of a terminal that are used


def seconds(text: str) -> float:
    """Read a time that was typed."""
    try:
        time = float(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is not a number of seconds") from None
    if not 0 < time <= 3600 or math.isnan(time):
        raise typer.BadParameter(f"{quote(text)} is not between 0 and 3600 seconds")
    return time


def port_number(text: str) -> int:
    """Read a port that was typed."""
    port = whole_number(text)
    if not 0 < port < 65536:
        raise typer.BadParameter(f"{port} is no TCP port; they are 1 to 65535")
    return port


def positive(text: str) -> int:
    """Read a number of things that was typed."""
    count = whole_number(text)
    if not 1 <= count <= 256:
        raise typer.BadParameter(f"{count} is not between 1 and 256")
    return count


def language_code(text: str) -> str:
    """Read a language that was typed."""
    if text not in LANGUAGES:
        raise typer.BadParameter(f"{quote(text)}: expected {' or '.join(LANGUAGES)}")
    return text


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What every check takes."""

    only: Annotated[
        list[str] | None,
        typer.Option(
            "--case",
            "--only",
            metavar="PATTERN",
            help="Run only these cases or groups (* and ? work); repeatable.",
        ),
    ] = None
    list_cases: Annotated[
        bool, typer.Option("--list", help="List the cases with their rules, and exit.")
    ] = False
    document_only: Annotated[
        bool,
        typer.Option(
            "--document-only", help="Skip what the document leaves open (marked * in --list)."
        ),
    ] = False
    seed: Annotated[int, typer.Option(parser=whole_number, help="Seed for the random cases.")] = 0
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
    ] = None
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the results as JUnit XML.")
    ] = None
    html: Annotated[
        Path | None,
        typer.Option(
            "--html", metavar="FILE", help="Write the results as one HTML page to hand in."
        ),
    ] = None
    language: Annotated[
        str, typer.Option(parser=language_code, help="Language of the report: de or en.")
    ] = "en"
    jobs: Annotated[
        int | None, typer.Option("--jobs", "--parallel", parser=positive, help="Cases run at once.")
    ] = None


@dataclass(frozen=True, slots=True)
class ProgramOptions:
    """What every check of a program takes besides."""

    port: Annotated[
        int | None,
        typer.Option(
            parser=port_number,
            help="Fixed port, for programs that know only one; cases then run one by one.",
        ),
    ] = None
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder to start the program in.")
    ] = None
    wait: Annotated[
        bool, typer.Option("--wait", help="Start nothing; say for each case what to connect to.")
    ] = False
    timeout: Annotated[
        float, typer.Option(parser=seconds, help="Seconds that the program has to start.")
    ] = 10.0


def with_options(*groups: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of these classes; it is passed one object of each."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True)
        parameters = [one for one in own.parameters.values() if one.annotation not in groups]
        parameters += [one for group in groups for one in _parameters(group)]

        def run(**values: Any) -> None:
            made = {
                name: group(**{one.name: values.pop(one.name) for one in fields(group)})
                for group in groups
                for name, parameter in own.parameters.items()
                if parameter.annotation is group
            }
            command(**values, **made)

        run.__doc__ = command.__doc__
        run.__name__ = command.__name__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def _parameters(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=hints[one.name],
        )
        for one in fields(group)
    ]


def list_cases(cases: Sequence[Case], language: str = "en") -> None:
    """Print the cases and their rules."""
    from spielwerk.check.case import in_language

    width = max((len(case.name) for case in cases), default=0)
    for case in cases:
        mark = "*" if case.decided else " "
        rule, source = in_language(case.rule, language), in_language(case.source, language)
        typer.echo(f"{case.name:<{width}} {mark} {rule} ({source})")


def check_files(options: ReportOptions) -> None:
    """Say before the work, not after it, that a file cannot be written."""
    for file in filter(None, (options.json, options.junit, options.html)):
        _write(file, "", "a")


def _write(file: Path, text: str, mode: str = "w") -> None:
    try:
        with file.open(mode, encoding="utf-8", newline="\n") as written:
            written.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {quote(str(file))}: {error.strerror}") from None


def carry_out(
    count: int,
    check: Callable[[Callable[[CaseVerdict], None]], Awaitable[list[CaseVerdict]]],
    language: str = "en",
    *,
    bar: bool = True,
) -> tuple[list[CaseVerdict], float]:
    """The verdicts of so many cases, and the seconds they took; a bar shows how far it is."""
    from spielwerk.check.case import in_language
    from spielwerk.check.running import until_stopped
    from spielwerk.check.texts import label

    start = time.monotonic()
    failed = done = 0
    with progress() if bar else nullcontext(lambda *_: None) as show:

        def judged(verdict: CaseVerdict) -> None:
            nonlocal failed, done
            done += 1
            failed += not verdict.passed
            now = label("progress", done=done, count=count, failed=failed)
            show(in_language(now, language), done / count)

        async def run() -> list[CaseVerdict]:
            return await check(judged)

        show(in_language(label("starting"), language), 0.0)
        verdicts = until_stopped(run())
    return verdicts, time.monotonic() - start


def check_server(
    cases: Sequence[Case],
    check: Callable[[Callable[[CaseVerdict], None]], Awaitable[list[CaseVerdict]]],
    about: Callable[[], tuple[Mapping[str, object], str]],
    options: ReportOptions,
) -> None:
    """Check a server that runs; what the report is headed with may be known afterwards only."""
    if options.list_cases:
        list_cases(cases, options.language)
        return
    check_files(options)
    verdicts, duration = carry_out(len(cases), check, options.language)
    conclude(verdicts, *about(), duration, options)


def check_program(
    check: ProgramCheck,
    wishes: Mapping[str, str | None],
    typed: Sequence[str] | None,
    program: ProgramOptions,
    options: ReportOptions,
    *,
    knows_port: bool = False,
) -> None:
    """Check a program that is started by a command, or by its author.

    One that is interrupted is reported on as far as it came.
    """
    require_posix("a check of programs")
    from spielwerk.check.case import select
    from spielwerk.check.texts import label

    chosen = check.chosen(wishes)
    cases, trial = check.prepare(chosen)
    unfit = [case for case in cases if program.wait and case.started]
    unfit += [case for case in cases if options.document_only and case.decided]
    cases = select([case for case in cases if case not in unfit], options.only or [])
    if options.list_cases:
        list_cases(cases, options.language)
        return
    _look_at_command(typed or (), program, knows_port=knows_port or bool(program.port))
    check_files(options)
    command = " ".join(typed or ()) or label("by-hand")
    about: dict[str, object] = {"check": check.name, "title": check.title, **chosen}
    about |= {"seed": options.seed, "command": command}
    start = time.monotonic()
    heard: list[CaseVerdict] = []

    def report() -> None:
        ordered = sorted(heard, key=lambda verdict: cases.index(verdict.case))
        conclude(ordered, about, command, time.monotonic() - start, options)

    try:
        _carry_out_all(cases, trial, typed or (), program, options, heard.append)
    except SystemExit:  # interrupted
        if heard:
            with suppress(SystemExit):
                report()
        raise
    report()


def _look_at_command(typed: Sequence[str], program: ProgramOptions, *, knows_port: bool) -> None:
    from spielwerk.check.program import is_told_port

    if program.wait:
        return
    if not typed:
        raise UsageError(
            "which program? write its command behind --, or --wait to start it by hand"
        )
    if not is_told_port(typed) and not knows_port:
        raise UsageError(
            "how shall the program know the port? write {port} into its command, "
            "or name the port that it knows with --port"
        )


def _carry_out_all(
    cases: list[Case],
    trial: Callable[[CheckSettings], Trial],
    typed: Sequence[str],
    program: ProgramOptions,
    options: ReportOptions,
    hear: Callable[[CaseVerdict], None],
) -> None:
    from spielwerk.check.case import in_language, run
    from spielwerk.check.running import ByHand, run_all
    from spielwerk.check.texts import label
    from spielwerk.check.trial import CheckSettings

    say = partial(typer.echo, err=True)
    folder = (program.folder or Path.cwd()).resolve()
    if not folder.is_dir():
        raise UsageError(f"--folder {quote(str(folder))}: there is no such folder")
    settings = CheckSettings((*typed,), folder, program.port or 0, program.timeout, options.seed)
    by_hand = ByHand(cases, typed, options.language, say)
    if program.wait:
        settings = replace(settings, command=(), tell=by_hand.tell)
    jobs = 1 if program.port else options.jobs or 4

    async def checked(done: Callable[[CaseVerdict], None]) -> list[CaseVerdict]:
        def told(verdict: CaseVerdict) -> None:
            hear(verdict)
            (by_hand.done if program.wait else done)(verdict)

        if program.wait:
            return await run(cases, lambda: trial(settings), 1, told)
        return await run_all(cases, lambda: trial(settings), jobs, told)

    verdicts, _ = carry_out(len(cases), checked, options.language, bar=not program.wait)
    if len(verdicts) < len(cases):
        left_out = label("given-up", tried=len(verdicts), count=len(cases) - len(verdicts))
        say(in_language(left_out, options.language))


def conclude(
    verdicts: Sequence[CaseVerdict],
    about: Mapping[str, object],
    head: str,
    duration: float,
    options: ReportOptions,
) -> None:
    """Write the files, print the report with colours where a terminal wants them, and exit.

    The exit status is 1 if a case failed.
    """
    from spielwerk.check.exports import as_json, as_junit

    language = options.language
    date = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    about = {**about, "date": date, "seconds": round(duration, 1)}
    if options.json:
        _write(options.json, as_json(verdicts, about))
    if options.junit:
        _write(options.junit, as_junit(verdicts, f"{about['check']} {head}", language))
    if options.html:
        from spielwerk.check.page import as_html

        _write(options.html, as_html(verdicts, about, language))
    _print_report(verdicts, head, duration, language)
    if not all(verdict.passed for verdict in verdicts):
        raise SystemExit(1)


def _print_report(
    verdicts: Sequence[CaseVerdict], head: str, duration: float, language: str
) -> None:
    from rich.console import Console

    from spielwerk.check.case import in_language
    from spielwerk.check.report import WIDTH, ReportLine, report

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    width = min(max(console.width, WIDTH), WIDEST) if console.is_terminal else WIDTH
    head = printable(in_language(head, language))
    for line in (ReportLine(head), ReportLine(""), *report(verdicts, duration, language, width)):
        console.print(line.text, style=line.style or None)
