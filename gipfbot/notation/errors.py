"""The errors raised if a text cannot be read or played (notation.md section 6).

NotationError                 a ValueError that holds the text, the offset of the fault, a code and a sentence
├── ParseError                the text cannot be read; says what was expected; `caret` shows where
├── IllegalTurn               the text can be read, but the turn is illegal; says why, with the rule number
│   └── ImpossiblePosition    a position line can be read, but the rules do not allow its position
└── OpenTurn                  the text leaves a choice open or has two meanings; lists the choices
"""

from collections.abc import Sequence
from typing import Self

from gipfbot.characters import cut_text, keep_signs, may_cut

EXCERPT = 12  # most characters of a text quoted inside a sentence
QUOTED = 40  # most characters quoted where there is more room
CHOICES_LISTED = 6  # most turns listed if a text leaves a choice open
AROUND = 20  # characters shown on either side of a caret; a line on a phone holds twice as many


class NotationError(ValueError):
    """A fault in `text`, at offset `at`. `at` is None if the fault has no single place.

    `str()` gives a short sentence for a person, however long the text is. `code` names the reason, for programs. `near`
    holds legal turns similar to the text; it is empty until `with_near` sets it.
    """

    near: tuple[str, ...] = ()

    def with_near(self, near: Sequence[str]) -> Self:
        """Set `near` to legal turns similar to the text, and return the error."""
        self.near = tuple(near)
        return self

    def __init__(self, code: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(sentence)
        self.code, self.text, self.at = code, text, at

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
    """The text cannot be read. `expected` says what should stand between the offsets `at` and `end`.

    If `sentence` is given, it replaces the sentence about what was expected.
    """

    def __init__(self, expected: str, text: str, at: int, end: int | None = None, sentence: str = "") -> None:
        word = text[_word_start(text, at) : end] if at < len(text) else ""
        found = f"found “{excerpt(word, length=EXCERPT)}”" if word else "the text ends"
        plain = f"Expected {expected}, but {found}." if text else f"The text is empty: expected {expected}."
        super().__init__("unreadable", sentence or plain, text, at if text else None)
        self.expected = expected


class IllegalTurn(NotationError):
    """The text can be read, but the turn is illegal. `rule` is the number of the rule that the turn breaks.

    `sentence` says why, without that number.
    """

    def __init__(self, code: str, rule: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(code, f"{sentence} ({rule})", text, at)
        self.rule, self.sentence = rule, sentence


class ImpossiblePosition(IllegalTurn):
    """A position line can be read, but the rules do not allow its position."""

    def __init__(self, rule: str, sentence: str, text: str) -> None:
        super().__init__("impossible", rule, sentence, text)


class OpenTurn(NotationError):
    """The text leaves a choice open, or means different turns in the two notations.

    `choices` lists texts that decide the choice, and `more` says that there are others. If there is only one text, the
    sentence says that the turn is not finished. If `whole` is true, each listed text is a complete turn. If `whole` is
    false, some texts are only the beginning of a turn. If `readings` is not empty, the choice is between the two
    notations, and `readings` holds the title of the notation of each choice.
    """

    def __init__(
        self,
        choices: Sequence[str],
        text: str,
        *,
        more: bool = False,
        whole: bool = True,
        why: str = "",
        readings: Sequence[str] = (),
    ) -> None:
        order, only = "Write" if whole else "Begin with", len(choices) == 1 and not more
        why = why or ("That turn is not finished" if only else "That leaves a choice open")
        listed = ", ".join(choices) + (", …" if more else "")
        super().__init__("open", f"{why}. {order}{'' if only else ' one of'}: {listed}", text)
        self.choices, self.why, self.readings = tuple(choices), why, tuple(readings)
