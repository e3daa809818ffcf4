"""All texts of a message, a form or a picture that people read, and their words without names, turns and commands."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from zoneinfo import available_timezones

from simcord.components import walk_components

from tests.support.marked_language import read_marks
from tests.support.spoken_words import WORD

from .slash_commands import command_names, slash_commands

# The parts of components that people read. What stands in a text field was written by a person.
READ = ("content", "label", "placeholder", "description", "title")

# The same in all languages: what is played, its versions, units, and who writes “Tournament 1. Ge8” as an example.
SAME = {"GIPF", "ZÈRTZ", "PÜNCT", "Basic", "Standard", "Tournament", "Overboard", "Bot", "KiB", "Deutsch", "English"}
SAME |= {"und", "oder"}  # between the parts of a list, which Babel writes

_OPTIONS = "|".join(sorted({str(option.display_name) for each in slash_commands() for option in each.parameters}))
_COMMANDS = "|".join(sorted(map(re.escape, command_names()), key=len, reverse=True))
_ZONE_NAMES = {name for zone in available_timezones() for name in (zone, zone.replace("_", " "))}
_ZONES = "|".join(sorted(map(re.escape, _ZONE_NAMES), key=len, reverse=True))
_SPOTS = r"G?[a-i][1-9]\*?"
UNREAD = tuple(
    re.compile(pattern)
    for pattern in (
        r"`[^`\n]*`",
        r"<[@#][!&]?[0-9]+>|<t:[0-9]+(?::[a-zA-Z])?>|</[^>]*:[0-9]+>",
        r"https?://[^\s)>]+",
        rf"/(?:{_COMMANDS})\b(?: (?:{_OPTIONS}):(?: ?[^\s*.,)]+)?)*",
        rf"\b(?:{_OPTIONS}):\S*|\*\*(?:{_OPTIONS})\*\*",
        r"\b[a-z]+=\S*|\[[A-Z]\w+\](?!\()",  # keys of positions and of records
        rf"/?\b(?:{_COMMANDS})\b(?=\*\*|$)",
        r"#[a-z]+[0-9]+(?:@[0-9.]+)?\b",  # games
        rf"(?<![A-Za-z0-9])[xXZPG]*(?:{_SPOTS}[xXZP]?)(?:[-–>,;xXZ*]*{_SPOTS}[xXZP]?)*(?![A-Za-z0-9])",  # turns
        r"[„“][^“”\n]*[“”]",  # what somebody has typed
        r"\bstudy [0-9]+\b",  # as it is typed
        r"\bR[0-9]+(?:\.[0-9]+)*[a-z]?\b",  # rules
        rf"\b(?:{_ZONES})(?![\w/])",
        r"\b[\w-]+\.(?:gipf|json|zip|gif|png|txt)\b",
        r"\b[0-9a-f]{6,}\b",
    )
)


def message_texts(components: Iterable[Mapping[str, Any]], content: str = "") -> Iterator[tuple[str, str]]:
    """Yield what people read of a message or of a form: each text with the name of its part."""
    if content:
        yield "content", content
    for item in walk_components([*components]):
        for part in READ:
            if isinstance(text := item.get(part), str) and text:
                yield part, text
        for option in item.get("options") or ():
            yield from ((f"option's {part}", option[part]) for part in ("label", "description") if option.get(part))
        for picture in item.get("items") or ():
            if picture.get("description"):
                yield "alt text", picture["description"]


def without_facts(text: str, names: Iterable[str] = ()) -> str:
    """Return a text without commands, links, code, mentions, turns, games, and these names of people and places."""
    for pattern in UNREAD:
        text = pattern.sub(" ", text)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


def words_of(text: str, names: Iterable[str] = ()) -> list[str]:
    """Return the words of a text in order, of two letters or more, without names, turns, commands and the like."""
    return WORD.findall(without_facts(text, names))


def bare_words(text: str, names: Iterable[str]) -> list[str]:
    """Return the words of a text in the marked language that no sentence says.

    If a sentence in it is a fact of another, return all its words.
    """
    found = read_marks(text)
    return [word for word in words_of(text if found.nested else found.bare, names) if word not in SAME]
