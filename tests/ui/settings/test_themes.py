"""How boards look by the settings of a person and of a server."""

import logging
from io import BytesIO
from unittest.mock import AsyncMock

import discord
import pytest
from PIL import Image
from simcord import ResponseMessage

from gipfbot.service.settings import servers
from gipfbot.ui.settings.user import draw_theme_preview
from render import THEMES
from render.theme import parse_rgb
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
    """Only private boards change. A preview of the chosen theme stands under the settings."""
    await game(world)
    answer = await world.ann.slash(world.channel, "gipf-me settings", theme="night")
    assert "Theme: Wood → Night." in told(answer)
    (preview,) = private(answer).attachments
    assert preview.description == "A board in the theme Night, from White's side"
    assert parse_rgb(THEMES["night"].board) in await colours(private(answer))
    own = private(await world.ann.slash(world.channel, "gipf board"))
    assert parse_rgb(THEMES["night"].board) in await colours(own)
    assert parse_rgb(THEMES["wood"].board) in await colours(world.board(1))


@pytest.mark.parametrize("flipped", [True, False])
async def test_preview_is_seen_from_the_chosen_side(world: World, flipped: bool) -> None:
    painter = world.bot.painter
    (other,) = await draw_theme_preview(painter, "felt", flipped=not flipped)
    (shown,) = private(
        await world.ann.slash(world.channel, "gipf-me settings", theme="felt", own_side=flipped)
    ).attachments
    assert shown.description == f"A board in the theme Felt, from {'Black' if flipped else 'White'}'s side"
    assert await shown.read() != other.fp.read()


async def test_settings_are_shown_when_the_preview_cannot_be_drawn(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The fault is logged once."""
    monkeypatch.setattr(world.bot.painter, "png", AsyncMock(side_effect=OSError("no font")))
    for theme in ("night", "felt"):
        answer = private(await world.ann.slash(world.channel, "gipf-me settings", theme=theme))
        assert f"→ {THEMES[theme].name}." in answer.content
        assert answer.attachments == []
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == [
        "a preview could not be drawn; as long as this lasts, settings go without"
    ]
    caplog.clear()


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
