"""Close the challenges that have expired, and update their messages."""

from gipfbot.ui.kit.client import AppClient

from . import lobby_texts


async def close_expired_challenges(bot: AppClient) -> None:
    """Close the challenges that have expired. Their messages say so and lose their buttons."""
    for late in await bot.app.lobby.expire_challenges():
        if late.message:
            text = lobby_texts.challenge_closed_text(late.challenge)
            await bot.delivery.strip_buttons(late.venue.channel, late.message, text)
