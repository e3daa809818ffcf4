"""Studies as they are stored, and as lists show them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gipfbot.match.study import Study
from gipfbot.rules import ByColour, Reason


class Note(NamedTuple):
    """What a record adds to a turn: a mark such as `!`, and comments."""

    mark: str = ""
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredStudy:
    """A study, its owner, and what the record says besides turns. `title` is the record's event, or empty.

    `game` is the bot's game whose turns it has, if any, and `reason` says why that game ended, if it has. `fault` is
    the sentence on the turn at which the record breaks, empty for a sound one. `notes` go by turn number, from 1; those
    before the first turn are under 0.
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
        """Return the note on a turn of the record; an empty one if there is none."""
        return self.notes.get(turn_number, Note())


class StudyBrief(NamedTuple):
    """A study in a list; `ruleset` is the name of its rule set, `turns` the number of its turns."""

    id: int
    game: int | None
    names: ByColour[str]
    title: str
    ruleset: str
    turns: int
