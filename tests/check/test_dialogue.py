"""Transcripts as they are read: pieces joined, lines apart, the fault in its place."""

from __future__ import annotations

from dataclasses import replace

from spielwerk.check.case import CaseVerdict, Side, TranscriptEntry
from spielwerk.check.dialogue import AFTER, BEFORE, BEGINNING, dialogue, shortened
from tests.check.verdicts import CR, talk


def heard(*pieces: tuple[str, Side, str]) -> CaseVerdict:
    entries = [
        TranscriptEntry(float(number), side, channel, text.encode())
        for number, (text, side, channel) in enumerate(pieces)
    ]
    return replace(talk("a/b"), transcript=tuple(entries))


def test_pieces_of_a_line_are_one_row_and_the_mark_moves_along() -> None:
    pieces = [("AB", Side.PROGRAM, ""), ("C", Side.PROGRAM, ""), ("D\nEF\n", Side.PROGRAM, "")]
    rows = dialogue(heard(*pieces), replace(CR, entry=2, position=0))
    assert [(row.at, row.data, row.seams, row.mark) for row in rows] == [
        (0.0, b"ABCD\n", (2, 3), 3),
        (None, b"EF\n", (), None),
    ]
    assert [row.here for row in rows] == [True, False]


def test_the_other_side_ends_a_row() -> None:
    pieces = [("AB", Side.PROGRAM, ""), ("x\n", Side.CHECKER, ""), ("C\n", Side.PROGRAM, "")]
    assert [row.data for row in dialogue(heard(*pieces), None)] == [b"AB", b"x\n", b"C\n"]


def test_messages_that_are_no_lines_stay_apart() -> None:
    pieces = [("<a;1>", Side.PROGRAM, ""), ("<b;2>", Side.PROGRAM, "")]
    assert len(dialogue(heard(*pieces), None)) == 2


def test_channels_are_named_where_there_are_several() -> None:
    one = [("a\n", Side.PROGRAM, "index"), ("b\n", Side.CHECKER, "index")]
    assert {row.channel for row in dialogue(heard(*one), None)} == {""}
    two = [*one, ("c\n", Side.CHECKER, "game")]
    assert [row.channel for row in dialogue(heard(*two), None)] == ["index", "index", "game"]


def test_a_missing_byte_is_marked_behind_the_last() -> None:
    rows = dialogue(heard(("a\n", Side.PROGRAM, "")), replace(CR, entry=0, position=2))
    assert [row.mark for row in rows] == [2]


def test_what_the_checker_sent_is_never_marked() -> None:
    rows = dialogue(heard(("a\n", Side.CHECKER, "")), replace(CR, entry=0, position=0))
    assert [(row.mark, row.here) for row in rows] == [(None, True)]


def test_places_outside_of_the_transcript_mark_nothing() -> None:
    for entry in (-1, 1):
        rows = dialogue(heard(("a\n", Side.PROGRAM, "")), replace(CR, entry=entry, position=0))
        assert [(row.mark, row.here) for row in rows] == [(None, False)]


def test_long_stretches_are_left_out_away_from_the_fault() -> None:
    verdict = heard(*[(f"{number}\n", Side.PROGRAM, "") for number in range(100)])
    rows = shortened(dialogue(verdict, replace(CR, entry=50, position=0)))
    assert [row.left_out for row in rows if row.left_out] == [
        50 - BEFORE - BEGINNING,
        100 - 50 - AFTER - 1,
    ]
    assert [row.data for row in rows if row.here] == [b"50\n"]
    assert shortened(dialogue(verdict, None))[-1].data == b"99\n"
