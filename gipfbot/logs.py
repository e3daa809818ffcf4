"""The log: lines for people or as JSON, without anything secret or private.

This program and its libraries log by the standard library. `extra={"fields": {…}}` adds named values to a record.
"""

import json
import logging
import re
import time
import traceback
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict

# Messages of these hold names in the program, addresses and codes. A ValueError or a KeyError may quote a typed text.
TELLING_KINDS = (OSError, ArithmeticError, AttributeError, ImportError, IndexError, NameError, RuntimeError, TypeError)
TELLING_MODULES = (
    *("sqlite3", "sqlalchemy", "aiosqlite", "alembic", "aiohttp", "asyncio", "concurrent"),
    *("discord.errors", "discord.gateway", "gipfbot.values.errors"),
)
LEFT_OUT = "(what it says is left out: it may quote somebody)"
MOST_CHAINED = 10  # causes of an error

FOLD_SECONDS = 3600
MOST_FAULTS_KEPT = 10_000
FOLD_BY = "fold"  # an attribute of records, from `extra`: records with the same value are the same fault

HIDDEN = "[hidden]"
# The addresses for answers to Discord hold the token of the interaction.
_TOKEN_IN_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/)[^/\s?\"'\\]+")
# asyncio writes a forgotten task's error, with that error's message, into its own message.
_ERROR_OF_TASK = re.compile(r"exception=.*", re.DOTALL)

# At DEBUG these libraries log tokens, messages, and texts that people type.
CHATTY = ("discord", "aiosqlite", "sqlalchemy", "aiohttp", "asyncio", "PIL")


def trace_text(error: BaseException) -> str:
    """Return the traceback of an error and of its causes, as several lines."""
    return "\n".join(_trace_lines(error, MOST_CHAINED))


def _trace_lines(error: BaseException, most: int) -> Iterator[str]:
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and most > 0:
        yield from _trace_lines(before, most - 1)
        yield "This led to:"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    yield error_words(error)
    if isinstance(error, BaseExceptionGroup) and most > 0:
        for each in error.exceptions:
            yield from _trace_lines(each, most - 1)


def error_words(error: BaseException) -> str:
    """Return the kind of an error, and its message if that quotes nobody."""
    kind, module = type(error).__qualname__, type(error).__module__
    name = kind if module == "builtins" else f"{module}.{kind}"
    if not is_telling(error):
        return f"{name} {LEFT_OUT}"
    return f"{name}: {error}"


def is_telling(error: BaseException) -> bool:
    """Return whether the message of an error can be logged."""
    module = type(error).__module__
    return isinstance(error, TELLING_KINDS) or any(
        module == each or module.startswith(f"{each}.") for each in TELLING_MODULES
    )


@dataclass
class _Fault:
    """A fault that was logged: its first record, the time of that, and the number of repetitions since then."""

    first: logging.LogRecord
    text: str
    at: float
    more: int = 0


class Folding(logging.Filter):
    """Lets each warning or error pass once in FOLD_SECONDS, and counts repetitions. Lower levels always pass.

    `steady` returns the seconds of a clock that cannot be set.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._steady = steady
        self._faults = dict[Hashable, _Fault]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged now."""
        if record.levelno < logging.WARNING or getattr(record, "says_count", False):
            return True
        key, now = _fault_key(record), self._steady()
        known = self._faults.get(key)
        if known and now - known.at < FOLD_SECONDS:
            known.more += 1
            return False
        if known:
            self._say_count(self._faults.pop(key))
        if len(self._faults) >= MOST_FAULTS_KEPT:
            self.say_counts(everything=True)
        self._faults[key] = _Fault(_without_error(record), record.getMessage(), now)
        return True

    def say_counts(self, *, everything: bool = False) -> None:
        """Log the number of repetitions of each fault whose hour is over, or of `everything`."""
        now = self._steady()
        for key, fault in [*self._faults.items()]:
            if everything or now - fault.at >= FOLD_SECONDS:
                del self._faults[key]
                self._say_count(fault)

    def _say_count(self, fault: _Fault) -> None:
        if fault.more:
            text = f"{fault.text} … and {fault.more} more in the last hour"
            said = logging.makeLogRecord({**fault.first.__dict__, "msg": text, "args": (), "says_count": True})
            said.created = time.time()
            logging.getLogger(said.name).handle(said)


def _fault_key(record: logging.LogRecord) -> Hashable:
    """Return a key that all records of the same fault share.

    Errors of one kind at one place in the code are the same fault, whatever their messages. Other records are the same
    fault only if their messages are equal.
    """
    by = getattr(record, FOLD_BY, None)
    if by is not None:
        return record.name, record.msg, by
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return record.name, record.getMessage()
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    return record.name, record.msg, type(error), (trace.tb_frame.f_code, trace.tb_lineno) if trace else None


def _without_error(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy that keeps neither the error nor the frames of its traceback in memory."""
    return logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None, "stack_info": None})


def say_folded(*, everything: bool = False) -> None:
    """Log the counts of all folded faults whose hour is over, or of `everything` at the end of the program."""
    for handler in logging.getLogger().handlers:
        for each in handler.filters:
            if isinstance(each, Folding):
                each.say_counts(everything=everything)


class _Format(ProcessorFormatter):
    """Turns records into lines. `secrets` never appear in a line."""

    def __init__(self, secrets: Collection[str] = ()) -> None:
        self._secrets = tuple(secrets)
        super().__init__(
            foreign_pre_chain=[_with_origin],
            processors=[ProcessorFormatter.remove_processors_meta, self._render],
        )

    def _render(self, _: Any, __: str, event: EventDict) -> str:
        raise NotImplementedError

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record, without secrets."""
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        return _TOKEN_IN_ADDRESS.sub(rf"\1{HIDDEN}", line) if "/webhooks/" in line or "/interactions/" in line else line


class PeopleFormat(_Format):
    """Lines for people: `2026-01-01T12:00:00.000Z WARNING gipfbot.ui.background: what happened name=value`.

    Control characters, and characters that change the direction of text, are written as escapes. A message is one line;
    only a traceback below it has more.
    """

    def _render(self, _: Any, __: str, event: EventDict) -> str:
        named = "".join(f" {name}={_bare_or_quoted(value)}" for name, value in event["fields"].items())
        line = escape_signs(f"{event['time']} {event['level']} {event['logger']}: {event['event']}{named}")
        trace = "".join(f"\n{escape_signs(part)}" for part in event["trace"].split("\n")) if event["trace"] else ""
        return line + trace


class JsonFormat(_Format):
    """One JSON object in each line, in plain ASCII."""

    def _render(self, _: Any, __: str, event: EventDict) -> str:
        first = {name: event[name] for name in ("time", "level", "logger", "event")}
        trace = {"trace": event["trace"]} if event["trace"] else {}
        return json.dumps({**first, **event["fields"], **trace}, default=str).replace("\x7f", r"\u007f")


LOG_FORMATS = {"people": PeopleFormat, "json": JsonFormat}


def _with_origin(_: Any, __: str, event: EventDict) -> EventDict:
    """Return the event with the time, the level, the logger, the named values and the traceback of its record."""
    record, fault = event["_record"], event.pop("exc_info", None)
    written = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    event.update(time=written.replace("+00:00", "Z"), level=record.levelname, logger=record.name)
    if record.name == "asyncio":
        event["event"] = _ERROR_OF_TASK.sub(f"exception={HIDDEN}", event["event"])
    event["fields"] = getattr(record, "fields", {})
    event["trace"] = trace_text(fault[1]) if fault and fault[1] else event.pop("stack_info", None) or ""
    return event


def _bare_or_quoted(value: object) -> str:
    text = str(value)
    return text if text and not any(sign.isspace() or sign in '"=' for sign in text) else json.dumps(text)


def escape_signs(text: str) -> str:
    """Return a text with escapes for the characters that are not printable. A tab stays."""
    if text.isprintable():
        return text
    return "".join(sign if sign == "\t" or sign.isprintable() else _escape(sign) for sign in text)


def _escape(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def set_up_logging(level: str | int, form: str = "people", secrets: Collection[str] = ()) -> None:
    """Make the program and its libraries log lines of this form, without these secrets."""
    handler = logging.StreamHandler()
    handler.setFormatter(LOG_FORMATS[form](secrets))
    handler.addFilter(Folding())
    logging.basicConfig(level=level, handlers=[handler])
    for name in CHATTY:
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.getEffectiveLevel(), logging.INFO))
