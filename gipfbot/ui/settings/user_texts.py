"""The texts about the settings of one person, and about blocking."""

from collections.abc import Sequence

from gipfbot.match import Seat
from gipfbot.service.clock.digests import DigestPlan
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit.texts import escape_text, shorten_text
from render import THEMES

USER_SETTINGS_TEXT = """\
**Your GIPF settings**
**Notation** is how you read and type turns. Leave it unless you know Julio974's short form.
Public boards keep the server's look and the official notation."""
USER_LABELS = {
    "confirm_typed": "Confirm typed turns",
    "notation": "Notation",
    "theme": "Theme",
    "own_side": "Flip boards as Black",
    "leaderboard": "Shown on leaderboards",
    "followers": "Followers",
    "reminders": "Reminders",
}
NOTATION_NAMES = {"official": "official", "julio974": "short form by Julio974"}
NOTATION_EXAMPLES = {"official": "g1-c3", "julio974": "g1*"}  # the same push in both notations

BLOCKS_A_BOT = "Bots play no games. Choose a person to block."
BLOCKS_NOBODY = "You block nobody. **/gipf-me block add** blocks a player."
UNBLOCK_PLACEHOLDER = "Unblock…"
LONGEST_BLOCKED_NAME = 60  # characters


def user_value_text(name: str, value: object) -> str:
    """Return the value of one of a person's settings in words. `name` is a key of USER_LABELS."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if name == "notation":
        return f"{NOTATION_NAMES[str(value)]} ({NOTATION_EXAMPLES[str(value)]})"
    return THEMES[str(value)].name if name == "theme" else reminder_texts.WHEN_REMINDED[str(value)]


def user_setting_label(name: str, value: object) -> str:
    """Return a setting with its value, as its button or its choice says it: `Theme: Night`."""
    return f"{USER_LABELS[name]}: {user_value_text(name, value)}"


def digest_label(plan: DigestPlan) -> str:
    """Return the label of the button that leads to the reminders and the digest."""
    return f"{reminder_texts.digest_choice_label(plan.hour if plan.next_at else None)}…"


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
