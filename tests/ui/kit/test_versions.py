"""A message of Discord's second version cannot go back to the first."""

import discord

from tests.ui.world import World


async def test_a_layout_stays_a_layout_though_it_is_not_marked_private(world: World) -> None:
    """A direct message of the bot may come without that mark."""
    await world.begin("basic")
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.ActionRow(discord.ui.Button(custom_id="games:page:0", label="All games")))
    await world.bot.get_partial_messageable(world.channel.id).send(view=view)
    await world.env.settle()
    shown = world.channel.history()[-1]
    assert (await world.ann.click(shown, label="All games")).acknowledged
    now = world.channel.history()[-1]
    assert now.flags.components_v2
    assert "Waiting for you" in str([getattr(item, "content", "") for item in now.components])
