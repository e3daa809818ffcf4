"""Rule sets as values: the three presets of section 2, and the house rules of section 8."""

from dataclasses import asdict, dataclass
from typing import Any

from .pieces import ByColour

OFFICIAL_COURSE, OVERBOARD_COURSE = "official", "overboard"


@dataclass(frozen=True)
class Ruleset:
    """One version of the game.

    `setup` lists each player's pieces at the start, written as in the notation (`Gb5`, `e2`). A game stores its whole
    rule set, so that changing a preset does not affect running games.
    """

    name: str
    pieces: int  # basic pieces per player; a GIPF-piece counts as two
    setup: ByColour[tuple[str, ...]]
    gipf_enters: bool = False  # players bring in their GIPF-pieces (R5)
    gipf_decides: bool = False  # a player with no GIPF-piece left loses (R6.2)
    agreed_draw: bool = False  # the players may agree on a draw (R8.5)
    potentials: tuple[tuple[str, int], ...] = ()  # their letters in `POWERS`, and each player's number of them (R7.1)
    course: str = OFFICIAL_COURSE  # the key of the course of a turn: `engine.py`, or a file of its own beside it
    gipf_apart: bool = False  # GIPF-pieces are pieces of their own, not counted in `pieces` (R8.1)

    def __hash__(self) -> int:
        return hash(self.name)  # much faster than the hash of all fields; positions are looked up often

    @property
    def title(self) -> str:
        """The name as people read it: `Tournament`, `Tournament+Z6P6`."""
        return self.name[:1].upper() + self.name[1:]

    @property
    def asks_opponent(self) -> bool:
        """Whether a turn may ask the opponent for a decision before it ends (R8.4)."""
        return self.course == OVERBOARD_COURSE

    def data(self) -> dict[str, Any]:
        """Return the rule set as plain data. `from_data` reads it back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Ruleset":
        """Return the rule set stored by `data()`. A missing field gets its default.

        The default of a field added later must describe the rules before that field existed. Raises TypeError for an
        unknown field, so that no game continues under wrong rules. Raises TypeError or KeyError for a missing field
        without a default.
        """
        white, black = data["setup"]
        potentials = tuple((letter, number) for letter, number in data.get("potentials", ()))
        return cls(**{**data, "setup": (tuple(white), tuple(black)), "potentials": potentials})


BASIC = Ruleset("basic", 15, (("b5", "e2", "h5"), ("b2", "e8", "h2")))
STANDARD = Ruleset("standard", 18, (("Gb5", "Ge2", "Gh5"), ("Gb2", "Ge8", "Gh2")), gipf_decides=True)
TOURNAMENT = Ruleset("tournament", 18, ((), ()), gipf_enters=True, gipf_decides=True)

OVERBOARD = Ruleset(
    "overboard",
    18,
    STANDARD.setup,
    gipf_decides=True,
    course=OVERBOARD_COURSE,
    gipf_apart=True,
    agreed_draw=True,
)

PRESETS = {ruleset.name: ruleset for ruleset in (BASIC, STANDARD, TOURNAMENT)}  # the official versions
RULESETS = {**PRESETS, OVERBOARD.name: OVERBOARD}  # all by name
