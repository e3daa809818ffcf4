"""Log lines in which no text from outside can move the cursor, colour the terminal, or look like another line.

A record comes from the standard library, by this program or by a library. `extra={"fields": {…}}` adds named values.
"""

import json
import logging
import re
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from structlog.stdlib import ProcessorFormatter
from structlog.typing import EventDict

from .traces import trace_text

HIDDEN = "[hidden]"
# Discord's addresses of answers hold the token of the interaction.
_TOKEN_IN_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/[0-9]+/)[^/\s?\"'\\]+")
# asyncio writes the error of a forgotten task into its message, and with it what the error says.
_ERROR_OF_TASK = re.compile(r"exception=.*", re.DOTALL)


class _Format(ProcessorFormatter):
    """Turns records into lines. `secrets` never stand in one."""

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
    """Lines for people: `2026-01-01T12:00:00.000Z WARNING gipfbot.ui.sweep: what happened name=value`.

    Control signs, and signs that turn the direction of text, are written as escapes. A message is one line. Only a
    traceback below it has more.
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
