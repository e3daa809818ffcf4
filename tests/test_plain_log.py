"""Logs cannot be forged: a message is one line, and nothing in it moves the cursor."""

import logging

from gipfbot.plain_log import LOG_FORMAT, PlainFormatter


def formatted(message: str, error: BaseException | None = None) -> str:
    """Return a logged message as the program writes it."""
    trace = (type(error), error, None) if error else None
    record = logging.LogRecord("gipfbot", logging.ERROR, "here.py", 1, "%s", (message,), trace)
    return PlainFormatter(LOG_FORMAT).format(record)


def test_message_is_one_line_without_controls() -> None:
    line = formatted("Ann\n2026-01-01 ERROR forged\x1b[2J\u202e\r")
    assert line.endswith(r" ERROR gipfbot: Ann\n2026-01-01 ERROR forged\x1b[2J\u202e\r")


def test_traceback_keeps_its_lines_without_controls() -> None:
    lines = formatted("failed", ValueError("one\x1b[2J")).splitlines()
    assert lines[1:] == [r"ValueError: one\x1b[2J"]
