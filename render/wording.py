"""How pictures say their sentences. It is English, unless the order of a picture brings other `Words`."""

from collections.abc import Sequence

from gipfbot.rules import Colour, ruleset_words
from gipfbot.rules.sentences import AllOf, Sentence


def mark(sentence: str) -> str:
    """Return a sentence unchanged. `Words.say` says it, in some language, but its key stands here."""
    return sentence


def mark_number(one: str, many: str) -> tuple[str, str]:
    """Return the forms of a sentence for one and for many. `Words.say_number(*forms, …)` says it."""
    return one, many


class Words:
    """The words of pictures, in English. A subclass says them in another language.

    Facts stand in place of `{their names}`. A whole number is a count, and gets separators. Any other number gets one
    decimal.
    """

    def say(self, sentence: str, /, **facts: str | float) -> str:
        """Return a marked sentence with its facts. Raises KeyError for a missing fact."""
        return sentence.format_map({name: _written(fact) for name, fact in facts.items()}) if facts else sentence

    def say_number(self, one: str, many: str, number: int, /, **facts: str | float) -> str:
        """Return the form of a marked sentence that fits `number`, which stands in place of `{number}`."""
        return self.say(one if number == 1 else many, **{"number": number, **facts})

    def say_name(self, name: str, /, **facts: str | float) -> str:
        """Return the marked name of a thing, such as a colour. It is like `say`, but may be a fact of a sentence."""
        return self.say(name, **facts)

    def say_amount(self, one: str, many: str, number: int, /, **facts: str | float) -> str:
        """Return a count with what it counts, or the name of several things. It may be a fact of a sentence."""
        return self.say_number(one, many, number, **facts)

    def say_list(self, items: Sequence[str]) -> str:
        """Return items as they are listed in a sentence: `a, b and c`."""
        *first, last = items
        return f"{', '.join(first)} and {last}" if first else last


def _written(fact: str | float) -> str:
    return fact if isinstance(fact, str) else f"{fact:,}" if isinstance(fact, int) else f"{fact:.1f}"


ENGLISH = Words()
_COLOURS = {Colour.WHITE: mark("White"), Colour.BLACK: mark("Black")}


def colour_name(colour: Colour, words: Words) -> str:
    """Return the name of a colour."""
    return words.say_name(_COLOURS[colour])


def ruleset_name(name: str, words: Words) -> str:
    """Return the name of a rule set in words: `Tournament with 6 ZÈRTZ and 6 PÜNCT`."""
    named = ruleset_words(name)
    if not isinstance(named, Sentence):
        return words.say_name(named)
    listed = {key: words.say_list(fact) for key, fact in named.facts.items() if isinstance(fact, AllOf)}
    return words.say_name(
        named.template, **{key: words.say_name(str(fact)) for key, fact in named.facts.items()} | listed
    )
