"""Checks on the pages: a program is led through cases, watched, and reported on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.check.mnm.honest import HonestClient
from tests.servers.live import Live, live, settings_for
from tests.waiting import wait_until
from tests.web.people import Browser

CHECKS = "/api/v1/checks"
FORWARDED = {"X-Forwarded-For": "203.0.113.9"}  # a proxy asks for another machine


def begun(browser: Browser, *cases: str, **wish: Any) -> str:
    answer = browser.post(CHECKS, {"check": "mnm", "cases": cases, **wish})
    assert answer.status == 201, answer.body
    return f"{CHECKS}/{answer.json['id']}"


def waiting(browser: Browser, path: str) -> dict[str, Any]:
    """The case whose program is waited for."""

    def look() -> dict[str, Any] | None:
        now = browser.get(path).json["now"]
        return now if now and now["places"] else None

    found: dict[str, Any] = wait_until(look)
    return found


def play(places: dict[str, str], kind: str = "Quarto") -> None:
    asyncio.run(HonestClient(places, kind).run())


@pytest.fixture
def cases(anna: Browser) -> list[str]:
    offered = anna.get(CHECKS).json["checks"]
    return [case["name"] for case in offered[0]["cases"]]


def test_a_program_is_led_through_a_case_and_reported_on(anna: Browser, cases: list[str]) -> None:
    path = begun(anna, cases[0])
    now = waiting(anna, path)
    assert now["case"] == cases[0]
    play(now["places"])
    told = wait_until(lambda: (state := anna.get(path).json)["over"] and state)
    assert told["verdicts"][cases[0]]["state"] == "passed"
    said = anna.get(f"{path}/said?case={cases[0]}").json["entries"]
    assert next(text for _, way, text in said if way == "in").startswith("VERSION 1")
    assert cases[0] in anna.get(f"{path}/report.html").body.decode()


def test_what_is_wrong_is_told_in_the_readers_language(anna: Browser, cases: list[str]) -> None:
    path = begun(anna, cases[0])
    play(waiting(anna, path)["places"], "Chess")  # it leaves when it hears of another game
    wait_until(lambda: anna.get(path).json["over"])
    verdict = anna.get(f"{path}?lang=de").json["verdicts"][cases[0]]
    assert verdict["state"] == "failed"
    assert "Client" in verdict["faults"][0]["problem"]


def test_a_case_can_be_left_out_and_a_check_ended(anna: Browser, cases: list[str]) -> None:
    path = begun(anna, *cases[:2])
    assert waiting(anna, path)["case"] == cases[0]
    anna.post(f"{path}/skip")
    wait_until(lambda: waiting(anna, path)["case"] == cases[1])
    anna.ask("DELETE", path)
    told = anna.get(path).json
    assert (told["over"], told["verdicts"]) == (True, {})


def test_an_author_has_one_check_at_a_time(anna: Browser, bert: Browser, cases: list[str]) -> None:
    anna.get("/check")
    bert.get("/check")
    first, others = begun(anna, cases[0]), begun(bert, cases[0])
    second = begun(anna, cases[0])
    assert anna.get(first).status == 404
    assert bert.get(others).json["over"] is False
    for browser, path in ((anna, second), (bert, others)):
        browser.ask("DELETE", path)


@pytest.mark.parametrize(
    ("wish", "named"),
    [
        ({"check": "chess"}, "chess"),
        ({"cases": ["nonsense"]}, "nonsense"),
        ({"choices": {"dialect": "9"}}, "'9'"),
        ({"choices": 5}, "choices"),
    ],
)
def test_a_wish_that_makes_no_sense(anna: Browser, wish: dict[str, Any], named: str) -> None:
    answer = anna.post(CHECKS, {"check": "mnm", **wish})
    assert answer.status == 400
    assert named in answer.json["error"]


def test_other_machines_may_only_look_unless_the_setting_allows_more(
    server: Live, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def ask(one: Live) -> tuple[bool, int]:
        stranger = Browser(one)
        allowed = stranger.ask("GET", CHECKS, **FORWARDED).json["allowed"]
        wish = {"check": "mnm", "cases": []}
        answer = stranger.ask("POST", CHECKS, wish, **FORWARDED)
        if answer.status == 201:
            stranger.ask("DELETE", f"{CHECKS}/{answer.json['id']}", **FORWARDED)
        return allowed, answer.status

    assert ask(server) == (False, 403)
    with live(settings_for(tmp_path_factory.mktemp("open"), checks="everybody")) as one:
        assert ask(one) == (True, 201)
