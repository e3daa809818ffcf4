"""Close the challenges that have expired, and update their messages."""

import asyncio

from gipfbot.ui.kit.client import AppClient
from gipfbot.values import StoredChallenge

from . import lobby_texts

MOST_EXPIRED = 5  # challenges closed in one sweep: Discord takes few edits in a channel, and the sweep has more to do


async def close_expired_challenges(bot: AppClient) -> None:
    """Close challenges that have expired, at most MOST_EXPIRED. Their messages say so and lose their buttons."""
    closed = await bot.app.lobby.expire_challenges(MOST_EXPIRED)
    await asyncio.gather(*(_show_expired(bot, late, late.message) for late in closed if late.message))


async def _show_expired(bot: AppClient, late: StoredChallenge, message: int) -> None:
    await bot.delivery.strip_buttons(late.venue.channel, message, lobby_texts.challenge_closed_text(late.challenge))
