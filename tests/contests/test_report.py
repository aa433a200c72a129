from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from string import Formatter
from typing import Any

import pytest

from spielwerk.contests.contest import Format, Phase
from spielwerk.contests.ranking import Standing
from spielwerk.contests.report import MARGIN, WIDTH, Bar, Scale, chunks
from spielwerk.contests.words import LANGUAGES, Words, apart, lines, shown, texts
from spielwerk.net.connection import Direction, Transcript
from spielwerk.store.records import (
    ENDS,
    Kind,
    Pairing,
    PairingState,
    Reason,
    SeatReport,
    WireRecord,
)
from tests.contests.rated import (
    a_book,
    a_contest,
    a_pairing,
    as_pairings,
    drawn,
    ended,
    pairs,
    some_entrants,
    triples,
)

NAMES = ("ada", "bob", "cid", "dan")
HOSTILE = ("<script>alert(1)</script>", "\u202eevil", "x" * 5000, "a\"b'c&d\r\n\x1b[31m")


class Page(HTMLParser):
    """What a browser would find in the file."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "path", "circle", "br"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [value for _, attributes in self.tags if (value := attributes.get(name))]


def page(
    played: Sequence[Pairing],
    names: Sequence[str] = NAMES,
    language: str = "en",
    reports: Mapping[int, Sequence[SeatReport]] | None = None,
    moves: Mapping[int, Sequence[str]] | None = None,
    out: str = "",
    wires: Mapping[int, Sequence[WireRecord]] | None = None,
    **terms: Any,
) -> Page:
    contest = replace(a_contest(names), **terms)
    entrants = some_entrants(names)
    if out:
        entrants[0] = replace(entrants[0], disqualified=out, disqualified_in=2)
    kept = {"reports_by": reports or {}, "moves_by": moves or {}, "wires_by": wires or {}}
    return Page("".join(chunks(a_book(played, names, contest, entrants, **kept), language)))


def a_class() -> list[Pairing]:
    return as_pairings(pairs([1, 0.3, -0.3, -1], 4, seed=2))


# what is in it


def test_the_contest_is_described() -> None:
    found = page(
        a_class(),
        game="oware",
        options=("houses=6",),
        format=Format.GAUNTLET,
        phase=Phase.COMPETITION,
    )
    for text in (
        "Test",
        "Oware (houses=6)",
        "against reference players",
        "competition",
        "Entrants 4 Rounds 1 Games 48 of 48 played Opening random moves: 4",
        "3 s per move",
        "2025-06-15, 15:06 UTC",
    ):
        assert text in found.text


def test_the_standings_have_rating_interval_chance_and_record() -> None:
    found = page(a_class(), [*NAMES, "idle"]).text
    assert re.search(r"1 ada engine, level=1 \+\d+ [+−]\d+ to \+\d+ [> ]*\d+% [\d½]+ 24 ", found)  # noqa: RUF001
    assert re.search(r"5 idle engine, level=1 0 0 0 / 0 / 0 ", found)


def test_it_says_what_an_engine_is_and_not_how_a_program_is_started() -> None:
    kinds = Kind.ENGINE, Kind.COMMAND
    entrants = [
        replace(one, kind=kind, text=f"a-{kind}")
        for one, kind in zip(some_entrants(NAMES[:2]), kinds, strict=True)
    ]
    book = a_book([a_pairing(0, (0, 1), 0)], NAMES[:2], entrants=entrants)
    text = Page("".join(chunks(book, "en"))).text
    assert "engine, a-engine" in text
    assert "a-command" not in text


def test_solid_connect_four_has_its_own_name() -> None:
    found = page(a_class(), game="connect4", options=("depth=4",))
    assert "Connect Four 3D (depth=4)" in found.text
    assert "Connect Four 3D" not in page(a_class(), game="connect4", options=("depth=1",)).text


def test_german_has_commas_and_german_words() -> None:
    found = page(a_class(), language="de", game="morris")
    for text in ("3 s pro Zug", "Rangliste", "15.06.2025, 15:06 UTC", "Mühle"):
        assert text in found.text


def test_how_the_rating_was_made_is_said_in_three_sentences() -> None:
    two = page(a_class()).text
    for text in (
        "All 48 rated games go into",
        "Bradley-Terry",
        "Moving first is",
        "Between equals",
    ):
        assert text in two
    three = page(as_pairings(triples([0, 0, 0], 2, seed=1)), game="dice", options=("rounds=50",))
    assert "Plackett-Luce" in three.text
    assert "games whose 50 rounds ended" in three.text
    assert "Bradley-Terry" not in three.text
    assert "Moving first" not in three.text


def test_the_bonus_stands_beside_those_who_have_one() -> None:
    played = as_pairings(triples([2, 1, 0, -2], 30, seed=1))
    told = page(played, game="dice", bonus=(20, 15, 10)).text
    assert re.search(r"Bonus .*\b1 ada .*?20 .*\b2 bob .*?15 .*\b3 cid .*?10 ", told)
    assert "Bonus" not in page(played, game="dice").text


def test_notes_are_said_with_names() -> None:
    found = page([a_pairing(number, (0, 1), 0) for number in range(3)])
    assert "Won every rated game: \u2068ada\u2069." in found.text
    assert "No points in the rated games: \u2068bob\u2069." in found.text
    assert "fewer than 10" in found.text


def test_the_disqualified_are_shown_with_the_game() -> None:
    found = page(a_class(), out="wrong BYE")
    assert "disqualified: wrong BYE in game 2" in found.text
    assert "#game-2" in found.all("href")


def test_german_reports_explain_failures_in_german() -> None:
    played = [
        a_pairing(0, (0, 1), 0, detail="the target is reached"),
        a_pairing(
            1, (0, 1), 0, Reason.NO_START, (1,), detail="the program exited at startup: exit 1"
        ),
        a_pairing(
            2, (0, 1), 0, Reason.CONNECTION_LOST, (1,), detail="exit 1 before the end of the game"
        ),
    ]
    reports = {2: [SeatReport(1, status="stopped: wrote more than 1,000,000 bytes")]}
    out = "protocol error: gave wrong points in BYE"
    found = page(played, language="de", reports=reports, out=out).text
    assert "Sieg : das Ziel ist erreicht" in found
    assert "nicht angetreten : Das Programm hat sich beim Start beendet: Exit-Code 1" in found
    assert "Absturz : Exit-Code 1, vor dem Ende der Partie" in found
    assert "(angehalten: mehr als 1.000.000 Bytes ausgegeben)" in found
    assert "disqualifiziert: Protokollfehler: hat in BYE falsche Punkte genannt" in found


# links and games


def test_every_game_is_linked_from_the_crosstable_and_there() -> None:
    found = page(a_class())
    anchors = found.all("id")
    assert anchors == [f"game-{number}" for number in range(48)]
    assert sorted(found.all("href")) == sorted(2 * [f"#{anchor}" for anchor in anchors])


def test_results_are_marked_in_the_crosstable() -> None:
    found = page(
        [
            a_pairing(0, (0, 1), 0),
            drawn(1, (0, 1)),
            a_pairing(2, (0, 1), 0, Reason.CONNECTION_LOST, (1,)),
        ]
    )
    links = [attributes["title"] for tag, attributes in found.tags if tag == "a"]
    assert links == ["0: win", "1: draw", "2: crash"] * 2
    assert "1 ½ 1" in found.text
    assert "0 ½ \N{MULTIPLICATION SIGN}" in found.text


MOVES = ["ROLL", "1 4", "ROLL", "6 4", "SAVE", "ROLL", "3 3", "ROLL", "6 5"]
RACE = replace(a_pairing(0, (2, 0, 1), None, Reason.CONNECTION_LOST, (2,)), opening=())
LATE = a_pairing(0, (0, 1), 0, Reason.TIME_OUT, (1,), detail="no move within 1.5 s")


@pytest.mark.parametrize(
    ("game", "moves", "terms", "told"),
    [
        (
            a_pairing(0, (1, 0), 1, Reason.TIME_OUT, (0,), detail="3,100 ms for move 7"),
            ["A1", "b2", "c3"],  # the first of which opened it
            {},
            "0 bob forfeit 1 ada winner|time-out : 3,100 ms for move 7"
            "|Moves: 2 Opening: A1 b2 c3|game0000000",
        ),
        (
            RACE,
            MOVES,
            {"game": "dice"},
            "0 cid , 15 points 1 ada , 0 points 2 bob , 0 points forfeit"
            "|Turns: 3 0: 1 4, 6 4, SAVE → 15 1: 3 3 → 0 2: 6 5",
        ),
        (RACE, MOVES[:4], {"game": "dice", "options": ("target=15",)}, "0: 1 4, 6 4 → 15"),
        (RACE, ["SAVE", "9 9"], {"game": "dice"}, "Moves: 2 SAVE 9 9"),  # not by the rules
        (
            replace(LATE, overloaded=True, repeated=True),
            [],
            {},
            "(machine overloaded)|(played again because the machine was overloaded)",
        ),
        (
            replace(LATE, overloaded=True, state=PairingState.REPEAT),
            [],
            {},
            "0 ada 1 bob to be played again : time-out: no move within 1.5 s|(machine overloaded)",
        ),
    ],
)
def test_a_game_shows_players_end_and_moves(
    game: Pairing, moves: list[str], terms: dict[str, Any], told: str
) -> None:
    found = page([game], moves={0: moves}, **terms)
    for text in told.split("|"):
        assert text in found.text


def test_a_program_that_failed_is_shown_with_its_last_lines() -> None:
    played = [a_pairing(0, (0, 1), 0, Reason.CONNECTION_LOST, (1,)), a_pairing(1, (0, 1), 0)]
    reports = {
        0: [
            SeatReport(0, output="all is well"),
            SeatReport(1, status="exit 3", output="one\ntwo\n"),
        ],
        1: [SeatReport(1, output="no fault, no output")],
    }
    found = page(played, reports=reports)
    assert "Last output of \u2068bob\u2069 (exit 3)" in found.text
    assert "one\ntwo" in found.words
    assert "all is well" not in found.text
    assert "no fault" not in found.text


def a_wire(seat: int, *pieces: tuple[Direction, bytes]) -> WireRecord:
    traffic = Transcript(1_000_000)
    for number, (direction, data) in enumerate(pieces):
        traffic.add(number / 2, direction, data)
    return WireRecord("game0000000", seat, "mnm", "127.0.0.1:1", 0, traffic.pack())


def test_a_program_that_failed_is_shown_with_its_wire() -> None:
    played = [a_pairing(0, (0, 1), 0, Reason.CONNECTION_LOST, (1,)), a_pairing(1, (0, 1), 0)]
    said = (Direction.SENT, b"MOVE 3000\n"), (Direction.RECEIVED, b"PLAY \\ \xff\x1b\r\n")
    wires = {
        0: [a_wire(1, *said), a_wire(0, (Direction.SENT, b"all is well"))],
        1: [a_wire(1, *said)],
    }
    found = page(played, wires=wires)
    assert "Wire of \u2068bob\u2069: last lines" in found.words
    assert "    0.000 → MOVE 3000\\n\n    0.500 ← PLAY \\\\ \\xff\\x1b\\r\\n" in found.words
    assert "all is well" not in found.text
    assert sum(tag == "details" for tag, _ in found.tags) == 1


def test_only_the_end_of_a_wire_is_shown() -> None:
    flood = [(Direction.RECEIVED, f"{number}\n".encode()) for number in range(250)]
    played = [a_pairing(0, (0, 1), 0, Reason.PROTOCOL_ERROR, (1,))]
    found = page(played, wires={0: [a_wire(1, *flood, (Direction.RECEIVED, b"x" * 9000))]})
    assert "earlier lines omitted)" in found.text
    assert "249\\n" in found.text
    assert "← 99\\n" not in found.text
    assert "(4904 bytes are missing here)" in found.text
    assert max(map(len, found.text.split())) < 500


def test_games_that_have_not_begun_are_left_out_and_lost_ones_are_not() -> None:
    new = replace(a_pairing(1, (0, 1)), state=PairingState.NEW, ending=None)
    failed = replace(a_pairing(2, (0, 1), None, Reason.SERVER_ERROR), state=PairingState.FAILED)
    found = page([a_pairing(0, (0, 1), 0), new, failed])
    assert found.all("id") == ["game-0", "game-2"]
    assert "0 ada 1 bob server error" in found.text
    assert "1 of 3 played, 1 given up (server error)" in found.text


def test_games_that_fell_away_are_told_with_the_reason() -> None:
    fallen = [replace(a_pairing(n, (0, 1)), state=PairingState.FAILED, ending=None) for n in (1, 2)]
    found = page([a_pairing(0, (0, 1), 0), *fallen], out="crash", language="de")
    assert "1 von 3 gespielt, 2 entfallen (Disqualifikation)" in found.text
    assert "entfallen (Disqualifikation) : ada" in found.text


def test_a_ladder_whose_games_are_still_drawn_up_is_not_almost_finished() -> None:
    new = replace(a_pairing(1, (0, 1)), state=PairingState.NEW, ending=None)
    games = [a_pairing(0, (0, 1), 0), new]
    assert "Games 1 played" in page(games, format=Format.LADDER, rounds=0).text
    assert "Games 1 played" in page(games, NAMES[:2], format=Format.LADDER, rounds=3).text
    assert "Games 1 of 2 played" in page(games, NAMES[:2], format=Format.LADDER, rounds=2).text


def test_forfeits_are_counted_by_kind() -> None:
    played = [a_pairing(n, (0, 1), 0, Reason.CONNECTION_LOST, (1,)) for n in range(3)]
    found = page([*played, a_pairing(9, (0, 1), 0, Reason.STALLED, (1,))])
    assert "Name crash no progress bob 3 1" in found.text
    assert "No player failed through its own fault." in page(a_class()).text


# harmless


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_names_and_texts_do_nothing(language: str) -> None:
    played = as_pairings(pairs([1, 0.3, -0.3, -1], 1, seed=2))
    nasty = "</pre></style><img src=x onerror=alert(1)>{{ 7 * 7 }}\x00\u202e\x1b[2J"
    played = [
        ended(one, reason=Reason.CONNECTION_LOST, winner=0, culprits=(1,), detail=nasty)
        for one in played
    ]
    reports = {one.number: [SeatReport(1, status=nasty, output=nasty)] for one in played}
    wires = {one.number: [a_wire(1, (Direction.RECEIVED, nasty.encode()))] for one in played}
    found = page(
        played,
        HOSTILE,
        language,
        reports,
        {0: [nasty]},
        out=nasty,
        wires=wires,
        name=nasty,
        options=(nasty,),
    )
    assert not {"script", "img", "iframe", "link", "base", "form"} & {tag for tag, _ in found.tags}
    assert not any(name.startswith("on") for _, one in found.tags for name in one)
    assert "<script>alert(1)</script>" in found.text
    assert "{{ 7 * 7 }}" in found.text
    for character in "\x00\x1b\u202e\r":
        assert character not in "".join(found.words)
    assert r"\u202eevil" in found.text
    assert max(map(len, "".join(found.words).split())) < 1200


def test_the_file_asks_for_nothing_from_elsewhere() -> None:
    html = "".join(chunks(a_book(a_class(), NAMES), "en"))
    assert "default-src 'none'" in html
    assert not re.search(r"https?:|url\(|@import|<script|<link|src=", html)
    assert "style=" not in html


# words and figures


def test_both_languages_have_the_same_texts_with_the_same_gaps() -> None:
    german, english = texts("de"), texts("en")
    assert german.keys() == english.keys()
    for name in german:
        gaps = [{gap for _, gap, _, _ in Formatter().parse(one[name])} for one in (german, english)]
        assert gaps[0] == gaps[1], name


NOTES = (
    "all-won all-lost pools groups loose few unrated spoilt struck overloaded repeats replaced"
    " began"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_has_a_word(language: str) -> None:
    areas: dict[str, Iterable[str]] = {
        "end": ENDS.values(),
        "kind": Kind,
        "format": Format,
        "phase": Phase,
        "state": PairingState,
    }
    for area, values in areas.items():
        assert all(texts(language)[f"{area}.{value}"] for value in values)
    for code in NOTES.split():
        assert Words(language)(f"note.{code}", names="ada", count=3)


def test_figures_are_written_as_people_write_them() -> None:
    german, english = Words("de"), Words("en")
    assert (german.number(1.25, 1), english.number(1.25, 1)) == ("1,2", "1.2")
    assert [english.signed(value) for value in (12.4, -0.2, -12.5, 0)] == ["+12", "0", "−12", "0"]  # noqa: RUF001
    assert [english.points(value) for value in (0, 0.5, 1, 12.5)] == ["0", "½", "1", "12½"]
    assert [english.chance(value) for value in (0, 0.5, 1)] == ["< 1%", "50%", "> 99%"]
    assert english.percent(0) == "0%"


def test_an_interval_says_which_end_it_lacks() -> None:
    words = Words("en")
    assert words.interval(-10, 20) == "−10 to +20"  # noqa: RUF001
    assert words.interval(30, None) == "from +30"
    assert words.interval(None, 30) == "up to +30"
    assert words.interval(None, None, bounded=True) == "not known yet"
    assert words.interval(None, None, bounded=False) == "open on both sides"


def test_texts_of_others_are_cut_and_held_apart() -> None:
    assert shown("a" * 81) == "a" * 79 + "…"
    assert shown("שלום") == "שלום"
    assert apart("x\u202e") == "\u2068x\\u202e\u2069"


def test_long_output_is_cut_at_its_beginning() -> None:
    assert lines("x" * 8000 + "\nend", Words("en")).startswith("xxx")  # all of it is kept
    told = lines("x" * 9196 + "\nend", Words("en"))
    assert told.startswith("(1008 earlier characters omitted)\nxxx")
    assert told.endswith("\nend")


# bars


def a_line(rating: float | None, low: float | None, high: float | None) -> Standing:
    fitted = (rating, low, high, True, None)
    return Standing(1, 0, "ada", Kind.ENGINE, *fitted, 0, 0, 0, 0, 0, {})


def test_bars_lie_on_a_common_scale_and_open_ends_reach_to_the_border() -> None:
    some = [a_line(100, 50, 200), a_line(-100, -200, None), a_line(0, None, 50)]
    scale = Scale(some)
    assert scale.at(0) == WIDTH / 2
    assert [*map(scale.bar, some)] == [
        Bar(scale.at(100), scale.at(50), WIDTH - MARGIN, False, False),
        Bar(scale.at(-100), MARGIN, WIDTH - 2, False, True),
        Bar(scale.at(0), 2, scale.at(50), True, False),
    ]
    assert scale.bar(a_line(None, None, None)) is None
    middle = WIDTH / 2
    assert scale.bar(a_line(0, None, None)) == Bar(middle, middle, middle, False, False)


@pytest.mark.parametrize(("reach", "step"), [(0.5, 1), (3, 2), (47, 20), (160, 100), (999, 500)])
def test_ticks_are_few_and_round(reach: float, step: int) -> None:
    ticks = Scale([a_line(0, -reach, reach)]).ticks()
    most = int(max(1, reach) // step)
    assert [figure for _, figure in ticks] == [step * n for n in range(-most, most + 1)]
    assert [at for at, figure in ticks if figure == 0] == [WIDTH / 2]
