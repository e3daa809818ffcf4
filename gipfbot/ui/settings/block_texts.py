"""Texts about blocking players."""

from collections.abc import Sequence

from gipfbot.match import Seat
from gipfbot.ui.kit.texts import escape_text, shorten_text

BLOCKS_A_BOT = "Bots play no games. Choose a person to block."
BLOCKS_NOBODY = "You block nobody. **/gipf-me block add** blocks a player."
UNBLOCK_PLACEHOLDER = "Unblock…"
LONGEST_BLOCKED_NAME = 60  # characters


def _blocked_name(player: Seat) -> str:
    return f"**{escape_text(shorten_text(player.name, LONGEST_BLOCKED_NAME))}**"


def blocked_text(player: Seat, *, new: bool) -> str:
    """Return the confirmation that a person blocks a player. `new` says whether they did not before."""
    if not new:
        return f"You block {_blocked_name(player)} already. Nothing was changed."
    return (
        f"You block {_blocked_name(player)}: they can't challenge you, take your open challenges, follow you or nudge "
        "you. They are not told. Your running games go on."
    )


def unblocked_text(player: Seat) -> str:
    """Return the confirmation that a person no longer blocks a player."""
    return f"You no longer block {_blocked_name(player)}."


def not_blocked_text(player: Seat) -> str:
    """Return the answer to a person who unblocks a player whom they do not block."""
    return f"You don't block {_blocked_name(player)}. Nothing was changed."


def blocks_text(blocked: Sequence[Seat], most: int) -> str:
    """Return the list of the players whom a person blocks, who are at most `most`."""
    return "\n".join([f"**You block** · {len(blocked)} of {most}", *(f"• {_blocked_name(one)}" for one in blocked)])
