"""The levels of `/gipf bot`: the levels of the bot, and those of the engines that a host has seated."""

import pytest

from gipfbot.engines.speed import Speed
from gipfbot.match import House
from gipfbot.ui.lobby.play_bot import ChosenLevel, read_level
from tests.support.engines import EngineInThread
from tests.ui.table import Desk, bot_handle, challenge_bot
from tests.ui.world import World, told

ENGINES = "gf1", "mine"
OLD_NAMES = {"Beginner": 1, "Casual": 5, "Skilled": 6, "Strong": 7, "Expert": 8}  # of five levels
ALL = [
    *("1 · Beginner", "2 · Novice", "3 · Amateur", "4 · Capable"),
    *("5 · Seasoned", "6 · Skilled", "7 · Strong", "8 · Expert"),
]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("3", ChosenLevel(3)),
        (" skilled ", ChosenLevel(6)),
        ("6 · Skilled", ChosenLevel(6)),
        ("gf1 5", ChosenLevel(5, "gf1")),
        ("GF1 · 8 · Expert", ChosenLevel(8, "gf1")),
        *((old, ChosenLevel(new)) for old, new in OLD_NAMES.items()),
        ("mine", ChosenLevel(2, "mine")),
        *((text, None) for text in ("", "0", "9", "03", "three", "3 4", "3 expert", "gf2 3", "gf1 gf1", "gf1 0")),
    ],
)
def test_typed_level_is_read(text: str, chosen: ChosenLevel | None) -> None:
    assert read_level(text, ENGINES) == chosen


async def test_levels_are_suggested(world: World) -> None:
    async def offered(typed: str) -> list[str]:
        return [choice["name"] for choice in await world.ann.autocomplete(world.channel, "gipf bot", "level", typed)]

    assert await offered("") == ALL
    world.bot.app.house.seated = dict.fromkeys(("", "house", *ENGINES), EngineInThread())
    assert await offered("skil") == ["6 · Skilled", "gf1 · 6 · Skilled", "mine · 6 · Skilled"]
    assert await offered("gf1 5") == ["gf1 · 5 · Seasoned"]
    assert await offered("9") == []
    assert len(await offered("")) == 24


async def test_slow_machine_says_so_and_offers_less(world: World) -> None:
    """Level 8 would take 60 seconds there, level 7 takes 15; a game that has begun keeps its level."""
    house = world.bot.app.house
    await challenge_bot(world, 8)
    house.speed = Speed(20_000, 4_000 / 15)
    offered = [choice["name"] for choice in await world.ann.autocomplete(world.channel, "gipf bot", "level", "")]
    assert offered == [*ALL[:6], "7 · Strong · thinks about 15 s here"]
    page = Desk(world.ann, await world.ann.slash(world.channel, "gipf challenge", opponent=bot_handle(world)))
    assert page.labels[:7] == offered
    said = told(await world.ann.slash(world.channel, "gipf bot", level="expert"))
    assert said == "The bot would think about 60 seconds a turn at level 8 (Expert) here. Choose a lower level."
    house_of_game = (await world.game()).terms.house
    assert house_of_game
    assert house_of_game.level == 8
    house.speed = Speed(80_000, 4_000)
    offered = [choice["name"] for choice in await world.ann.autocomplete(world.channel, "gipf bot", "level", "")]
    assert offered == ALL


async def test_chosen_engine_is_named(world: World) -> None:
    world.bot.app.house.seated = {"gf1": EngineInThread()}
    said = told(await world.ann.slash(world.channel, "gipf bot", level="gf1 3"))
    assert "You play gf1, level 3 (Amateur)" in said or "gf1 Amateur is thinking" in said
    house = (await world.game()).terms.house
    assert house
    assert house == House(3, house.user, "gf1")


async def test_engines_are_offered_in_a_list(world: World) -> None:
    world.bot.app.house.seated = {"gf1": EngineInThread()}
    page = Desk(world.ann, await world.ann.slash(world.channel, "gipf challenge", opponent=bot_handle(world)))
    await page.choose("gf1 · 3 · Amateur")
    house = (await world.game()).terms.house
    assert house
    assert (house.level, house.engine) == (3, "gf1")


async def test_level_that_does_not_exist_gets_a_sentence(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf bot", level="gf1 3"))
    assert said == "`gf1 3` isn't a level. Choose one that is suggested, such as **3**."
    assert world.public() == []
