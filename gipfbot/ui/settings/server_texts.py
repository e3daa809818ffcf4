"""The texts about the settings of a server."""

from collections.abc import Sequence

from gipfbot.match.clock import HOUR
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import clock_texts, text_parts
from render import THEMES

ONLY_ON_SERVERS = "Use this command on a server: it changes the settings there."
ONLY_FOR_MANAGERS = "Only people who manage this server can set it up. You can play as it is."
CHANNEL_OR_ANYWHERE = (
    "Nothing was changed. Name the channel for games with **channel**, or choose **anywhere:True** to have none."
)


def server_settings_text(settings: ServerSettings, missing: Sequence[str], *, changed: bool) -> str:
    """Return all settings of a server. `changed` says whether some were changed just now.

    `missing` names the permissions that the bot lacks in the channel for games.
    """
    head = "GIPF settings for this server"
    return text_parts.join_lines(
        f"**Saved. {head}**" if changed else f"**{head}**",
        f"• `rules` {settings.rules.capitalize()}",
        f"• `pace` {clock_texts.time_control_text(settings.terms.time_control)}",
        f"• `weekends` {clock_texts.weekends_text(settings.weekends)}",
        f"• `grace` {clock_texts.grace_text(settings.grace * HOUR)}",
        f"• `vacation` {clock_texts.vacation_days_text(settings.vacation)}",
        f"• `channel` {_games_channel_text(settings.channel, missing)}",
        f"• `anywhere` {_anywhere_text(settings.channel)}",
        f"• `threads` {'each game gets its own thread' if settings.threads else 'off'}",
        f"• `cap` {_game_cap_text(settings.cap)}",
        f"• `theme` {THEMES[settings.theme].name}",
        f"• `below` public boards are seen from {settings.below.capitalize()}'s side",
        "Change them with the options of **/gipf-server settings**. A challenge can set its own rules, pace, "
        "weekends and thread. Running games keep their terms. They count towards `cap`. A new `vacation` applies only "
        "to vacations that start later.",
    )


def _games_channel_text(channel: int | None, missing: Sequence[str]) -> str:
    if channel is None:
        return "none"
    lacks = f" **The bot lacks permissions there: {', '.join(missing)}.**" if missing else ""
    return f"challenges and boards go to <#{channel}>.{lacks}"


def _anywhere_text(channel: int | None) -> str:
    where = "challenges and boards go where the command is used"
    return where if channel is None else f"off; with **anywhere:True** {where}"


def _game_cap_text(cap: int | None) -> str:
    if cap is None:
        return "any number of games at a time for each person"
    return f"{cap} game{'' if cap == 1 else 's'} at a time for each person"


def channel_refused_text(permissions: Sequence[str], channel: int | None) -> str:
    """Return the reason why a channel cannot be the one for games. `permissions` names what the bot lacks there."""
    return (
        f"Nothing was changed: in <#{channel}> the bot lacks these permissions: {', '.join(permissions)}. "
        "Grant them there, or choose another channel."
    )
