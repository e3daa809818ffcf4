"""Blocking players, as people see it."""

import pytest

from tests.ui.world import World, options, told

from .panel import Panel

pytestmark = pytest.mark.looks_every(60)
NOT_POSSIBLE = "That isn't possible. Nothing was changed."


async def test_blocked_person_reads_only_that_it_is_impossible(world: World) -> None:
    await world.ann.slash(world.channel, "gipf challenge")
    (seek,) = world.public()
    said = told(await world.ann.slash(world.channel, "gipf-me block add", player=world.bob))
    assert said.startswith("You block **Bob**: they can't challenge you")
    assert told(await world.bob.slash(world.channel, "gipf challenge", opponent=world.ann)) == NOT_POSSIBLE
    assert told(await world.bob.click(seek, label="Play")) == NOT_POSSIBLE
    assert told(await world.bob.slash(world.channel, "gipf follow", player=world.ann)) == NOT_POSSIBLE
    assert [message.id for message in world.public()] == [seek.id]
    said = told(await world.ann.slash(world.channel, "gipf challenge", opponent=world.bob))
    assert said == "You block Bob. To play them, unblock them first: **/gipf-me block remove**."


async def test_blocks_are_listed_and_removed(world: World) -> None:
    for person in (world.bob, world.cara):
        await world.ann.slash(world.channel, "gipf-me block add", player=person)
    panel = Panel(world.ann, await world.ann.slash(world.channel, "gipf-me block list"))
    assert panel.text == "**You block** · 2 of 50\n• **Bob**\n• **Cara**"
    await panel.choose("Bob")
    assert panel.text == "**You block** · 1 of 50\n• **Cara**"
    said = told(await world.ann.slash(world.channel, "gipf-me block remove", player=world.cara))
    assert said == "You no longer block **Cara**."
    said = told(await world.ann.slash(world.channel, "gipf-me block remove", player=world.cara))
    assert said == "You don't block **Cara**. Nothing was changed."
    said = told(await world.ann.slash(world.channel, "gipf-me block list"))
    assert said == "You block nobody. **/gipf-me block add** keeps a player from challenging, following or nudging you."


async def test_people_of_one_name_are_told_apart_in_the_list(world: World) -> None:
    other = world.guild.add_member(world.env.create_user("bob2", global_name="Bob"))
    for person in (world.bob, other):
        await world.ann.slash(world.channel, "gipf-me block add", player=person)
    panel = Panel(world.ann, await world.ann.slash(world.channel, "gipf-me block list"))
    assert [*options(panel.message)] == ["Bob", "Bob (2)"]


async def test_bot_and_oneself_cannot_be_blocked(world: World) -> None:
    said = told(await world.ann.slash(world.channel, "gipf-me block add", player=world.ann))
    assert said == "You can't block yourself. Choose somebody else."
    assert await world.bot.app.blocks.blocks_of(world.ann.id) == []
