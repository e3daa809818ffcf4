"""Rows that define settings: the values, the default, and the effects of a change. Each setting of a class has a row.

The rows determine the check of a value, the stored values, the news of a change, the controls and the options. A new
setting needs a row, and its words in `ui`.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Self, TypeVar

from gipfbot.languages import ENGLISH
from gipfbot.match import Refused, Why
from gipfbot.store import Connection

DefaultValue = TypeVar("DefaultValue")
AS_DISCORD = "discord"  # the language of a person's or a server's Discord
DISCORD_IDS = range(10**20)  # what an id of a channel or a role may be


class Place(Enum):
    """A kind of thing that a setting can name by its id."""

    CHANNEL = "channel"
    ROLE = "role"


class Announced(Enum):
    """The section of a setting in the message on changed settings: the games for which a change holds."""

    NEW_GAMES = "new games"
    FROM_NOW_ON = "all games"


@dataclass(frozen=True)
class Setting:
    """A row: everything about a setting except its name and default, which are those of its field."""

    values: tuple[Any, ...]  # those that its control offers
    numbers: range = range(0)  # also allowed; the control offers some of them
    is_switch: bool = False  # whether its control is a button that changes to the next value, and not a list
    place: Place | None = None
    announced: Announced | None = None  # None if players are not told of a change
    # Called after a change, in its transaction, with the server or person, the new value and the time (UTC seconds).
    then: Callable[[Connection, int, Any, int], Awaitable[None]] | None = None

    @property
    def has_limit(self) -> bool:
        """Whether the value is a number, or None for no limit. In a command's option, 0 stands for None."""
        return bool(self.numbers) and None in self.values and not self.place

    def allows(self, value: Any) -> bool:
        """Return whether a value may be set. 1 is not True."""
        known = any(type(value) is type(each) and value == each for each in self.values)
        return known or (type(value) is int and value in self.numbers)


def stored_code(code: str | None) -> str | None:
    """Return the code of a language as it is stored: None for English."""
    return None if code == ENGLISH.code else code


def choice(
    default: DefaultValue, values: Iterable[Any], announced: Announced | None = None, **row: Any
) -> DefaultValue:
    """Return the field of a setting with these values. `row` are further fields of its Setting."""
    return field(default=default, metadata={"row": Setting(tuple(values), announced=announced, **row)})


def switch(
    default: DefaultValue, announced: Announced | None = None, values: Iterable[Any] = (True, False), **row: Any
) -> DefaultValue:
    """Return the field of a setting that a button changes to the next of a few values."""
    return choice(default, values, announced, is_switch=True, **row)


def place(kind: Place, announced: Announced | None = None, **row: Any) -> Any:
    """Return the field of a setting that names a channel or a role by its id. None, the default, names none."""
    return choice(None, (None,), announced, numbers=DISCORD_IDS, place=kind, **row)


@dataclass(frozen=True, kw_only=True)
class SettingRows:
    """The base of a class of settings. Each field of such a class is a setting, made by `choice` or `switch`."""

    @classmethod
    def rows(cls) -> dict[str, Setting]:
        """Return the rows of the settings by name."""
        return {each.name: each.metadata["row"] for each in fields(cls)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Return the settings that are stored. Values that are no longer offered count as not set."""
        rows = cls.rows().items()
        return cls(**{name: stored[name] for name, row in rows if name in stored and row.allows(stored[name])})

    def with_changes(self, changes: Mapping[str, Any]) -> Self:
        """Return the settings with these changes, by name. Raises Refused for a value that is not offered."""
        rows = self.rows()
        for name, value in changes.items():
            if not rows[name].allows(value):
                raise Refused(Why.NOT_OFFERED, option=name, value=value)
        return replace(self, **changes)
