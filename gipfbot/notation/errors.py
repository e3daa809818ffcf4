"""The errors raised if a text cannot be read or played (notation.md section 6).

NotationError                 a ValueError that holds the text, the offset of the fault, a code and its sentences
├── ParseError                the text cannot be read; says what was expected; `caret` shows where
├── IllegalTurn               the text can be read, but the turn is illegal; says why, with the rule number
│   └── ImpossiblePosition    a position line can be read, but the rules do not allow its position
└── OpenTurn                  the text leaves a choice open or has two meanings; lists the choices
"""

from collections.abc import Sequence
from typing import Self

from gipfbot.characters import cut_text, keep_signs, may_cut
from gipfbot.rules.sentences import Sentence

EXCERPT = 12  # most characters of a text quoted inside a sentence
QUOTED = 40  # most characters quoted where there is more room
CHOICES_LISTED = 6  # most turns listed if a text leaves a choice open
AROUND = 20  # characters shown on either side of a caret; a line on a phone holds twice as many


class NotationError(ValueError):
    """A fault in `text`, at offset `at`. `at` is None if the fault has no single place.

    `str()` gives a short English text, however long `text` is. `sentences` holds the same with its facts, for `ui`,
    which says it in other languages. `code` names the reason, for programs. `near` holds legal turns similar to the
    text; it is empty until `with_near` sets it. `choices` holds texts that decide the choice left open.
    """

    near: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    def with_near(self, near: Sequence[str]) -> Self:
        """Set `near` to legal turns similar to the text, and return the error."""
        self.near = tuple(near)
        return self

    def __init__(self, code: str, sentences: Sequence[Sentence], text: str, at: int | None = None) -> None:
        super().__init__(" ".join(sentences))
        self.code, self.sentences, self.text, self.at = code, tuple(sentences), text, at

    @property
    def advice(self) -> tuple[str, ...]:
        """The turns, or parts of turns, that the sentences advise to write, in their order."""
        return tuple(turn for sentence in self.sentences for turn in sentence.advice)

    @property
    def caret(self) -> str:
        """The text, with a caret under the fault on a second line. No caret if `at` is None.

        A long text is cut around the fault.
        """
        first = max(0, (self.at or 0) - AROUND)
        while not may_cut(self.text, first):
            first -= 1
        shown = excerpt(self.text, first, 2 * AROUND)
        if self.at is None:
            return shown
        return f"{shown}\n{' ' * (self.at - first + (first > 0))}^"


def excerpt(text: str, first: int = 0, length: int = QUOTED) -> str:
    """Return at most `length` characters of a text, from the offset `first`. `…` marks a cut.

    Unprintable characters are replaced.
    """
    part = cut_text(text[first : first + length + 1], length)
    clean = keep_signs(part, str.isprintable, "\N{REPLACEMENT CHARACTER}")
    return f"{'…' if first else ''}{clean}{'…' if first + len(part) < len(text) else ''}"


def _word_start(text: str, at: int) -> int:
    """Return the offset at which the word around the offset `at` begins. `at` itself if no letter stands there."""
    while at and text[at].isalpha() and text[at - 1].isalpha():
        at -= 1
    return at


class ParseError(NotationError):
    """The text cannot be read. `expected` names what should stand between the offsets `at` and `end`.

    If `sentence` is given, it replaces the sentence about what was expected.
    """

    def __init__(
        self, expected: Sentence, text: str, at: int, end: int | None = None, sentence: Sentence | None = None
    ) -> None:
        word = text[_word_start(text, at) : end] if at < len(text) else ""
        said = sentence or _expected_sentence(expected, text, excerpt(word, length=EXCERPT))
        super().__init__("unreadable", [said], text, at if text else None)
        self.expected = expected


def _expected_sentence(expected: Sentence, text: str, word: str) -> Sentence:
    if not text:
        return Sentence("The text is empty: expected {expected}.", expected=expected)
    if not word:
        return Sentence("Expected {expected}, but the text ends.", expected=expected)
    return Sentence("Expected {expected}, but found “{word}”.", expected=expected, word=word)


class IllegalTurn(NotationError):
    """The text can be read, but the turn is illegal. `rule` is the number of the rule that the turn breaks.

    `sentences` say why, without that number. In English it follows them.
    """

    def __init__(
        self, code: str, rule: str, sentences: Sentence | Sequence[Sentence], text: str, at: int | None = None
    ) -> None:
        super().__init__(code, [sentences] if isinstance(sentences, Sentence) else sentences, text, at)
        self.args, self.rule = (f"{self} ({rule})",), rule


class ImpossiblePosition(IllegalTurn):
    """A position line can be read, but the rules do not allow its position."""

    def __init__(self, rule: str, sentence: Sentence, text: str) -> None:
        super().__init__("impossible", rule, sentence, text)


class OpenTurn(NotationError):
    """The text leaves a choice open, or means different turns if `two_ways` is true.

    `choices` lists texts that decide the choice, and `more` says that there are others. `why` is the sentence that says
    what is open. If there is only one text, the turn is not finished. If `whole` is true, each listed text is a
    complete turn. If `whole` is false, some texts are only the beginning of a turn. If `readings` is not empty, the
    choice is between the two notations, and `readings` holds the title of the notation of each choice.
    """

    def __init__(
        self,
        choices: Sequence[str],
        text: str,
        *,
        more: bool = False,
        whole: bool = True,
        two_ways: bool = False,
        readings: Sequence[str] = (),
    ) -> None:
        only, listed = len(choices) == 1 and not more, ", ".join(choices) + (", …" if more else "")
        self.why = _open_sentence(two_ways=two_ways, only=only)
        super().__init__("open", [self.why, _choice_sentence(listed, whole=whole, only=only)], text)
        self.choices, self.readings = tuple(choices), tuple(readings)


def _open_sentence(*, two_ways: bool, only: bool) -> Sentence:
    if two_ways:
        return Sentence("That can be read in two ways.")
    return Sentence("That turn is not finished.") if only else Sentence("That leaves a choice open.")


def _choice_sentence(turns: str, *, whole: bool, only: bool) -> Sentence:
    if whole:
        return Sentence("Write: {turns}", turns=turns) if only else Sentence("Write one of: {turns}", turns=turns)
    return Sentence("Begin with: {turns}", turns=turns) if only else Sentence("Begin with one of: {turns}", turns=turns)
