"""Rule sets as values: how the versions differ, and the presets of section 2."""

from dataclasses import asdict, dataclass
from typing import Any

from .pieces import ByColour


@dataclass(frozen=True)
class Ruleset:
    """One version of the game.

    `setup` holds the pieces on the board at the start, as the notation writes them (`Gb5`, `e2`). A game keeps its rule
    set by value, so a changed preset alters no running game.
    """

    name: str
    pieces: int  # basic pieces each, those in GIPF-pieces included
    setup: ByColour[tuple[str, ...]]
    gipf_enters: bool = False  # GIPF-pieces are brought in by the players (R5)
    gipf_decides: bool = False  # a player with no GIPF-piece left loses (R6.2)

    def data(self) -> dict[str, Any]:
        """Return the rule set as plain data that `from_data` reads back."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Ruleset":
        """Return the rule set that `data()` described; a missing field has its default.

        So a field that is added later needs a default that says what held before. Raises TypeError or KeyError for an
        unknown field, as nobody may play on by other rules unawares, and for a missing one without a default.
        """
        white, black = data["setup"]
        return cls(**{**data, "setup": (tuple(white), tuple(black))})


BASIC = Ruleset("basic", 15, (("b5", "e2", "h5"), ("b2", "e8", "h2")))
STANDARD = Ruleset("standard", 18, (("Gb5", "Ge2", "Gh5"), ("Gb2", "Ge8", "Gh2")), gipf_decides=True)
TOURNAMENT = Ruleset("tournament", 18, ((), ()), gipf_enters=True, gipf_decides=True)

PRESETS = {ruleset.name: ruleset for ruleset in (BASIC, STANDARD, TOURNAMENT)}
