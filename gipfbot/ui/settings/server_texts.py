"""What is said to those who manage a server."""

from collections.abc import Sequence

from gipfbot.match.clock import HOUR
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.ui.kit import clock_texts, text_parts
from render import THEMES

ONLY_ON_SERVERS = "Use this on a server: it says what holds for the games there."
CHANNEL_OR_ANYWHERE = (
    "Nothing was changed. Name the channel for games with **channel**, or choose **anywhere:True** to have none."
)


def server_settings_text(known: ServerSettings, missing: Sequence[str], *, changed: bool) -> str:
    """Return all that holds on a server; `missing` is what the bot may not do in the channel for games."""
    head = "Saved. This holds now for GIPF on this server:" if changed else "This holds for GIPF on this server:"
    return text_parts.join_lines(
        f"**{head}**",
        f"• `rules` {known.rules.capitalize()}",
        f"• `pace` {clock_texts.time_control_text(known.terms.time_control)}",
        f"• `weekends` {clock_texts.weekends_text(known.weekends)}",
        f"• `grace` {clock_texts.grace_text(known.grace * HOUR)}",
        f"• `vacation` {clock_texts.vacation_days_text(known.vacation)}",
        f"• `channel` {_games_channel_text(known.channel, missing)}",
        f"• `anywhere` {_anywhere_text(known.channel)}",
        f"• `threads` {'each game gets a thread of its own' if known.threads else 'no thread for each game'}",
        f"• `cap` {_game_cap_text(known.cap)}",
        f"• `theme` {THEMES[known.theme].name}",
        f"• `below` everybody's boards are seen from the side of {known.below.capitalize()}",
        "Change it with the options of **/gipf-server settings**. Whoever challenges may choose other rules, pace, "
        "weekends and thread. Games that have begun keep their terms; `cap` counts for all, "
        "`vacation` for every vacation that begins from now on.",
    )


def _games_channel_text(channel: int | None, missing: Sequence[str]) -> str:
    if channel is None:
        return "none is chosen"
    lacks = f" **But I may not do this there: {', '.join(missing)}.**" if missing else ""
    return f"challenges and boards go to <#{channel}>.{lacks}"


def _anywhere_text(channel: int | None) -> str:
    where = "challenges and boards go where the command is used"
    return where if channel is None else f"no; with **anywhere:True** {where}"


def _game_cap_text(cap: int | None) -> str:
    if cap is None:
        return "any number of games at a time for each person"
    return f"{cap} game{'' if cap == 1 else 's'} at a time for each person"


def channel_refused_text(permissions: Sequence[str], channel: int | None) -> str:
    """Return why a channel cannot be the one for games."""
    return (
        f"Nothing was changed, for in <#{channel}> I may not do this: {', '.join(permissions)}. "
        "Allow it there, or choose another channel."
    )
