"""What follows from the outcome of an outbox row: each feature registers it for the kinds it owns."""

from gipfbot.service.kit.followups import FollowupsByKind
from gipfbot.store import Connection
from gipfbot.values import OutboxRow

# Posted as this message: (db, row, message, now).
when_delivered = FollowupsByKind[[Connection, OutboxRow, int, int]]()
# There was nothing to say any more: (db, row, now). A row that may be owed again under its key is deleted here.
when_needless = FollowupsByKind[[Connection, OutboxRow, int]]()
# Dropped, as its channel or its content was refused for good: (db, row, now).
when_dropped = FollowupsByKind[[Connection, OutboxRow, int]]()
# Dropped, as the person accepts no direct message: (db, row, now).
when_dm_refused = FollowupsByKind[[Connection, OutboxRow, int]]()
