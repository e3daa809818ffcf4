"""What is due now, asked with one statement for all that a sweep does."""

from sqlalchemy import and_, exists, literal, select, union_all

from gipfbot.values import DueWork

from . import analyses, challenges, due as tasks, explorer, hashed_ids, requests, standings, studies, timelines
from .database import Connection
from .tables import NOW, deletions as running_deletions, due, meta

_OTHER_WORK = {
    DueWork.DELETIONS: running_deletions.c.user > 0,  # all: by the key, because no query reads a whole table
    DueWork.FORMER_PINGS: hashed_ids.PINGS_OVER,
    DueWork.RENEWALS: and_(meta.c.key == timelines.RENEWED, meta.c.value.not_in(("", "[]"))),
    DueWork.RESTORED_CHECK: meta.c.key == timelines.CHECK_KEY,
    DueWork.CHALLENGES: challenges.EXPIRED,
    DueWork.REQUESTS: requests.EXPIRED,
    DueWork.STUDIES: studies.EXPIRED,
    DueWork.EXPIRED_ANALYSES: analyses.EXPIRED,
    DueWork.AWAITED_ANALYSES: analyses.AWAITED,
    DueWork.STANDINGS: standings.CHANGING,
    DueWork.ENDED_GAMES: explorer.UNCOUNTED,
    DueWork.HELD_TURNS: tasks.GONE_ON,
}
_DUE = union_all(
    select(due.c.kind).where(due.c.done_at.is_(None), due.c.at <= NOW).distinct(),
    *(select(literal(work.value)).where(exists().where(holds)) for work, holds in _OTHER_WORK.items()),
)


async def what_is_due(db: Connection, now: int) -> frozenset[str]:
    """Return the kinds of the tasks that are due now, and the members of `DueWork` that are."""
    return frozenset(await db.scalars(_DUE, {"now": now}))
