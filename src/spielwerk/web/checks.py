"""Checks of programs on the pages: authors start their program for each case, and watch.

A check listens at a port of its own and carries out one case after the other, as `spielwerk check
--wait` does. It is for visitors of this machine and the operator, unless `web.checks` allows more.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from spielwerk.check.case import CaseVerdict, Side, in_language, run, select
from spielwerk.check.catalogue import catalogue
from spielwerk.check.page import as_html
from spielwerk.errors import UsageError, quote
from spielwerk.platforms import require_posix
from spielwerk.web.bodies import BadRequest, Body, download, read_body, whole_number
from spielwerk.web.browsers import browser_of, is_local, is_operator
from spielwerk.web.matches import visible
from spielwerk.web.texts import language_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starlette.requests import Request

    from spielwerk.check.case import Case, TranscriptEntry
    from spielwerk.check.catalogue import ProgramCheck
    from spielwerk.check.trial import CheckSettings, Trial
    from spielwerk.web.site import Site

MOST: Final = 8  # checks that run at once
KEPT: Final = 3600.0  # seconds that a finished one can be read
ABANDONED: Final = 120.0  # seconds that no page has looked at one that runs
ENTRIES: Final = 400  # of a transcript in one answer
UNSHOWN: Final = ("case", "folder")  # of what the author is told
WAYS: Final = {Side.CHECKER: "out", Side.PROGRAM: "in", Side.EVENT: "event"}


class CheckWish(Body):
    """What a visitor wants to have checked."""

    check: str = ""
    choices: dict[str, str] = {}  # noqa: RUF012 - pydantic copies it
    cases: list[str] = []  # noqa: RUF012


class RunningCheck:
    """A check from its first case to its report."""

    def __init__(
        self, check: ProgramCheck, chosen: Mapping[str, str], cases: Sequence[Case], owner: str
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.owner = owner
        self.cases = cases
        self.verdicts: list[CaseVerdict] = []
        self.looked = time.monotonic()  # when a page has asked for it
        self.about = {"check": check.name, **chosen, "command": check.example}
        self._now: Case | None = None
        self._trial: Trial | None = None
        self._places: Mapping[str, str] = {}
        self._running: asyncio.Task[None] | None = None
        self._work: asyncio.Task[Any] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more is carried out."""
        return self._work is not None and self._work.done()

    def begin(self, settings: CheckSettings, make: Callable[[CheckSettings], Trial]) -> None:
        """Carry out the cases one after the other, in the background."""
        settings = replace(settings, tell=self._tell)

        def probe() -> Trial:
            self._trial = make(settings)
            return self._trial

        cases = [replace(case, run=self._watched(case)) for case in self.cases]
        self._work = asyncio.create_task(run(cases, probe, 1, self._judged))

    def skip(self) -> None:
        """Leave out the case that is carried out now."""
        if self._running:
            self._running.cancel()

    async def stop(self) -> None:
        """End it as it is."""
        if self._work:
            self._work.cancel()
            with suppress(asyncio.CancelledError, UsageError):
                await self._work

    def _tell(self, places: Mapping[str, str]) -> None:
        self._places = {name: value for name, value in places.items() if name not in UNSHOWN}

    def _judged(self, verdict: CaseVerdict) -> None:
        if verdict.case.name == getattr(self._now, "name", ""):
            self.verdicts.append(verdict)
        self._now = None

    def _watched(self, case: Case) -> Callable[[Any], Awaitable[None]]:
        async def carry_out(trial: Trial) -> None:
            self._now, self._places = case, {}
            self._running = asyncio.create_task(_bare(case.run(trial)))
            try:
                await self._running
            except asyncio.CancelledError:
                if not self._running.cancelled() or asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    self._running.cancel()
                    raise
                self._now = None  # it was skipped, and has no verdict

        return carry_out

    def told(self, language: str, seen: int) -> dict[str, Any]:
        """How far it is, and what was said in the current case after so many entries."""
        return {
            "id": self.id,
            "over": self.over,
            "about": self.about,
            "verdicts": {one.case.name: _verdict(one, language) for one in self.verdicts},
            "now": self._told_now(seen) if self._now else None,
        }

    def _told_now(self, seen: int) -> dict[str, Any]:
        entries = self._trial.transcript if self._trial else []
        return {
            "case": self._now.name if self._now else "",
            "places": dict(self._places),
            "entries": [_entry(one) for one in entries[seen : seen + ENTRIES]],
            "total": len(entries),
        }


async def _bare(work: Awaitable[None]) -> None:
    await work


def _entry(entry: TranscriptEntry) -> list[Any]:
    return [round(entry.at * 1000, 3), WAYS[entry.side], visible(entry.data)]


def _verdict(verdict: CaseVerdict, language: str) -> dict[str, Any]:
    state = "failed" if not verdict.passed else "advised" if verdict.advised else "passed"
    return {
        "state": state,
        "seconds": round(verdict.seconds, 3),
        "faults": [
            {
                "problem": in_language(fault.problem, language),
                "hint": in_language(fault.hint, language),
                "advice": fault.advice,
            }
            for fault in verdict.faults
        ],
    }


class CheckDesk:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._checks: dict[str, RunningCheck] = {}

    def routes(self) -> list[Route]:
        """The addresses of checks."""
        one = "/api/v1/checks/{id}"
        return [
            Route("/api/v1/checks", self.offered, methods=["GET"]),
            Route("/api/v1/checks", self.create, methods=["POST"]),
            Route(one, self.show, methods=["GET"]),
            Route(one, self.remove, methods=["DELETE"]),
            Route(f"{one}/said", self.said, methods=["GET"]),
            Route(f"{one}/skip", self.skip, methods=["POST"]),
            Route(f"{one}/report.html", self.report, methods=["GET"]),
        ]

    async def offered(self, request: Request) -> Response:
        """What can be checked, and whether this visitor may; on Windows there is nothing."""
        language = language_of(request)
        known = [] if sys.platform == "win32" else list(catalogue().values())
        listed = await asyncio.to_thread(lambda: [_offered(one, language) for one in known])
        return JSONResponse({"allowed": self._allows(request), "checks": listed})

    async def create(self, request: Request) -> Response:
        """Begin a check; an author has one at a time."""
        self._require(request)
        require_posix("a check")
        wish = await read_body(request, CheckWish)
        owner = browser_of(request)
        await self._make_room(owner)
        check = catalogue().get(wish.check)
        if check is None:
            raise BadRequest(f"check = {quote(wish.check)}: there is no such check")
        chosen = check.chosen(wish.choices)
        cases, trial = check.prepare(chosen)
        begun = RunningCheck(check, chosen, select(_by_hand(cases), wish.cases), owner)
        begun.begin(self._settings(request), trial)
        self._checks[begun.id] = begun
        return JSONResponse({"id": begun.id}, 201)

    def _settings(self, request: Request) -> CheckSettings:
        """Where the author's program finds us: here, or at the address that the page came from."""
        from spielwerk.check.trial import HERE, CheckSettings  # Windows has no such processes

        host = HERE if is_local(request.scope) else request.scope["server"][0]
        return CheckSettings(port=_free_port(host), host=host)

    async def _make_room(self, owner: str) -> None:
        for one in list(self._checks.values()):
            alone = time.monotonic() - one.looked > (KEPT if one.over else ABANDONED)
            if alone or (one.owner == owner and not one.over):
                await one.stop()
                del self._checks[one.id]
        if sum(not one.over for one in self._checks.values()) >= MOST:
            raise HTTPException(429, "too many checks run at the moment; try again later")

    async def show(self, request: Request) -> Response:
        """How far a check is."""
        check = self._find(request)
        seen = whole_number(request, "seen", 0, 10**9)
        return JSONResponse(check.told(language_of(request), seen))

    async def said(self, request: Request) -> Response:
        """What was said in a case that is over."""
        name = request.query_params.get("case", "")
        for verdict in self._find(request).verdicts:
            if verdict.case.name == name:
                shown = verdict.transcript[-ENTRIES:]
                return JSONResponse({"entries": [_entry(one) for one in shown]})
        raise HTTPException(404, "there is no verdict on this case")

    async def skip(self, request: Request) -> Response:
        """Leave out a case."""
        self._find(request).skip()
        return JSONResponse({})

    async def remove(self, request: Request) -> Response:
        """End a check; its report stays for a while."""
        await self._find(request).stop()
        return JSONResponse({})

    async def report(self, request: Request) -> Response:
        """What was found, as a page to keep: it is saved, for here nothing inline is shown."""
        check = self._find(request)
        page = as_html(check.verdicts, check.about, language_of(request))
        return download(HTMLResponse(page), f"check-{check.about['check']}.html")

    def _find(self, request: Request) -> RunningCheck:
        self._require(request)
        found = self._checks.get(request.path_params["id"])
        if found is None:
            raise HTTPException(404, "there is no such check")
        found.looked = time.monotonic()
        return found

    def _allows(self, request: Request) -> bool:
        allowed = self._site.settings.checks
        return allowed == "everybody" or is_local(request.scope) or is_operator(request)

    def _require(self, request: Request) -> None:
        if not self._allows(request):
            raise HTTPException(403, "checks are for visitors of this machine and the operator")


def _offered(check: ProgramCheck, language: str) -> dict[str, Any]:
    choices = check.choices()
    cases, _ = check.prepare(check.chosen({}))
    return {
        "name": check.name,
        "title": in_language(check.title, language),
        "example": check.example,
        "choices": {name: list(values) for name, values in choices.items()},
        "cases": [_case(case, language) for case in _by_hand(cases)],
    }


def _by_hand(cases: Sequence[Case]) -> list[Case]:
    """Those that a program can show which its author has started."""
    return [case for case in cases if not case.started]


def _case(case: Case, language: str) -> dict[str, Any]:
    told = {name: getattr(case, name) for name in ("rule", "source", "says", "why")}
    return {"name": case.name, **{name: in_language(text, language) for name, text in told.items()}}


def _free_port(host: str) -> int:
    """A port that all cases of a check share, so that one command serves them all."""
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port
