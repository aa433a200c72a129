"""Lobby, new game, settings and help, as people use them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from spielwerk.servers.dice import DiceSettings
from spielwerk.servers.mnm import MnmSettings
from spielwerk.web.api import offered_games
from spielwerk.web.site import UsualTable
from tests.browser.arena import Arena
from tests.servers.live import live, settings_for

TABLE = re.compile(r"/t/[a-z0-9]{13}$")


def seat(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=name, exact=True)


class TestNewGame:
    def test_wrong_values_are_named_with_their_range(self, page: Page, served: Arena) -> None:
        page.goto(f"{served.url}/new?game=quarto")
        page.get_by_label("Brettgröße").fill("17")
        page.get_by_role("button", name="pro Zug").click()
        page.get_by_label("Zeit pro Zug").fill("-1")
        page.get_by_role("button", name="Tisch anlegen").click()
        assert page.locator(".fault:visible").all_inner_texts() == [
            "Brettgröße: „17“ ist keine ganze Zahl von 2 bis 16.",
            "Zeit pro Zug: „-1“ ist keine Zahl von 0,01 bis 86400.",
        ]
        expect(page.get_by_label("Brettgröße")).to_be_focused()

    @pytest.mark.usefixtures("errors")
    def test_the_choice_is_remembered(self, page: Page, served: Arena) -> None:
        page.goto(f"{served.url}/new?game=quarto")
        page.get_by_label("Brettgröße").fill("5")
        seat(page, "Spieler 0").get_by_role("button", name="TCP-Client").click()
        page.get_by_role("button", name="Tisch anlegen").click()
        page.wait_for_url(TABLE)
        page.goto(f"{served.url}/new?game=quarto")
        expect(page.get_by_label("Brettgröße")).to_have_value("5")
        pressed = seat(page, "Spieler 0").get_by_role("button", name="TCP-Client")
        expect(pressed).to_have_attribute("aria-pressed", "true")

    @pytest.mark.usefixtures("errors")
    def test_the_server_s_settings_are_the_defaults(self, page: Page, tmp_path: Path) -> None:
        settings = settings_for(tmp_path).replaced(
            dice=DiceSettings(ports=("0",), target=200, rounds=80, answer=3.5),
            mnm=MnmSettings(ports=("0",), move_time=1234),
        )
        target, time = page.get_by_label("Ziel (Punkte)"), page.get_by_label("Zeit pro Zug")
        with live(settings) as server:
            self.open_for_clients(page, f"{server.url}/new?game=quarto", 2)
            expect(time).to_have_value("1,234")
            self.open_for_clients(page, f"{server.url}/new?game=dice", 3)
            expect(time).to_have_value("3,5")
            expect(page.get_by_role("button", name="Uhr")).to_be_disabled()  # bots are not told
            expect(target).to_have_value("200")
            page.get_by_role("button", name="Tisch anlegen").click()
            page.wait_for_url(TABLE)
            game = page.url.rpartition("/")[2]
            made = server.get(f"/api/v1/matches/{game}").json
            assert (made["timeout"], made["options"][:2]) == (3500, ["target=200", "rounds=80"])
            later = offered_games(UsualTable(options={"dice": {"target": 90}}))
            page.route("**/api/v1/games", lambda route: route.fulfill(json=later))
            page.goto(f"{server.url}/new?game=dice")
            expect(target).to_have_value("90")  # what was only the default is not remembered

    def open_for_clients(self, page: Page, address: str, seats: int) -> None:
        page.goto(address)
        for number in range(seats):
            seat(page, f"Spieler {number}").get_by_role("button", name="TCP-Client").click()

    @pytest.mark.usefixtures("errors")
    @pytest.mark.fresh  # with a clock of its own
    def test_a_clock_is_chosen_runs_and_is_remembered(self, page: Page, served: Arena) -> None:
        page.clock.install()
        page.goto(f"{served.url}/new?game=quarto")
        seat(page, "Spieler 1").get_by_role("button", name="Mensch").click()
        page.get_by_role("button", name="Spieler 0", exact=True).click()  # begins
        page.get_by_label("Erster Stein").fill("0")
        page.get_by_role("button", name="Uhr").click()
        page.get_by_label("Zeit je Spieler").fill("4,5")
        page.get_by_label("Zuschlag pro Zug").fill("200")
        page.get_by_role("button", name="Tisch anlegen").click()
        page.wait_for_url(TABLE)
        first, second = (page.locator(".seat", has_text=f"Spieler {n}") for n in (0, 1))
        running, low = re.compile(r"\bis-running\b"), re.compile(r"\bis-low\b")
        expect(first).to_have_class(running)
        expect(second.locator(".clock")).to_have_text("4:30min")
        expect(first).not_to_have_class(low)
        page.clock.fast_forward(255_000)  # the page believes so; the server does not
        expect(first).to_have_class(low)
        expect(first.locator(".clock")).to_have_text(re.compile(r"^(0:1\dmin|\d,\ds)$"))
        page.get_by_label("Zug eingeben").fill(
            "A1,2" if "Stein 2 " not in page.content() else "A1,3"
        )
        page.keyboard.press("Enter")
        expect(second).to_have_class(running)
        expect(first.locator(".clock")).to_have_text(
            re.compile(r"^7:\d\dmin$")
        )  # with the increment
        page.get_by_role("button", name="Ein Zug zurück").click()
        expect(first.locator(".clock")).to_have_text("4:30min")  # as it was then
        page.goto(f"{served.url}/new?game=quarto")
        expect(page.get_by_label("Zeit je Spieler")).to_have_value("4,5")

    @pytest.mark.usefixtures("errors")
    def test_storage_may_hold_rubbish(self, page: Page, served: Arena) -> None:
        rubbish = {"seats": [{"kind": "x"}, 5], "options": {"n": [1]}, "time": {}}
        page.goto(f"{served.url}/new?game=quarto")
        page.evaluate(
            "text => localStorage.setItem('spielwerk.new.quarto', text)", json.dumps(rubbish)
        )
        page.evaluate('localStorage.setItem(\'spielwerk\', \'{"step": "x", "theme": 1}\')')
        page.reload()
        expect(page.get_by_label("Brettgröße")).to_have_value("4")


class TestLobby:
    @pytest.mark.usefixtures("errors")
    def test_new_tables_appear_and_names_are_only_text(self, page: Page, served: Arena) -> None:
        page.goto(served.url)
        name = "<img src=x onerror=alert(1)>"
        table = served.new("Quarto", "COMPUTER", "HUMAN", name=name)
        row = page.locator(f"[data-id='{table}']")
        expect(row).to_contain_text(name)
        expect(row).to_contain_text("wartet auf TCP-Client")
        expect(row).to_contain_text(table)
        row.get_by_role("link", name="Platz nehmen").click()
        page.wait_for_url(TABLE)

    @pytest.mark.usefixtures("errors")
    def test_searching_by_id_and_opening_it(self, page: Page, served: Arena) -> None:
        table = served.new("NMMorris", "COMPUTER", "COMPUTER", name="Suche mich")
        page.goto(served.url)
        page.get_by_label("Name oder Game-ID").fill(table)
        expect(page.locator(".trow")).to_have_count(1)
        page.keyboard.press("Enter")
        page.wait_for_url(TABLE)

    def test_the_line_of_a_tile_leads_to_the_form(self, page: Page, served: Arena) -> None:
        page.goto(served.url)
        page.get_by_title("Vier gewinnt 3D: Stufe und Beginn ändern").click()
        page.get_by_role("link", name="Mehr Optionen").click()
        expect(page.get_by_label("Ebenen")).to_have_value("4")


class TestDialects:
    """A server for three generations of clients shows what each of its ports speaks."""

    @pytest.mark.usefixtures("errors")
    def test_lobby_help_form_and_table_name_them(self, page: Page, tmp_path: Path) -> None:
        mnm = MnmSettings(ports=("0", "0:2", "0:3"))
        with live(settings_for(tmp_path).replaced(mnm=mnm)) as server:
            ports = [str(port) for _, port in server.server.addresses["mnm"]]
            page.goto(server.url)
            for number, port in enumerate(ports, 1):
                expect(page.locator(".srv")).to_contain_text(f"127.0.0.1:{port}Dialekt {number}")
            self.look_at_help(page, server.url, ports)
            page.goto(f"{server.url}/new?game=morris")
            pace = page.get_by_label("Wie der Server Zeilen sendet")
            expect(pace).to_be_hidden()
            seat(page, "Weiß (Spieler 0)").get_by_role("button", name="TCP-Client").click()
            pace.select_option("block")
            page.get_by_role("button", name="Tisch anlegen").click()
            page.wait_for_url(TABLE)
            game = page.url.rpartition("/")[2]
            assert server.get(f"/api/v1/matches/{game}").json["wire"] == {"pace": "block"}
            doors = page.locator(".panel--wire dl > div")
            for number, (port, known) in enumerate(
                zip(ports, (game[:11], game, game), strict=True)
            ):
                expect(doors.nth(number + 1)).to_have_text(f"Dialekt {number + 1}{port}{known}")

    @staticmethod
    def look_at_help(page: Page, url: str, ports: list[str]) -> None:
        page.goto(f"{url}/help")
        quarto = page.locator("#quarto")
        for number, version in ((3, "v3.1"), (2, "v2.3"), (1, "v1.0")):
            quarto.get_by_role("button", name=f"Dialekt {number}").click()
            expect(quarto.locator(".command")).to_contain_text(ports[number - 1])
            expect(quarto.get_by_text(f"MNM Gameserver {version}").first).to_be_visible()
            expect(quarto.locator(".spoken:visible")).to_have_count(1)


class TestSettings:
    @pytest.mark.usefixtures("errors")
    def test_they_work_at_once(self, page: Page, served: Arena) -> None:
        page.goto(f"{served.url}/settings")
        page.get_by_role("button", name="dunkel", exact=True).click()
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        page.get_by_label("Dauer eines Schritts", exact=True).fill("0")
        page.get_by_label("Pause vor einem Computerzug", exact=True).fill("2,5")
        page.keyboard.press("Tab")
        kept = json.loads(page.evaluate("localStorage.getItem('spielwerk')"))
        assert (kept["theme"], kept["step"], kept["display"]) == ("dark", 0, 2500)
        page.get_by_role("button", name="Alle Einstellungen zurücksetzen").click()
        expect(page.get_by_label("Dauer eines Schritts", exact=True)).to_have_value("180")


class TestEveryPage:
    def test_the_menu_of_a_phone_reaches_everything(self, page: Page, served: Arena) -> None:
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(f"{served.url}/help")
        page.get_by_role("button", name="Menü").click()
        page.get_by_role("link", name="English").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Connect a client")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("link", name="Settings").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")

    def test_the_help_names_our_own_ports(self, page: Page, served: Arena) -> None:
        page.goto(f"{served.url}/help#dice")
        host, port = served.addresses["dice"]
        expect(page.locator("#dice")).to_contain_text(f"{host}:{port}")
        expect(page.locator("#dice")).to_contain_text(f"nc {host} {port}")
