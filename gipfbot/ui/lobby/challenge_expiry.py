"""Challenges whose time is over."""

from gipfbot.ui.kit.client import AppClient

from .seeks import closed_challenge_message


async def close_expired_challenges(bot: AppClient) -> None:
    """Close the challenges whose time is over, and let their messages say so."""
    for late in await bot.app.lobby.expire_challenges():
        if late.message:
            text = await closed_challenge_message(bot, late)
            await bot.delivery.strip_buttons(late.venue.channel, late.message, text)
