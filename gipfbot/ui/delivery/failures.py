"""Say in the log, and in figures, why a message could not be posted, and when it is tried again."""

import logging
from http import HTTPStatus

import aiohttp
import discord

from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.kit.request_watch import RequestsStopped
from gipfbot.values import MessageTaken, OutboxRow, UnreadableGame

log = logging.getLogger(__name__)
# What Discord's codes mean. Its own words could quote the message.
WORDS_BY_CODE = {
    10003: "the channel is gone",
    10004: "the server is gone",
    10008: "the message is gone",
    10013: "the person is gone",
    30046: "too many edits of old messages",
    40003: "too many new direct messages",
    40060: "it was answered before",
    50001: "the bot does not see the channel",
    50007: "the person takes no direct messages from the bot",
    50013: "the bot lacks a permission",
    50024: "this kind of channel takes no such message",
    50035: "the message breaks a limit",
    50083: "the thread is archived",
    50278: "the person and the bot share no server",
    160005: "the thread is locked",
    160006: "the server has too many threads",
    160007: "the server has too many threads",
}
FIRST_SERVER_ERROR = 500


class NewerKind(Exception):
    """A message of a kind that only a newer version knows, whose process runs beside this one: it is left to that."""


def log_failure(bot: AppClient, owed: OutboxRow, error: Exception, wait: int | None) -> None:
    """Log why an outbox row could not be posted. It is tried again after `wait` seconds; None if never."""
    bot.figures.messages_failed.labels(failure_kind(error)).inc()
    reason = failure_words(error)
    fields = {"game": owed.game, "channel": owed.channel, "kind": owed.kind, "tries": owed.attempts}
    known = {name: value for name, value in fields.items() if value is not None}
    goes_on = "it is given up" if wait is None else f"next try in {wait} s"
    extra = {"fields": known, "fold": (owed.id, reason, wait is None)}
    log.warning("message %s could not be posted: %s; %s", owed.id, reason, goes_on, extra=extra)


def failure_words(error: Exception) -> str:
    """Return why a message could not be posted, with nothing of the message in it."""
    match error:
        case RequestsStopped():
            return "too many requests were invalid, so none is made"
        case discord.HTTPException():
            return _answer_words(error.status, error.code)
        case TimeoutError():
            return "Discord did not answer in time"
        case discord.RateLimited():
            return "Discord takes no more messages there now"
        case OSError() | aiohttp.ClientError():
            return f"Discord could not be reached ({type(error).__name__})"
        case UnreadableGame():
            return "its game cannot be read"
        case NewerKind():
            return "only a newer version knows such a message"
        case MessageTaken():
            return "Discord answered with the message of another row"
    return f"the bot could not build it ({type(error).__name__})"


def _answer_words(status: int, code: int) -> str:
    known = {each.value: each.phrase for each in HTTPStatus}
    words = WORDS_BY_CODE.get(code, "")
    meaning = f", code {code}" + (f": {words}" if words else "") if code else ""
    return f"Discord answered {status} {known.get(status, '')}".rstrip() + meaning


def failure_kind(error: Exception) -> str:
    """Return the kind of a failure, one of few."""
    match error:
        case discord.RateLimited() | discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return "rate limited"
        case discord.HTTPException() if error.status >= FIRST_SERVER_ERROR:
            return "outage"
        case discord.HTTPException():
            return "refused"
        case OSError() | aiohttp.ClientError():
            return "outage"
    return "fault"
