"""The outbox message to the host of the bot."""

from gipfbot.service.app import App
from gipfbot.service.health.vital_signs import OWNER_NEWS
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import OutboxRow

from . import owner_texts


@outbox_message(OWNER_NEWS, direct=True)
async def build_owner_news(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the direct message about what needs a hand."""
    return OutboxMessage(
        owner_texts.owner_news_text(row.payload["sentences"]), rows=((Button(owner_texts.STATE_LABEL, "host_state"),),)
    )
