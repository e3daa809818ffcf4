"""The preview of a theme: a small board, as the settings show it."""

import io
import logging

import discord

from gipfbot.notation import parse_position
from gipfbot.rules.actions import PUSHES
from gipfbot.rules.pieces import Kind
from gipfbot.ui.kit.pictures import Painter
from render import CLASSIC, THEMES, Marks, Picture

log = logging.getLogger(__name__)
PREVIEW_WIDTH = 400  # pixels
PREVIEW_POSITION = parse_position("standard b W=Gb5,Ge2,Gh5,c6,d4,e4 B=Gb2,Ge8,Gh2,d3,f3,g4 reserve=9-9 captured=0-0")
PREVIEW_MARKS = Marks(act=PUSHES["c7", "c6", Kind.BASIC], moved=("c6",))


async def draw_theme_preview(
    painter: Painter, name: str, person: int | None = None, *, flipped: bool
) -> list[discord.File]:
    """Draw a small board in the theme `name`, seen from Black's side if `flipped`.

    `person` is the person who waits for it, if anybody does. An unknown theme counts as the classic one. If the drawing
    fails, the error is logged once, and the list is empty.
    """
    theme = THEMES.get(name, CLASSIC)
    side = f"{theme.name}, from {'Black' if flipped else 'White'}'s side"
    picture = Picture(PREVIEW_POSITION, ("White", "Black"), side, PREVIEW_MARKS, flipped=flipped)
    try:
        image = await painter.png(picture, theme, PREVIEW_WIDTH, person)
    except Exception as fault:
        if painter.is_new_fault(fault):
            log.exception("a preview could not be drawn; as long as this lasts, settings go without")
        return []
    return [discord.File(io.BytesIO(image), "theme.png", description=f"A board in the theme {side}")]
