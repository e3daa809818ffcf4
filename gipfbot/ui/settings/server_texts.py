"""The texts about the settings of a server."""

from collections.abc import Sequence

from gipfbot.match import TIME_CONTROLS
from gipfbot.match.clock import HOUR
from gipfbot.rules.powers import POWERS
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, PUZZLE_HOUR, ServerSettings
from gipfbot.ui.kit import clock_texts, texts
from gipfbot.ui.kit.slash_commands import RULES_TITLES, potential_number_text
from render import THEMES

from .controls import SETTING_TEXTS, SettingText, UnsetText

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
# What each page says beside its controls.
PAGE_HINTS = {
    "terms": (
        "For new games, unless a challenge says otherwise.\n"
        "Potentials are extra powers of single pieces. The usual game has none."
    ),
    "places": "",
    "look": "This is how public boards look. Players choose the look of their private boards themselves.",
}


def _grace_text(hours: int) -> str:
    return clock_texts.duration_text(hours * HOUR) if hours else "none"


def _vacation_text(days: int) -> str:
    return f"{days} day{'' if days == 1 else 's'} a year" if days else "none"


CHANNEL_MENTION, ROLE_MENTION = "<#{}>".format, "<@&{}>".format
ANYWHERE = UnsetText(
    ANYWHERE_LABEL, "anywhere", "Challenges and boards go where the command is used", CHANNEL_OR_ANYWHERE
)
NO_RESULTS = UnsetText(NO_RESULTS_LABEL, "no_results", "Results are not announced", RESULTS_OR_NONE)
NO_PUZZLES = UnsetText(NO_PUZZLES_LABEL, "no_puzzles", "No daily puzzle", PUZZLES_OR_NONE)
EVERYBODY = UnsetText(EVERYBODY_LABEL)
UNLESS = "unless a challenge says otherwise"
SERVER_TEXTS = {
    "rules": SettingText("Rules", f"The version of GIPF, {UNLESS}", "terms", RULES_TITLES.__getitem__),
    **{
        name: SettingText(
            f"{POWERS[letter].name}-potentials",
            f"How many {POWERS[letter].name}-potentials each player gets, {UNLESS}",
            "terms",
            potential_number_text,
        )
        for name, letter in POTENTIAL_SETTINGS.items()
    },
    "pace": SettingText(
        "Pace",
        f"How much time each player has, {UNLESS}",
        "terms",
        lambda name: clock_texts.time_control_text(TIME_CONTROLS[name]),
    ),
    "weekends": SettingText(
        "Clocks run at weekends (UTC)", f"Whether Saturdays and Sundays (UTC) count, {UNLESS}", "terms"
    ),
    "grace": SettingText(
        "Grace for a late turn", "Hours to finish a turn after its time is over (0: none)", "terms", _grace_text
    ),
    "vacation": SettingText(
        "Vacation", "Days a year for which a player's clocks may be paused", "terms", _vacation_text
    ),
    "channel": SettingText(
        "Channel for games",
        "Where challenges and boards go",
        "places",
        CHANNEL_MENTION,
        "where the command is used",
        ANYWHERE,
    ),
    "results": SettingText(
        "Channel for results", "Where results are announced", "places", CHANNEL_MENTION, "none", NO_RESULTS
    ),
    "puzzles": SettingText(
        "Channel for the daily puzzle",
        "Where a new puzzle is posted every day",
        "places",
        CHANNEL_MENTION,
        "none",
        NO_PUZZLES,
    ),
    "challengers": SettingText(
        "Who may challenge", "Who may challenge; @everyone: everybody", "places", ROLE_MENTION, "everybody", EVERYBODY
    ),
    "threads": SettingText(
        "A thread for each game",
        "Whether each game gets a thread of its own, whatever a challenge says",
        "places",
        unset="if the challenger wants it",
    ),
    "rated": SettingText("Rated games", f"Whether games are rated, {UNLESS}", "terms"),
    "cap": SettingText(
        "Games per person",
        "How many games a person may play here at a time (0: any number)",
        "places",
        "at most {}".format,
        "any number",
    ),
    "theme": SettingText(
        "Theme", "The colours of the boards that everybody sees", "look", lambda name: THEMES[name].name
    ),
    "below": SettingText(
        "Boards seen from",
        "Whose side public boards are seen from",
        "look",
        lambda side: f"{side.capitalize()}'s side",
        option="side",
    ),
}
SETTING_TEXTS[ServerSettings] = SERVER_TEXTS


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
