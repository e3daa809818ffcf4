"""Close the takeback requests that have expired, and update their messages."""

import asyncio

from gipfbot.service.requests.takebacks import TakebackUpdate
from gipfbot.ui.kit.client import AppClient

from . import takeback_texts

MOST_STALE = 5  # requests closed in one sweep: Discord takes few edits in a channel, and the sweep has more to do


async def close_stale_takebacks(bot: AppClient) -> None:
    """Close takeback requests that are too old, or whose game has gone on, at most MOST_STALE.

    Their messages say so and lose their buttons.
    """
    closed = await bot.app.takebacks.close_stale_requests(MOST_STALE)
    await asyncio.gather(*(_show_stale(bot, stale, *stale.message) for stale in closed if stale.message))


async def _show_stale(bot: AppClient, stale: TakebackUpdate, channel: int, message: int) -> None:
    text = takeback_texts.takeback_settled_text(stale.request, stale.stored.game)
    await bot.delivery.strip_buttons(channel, message, text)
