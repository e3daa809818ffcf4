"""Give open challenges, takeback requests and draw offers back the buttons that they lost in the lost time."""

import asyncio
from contextlib import suppress

from gipfbot.match import Refused
from gipfbot.ui.kit import AppClient
from gipfbot.values import OutboxRow

MOST_RENEWED = 5  # messages in one sweep: Discord takes few edits in a channel, and the sweep has more to do


async def renew_open_requests(bot: AppClient) -> None:
    """Restore the messages of requests that a restore has reopened, at most MOST_RENEWED of them.

    A request that is open in the backup may have been answered in the lost time. Then its message has no buttons.
    """
    news = bot.app.restore_news
    rows = await news.requests_to_renew(MOST_RENEWED)
    await asyncio.gather(*(_renew_request(bot, row, message) for row, message in rows))
    await news.note_renewed(MOST_RENEWED)


async def _renew_request(bot: AppClient, row: OutboxRow, message: int) -> None:
    with suppress(Refused, KeyError):  # its game is gone or unreadable, or its row has lost its payload
        await bot.delivery.restore_buttons(row, message)
