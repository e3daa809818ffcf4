"""Sentences in the reader's language.

The English sentence stands where it is used, and is the key. Each other language is a file beside this one, such as
`de.po`. What it lacks is said in English.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from babel import Locale
from babel.lists import format_list
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

FOLDER = Path(__file__).parent
NOT_OFFERED = "Not offered yet."  # stands in the first comment of a file whose language nobody may choose
# The functions that take sentences, and which of their arguments are sentences.
KEYWORDS = MappingProxyType[str, tuple[int, ...]](
    {
        "say": (1,),
        "say_number": (1, 2),
        "say_name": (1,),
        "say_amount": (1, 2),
        "mark": (1,),
        "mark_number": (1, 2),
        "Sentence": (1,),
    }
    | {"slash_command": (3,), "slash_group": (3,)}
)
# Those of discord.py that take them by name: `group.command(description="…")`. No name stands for all names.
NAMED_KEYWORDS = MappingProxyType[str, tuple[str, ...]](
    {"describe": (), "command": ("description",), "Choice": ("name",)}
)


class Language(NamedTuple):
    """A language: its code as Discord writes it, how it writes numbers, and its sentences by the English ones."""

    code: str
    locale: Locale
    sentences: NullTranslations


ENGLISH = Language("en", Locale("en", "GB"), NullTranslations())
_spoken: ContextVar[Language] = ContextVar("spoken_language", default=ENGLISH)


def mark(sentence: str) -> str:
    """Return a sentence unchanged. It is translated later, by `say`, but its key stands here."""
    return sentence


def mark_number(one: str, many: str) -> tuple[str, str]:
    """Return the forms of a sentence for one and for many. They are translated later, by `say_number(*forms, …)`."""
    return one, many


def say(sentence: str, /, **facts: str | float) -> str:
    """Return a sentence in the language that is spoken now, with its facts in place of `{their names}`.

    A whole number is a count, and gets the language's separators. Any other number gets one decimal. Raises KeyError
    for a missing fact.

    >>> say("{name} has {count} games.", name="Ann", count=1200)
    'Ann has 1,200 games.'
    """
    language = _spoken.get()
    known = sentence and language.sentences.gettext(sentence)  # gettext has the head of its file under an empty text
    return _fill(language, known, facts)


def say_number(one: str, many: str, number: int, /, **facts: str | float) -> str:
    """Return the form of a sentence that fits `number`, which stands in place of `{number}`. Else it is like `say`.

    >>> say_number("{number} turn", "{number} turns", 1)
    '1 turn'
    """
    language = _spoken.get()
    return _fill(language, language.sentences.ngettext(one, many, number), {"number": number, **facts})


def say_name(name: str, /, **facts: str | float) -> str:
    """Return the name of a thing, such as a turn or a colour. It is like `say`, but may be a fact of a sentence."""
    return say(name, **facts)


def say_amount(one: str, many: str, number: int, /, **facts: str | float) -> str:
    """Return a count with what it counts, or the name of several things. It is like `say_number`, but may be a fact.

    >>> say("The bot was offline for {time}.", time=say_amount("{number} day", "{number} days", 2))
    'The bot was offline for 2 days.'
    """
    return say_number(one, many, number, **facts)


def say_list(items: Sequence[str], *, one_of: bool = False) -> str:
    """Return items as they are listed in a sentence: all of them, or with `one_of` one of which is to be chosen.

    >>> say_list(["Ann", "Bob", "Cara"])
    'Ann, Bob and Cara'
    >>> say_list(["Ann", "Bob", "Cara"], one_of=True)
    'Ann, Bob or Cara'
    """
    return format_list(items, style="or" if one_of else "standard", locale=_spoken.get().locale)


def _fill(language: Language, sentence: str, facts: Mapping[str, str | float]) -> str:
    if not facts:
        return sentence
    return sentence.format_map({name: _written(language, fact) for name, fact in facts.items()})


def _written(language: Language, fact: str | float) -> str:
    if isinstance(fact, str):
        return fact
    if not isinstance(fact, int):
        return format_decimal(fact, "0.0", language.locale)
    return str(fact) if fact < 1000 else format_decimal(fact, locale=language.locale)


def spoken_language() -> Language:
    """Return the language that is spoken now, to speak it elsewhere: a thread knows of none."""
    return _spoken.get()


def speak(language: Language) -> None:
    """Speak a language from now on, in this task."""
    _spoken.set(language)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Speak a language within the `with` block."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


@cache
def read_catalogue(code: str) -> Catalog:
    """Return the file of a language, such as `de`. Raises FileNotFoundError if there is none."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=Locale.parse(code, sep="-"))


def is_offered(code: str) -> bool:
    """Return whether people may choose the language with this code, which has a file."""
    return NOT_OFFERED not in read_catalogue(code).header_comment


@cache
def languages() -> Mapping[str, Language]:
    """Return the languages that people may choose, by code. English is the first."""
    offered = filter(is_offered, sorted(path.stem for path in FOLDER.glob("*.po")))
    return MappingProxyType({"en": ENGLISH} | {code: load_language(code) for code in offered})


def load_language(code: str) -> Language:
    """Return the language that a file holds, offered or not. Raises FileNotFoundError if there is none."""
    packed = BytesIO()
    write_mo(packed, read_catalogue(code))
    packed.seek(0)
    return Language(code, Locale.parse(code, sep="-"), GNUTranslations(packed))


def language_named(code: str | None) -> Language:
    """Return the language with this code, such as `de`. English for one that is not offered, and for None."""
    return languages().get(code or "", ENGLISH)
