"""Followups that run after an outbox row was posted, was dropped, or turned out to be needless.

Each feature registers its followups for its own kinds of rows.
"""

from gipfbot.service.kit.followups import FollowupsByKind
from gipfbot.store import Connection
from gipfbot.values import OutboxRow

# The row was posted as `message`. Called with (db, row, message, now).
when_delivered = FollowupsByKind[[Connection, OutboxRow, int, int]]()
# The row was needless when it was to be posted. Called with (db, row, now).
# A followup deletes the row if its key may be queued again.
when_needless = FollowupsByKind[[Connection, OutboxRow, int]]()
# The row was dropped, because its channel or its content was refused for good. Called with (db, row, now).
when_dropped = FollowupsByKind[[Connection, OutboxRow, int]]()
# The row was dropped, because the person accepts no direct messages. Called with (db, row, now).
when_dm_refused = FollowupsByKind[[Connection, OutboxRow, int]]()
