"""What can be wrong with a text (notation.md section 6).

NotationError                 a ValueError: the text, where in it, a reason code, a sentence
├── ParseError                it cannot be read; says what was expected, with a caret under the place
├── IllegalTurn               it can be read, but may not be played here; says why, by rule number
│   └── ImpossiblePosition    the same of a position line
└── OpenTurn                  it leaves something open, or has two meanings; lists the choices
"""

from collections.abc import Sequence
from typing import Self

EXCERPT = 12  # characters of a text that a sentence quotes
QUOTED = 40  # that it quotes where it has more room
AROUND = 20  # characters shown on either side of a caret: what a phone shows in one line


class NotationError(ValueError):
    """Something is wrong with `text`, at character `at` (from 0) if the place is known.

    `str()` is a short sentence for a person, however long the text. `code` is for programs. `near` are legal turns like
    the text, if they were searched for.
    """

    near: tuple[str, ...] = ()

    def with_near(self, near: Sequence[str]) -> Self:
        """Return the error with these legal turns in it."""
        self.near = tuple(near)
        return self

    def __init__(self, code: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(sentence)
        self.code, self.text, self.at = code, text, at

    @property
    def caret(self) -> str:
        """The text, and on a second line a caret under the place. The text alone if the place is not known.

        A long text is cut around the place.
        """
        first = max(0, (self.at or 0) - AROUND)
        shown = excerpt(self.text, first, 2 * AROUND)
        if self.at is None:
            return shown
        return f"{shown}\n{' ' * (self.at - first + (first > 0))}^"


def excerpt(text: str, first: int = 0, length: int = QUOTED) -> str:
    """Return a part of a text to be shown: with … where it is cut, and a replacement sign for control signs."""
    part = text[first : first + length]
    clean = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in part)
    return f"{'…' if first else ''}{clean}{'…' if first + length < len(text) else ''}"


class ParseError(NotationError):
    """The text cannot be read: something else was expected from `at` to `end`.

    A `sentence` replaces the one about what was expected.
    """

    def __init__(self, expected: str, text: str, at: int, end: int | None = None, sentence: str = "") -> None:
        found = f"“{excerpt(text[at:end], length=EXCERPT)}” stands" if at < len(text) else "the text ends"
        plain = f"I expected {expected} where {found}." if text else f"The text is empty: I expected {expected}."
        super().__init__("unreadable", sentence or plain, text, at if text else None)
        self.expected = expected


class IllegalTurn(NotationError):
    """The text can be read, but the turn is not legal here. `rule` is the number of the rule against it."""

    def __init__(self, code: str, rule: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(code, f"{sentence} ({rule})", text, at)
        self.rule = rule


class ImpossiblePosition(IllegalTurn):
    """A position line can be read, but the rules do not allow its position."""

    def __init__(self, rule: str, sentence: str, text: str) -> None:
        super().__init__("impossible", rule, sentence, text)


class OpenTurn(NotationError):
    """The text leaves a choice open. `choices` are texts that decide it, as many as are worth listing.

    With `whole` each of them is a whole turn, else some are only its beginning. If the notation is what is open,
    `readings` are the titles of the notations that the choices belong to.
    """

    def __init__(
        self,
        choices: Sequence[str],
        text: str,
        *,
        more: bool = False,
        whole: bool = True,
        why: str = "That leaves a choice open",
        readings: Sequence[str] = (),
    ) -> None:
        order = "Write" if whole else "Begin with"
        listed = ", ".join(choices) + (", …" if more else "")
        super().__init__("open", f"{why}. {order} one of: {listed}", text)
        self.choices, self.why, self.readings = tuple(choices), why, tuple(readings)
