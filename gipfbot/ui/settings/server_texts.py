"""The texts about the settings of a server."""

from collections.abc import Sequence

from gipfbot.match import TIME_CONTROLS
from gipfbot.match.clock import HOUR
from gipfbot.rules.powers import POWERS
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, PUZZLE_HOUR, ServerSettings
from gipfbot.ui.kit import clock_texts, texts
from gipfbot.ui.kit.slash_commands import RULES_TITLES, potential_number_text
from render import THEMES

CHANNEL_OR_ANYWHERE = "Nothing was changed. Choose a **channel**, or **anywhere:True** to play in any channel."
RESULTS_OR_NONE = "Nothing was changed. Choose a channel for **results**, or **no_results:True** to announce none."
PUZZLES_OR_NONE = "Nothing was changed. Choose a channel for **puzzles**, or **no_puzzles:True** for no daily puzzle."
SERVER_HEADING = "**GIPF settings for this server**"
PAGE_LABELS = {"terms": "Terms", "places": "Places", "look": "Look"}
ANYWHERE_LABEL = "Play in any channel"
EVERYBODY_LABEL = "Everybody may challenge"
NO_RESULTS_LABEL = "Announce no results"
NO_PUZZLES_LABEL = "No daily puzzle"
PUZZLES_GONE = "**The channel for the daily puzzle is gone, so none is posted. Choose another.**"
ROLE_GONE = "**The role that may challenge is gone, so everybody may. Choose another.**"
RESULTS_GONE = "**The channel for results is gone, so none are announced. Choose another.**"
SERVER_LABELS = {
    "rules": "Rules",
    **{name: f"{POWERS[letter].name}-potentials" for name, letter in POTENTIAL_SETTINGS.items()},
    "pace": "Pace",
    "weekends": "Clocks run at weekends (UTC)",
    "grace": "Grace for a late turn",
    "vacation": "Vacation",
    "channel": "Channel for games",
    "results": "Channel for results",
    "puzzles": "Channel for the daily puzzle",
    "challengers": "Who may challenge",
    "threads": "A thread for each game",
    "rated": "Rated games",
    "cap": "Games per person",
    "theme": "Theme",
    "below": "Boards seen from",
}
# What each page says beside its controls.
PAGE_HINTS = {
    "terms": (
        "For new games, unless a challenge says otherwise.\n"
        "Potentials are extra powers of single pieces. The usual game has none."
    ),
    "places": "",
    "look": "This is how public boards look. Players choose the look of their private boards themselves.",
}


NOT_SET = {
    "cap": "any number",
    "channel": "where the command is used",
    "results": "none",
    "puzzles": "none",
    "challengers": "everybody",
    "threads": "if the challenger wants it",
}


def server_value_text(name: str, value: object) -> str:
    """Return the value of one of a server's settings in words. `name` is a key of SERVER_LABELS."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return _number_text(name, value)
    if value is None:
        return NOT_SET[name]
    if name == "pace":
        return clock_texts.time_control_text(TIME_CONTROLS[str(value)])
    if name == "rules":
        return RULES_TITLES[str(value)]
    return THEMES[str(value)].name if name == "theme" else f"{str(value).capitalize()}'s side"


def _number_text(name: str, number: int) -> str:
    if name in POTENTIAL_SETTINGS:
        return potential_number_text(number)
    if name == "grace":
        return clock_texts.duration_text(number * HOUR) if number else "none"
    if name == "vacation":
        return f"{number} day{'' if number == 1 else 's'} a year" if number else "none"
    if name == "challengers":
        return f"<@&{number}>"
    return f"<#{number}>" if name in ("channel", "results", "puzzles") else f"at most {number}"


def server_setting_label(name: str, value: object) -> str:
    """Return a setting with its value, as its button or its choice says it: `Pace: 3 days for each turn`."""
    return f"{SERVER_LABELS[name]}: {server_value_text(name, value)}"


def server_settings_text(settings: ServerSettings, page: str, missing: Sequence[str]) -> str:
    """Return what one page of a server's settings says beside its controls. `page` is a key of PAGE_LABELS.

    `missing` names the permissions that the bot lacks in the channel for games.
    """
    lacks = f"**The bot lacks permissions in <#{settings.channel}>: {', '.join(missing)}.**" if missing else ""
    where = _places_text(settings) if page == "places" else ""
    return texts.join_lines(f"{SERVER_HEADING} · {PAGE_LABELS[page]}", where, PAGE_HINTS[page], lacks)


def _places_text(settings: ServerSettings) -> str:
    where = _games_channel_text(settings.channel)
    boards = f"Challenges and boards go {where}."
    if settings.threads:
        boards = f"Challenges go {where}, boards to the thread of their game."
    results, puzzles = settings.results, settings.puzzles
    return texts.join_lines(
        boards,
        f"Results go to <#{results}>, if everybody there can see the game's channel." if results else "",
        f"The daily puzzle goes to <#{puzzles}> at {PUZZLE_HOUR}:00 UTC." if puzzles else "",
    )


def puzzles_lack_text(missing: Sequence[str], channel: int) -> str:
    """Return why no puzzle is posted. `missing` names the permissions that the bot lacks in its channel."""
    return f"**No daily puzzle is posted: in <#{channel}> the bot lacks these permissions: {', '.join(missing)}.**"


def results_lack_text(missing: Sequence[str], channel: int) -> str:
    """Return why no results are announced. `missing` names the permissions that the bot lacks in their channel."""
    return f"**No results are announced: in <#{channel}> the bot lacks these permissions: {', '.join(missing)}.**"


def news_follows_text(channel: int) -> str:
    """Return where the players will read of the changes."""
    return f"Players are told in <#{channel}> in a few minutes, in one message with what else you change."


def _games_channel_text(channel: int | None) -> str:
    return "where the command is used" if channel is None else f"to <#{channel}>"


def channel_refused_text(permissions: Sequence[str], channel: int | None) -> str:
    """Return the reason why a channel cannot be the one for games. `permissions` names what the bot lacks there."""
    return (
        f"Nothing was changed: in <#{channel}> the bot lacks these permissions: {', '.join(permissions)}. "
        "Grant them there, or choose another channel."
    )
