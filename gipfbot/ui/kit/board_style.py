"""The board style that a person has chosen: a theme, and the side that Black sees the board from."""

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

    def seen_by(self, described: Described, colour: Colour | None, *, turned: bool = False) -> Described:
        """Return a picture as the player of `colour` sees it. `colour` is None for a person who does not play.

        With `turned`, it is seen from the other side. Only boards are turned; a card stays as it is.
        """
        flipped = (self.own_side and colour is Colour.BLACK) != turned
        return replace(described, flipped=flipped) if flipped and isinstance(described, Picture) else described


def board_style_of(settings: Mapping[str, Any]) -> BoardStyle:
    """Return the board style in a person's settings. The theme is classic if it is missing or unknown."""
    return BoardStyle(THEMES.get(settings.get("theme", ""), CLASSIC), bool(settings.get("own_side")))
