"""Close the challenges that have expired, and update their messages."""

from gipfbot.ui.kit.client import AppClient

from .seeks import closed_challenge_message


async def close_expired_challenges(bot: AppClient) -> None:
    """Close the challenges that have expired. Their messages say so and lose their buttons."""
    for late in await bot.app.lobby.expire_challenges():
        if late.message:
            text = await closed_challenge_message(bot, late)
            await bot.delivery.strip_buttons(late.venue.channel, late.message, text)
