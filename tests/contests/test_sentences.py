"""Sentences of the server in another language: whole, with places, within each other, in lists."""

from __future__ import annotations

import re

import pytest

from spielwerk.contests.words import LONGEST, catalogue, said

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(
    ("english", "german"),
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
            "'C3,12': Der Stein, der gesetzt wird, kann nicht weitergegeben werden",
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
def test_a_sentence_in_german(english: str, german: str) -> None:
    assert said(english, "de") == german
    assert said(english, "en") == english


def test_every_sentence_says_the_same_with_its_places() -> None:
    for english, german in catalogue("de").items():
        assert sorted(PLACE.findall(english)) == sorted(PLACE.findall(german)), english
        assert not set("{}") & set(PLACE.sub("", english + german)), english


def test_every_sentence_is_found_with_something_in_its_places() -> None:
    """None is hidden by another one that comes first."""
    for english, german in catalogue("de").items():
        values = {place: f"<{place}>" for place in PLACE.findall(english)}
        assert said(english.format_map(values), "de") == german.format_map(values)


@pytest.mark.parametrize("part", ["; ", "a: ", "x; y: ", "anna: exit 1; "])
def test_what_a_program_had_a_hand_in_is_read_only_so_far(part: str) -> None:
    assert LONGEST <= 300  # it costs the cube of that
    for length in (LONGEST, 20 * LONGEST):
        text = (part * length)[:length]
        assert said(text, "de").endswith(text[-4:])
