"""Sentences about faults: English texts that keep their template and their facts.

The pure rooms know no language but English. Tools and programs read a sentence as the text that it is; `ui` says it in
the reader's language, by its template and its facts.
"""

from typing import TypeAlias

from .pieces import Colour


class OneOf(tuple[str, ...]):
    """Turns, or parts of turns, one of which is to be written: `e2 or g1-e3`."""

    def __str__(self) -> str:
        return " or ".join(self)


class AllOf(tuple[str, ...]):
    """Things that are named together: `a1–d4 and b2–e5`."""

    def __str__(self) -> str:
        return " and ".join(self)


# A whole number is a count. A sentence among the facts is the name of a thing, such as `a spot such as c2`.
Fact: TypeAlias = "str | int | Colour | OneOf | AllOf | Sentence"


class Sentence(str):
    """A sentence in English, filled with its facts. `template` has `{their names}` in their places.

    `rule` is the number of the rule behind it, which the English text shows in brackets.

    >>> Sentence("{player} has {count} in reserve.", rule="R4.3", player=Colour.WHITE, count=3)
    'White has 3 in reserve (R4.3).'
    """

    template: str
    rule: str
    facts: dict[str, Fact]

    def __new__(cls, template: str, /, *, rule: str = "", **facts: Fact) -> "Sentence":
        """Return the sentence. Raises KeyError for a missing fact."""
        text = template.format_map({name: _in_english(fact) for name, fact in facts.items()}) if facts else template
        said = super().__new__(cls, f"{text.removesuffix('.')} ({rule})." if rule else text)
        said.template, said.rule, said.facts = template, rule, facts
        return said

    @property
    def advice(self) -> tuple[str, ...]:
        """The turns, or parts of turns, that the sentence advises to write, in its order."""
        return tuple(turn for fact in self.facts.values() if isinstance(fact, OneOf) for turn in fact)


def _in_english(fact: Fact) -> str:
    return f"{fact:,}" if isinstance(fact, int) and not isinstance(fact, Colour) else str(fact)
