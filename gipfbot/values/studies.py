"""Studies as they are stored, and as lists show them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gipfbot.match.study import Study
from gipfbot.rules import ByColour, Reason


class Note(NamedTuple):
    """What a record says about a turn besides the turn: a mark such as `!`, and comments."""

    mark: str = ""
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredStudy:
    """A study, whose it is, and what the record says beyond its turns; `title` is its event, empty if it names none.

    `game` is the game whose turns it has, if it is one of the bot's, and `reason` why that ended, if it has. `fault` is
    the sentence on the turn at which a record breaks, empty for a sound one. `notes` go by the number of the turn from
    1; what is said before the first turn stands under 0.
    """

    study: Study
    user: int
    title: str
    game: int | None = None
    result: str | None = None
    notes: Mapping[int, Note] = field(default_factory=dict)
    reason: Reason | None = None
    fault: str = ""

    def note(self, turn_number: int) -> Note:
        """Return what is said about a turn of the record."""
        return self.notes.get(turn_number, Note())


class StudyBrief(NamedTuple):
    """A study in a list; `ruleset` is the name of its rule set, `turns` how many it has."""

    id: int
    game: int | None
    names: ByColour[str]
    title: str
    ruleset: str
    turns: int
