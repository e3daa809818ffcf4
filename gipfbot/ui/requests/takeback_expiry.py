"""Close the takeback requests that have expired, and update their messages."""

from gipfbot.ui.kit.client import AppClient

from . import takeback_texts


async def close_stale_takebacks(bot: AppClient) -> None:
    """Close takeback requests that are too old, or whose game has gone on.

    Their messages say so and lose their buttons.
    """
    for stale in await bot.app.takebacks.close_stale_requests():
        if stale.message:
            text = takeback_texts.takeback_settled_text(stale.request, stale.stored.game)
            await bot.delivery.strip_buttons(*stale.message, text)
