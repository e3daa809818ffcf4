"""The texts about the settings of one person."""

from gipfbot.service.clock.digests import DigestPlan
from gipfbot.ui.clock import reminder_texts
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
