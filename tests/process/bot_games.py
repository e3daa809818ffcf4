"""Games against the bot, as people begin them on a server: private ones, and ones moved into a channel."""

from tests.standin import Channel, Message, StandIn, User


async def page_of_bot(discord: StandIn, user: User, channel: Channel, **terms: object) -> Message:
    """Return the page **Play the bot**, as it opens for somebody who challenges the bot."""
    sent = await discord.slash(user, channel, "gipf challenge", opponent=discord.world.bot, **terms)
    return (await sent.answered()).messages[0]


async def press_once_shown(discord: StandIn, user: User, message: Message, begins: str) -> None:
    """Press the button whose `custom_id` begins so, as soon as the message has it."""

    def found() -> list[str]:
        return [name for name in message.custom_ids if name.startswith(begins)]

    await discord.wait_for(found, what=begins)
    await discord.press(user, message, found()[0])


async def begin_in_channel(
    discord: StandIn, user: User, channel: Channel, level: str = "1", colour: str = "white", rules: str = "basic"
) -> None:
    """Let a person begin a game against the bot, and move it into the channel. Wait for its first board."""
    page, boards = await page_of_bot(discord, user, channel, rules=rules, colour=colour), len(channel.messages)
    if level.isdigit():
        await press_once_shown(discord, user, page, f"begin_bot_game:{level}:")
    else:
        await discord.choose(user, page, "Another engine", [level])
    for begins in ("more:", "play_in_channel:", "move_to_channel:"):
        await press_once_shown(discord, user, page, begins)
    await discord.wait_for(lambda: len(channel.messages) > boards, what="the first board")
