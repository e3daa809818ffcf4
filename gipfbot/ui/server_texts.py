"""What is said to those who manage a server."""

from collections.abc import Sequence

from gipfbot.match.clock import HOUR
from gipfbot.service.servers import ServerSettings
from render import THEMES

from . import texts, time_texts

ONLY_ON_SERVERS = "Use this on a server: it says what holds for the games there."
WHICH_CHANNEL = (
    "Nothing was changed. Name the channel for games with **channel**, or choose **anywhere:True** to have none."
)


def settings(known: ServerSettings, missing: Sequence[str], *, changed: bool) -> str:
    """Return all that holds on a server; `missing` is what the bot may not do in the channel for games."""
    head = "Saved. This holds now for GIPF on this server:" if changed else "This holds for GIPF on this server:"
    return texts.join(
        f"**{head}**",
        f"• `rules` {known.rules.capitalize()}",
        f"• `pace` {time_texts.pace(known.terms.pace)}",
        f"• `weekends` {time_texts.weekends(known.weekends)}",
        f"• `grace` {time_texts.grace(known.grace * HOUR)}",
        f"• `vacation` {time_texts.vacation(known.vacation)}",
        f"• `channel` {_channel(known.channel, missing)}",
        f"• `anywhere` {_anywhere(known.channel)}",
        f"• `threads` {'each game gets a thread of its own' if known.threads else 'no thread for each game'}",
        f"• `cap` {_cap(known.cap)}",
        f"• `theme` {THEMES[known.theme].name}",
        f"• `below` everybody's boards are seen from the side of {known.below.capitalize()}",
        "Change it with the options of **/gipf-server settings**. Whoever challenges may choose other rules, pace, "
        "weekends and thread. Games that have begun keep their terms; `cap` counts for all, "
        "`vacation` for every vacation that begins from now on.",
    )


def _channel(channel: int | None, missing: Sequence[str]) -> str:
    if channel is None:
        return "none is chosen"
    lacks = f" **But I may not do this there: {', '.join(missing)}.**" if missing else ""
    return f"challenges and boards go to <#{channel}>.{lacks}"


def _anywhere(channel: int | None) -> str:
    where = "challenges and boards go where the command is used"
    return where if channel is None else f"no; with **anywhere:True** {where}"


def _cap(cap: int | None) -> str:
    if cap is None:
        return "any number of games at a time for each person"
    return f"{cap} game{'' if cap == 1 else 's'} at a time for each person"


def i_lack(permissions: Sequence[str], channel: int | None) -> str:
    """Return why a channel cannot be the one for games."""
    return (
        f"Nothing was changed, for in <#{channel}> I may not do this: {', '.join(permissions)}. "
        "Allow it there, or choose another channel."
    )
