"""The texts about the settings of one person, and about blocking."""

from collections.abc import Sequence

from gipfbot.match import Seat
from gipfbot.service.clock.digests import DigestPlan
from gipfbot.service.settings.users import UserSettings
from gipfbot.ui.clock import reminder_texts
from gipfbot.ui.kit.slash_commands import NOTATION_CHOICES
from gipfbot.ui.kit.texts import escape_text, shorten_text
from render import THEMES

from .controls import SETTING_TEXTS, SettingText

USER_SETTINGS_TEXT = """\
**Your GIPF settings**
**Notation** is how you read and type turns. Leave it unless you know Julio974's short form.
Public boards keep the server's look and the official notation."""
NOTATION_NAMES = {"official": "official", "julio974": "short form by Julio974"}
NOTATION_EXAMPLES = {"official": "g1-c3", "julio974": "g1*"}  # the same push in both notations
USER_TEXTS = {
    "confirm_typed": SettingText("Confirm typed turns", "Show a typed turn before it is played"),
    "notation": SettingText(
        "Notation",
        "How turns are written for you (you can always type both)",
        in_words=lambda name: f"{NOTATION_NAMES[name]} ({NOTATION_EXAMPLES[name]})",
        choices=NOTATION_CHOICES,
    ),
    "theme": SettingText("Theme", "The colours of your private boards", in_words=lambda name: THEMES[name].name),
    "own_side": SettingText("Flip boards as Black", "As Black, see your private boards from your own side"),
    "leaderboard": SettingText("Shown on leaderboards", "Whether leaderboards show you"),
    "followers": SettingText("Followers", "Whether others may follow you"),
    "reminders": SettingText("Reminders", "", in_words=reminder_texts.WHEN_REMINDED.__getitem__),
}
SETTING_TEXTS[UserSettings] = USER_TEXTS

BLOCKS_A_BOT = "Bots play no games. Choose a person to block."
BLOCKS_NOBODY = "You block nobody. **/gipf-me block add** blocks a player."
UNBLOCK_PLACEHOLDER = "Unblock…"
LONGEST_BLOCKED_NAME = 60  # characters


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
