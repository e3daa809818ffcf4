"""The words of pictures in the reader's language."""

from collections.abc import Sequence
from dataclasses import dataclass

from gipfbot.languages import (
    Language,
    say,
    say_amount,
    say_list,
    say_name,
    say_number,
    speaking,
    spoken_language,
)
from render import Words


@dataclass(frozen=True)
class SaidWords(Words):
    """The words of pictures in a language. They may be said in another thread, which knows of no reader."""

    language: Language

    def say(self, sentence: str, /, **facts: str | float) -> str:
        """Return a sentence in the language."""
        with speaking(self.language):
            return say(sentence, **facts)

    def say_number(self, one: str, many: str, number: int, /, **facts: str | float) -> str:
        """Return the form of a sentence that fits `number`, in the language."""
        with speaking(self.language):
            return say_number(one, many, number, **facts)

    def say_name(self, name: str, /, **facts: str | float) -> str:
        """Return the name of a thing in the language."""
        with speaking(self.language):
            return say_name(name, **facts)

    def say_amount(self, one: str, many: str, number: int, /, **facts: str | float) -> str:
        """Return a count with what it counts, in the language."""
        with speaking(self.language):
            return say_amount(one, many, number, **facts)

    def say_list(self, items: Sequence[str]) -> str:
        """Return items as the language lists them."""
        with speaking(self.language):
            return say_list(items)


def spoken_words() -> Words:
    """Return the words of a picture in the language that is spoken now. It goes with the order of the picture."""
    return SaidWords(spoken_language())
