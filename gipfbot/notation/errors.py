"""What can be wrong with a text (notation.md section 6).

NotationError             a ValueError: the text, where in it, a reason code, a sentence
├── ParseError            it cannot be read; says what was expected, with a caret under the place
├── IllegalTurn           it can be read, but may not be played here; says why, by rule number
└── OpenTurn              it leaves something open, or has two meanings; lists the choices
"""

from collections.abc import Sequence


class NotationError(ValueError):
    """Something is wrong with `text`, at character `at` (from 0) where that is known.

    `str()` is a sentence for a person; `code` is for programs.
    """

    def __init__(self, code: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(sentence)
        self.code, self.text, self.at = code, text, at

    @property
    def caret(self) -> str:
        """The text and, on a second line, a caret under the place; the text alone where the place is not known."""
        return self.text if self.at is None else f"{self.text}\n{' ' * self.at}^"


class ParseError(NotationError):
    """The text cannot be read."""

    def __init__(self, expected: str, text: str, at: int) -> None:
        found = f"“{text[at : at + 12]}”" if at < len(text) else "the end"
        super().__init__("unreadable", f"I expected {expected} where {found} stands.", text, at)
        self.expected = expected


class IllegalTurn(NotationError):
    """The text can be read, but the turn is not legal here; `rule` is the number of the rule against it."""

    def __init__(self, code: str, rule: str, sentence: str, text: str, at: int | None = None) -> None:
        super().__init__(code, f"{sentence} ({rule})", text, at)
        self.rule = rule


class OpenTurn(NotationError):
    """The text leaves a choice open; `choices` are the texts that say it all, as many as are worth listing."""

    def __init__(self, choices: Sequence[str], text: str) -> None:
        super().__init__("open", f"That leaves a choice open. Write one of: {', '.join(choices)}", text)
        self.choices = tuple(choices)
