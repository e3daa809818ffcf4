"""The levels of `/gipf bot`: the levels of the bot, and those of the engines that a host has seated."""

import pytest

from gipfbot.match import House
from gipfbot.ui.lobby.play_bot import ChosenLevel, read_level
from tests.support.engines import EngineInThread
from tests.ui.table import Desk, bot_handle
from tests.ui.world import World, told

ENGINES = "gf1", "mine"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("3", ChosenLevel(3)),
        (" skilled ", ChosenLevel(3)),
        ("3 · Skilled", ChosenLevel(3)),
        ("gf1 5", ChosenLevel(5, "gf1")),
        ("GF1 · 5 · Expert", ChosenLevel(5, "gf1")),
        ("mine", ChosenLevel(2, "mine")),
        *((text, None) for text in ("", "0", "6", "03", "three", "3 4", "3 expert", "gf2 3", "gf1 gf1", "gf1 0")),
    ],
)
def test_typed_level_is_read(text: str, chosen: ChosenLevel | None) -> None:
    assert read_level(text, ENGINES) == chosen


async def test_levels_are_suggested(world: World) -> None:
    async def offered(typed: str) -> list[str]:
        return [choice["name"] for choice in await world.ann.autocomplete(world.channel, "gipf bot", "level", typed)]

    assert await offered("") == ["1 · Beginner", "2 · Casual", "3 · Skilled", "4 · Strong", "5 · Expert"]
    world.bot.app.house.seated = dict.fromkeys(("", "house", *ENGINES), EngineInThread())
    assert await offered("skil") == ["3 · Skilled", "gf1 · 3 · Skilled", "mine · 3 · Skilled"]
    assert await offered("gf1 5") == ["gf1 · 5 · Expert"]
    assert await offered("9") == []
    assert len(await offered("")) == 15


async def test_chosen_engine_is_named(world: World) -> None:
    world.bot.app.house.seated = {"gf1": EngineInThread()}
    said = told(await world.ann.slash(world.channel, "gipf bot", level="gf1 3"))
    assert "You play gf1, level 3 (Skilled)" in said or "gf1 Skilled is thinking" in said
    house = (await world.game()).terms.house
    assert house
    assert house == House(3, house.user, "gf1")


async def test_engines_are_offered_in_a_list(world: World) -> None:
    world.bot.app.house.seated = {"gf1": EngineInThread()}
    page = Desk(world.ann, await world.ann.slash(world.channel, "gipf challenge", opponent=bot_handle(world)))
    await page.choose("gf1 · 3 · Skilled")
    house = (await world.game()).terms.house
    assert house
    assert (house.level, house.engine) == (3, "gf1")


async def test_level_that_does_not_exist_gets_a_sentence(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf bot", level="gf1 3"))
    assert said == "`gf1 3` isn't a level. Choose one that is suggested, such as **3**."
    assert world.public() == []
