"""Buttons and selects as plain values. `views` turns them into Discord's components."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BUTTONS_PER_ROW = MOST_ROWS = 5  # Discord's limits
MOST_COMPONENTS = 40  # of a private message: rows, buttons, texts and pictures


@dataclass(frozen=True)
class Button:
    """A button. `action` is the part of its `custom_id` after the prefix, and says what the button does."""

    label: str
    action: str
    style: str = "secondary"
    disabled: bool = False  # shown, but cannot be pressed
    is_custom_id: bool = False  # `action` is the whole `custom_id`, without a prefix


@dataclass(frozen=True)
class Select:
    """A select: the person chooses one of at most 25 (label, value) pairs."""

    placeholder: str
    action: str
    options: tuple[tuple[str, str], ...]
    chosen: str | None = None


@dataclass(frozen=True)
class ChannelSelect:
    """A select of one of the server's text channels. `chosen` is the id of the one that it shows.

    Only private messages can show it.
    """

    placeholder: str
    action: str
    chosen: int | None = None


@dataclass(frozen=True)
class RoleSelect:
    """A select of one of the server's roles. `chosen` is the id of the one that it shows.

    Only private messages can show it.
    """

    placeholder: str
    action: str
    chosen: int | None = None


@dataclass(frozen=True)
class ListedText:
    """A text with its own button beside it. Only private messages can show it."""

    text: str
    button: Button


ComponentRow = tuple[Button, ...] | Select
PrivateRow = ComponentRow | ChannelSelect | RoleSelect | ListedText | str  # a str is a text of its own


def with_note_above(note: str, rows: Sequence[PrivateRow]) -> tuple[PrivateRow, ...]:
    """Return the rows with a note directly above them, where a person looks who has just pressed one of them.

    An empty note leaves the rows as they are.
    """
    return (note, *rows) if note else tuple(rows)


def button_rows(buttons: list[Button]) -> Iterator[tuple[Button, ...]]:
    """Yield the buttons in rows of at most five."""
    for at in range(0, len(buttons), BUTTONS_PER_ROW):
        yield tuple(buttons[at : at + BUTTONS_PER_ROW])
