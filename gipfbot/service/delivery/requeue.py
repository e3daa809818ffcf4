"""Messages of a game that were dropped in its old channel: owed again in its new one."""

from gipfbot.service.kit.followups import Followups
from gipfbot.store import Connection
from gipfbot.values import StoredGame

# Features register how they owe their dropped messages again: (db, game, now). The game's board goes first.
requeue_messages = Followups[[Connection, StoredGame, int]]()
