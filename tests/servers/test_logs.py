"""Logs: a line an event, whatever is in it and whoever reads it."""

from __future__ import annotations

import io
import logging
import re
import threading

from spielwerk.app.process import AT_ONCE, QUEUE, STEADY, QueuedHandler, logging_to
from tests.waiting import wait_until

log = logging.getLogger("spielwerk.tests")


def logged(*messages: str, level: str = "info") -> list[str]:
    stream = io.StringIO()
    with logging_to(stream, level):
        for message in messages:
            log.info(message)
    return stream.getvalue().splitlines()


def test_a_line_has_time_level_and_what_happened() -> None:
    (line,) = logged("created game=AbCd... kind=quarto")
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info created game=AbCd\.\.\. kind=quarto", line
    )


def test_what_would_break_a_line_or_a_terminal_is_escaped() -> None:
    (line,) = logged("name=a\nb\r\x1b[31m\u202e\0 Öl")
    assert line.endswith(r"name=a\nb\r\x1b[31m\u202e\x00 Öl")


def test_an_error_is_in_the_same_line_with_the_places_but_without_values() -> None:
    stream = io.StringIO()
    with logging_to(stream, "info"):
        try:
            fail()
        except ValueError:
            log.exception("journal failed game=AbCd...")
    (line,) = stream.getvalue().splitlines()
    assert "error journal failed game=AbCd... error='ValueError: database is locked'" in line
    assert re.search(r"at='test_logs\.py:\d+ < test_logs\.py:\d+'$", line)
    assert "AbCdEfGhIjK" not in line


def fail() -> None:
    raise ValueError("database is locked\n[parameters: ('AbCdEfGhIjK',)]")


def test_the_level_decides_and_libraries_are_quieter() -> None:
    assert logged("x", level="warning") == []
    stream = io.StringIO()
    with logging_to(stream, "debug"):
        logging.getLogger("sqlalchemy.engine").info("SELECT secret")
        logging.getLogger("uvicorn.error").info("Started")
        log.debug("seen")
    assert [line.split()[-1] for line in stream.getvalue().splitlines()] == ["seen"]


def record(message: str, *arguments: object, line: int = 1) -> logging.LogRecord:
    return logging.LogRecord("x", logging.INFO, __file__, line, message, arguments, None)


def test_a_message_that_cannot_be_formatted_harms_nobody() -> None:
    stream = io.StringIO()
    handler = QueuedHandler(stream)
    handler.handle(record("%d", "no number"))
    handler.handle(record("next"))
    handler.close()
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("info next lines_left_out=1")


class Gone(io.StringIO):
    """A stream whose reader has gone."""

    tries = 0

    def write(self, _text: str) -> int:
        self.tries += 1
        raise BrokenPipeError


def test_a_reader_that_has_gone_harms_nobody() -> None:
    stream = Gone()
    with logging_to(stream, "info"):
        for _ in range(3):
            log.info("nobody hears")
    assert stream.tries == 3


class Stuck(io.StringIO):
    """A stream whose reader does not read until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def write(self, text: str) -> int:
        assert self.go.wait(60)
        return super().write(text)


def test_one_place_cannot_fill_the_log() -> None:
    stream = io.StringIO()
    handler = QueuedHandler(stream)
    for second in (0, 10):
        for _ in range(2 * AT_ONCE):
            one = record("turned away")
            one.created = second
            handler.handle(one)
        handler.handle(record("another place", line=2 + second))
    handler.close()
    lines = stream.getvalue().splitlines()
    said = [line for line in lines if "turned away" in line]
    assert len(said) == AT_ONCE + 10 * STEADY
    assert len(lines) == len(said) + 2
    left_out = re.findall(r"lines_left_out=(\d+)", stream.getvalue())
    assert sum(map(int, left_out)) == 4 * AT_ONCE - len(said)


def test_a_reader_that_does_not_read_is_not_waited_for() -> None:
    stream = Stuck()
    with logging_to(stream, "info"):
        for number in range(QUEUE + 100):
            log.handle(record("line %d", number, line=number))
        stream.go.set()
        wait_until(lambda: len(stream.getvalue().splitlines()) >= QUEUE)
        log.info("again")
    lines = stream.getvalue().splitlines()
    left_out = [int(found) for found in re.findall(r"lines_left_out=(\d+)", stream.getvalue())]
    assert len(lines) + sum(left_out) == QUEUE + 101
    assert sum(left_out) >= 99
