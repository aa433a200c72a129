"""Messages: from English to their codes and back, and in German."""

from __future__ import annotations

import inspect
import re

import pytest

from spielwerk.games import kits
from spielwerk.messages import LONGEST, Message, catalogue, english, said
from spielwerk.store.records import Reason

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(
    ("source", "german"),
    [
        ("the target is reached", "das Ziel ist erreicht"),
        ("no move within 1.5 s", "kein Zug innerhalb von 1,5 s"),
        ("stopped", "angehalten"),
        (
            "stopped: wrote more than 1,000,000 bytes",
            "angehalten: mehr als 1.000.000 Bytes ausgegeben",
        ),
        ("killed by SIGSEGV", "durch SIGSEGV beendet"),
        (
            "killed by SIGSEGV before the end of the game",
            "durch SIGSEGV beendet, vor dem Ende der Partie",
        ),
        (
            "wrote more than 1,000,000 bytes into a file",
            "mehr als 1.000.000 Bytes in eine Datei geschrieben",
        ),
        (
            "'C3,12': The stone being placed cannot be handed on",
            "'C3,12': Der Stein, der gesetzt wird, kann nicht gegeben werden",
        ),
        (
            "anna: exit 1 before the end of the game; b: exit 2 before the end of the game",
            "anna: Exit-Code 1, vor dem Ende der Partie; b: Exit-Code 2, vor dem Ende der Partie",
        ),
        (
            "anna: aborted the game: 'error: internal error; give up'",
            "anna: hat die Partie abgebrochen: 'error: internal error; give up'",
        ),
        (
            'sent a wrong message: expected MOVE, got "it\'s: exit 1; stopped"',
            'hat eine falsche Nachricht geschickt: "it\'s: exit 1; stopped" statt MOVE',
        ),
        ("a: aborted the game: 'exit 1; sto", "a: hat die Partie abgebrochen: 'exit 1; sto"),
        (
            "the connection to the initiator was lost",
            "Die Verbindung zum Gastgeber ist abgerissen",
        ),
        ("1.5 resigned", "1.5 hat aufgegeben"),
        ("something: that; nobody: knows", "something: that; nobody: knows"),
        ("", ""),
    ],
)
def test_a_sentence_in_german(source: str, german: str) -> None:
    assert said(source, "de") == german
    assert said(said(source, "en"), "de") == german


def test_an_english_sentence_has_a_code_and_values() -> None:
    assert english("resigned", name="Anna") == "Anna resigned"
    assert Message.of("Anna resigned") == Message("resigned", {"name": "Anna"})
    told = Message.of("b: sent 'x; y' twice; the target is reached")
    about = Message(
        "about", {"subject": "b", "why": Message("plain", {"text": "sent 'x; y' twice"})}
    )
    reached = Message("dice.the-target-is-reached")
    assert told == Message("several", {"first": about, "rest": reached})


def test_wires_keep_their_words_where_people_read_better_ones() -> None:
    assert said("the seventh stone is lost", "en") == "the opponent has two stones left"
    assert english("oware.e-3-the-situation-repeats-for").startswith("E-3: ")


def test_endings_of_earlier_versions_are_read_in_today_s_words() -> None:
    assert said("nobody came for 60 s", "en") == "no player joined for 60 s"
    assert english("no-player-came", seconds=60) == "no player joined for 60 s"


def pairs() -> list[tuple[str, str]]:
    """Every sentence in English, on pages, on wires and in old stores, and in German."""
    return [
        (texts[form], texts["de"])
        for texts in catalogue().values()
        for form in ("en", "wire", "old")
        if form in texts
    ]


def test_no_two_codes_say_the_same() -> None:
    assert len({source for source, _ in pairs()}) == len(pairs())


def test_every_sentence_says_the_same_with_its_places() -> None:
    for source, german in pairs():
        assert sorted(PLACE.findall(source)) == sorted(PLACE.findall(german)), source
        assert not set("{}") & set(PLACE.sub("", source + german)), source


def test_every_sentence_is_found_with_something_in_its_places() -> None:
    """None is hidden by another one that comes first."""
    for source, german in pairs():
        values = {place: f"<{place}>" for place in PLACE.findall(source)}
        assert said(source.format_map(values), "de") == german.format_map(values)


@pytest.mark.parametrize("part", ["; ", "a: ", "x; y: ", "anna: exit 1; "])
def test_what_a_program_had_a_hand_in_is_read_only_so_far(part: str) -> None:
    assert LONGEST <= 300  # it costs the cube of that
    for length in (LONGEST, 20 * LONGEST):
        text = (part * length)[:length]
        assert said(text, "de").endswith(text[-4:])


def rules_sentences() -> set[str]:
    """All that the rules can object to, and how they end games; read from their sources."""
    told = {str(reason) for reason in Reason}
    for kit in kits().values():
        module = inspect.getmodule(kit.game)
        assert module
        source = inspect.getsource(module)
        told |= set(re.findall(r'return f?"([A-Z][a-z][^"]+)"', source))
        told |= set(re.findall(r'illegal\(move, "([^"]+)"\)', source))
        names = re.findall(r"(?:Outcome\(.*?, |reason = )([A-Z]{3,}[A-Z_]*)\b", source)
        told |= {str(getattr(module, name)) for name in names}
    return told


def test_every_sentence_of_the_rules_is_translated() -> None:
    told = rules_sentences()
    assert len(told) > 40
    assert [one for one in told if Message.of(one).code == "plain"] == []
