"""Logs cannot be forged, fold what repeats, and hold nothing secret."""

import json
import logging
from collections.abc import Iterator

import pytest

from gipfbot import logs
from gipfbot.logs import FOLD_SECONDS, Folding

BIDI = chr(0x202E)
TOKEN = "MTk4.Cl2FMQ.secret"


def formatted(form: str, message: str, error: BaseException | None = None, **extra: object) -> str:
    """Return a logged message as the program writes it."""
    trace = (type(error), error, None) if error else None
    record = logging.LogRecord("gipfbot", logging.ERROR, "here.py", 1, "%s", (message,), trace)
    record.__dict__.update(extra)
    return logs.LOG_FORMATS[form]([TOKEN]).format(record)


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    """Return an error with a traceback."""
    try:
        raise error from cause
    except Exception as caught:  # noqa: BLE001 - whatever it is
        return caught


def test_message_is_one_line_without_controls() -> None:
    line = formatted("people", f"Ann\n2026-01-01 ERROR forged\x1b[2J{BIDI}\r")
    assert line.endswith(r" ERROR gipfbot: Ann\n2026-01-01 ERROR forged\x1b[2J\u202e\r")


def test_traceback_keeps_its_lines_without_controls() -> None:
    lines = formatted("people", "failed", OSError("one\x1b[2J")).splitlines()
    assert lines[1:] == [r"OSError: one\x1b[2J"]


def test_named_values_cannot_look_like_others() -> None:
    line = formatted("people", "done", fields={"a": "x b=1", "b": "y\nz", "c": 3, "d": ""})
    assert line.endswith(r' done a="x b=1" b="y\nz" c=3 d=""')


def test_json_line_is_plain_ascii() -> None:
    line = formatted("json", f"Ann\n{BIDI}\x1b\x7f é", raised(TypeError("odd")), fields={"game": 7, "b": "\n"})
    assert line.isascii()
    assert line.isprintable()
    read = json.loads(line)
    assert (read["event"], read["game"], read["level"]) == (f"Ann\n{BIDI}\x1b\x7f é", 7, "ERROR")
    assert "TypeError: odd" in read["trace"]


@pytest.mark.parametrize("form", logs.LOG_FORMATS)
def test_secrets_are_hidden(form: str) -> None:
    address = "429 for https://discord.com/api/v10/webhooks/123/aW50ZXJhY3Rpb24/messages/@original"
    error = raised(OSError(f"no {TOKEN}"), raised(ValueError("a typed text")))
    line = formatted(form, f"{TOKEN} {address}", error, fields={"token": TOKEN})
    assert "secret" not in line
    assert "aW50" not in line
    assert "typed" not in line
    assert "/webhooks/123/[hidden]/messages/@original" in line
    assert "ValueError (what it says is left out" in line


@pytest.mark.parametrize("form", logs.LOG_FORMATS)
def test_errors_in_chains_and_groups_are_told_without_quotes(form: str) -> None:
    inner = ExceptionGroup("a typed group", [raised(KeyError("a typed key")), raised(TypeError("a kind"))])
    line = formatted(form, "failed", raised(RuntimeError("outer"), inner))
    assert "typed" not in line
    for said in ("KeyError (", "TypeError: a kind", "RuntimeError: outer", "This led to:"):
        assert said in line


def test_forgotten_task_does_not_quote_its_error() -> None:
    record = logging.LogRecord(
        "asyncio", logging.ERROR, "", 1, "never retrieved <Task exception=KeyError('x')>", (), None
    )
    assert logs.PeopleFormat().format(record).endswith("never retrieved <Task exception=[hidden]")


class Host:
    """A log with a clock that the test moves."""

    def __init__(self) -> None:
        self.seconds, self.lines = 0.0, list[str]()
        self.folding = Folding(lambda: self.seconds)
        self.log = logging.getLogger("gipfbot.test_logs")
        self.handler = logging.Handler()
        self.handler.emit = self._emit  # type: ignore[method-assign]
        self.handler.addFilter(self.folding)

    def _emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def fail(self, error: Exception, item: int = 1) -> None:
        """Log an error, always at the same place."""
        self.log.error("item %d failed", item, exc_info=raised(error))


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    logging.getLogger().addHandler(host.handler)
    yield host
    logging.getLogger().removeHandler(host.handler)


def test_repeated_faults_are_counted_and_said_once(host: Host) -> None:
    for item in range(313):
        host.fail(ValueError(str(item)), item)
    assert host.lines == ["item 0 failed"]
    host.seconds = FOLD_SECONDS - 1
    logs.say_folded()
    assert len(host.lines) == 1
    host.seconds = FOLD_SECONDS
    logs.say_folded()
    logs.say_folded()
    assert host.lines[1:] == ["item 0 failed … and 312 more in the last hour"]
    host.fail(ValueError())
    assert host.lines[2:] == ["item 1 failed"]


def test_other_faults_are_not_folded(host: Host) -> None:
    host.fail(ValueError())
    host.fail(KeyError())
    for number in (1, 2, 2):
        host.log.warning("message %d", number)
    for what in ("game 1", "game 2", "game 1"):
        host.log.error("%s cannot be read", what, exc_info=raised(ValueError()), extra={"fold": what})
    for _ in range(2):
        host.log.warning("info is never folded, a warning is")
    assert host.lines[2:] == [
        *("message 1", "message 2", "game 1 cannot be read", "game 2 cannot be read"),
        "info is never folded, a warning is",
    ]


def test_next_fault_after_the_hour_says_how_many_there_were(host: Host) -> None:
    for _ in range(3):
        host.log.warning("odd")
    host.seconds = FOLD_SECONDS + 5
    host.log.warning("odd")
    assert host.lines == ["odd", "odd … and 2 more in the last hour", "odd"]


def test_counts_are_said_at_the_end(host: Host) -> None:
    for _ in range(3):
        host.log.warning("odd")
    logs.say_folded(everything=True)
    assert host.lines[1:] == ["odd … and 2 more in the last hour"]


def test_many_different_faults_are_forgotten_in_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gipfbot.logs.MOST_FAULTS_KEPT", 3)
    for number in (1, 2, 3, 3, 4):
        host.log.warning("fault %d", number)
    assert "fault 3 … and 1 more in the last hour" in host.lines
