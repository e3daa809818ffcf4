"""Sample pictures of the themes."""

import io

import discord

from gipfbot.notation import parse_position
from gipfbot.rules.actions import PUSHES
from gipfbot.rules.pieces import Kind
from gipfbot.ui.kit.pictures import Painter
from render import THEMES, Marks, Picture

SAMPLE_WIDTH = 400
SAMPLE_POSITION = parse_position("standard b W=Gb5,Ge2,Gh5,c6,d4,e4 B=Gb2,Ge8,Gh2,d3,f3,g4 reserve=9-9 captured=0-0")
SAMPLE_MARKS = Marks(push=PUSHES["c7", "c6", Kind.BASIC], moved=("c6",))


async def draw_theme_samples(painter: Painter) -> list[discord.File]:
    """Draw the same board in every theme. Each caption and alt text names its theme. Raises whatever drawing raises."""
    files = []
    for name, theme in THEMES.items():
        picture = Picture(SAMPLE_POSITION, ("White", "Black"), theme.name, SAMPLE_MARKS)
        image = io.BytesIO(await painter.png(picture, theme, SAMPLE_WIDTH))
        files.append(discord.File(image, f"{name}.png", description=f"A board in the theme {theme.name}"))
    return files
