"""What a refusal of Discord means: one row for each code. All that meets an error of Discord asks here what to believe.

A code without a row says nothing about a channel or a person. So a 403 or 404 with such a code passes: the request is
tried again. Discord's own protection answers 403 with the code 40333, or with a page that has no code.
"""

from enum import Enum, auto
from http import HTTPStatus

import discord


class Means(Enum):
    """What a refusal is about."""

    PASSES = auto()  # nothing here: the same request may be taken later
    BLOCKED = auto()  # the bot: Discord takes no requests from it for now
    SUSPENDED = auto()  # the bot: Discord takes no requests of this kind for now
    GONE = auto()  # the server, channel or message, which is gone
    HIDDEN = auto()  # the server or channel, which the bot does not see
    FORBIDDEN = auto()  # the bot's rights there
    LOCKED = auto()  # the thread
    FULL = auto()  # the server's threads
    UNFIT = auto()  # the kind of channel
    ABSENT = auto()  # the person, who is not on the server or shares none with the bot
    SHUT = auto()  # the person, who takes no direct messages from the bot
    FILES = auto()  # the files of the message
    WORDS = auto()  # what the message or title says: the server or Discord blocks it
    MESSAGE = auto()  # the message itself


REFUSALS = {
    10002: (Means.GONE, "the application is gone"),
    10003: (Means.GONE, "the channel is gone"),
    10004: (Means.GONE, "the server is gone"),
    10007: (Means.ABSENT, "the person is not on the server"),
    10008: (Means.GONE, "the message is gone"),
    10013: (Means.ABSENT, "the person is gone"),
    20009: (Means.WORDS, "it counts as explicit"),
    20012: (Means.FORBIDDEN, "the application is not the bot's"),
    20026: (Means.SUSPENDED, "Discord has put the bot in quarantine"),
    30046: (Means.PASSES, "too many edits of old messages"),
    40003: (Means.PASSES, "too many new direct messages"),
    40004: (Means.SUSPENDED, "Discord takes no messages for now"),
    40005: (Means.FILES, "the message is too large"),
    40006: (Means.SUSPENDED, "Discord has turned this off for now"),
    40058: (Means.UNFIT, "a forum takes no such message"),
    40060: (Means.MESSAGE, "it was answered before"),
    40333: (Means.BLOCKED, "Discord's own protection blocks the bot"),
    50001: (Means.HIDDEN, "the bot does not see the channel"),
    50007: (Means.SHUT, "the person takes no direct messages from the bot"),
    50008: (Means.UNFIT, "this kind of channel takes no messages"),
    50009: (Means.FORBIDDEN, "the server asks for more verification"),
    50013: (Means.FORBIDDEN, "the bot lacks a permission"),
    50024: (Means.UNFIT, "this kind of channel takes no such message"),
    50033: (Means.ABSENT, "the person cannot be written to"),
    50035: (Means.MESSAGE, "the message breaks a limit"),
    50045: (Means.FILES, "the file is too large"),
    50083: (Means.LOCKED, "the thread is archived"),
    50095: (Means.FORBIDDEN, "the server is not available where the bot runs"),
    50278: (Means.ABSENT, "the person and the bot share no server"),
    160004: (Means.MESSAGE, "the message has a thread already"),
    160005: (Means.LOCKED, "the thread is locked"),
    160006: (Means.FULL, "the server has too many threads"),
    160007: (Means.FULL, "the server has too many threads"),  # in an announcement channel
    200000: (Means.WORDS, "the server's AutoMod blocks it"),
    200001: (Means.WORDS, "the server's AutoMod blocks its title"),
    240000: (Means.WORDS, "its link counts as harmful"),
    400001: (Means.FILES, "the server takes no files for now"),
}
PASSING = {Means.PASSES, Means.BLOCKED, Means.SUSPENDED}
NO_PLACE = {Means.GONE, Means.HIDDEN, Means.FORBIDDEN}


def meaning_of(status: int, code: int) -> Means:
    """Return what an answer of Discord with this status and code means. A code of 0 means that there is none."""
    if code in REFUSALS:
        return REFUSALS[code][0]
    match status:
        case HTTPStatus.FORBIDDEN:
            return Means.SUSPENDED if code else Means.BLOCKED
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.NOT_FOUND | HTTPStatus.TOO_MANY_REQUESTS:
            return Means.PASSES
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return Means.FILES
    return Means.PASSES if status >= HTTPStatus.INTERNAL_SERVER_ERROR else Means.MESSAGE


def meaning(error: discord.HTTPException) -> Means:
    """Return what an error of Discord means."""
    return meaning_of(error.status, error.code)


def answer_words(status: int, code: int) -> str:
    """Return an answer of Discord in words. Its own text is left out, because it may quote the message."""
    known = {each.value: each.phrase for each in HTTPStatus}
    words = REFUSALS[code][1] if code in REFUSALS else ""
    explained = f", code {code}" + (f": {words}" if words else "") if code else ""
    return f"Discord answered {status} {known.get(status, '')}".rstrip() + explained
