"""A channel that Cara does not see, with a game of Ann and Bob."""

from dataclasses import dataclass

import discord
import simcord

from tests.ui.forged import forger
from tests.ui.world import World


@dataclass
class HiddenGame:
    """A running game that Cara does not see, and its channel."""

    id: int
    channel: simcord.ChannelHandle


async def hidden_game(world: World, *turns: str) -> HiddenGame:
    """Return a game of Ann and Bob in a channel that Cara does not see, after these turns."""
    never = discord.PermissionOverwrite(view_channel=False)
    channel = world.guild.create_text_channel("hidden", overwrites={world.cara: never})
    game = await world.begin(channel=channel)
    for turn in turns:
        await world.player(await world.game(game)).slash(channel, "move", notation=turn)
    return HiddenGame(game, channel)


async def press_carried(world: World, person: simcord.MemberActor, custom_id: str) -> str:
    """Press a button that was carried to a channel that everybody sees. Return the answer, wherever it appears."""
    answer = await (await forger(world, person, world.channel)).send(custom_id)
    shown = answer.followups[-1] if answer.followups else answer.response
    assert shown
    return f"{shown.content} {shown.components}"
