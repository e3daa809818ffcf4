"""Games with a clock, and the direct messages about them."""

import discord
import simcord

from .world import World

SHUT = 403, 50007  # how Discord refuses a direct message


async def limited(world: World, **terms: object) -> int:
    """Return a Basic game of Ann, White, and Bob, with three days for a turn unless the terms differ."""
    options = {"opponent": world.bob, "rules": "basic", "colour": "white", "pace": "3", **terms}
    await world.ann.slash(world.channel, "gipf challenge", **options)
    offer = world.public()[-1]
    assert "3 days for each turn" in offer.content
    await world.bob.click(offer, label="Accept")
    return max(brief.id for brief in await world.bot.app.games.running_games(world.ann.id))


def letters(world: World, person: simcord.MemberActor | None = None) -> list[discord.Message]:
    """Return the direct messages of the bot to a person, by default to Ann."""
    history = (person or world.ann).user.dm_channel.history()
    return [message for message in history if message.author.bot and not message.flags.ephemeral]
