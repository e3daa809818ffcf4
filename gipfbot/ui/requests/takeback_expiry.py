"""Takeback requests whose time is over, or whose game has gone on."""

from gipfbot.ui.kit.client import AppClient

from . import takeback_texts


async def close_stale_takebacks(bot: AppClient) -> None:
    """Close the requests that nobody can agree to any more, and let their messages say so."""
    for stale in await bot.app.takebacks.close_stale_requests():
        if stale.message:
            text = takeback_texts.takeback_settled_text(stale.request, stale.stored.game)
            await bot.delivery.strip_buttons(*stale.message, text)
