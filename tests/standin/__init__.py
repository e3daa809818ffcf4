"""A stand-in for Discord on the loopback: tests run the bot as a real process and see all that it sends.

    async with StandIn() as discord:
        ...  # start the bot with discord.api_url, discord.gateway_url, discord.token
        await discord.ready()
        ann, bob = discord.user("ann"), discord.user("bob")
        challenge = await discord.slash(ann, discord.general, "gipf challenge", opponent=bob)
        await challenge.answered()
        await discord.press(bob, discord.general.last(), "Accept")

It models the parts of REST and of the gateway that the bot uses, with Discord's errors where they matter (see the
modules). It does not model rate limits, roles and rights, or voice. An unknown call is answered with 404 and listed in
`violations`.
"""

from .calls import Call, Gate
from .interaction import Interaction
from .messages import Attachment, Message, Revision, Upload
from .people import User
from .places import Channel, Guild
from .standin import StandIn
from .world import World

__all__ = [
    "Attachment",
    "Call",
    "Channel",
    "Gate",
    "Guild",
    "Interaction",
    "Message",
    "Revision",
    "StandIn",
    "Upload",
    "User",
    "World",
]
