"""Tools that all packages of the Discord interface share. Names that nearly every handler uses are exported here."""

from .client import AppClient, Interaction
from .components import Button, PrivateRow
from .game_picker import handles_picked_game
from .interactions import Reply, answers_privately, handles, slash_command
from .outbox_messages import OutboxMessage, outbox_message
from .respond import notation_of, show_reply
from .texts import escape_text, escape_turn, join_lines

__all__ = [
    "AppClient", "Button", "Interaction", "OutboxMessage", "PrivateRow", "Reply", "answers_privately", "escape_text",
    "escape_turn", "handles", "handles_picked_game", "join_lines", "notation_of", "outbox_message", "show_reply",
    "slash_command",
]  # fmt: skip
