"""What the players of a game were to be asked or told, and could not be: owed again where its boards go on."""

from gipfbot.service.requests.claim_win import requeue_claim_warning
from gipfbot.service.requests.takebacks import requeue_takeback_request
from gipfbot.store import Connection, StoredGame


async def requeue_requests(db: Connection, stored: StoredGame, now: int) -> None:
    """Owe the home of a game the open request and the open claim that were given up elsewhere; its board goes first."""
    await requeue_takeback_request(db, stored, now)
    await requeue_claim_warning(db, stored, now)
