"""The notices that a game has no thread, or that games have left their thread."""

from gipfbot.service.app import App
from gipfbot.service.delivery.venues import LEFT_THREAD, NO_THREAD
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import OutboxRow

from . import thread_texts


@outbox_message(NO_THREAD)
async def build_no_thread_notice(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the notice that a game gets no thread and stays in its channel."""
    return OutboxMessage(thread_texts.no_thread_text(**row.payload))


@outbox_message(LEFT_THREAD)
async def build_left_thread_notice(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the notice that games have left their thread and go on in its parent channel."""
    return OutboxMessage(thread_texts.left_thread_text(**row.payload))
