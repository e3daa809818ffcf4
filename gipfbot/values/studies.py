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

    `game` is the id of the bot's game that the study shows; None for an imported record. `reason` says why that game
    ended; None while it runs. `fault` describes the turn at which the record breaks; it is empty for a sound record.
    `notes` maps places in the record to notes: each turn, counted from 1, and 0 before the first turn. `level` is how
    well the bot plays that answers in a practice; None in all other studies.
    """

    study: Study
    user: int
    title: str
    game: int | None = None
    result: str | None = None
    notes: Mapping[int, Note] = field(default_factory=dict)
    reason: Reason | None = None
    fault: str = ""
    level: int | None = None

    def note(self, place: int) -> Note:
        """Return the note at a place of the record; an empty one if there is none."""
        return self.notes.get(place, Note())


class StudyBrief(NamedTuple):
    """A study in a list. `ruleset` is the name of its rule set, and `turns` is the number of its turns.

    `level` is as in `StoredStudy`.
    """

    id: int
    game: int | None
    names: ByColour[str]
    title: str
    ruleset: str
    turns: int
    level: int | None = None
