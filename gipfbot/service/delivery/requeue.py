"""Followups that queue a game's dropped messages again in its new channel."""

from gipfbot.service.kit.followups import Followups
from gipfbot.store import Connection
from gipfbot.values import StoredGame

# Called with (db, game, now) after the game's board was queued, so that the board is posted first.
requeue_messages = Followups[[Connection, StoredGame, int]]()
