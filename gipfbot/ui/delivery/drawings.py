"""Files that take longer to draw than a try to post may last, such as replays. They are drawn outside the lanes.

The row of such a message says what to draw. It is put off while its file is being drawn. If the process dies, the row
is due again after DRAW_SECONDS, and whichever process finds it draws the file anew.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextvars import Context

from gipfbot.languages import speak, spoken_language
from gipfbot.ui.kit.outbox_messages import Attachment
from gipfbot.values import DatabaseTrouble, OutboxRow

log = logging.getLogger(__name__)
DRAW_SECONDS = 60  # for which a row is put off; then its process looks again whether the file is drawn
MOST_KEPT = 16  # drawn files that wait for their post; one that is dropped is drawn again


class Drawings:
    """The files that are being drawn, and those that wait for their post, by the id of their row.

    `post` is called with a row as soon as its file is drawn, and `give_up` if that has failed for good.
    """

    def __init__(
        self,
        post: Callable[[OutboxRow], Awaitable[object]],
        give_up: Callable[[OutboxRow, Exception], Awaitable[object]],
    ) -> None:
        self._post, self._give_up = post, give_up
        self._running, self._drawn = dict[int, asyncio.Task[None]](), dict[int, Attachment]()

    def find(self, row: int) -> Attachment | None:
        """Return the file of a row; None if it is not drawn."""
        return self._drawn.get(row)

    def forget(self, row: int) -> None:
        """Drop the file of a row that is settled."""
        self._drawn.pop(row, None)

    def begin(self, owed: OutboxRow, drawing: Callable[[], Awaitable[Attachment]]) -> None:
        """Draw the file of a row in the background, unless that is being done.

        It shares the language that is spoken, but no snapshot of the database.
        """
        if owed.id not in self._running:
            context = Context()
            context.run(speak, spoken_language())
            task = asyncio.get_running_loop().create_task(self._draw(owed, drawing), context=context, name="drawing")
            self._running[owed.id] = task
            task.add_done_callback(lambda _: self._running.pop(owed.id, None))

    async def _draw(self, owed: OutboxRow, drawing: Callable[[], Awaitable[Attachment]]) -> None:
        try:
            self._keep(owed.id, await drawing())
            await self._post(owed)
        except DatabaseTrouble:  # the store has logged it, and the row is due again by itself
            pass
        except Exception as error:
            log.exception("the file of message %s cannot be drawn", owed.id)
            await self._give_up(owed, error)

    def _keep(self, row: int, drawn: Attachment) -> None:
        self._drawn[row] = drawn
        for oldest in [*self._drawn][:-MOST_KEPT]:
            del self._drawn[oldest]

    async def finish(self) -> None:
        """Wait until the files that are being drawn now are drawn and posted."""
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def stop(self) -> None:
        """Stop drawing. What is not drawn is drawn after the next start."""
        running = [*self._running.values()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
