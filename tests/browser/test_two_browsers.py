"""People against each other, each in a browser of their own; others only look on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.play import NewPerson, Person

FORGED = """([table, seat, ply, move]) => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/live?table=${table}&seen=0`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "move", id: "x", seat, ply, move }));
  socket.onmessage = ({ data }) => {
    const heard = JSON.parse(data);
    if (heard.id === "x") resolve(heard);
  };
})"""


@pytest.fixture
def players(person: NewPerson) -> tuple[Person, Person]:
    """Ada, who has set up a table, and Bo, who has taken the open seat; Ada is to move."""
    return meet(person(), person(language="en"))


def meet(ada: Person, bo: Person) -> tuple[Person, Person]:
    host = {"type": "HUMAN", "name": "Ada", "here": True}
    ada.visit(ada.served.new("oware", host, "OPEN", page=ada.page))
    expect(ada.seat(1)).to_contain_text(ada.t("table.free"))
    expect(ada.banner).to_contain_text(ada.t("table.seatIsFree"))
    bo.visit(ada.table)
    bo.take(1, "Bo")
    assert ada.ready()
    expect(ada.headline).to_have_text(ada.t("table.yourTurn"))
    expect(bo.headline).to_have_text(bo.t("table.turnOf", name="Ada"))
    return ada, bo


def onlooker(person: NewPerson, table: str) -> Person:
    """A spectator."""
    one = person()
    one.visit(table)
    expect(one.headline).to_have_text(one.t("table.turnOf", name="Ada"))
    return one


def go_on(one: Person) -> str:
    """Play any move, when it is one's turn, and see it in the list."""
    assert one.ready()
    move = str(one.state().legal_moves()[0])
    count = len(plies(one))
    one.play(move)
    expect(one.page.locator(".moves .mv")).to_have_count(count + 1)
    return move


def plies(one: Person) -> list[str]:
    """The moves that the server has kept."""
    return [move["move"] for move in one.record()["moves"]]


def closed(one: Person) -> None:
    """Nothing can be played from this page."""
    expect(one.board.locator(".target").first).to_be_visible()
    expect(one.board.locator('.target[aria-disabled="false"], .target.is-legal')).to_have_count(0)
    expect(one.banner.get_by_label(one.t("table.typeMove"))).to_have_count(0)
    expect(one.banner.get_by_role("button", name=one.t("table.hint"))).to_have_count(0)


def test_a_move_is_seen_by_the_other_side(players: tuple[Person, Person]) -> None:
    for number in range(4):
        move = go_on(players[number % 2])
        other = players[1 - number % 2]
        assert other.ready()
        expect(other.page.locator(".moves .mv").nth(number)).to_have_text(move)


def test_spectators_cannot_move(players: tuple[Person, Person], person: NewPerson) -> None:
    ada, bo = players
    eve = onlooker(person, ada.table)
    closed(eve)
    expect(eve.page.get_by_role("button", name=eve.t("table.resign"))).to_have_count(0)
    expect(eve.page.get_by_role("button", name=eve.t("table.mySeat"))).to_have_count(0)
    eve.board.locator('.target[data-id="A0"]').click(force=True)
    for cheat in (eve, bo):
        answer = cheat.page.evaluate(FORGED, [ada.table, 0, 0, "0"])
        assert (answer["type"], answer["error"]) == ("refused", "this seat is not yours")
    assert plies(ada) == []
    assert go_on(ada) in plies(ada)
    closed(eve)


def test_a_secret_link_takes_the_seat_along(
    players: tuple[Person, Person], person: NewPerson
) -> None:
    ada, bo = players
    page = ada.page
    page.get_by_role("button", name=ada.t("table.mySeat")).click()
    page.get_by_role("button", name=ada.t("table.showSeatLink")).click()
    link = page.get_by_role("dialog").get_by_label(ada.t("table.seatLink")).input_value()
    elsewhere = person()
    elsewhere.page.goto(link)
    elsewhere.arrive()
    expect(elsewhere.banner).to_contain_text(elsewhere.t("table.seatMoved"))
    expect(elsewhere.page).to_have_url(f"{ada.served.url}/t/{ada.table}")
    page.keyboard.press("Escape")
    closed(ada)
    go_on(elsewhere)
    go_on(bo)
    assert len(plies(bo)) == 2


def test_a_viewer_who_has_gone_back_is_not_pulled_forward(
    players: tuple[Person, Person], person: NewPerson
) -> None:
    ada, bo = players
    for one in (ada, bo, ada):
        go_on(one)
    assert bo.ready()
    eve = person()
    eve.visit(ada.table)
    expect(eve.headline).to_have_text(eve.t("table.turnOf", name="Bo"))
    for _ in range(2):
        eve.page.keyboard.press("ArrowLeft")
    expect(eve.headline).to_have_text(eve.t("table.atPly", ply=1, total=3))
    before = eve.board.inner_html()
    go_on(bo)
    go_on(ada)
    expect(eve.headline).to_have_text(eve.t("table.atPly", ply=1, total=5))
    assert eve.board.inner_html() == before
    eve.page.get_by_role("button", name=eve.t("table.newMoves", count=2)).click()
    expect(eve.headline).to_have_text(eve.t("table.turnOf", name="Bo"))
    assert eve.board.inner_html() != before
    go_on(bo)
    expect(eve.headline).to_have_text(eve.t("table.turnOf", name="Ada"))


def test_both_see_when_the_other_goes_and_comes_back(players: tuple[Person, Person]) -> None:
    ada, bo = players
    seat = ada.seat(1)
    expect(seat).to_contain_text(ada.t("table.conn.connected"))
    bo.page.goto(f"{ada.served.url}/help")
    expect(seat).to_contain_text(ada.t("table.conn.away"))
    bo.visit(ada.table)
    expect(seat).to_contain_text(ada.t("table.conn.connected"))
    go_on(ada)
    go_on(bo)


def test_resigning_and_another_game(players: tuple[Person, Person]) -> None:
    ada, bo = players
    go_on(ada)
    assert bo.ready()
    ada.page.get_by_role("button", name=ada.t("table.resign")).click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text(ada.t("table.resignText", name="Ada"))
    dialog.get_by_role("button", name=ada.t("table.resign")).click()
    for one in players:
        expect(one.headline).to_have_text(one.t("table.end.wins", name="Bo", turn=1))
        expect(one.banner).to_contain_text(one.t("table.end.resignation", name="Ada"))
    bo.page.get_by_role("button", name=bo.t("table.rematch")).click()
    expect(ada.banner).to_contain_text(ada.t("table.offered.rematch", name="Bo"))
    ada.page.get_by_role("button", name=ada.t("table.rematch")).click()
    for one in (bo, ada):  # both go there when both agree
        one.page.wait_for_url(re.compile(rf"/t/(?!{ada.table})"))
    bo.arrive()
    ada.arrive()
    names = [seat["name"] for seat in bo.record()["seats"]]
    assert sorted(names) == ["Ada", "Bo"]
    first, second = (ada, bo) if names[0] == "Ada" else (bo, ada)
    go_on(first)
    go_on(second)
    assert len(plies(ada)) == 2
