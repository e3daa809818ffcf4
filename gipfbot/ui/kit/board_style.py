"""How a person, or a server, wants boards to look."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gipfbot.rules import Colour
from render import CLASSIC, THEMES, Described, Picture, Theme


@dataclass(frozen=True)
class BoardStyle:
    """A theme, and whether Black sees the board from their own side."""

    theme: Theme = CLASSIC
    own_side: bool = False

    def seen_by(self, described: Described, colour: Colour | None) -> Described:
        """Return a picture as the player of this colour sees it; a card stays as it is."""
        flipped = self.own_side and colour is Colour.BLACK
        return replace(described, flipped=flipped) if flipped and isinstance(described, Picture) else described


def board_style_of(settings: Mapping[str, Any]) -> BoardStyle:
    """Return the style that a person with these settings has chosen."""
    return BoardStyle(THEMES.get(settings.get("theme", ""), CLASSIC), bool(settings.get("own_side")))
