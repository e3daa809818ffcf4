"""Check what was restored, and tell the owner what differs."""

from gipfbot.ui.kit import AppClient


async def check_restored(bot: AppClient) -> bool:
    """Check what was restored, if that is due. Tell the owner what differs, at most one message an hour.

    Return False: the next sweep asks again if the owner is not told yet.
    """
    found = await bot.app.restored_check.differences()
    if found is None:
        return False
    news = {f"restored {number}": sentence for number, sentence in enumerate(found)}
    if not news or bot.owner is None or await bot.app.owner_news.tell(bot.owner, news):
        await bot.app.restored_check.note_told()
    return False
