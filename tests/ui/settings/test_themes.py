"""How boards look by the settings of a person and of a server."""

from io import BytesIO

import discord
import pytest
from PIL import Image
from simcord import ResponseMessage

from gipfbot.service.settings import servers
from render import THEMES
from render.palette import parse_rgb
from tests.ui.world import World, challenged, private, told


async def colours(message: discord.Message | ResponseMessage, number: int = 0) -> set[tuple[int, int, int]]:
    """Return the colours of one of a message's pictures."""
    image = Image.open(BytesIO(await message.attachments[number].read())).convert("RGB")
    return {colour for _, colour in image.getcolors(1 << 20)}  # type: ignore[union-attr, misc]


async def game(world: World) -> None:
    """Begin a game in which Ann has White."""
    await world.bob.click(await challenged(world, colour="white"), label="Accept")


def test_service_and_render_name_the_same_themes() -> None:
    assert tuple(THEMES) == servers.THEMES


async def test_private_boards_follow_the_chosen_theme(world: World) -> None:
    """Only private boards change. A sample of each theme stands under the settings."""
    await game(world)
    answer = await world.ann.slash(world.channel, "gipf-me settings", theme="night", own_side=True)
    assert "**Night**" in told(answer)
    shown = private(answer)
    assert [each.filename for each in shown.attachments] == [f"{name}.png" for name in THEMES]
    for number, theme in enumerate(THEMES.values()):
        assert parse_rgb(theme.board) in await colours(shown, number)
        assert theme.name in (shown.attachments[number].description or "")
    own = private(await world.ann.slash(world.channel, "gipf board"))
    assert parse_rgb(THEMES["night"].board) in await colours(own)
    assert parse_rgb(THEMES["wood"].board) in await colours(world.board(1))


async def test_public_boards_follow_the_theme_of_the_server(world: World) -> None:
    manager = world.ann
    await world.bot.app.servers.change(world.guild.id, {"theme": "felt", "below": "black"})
    await game(world)
    assert parse_rgb(THEMES["felt"].board) in await colours(world.board(1))
    own = private(await manager.slash(world.channel, "gipf board"))
    assert parse_rgb(THEMES["wood"].board) in await colours(own)


@pytest.mark.parametrize(("own_side", "alike"), [(True, False), (False, True)])
async def test_black_may_see_boards_from_the_own_side(world: World, own_side: bool, alike: bool) -> None:
    await game(world)
    pictures = []
    for person in (world.ann, world.bob):
        await person.slash(world.channel, "gipf-me settings", own_side=own_side)
        pictures.append(await private(await person.slash(world.channel, "gipf board")).attachments[0].read())
    assert (pictures[0] == pictures[1]) is alike
