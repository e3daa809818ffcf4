"""`/gipf-server settings`: its pages and controls, and the public message on what has changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord

from gipfbot.match import HOUR, TIME_CONTROLS, Refused, Why
from gipfbot.rules.powers import POWERS
from gipfbot.service.app import App
from gipfbot.service.settings.puzzle_channel import PUZZLE_HOUR
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, SETTINGS_CHANGED, ServerSettings
from gipfbot.service.settings.setting_rows import Announced, Place
from gipfbot.ui.kit import (
    Button,
    Interaction,
    OutboxMessage,
    PrivateRow,
    Reply,
    clock_texts,
    handles,
    join_lines,
    outbox_message,
    show_reply,
    texts,
)
from gipfbot.ui.kit.components import Malformed, button_rows, with_note_above
from gipfbot.ui.kit.interactions import chosen_value
from gipfbot.ui.kit.permissions import NEEDED_PERMISSIONS, THREAD_PERMISSIONS, check_manager, missing_permissions_in
from gipfbot.ui.kit.slash_commands import RULES_TITLES, potential_number_text
from gipfbot.ui.lobby.lobby_texts import FIND_OPPONENT_LABEL
from gipfbot.values import OutboxRow
from render import THEMES

from . import controls
from .controls import SETTING_TEXTS, SettingText, UnsetText
from .user import draw_theme_preview

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
# The texts of the pages beside their controls.
PAGE_HINTS = {
    "terms": (
        "For new games, unless a challenge says otherwise.\n"
        "Potentials are extra powers of single pieces. The usual game has none."
    ),
    "places": "",
    "look": "This is how public boards look. Players choose the look of their private boards themselves.",
}

HEADING = "**GIPF settings for this server have changed**"
HEADINGS = {
    Announced.NEW_GAMES: "For new games, running ones stay as they are:",
    Announced.FROM_NOW_ON: "From now on:",
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
    """Return the text of one page of a server's settings, beside its controls. `page` is a key of PAGE_LABELS.

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
    """Return the sentence on where players are told about the changes."""
    return f"Players are told in <#{channel}> in a few minutes, in one message with what else you change."


def _games_channel_text(channel: int | None) -> str:
    return "where the command is used" if channel is None else f"to <#{channel}>"


def channel_refused_text(permissions: Sequence[str], channel: int | None) -> str:
    """Return the reason why a channel cannot be the one for games. `permissions` names what the bot lacks there."""
    return (
        f"Nothing was changed: in <#{channel}> the bot lacks these permissions: {', '.join(permissions)}. "
        "Grant them there, or choose another channel."
    )


def server_settings_rows(settings: ServerSettings, page: str, known: Mapping[str, int]) -> tuple[PrivateRow, ...]:
    """Return the controls of one page of a server's settings.

    `known` has the chosen channels and the chosen role, by the names of their settings, as far as the server has them.
    """
    shown = controls.shown_settings(settings, page)
    buttons = [controls.setting_button(each, "server_switch") for each in shown if each.row.is_switch]
    unset = [
        Button(each.text.unset_text.label, f"server_switch:{each.name}:{controls.NO_VALUE}")
        for each in shown
        if each.text.unset_text and each.now is not None
    ]
    lists = [controls.setting_list(each, "server_choice:{}", known) for each in shown if not each.row.is_switch]
    return (_page_buttons(page), *lists, *button_rows([*buttons, *unset]))


def _page_buttons(page: str) -> tuple[Button, ...]:
    """Return the buttons that lead to the pages. That of `page` cannot be pressed."""
    return tuple(
        Button(label, f"server_page:{name}", "primary" if name == page else "secondary", disabled=name == page)
        for name, label in PAGE_LABELS.items()
    )


async def change_server_settings(interaction: Interaction, chosen: dict[str, Any]) -> None:
    """Change the settings of a server to the options that are chosen, and show all.

    An option such as `anywhere` unsets a channel, and 0 a limit.
    """
    if not await check_manager(interaction):
        return
    kind, unset, limits = interaction.client.app.servers.kind, dict[str, Any](), dict[str, Any]()
    rows = kind.rows()
    for name, text in controls.SETTING_TEXTS[kind].items():
        if text.unset_text and (off := chosen.pop(text.unset_text.option, None)) is not None:
            if not off or name in chosen:
                await _show_server_settings(interaction, text.page, [text.unset_text.unclear])
                return
            unset[name] = None
        if rows[name].has_limit and name in chosen:
            limits[name] = chosen.pop(name) or None
    given = {name: getattr(value, "id", value) for name, value in chosen.items()}
    await _update_server_settings(interaction, {**given, **unset, **limits})


server_settings_command = controls.settings_command(
    "gipf-server settings", "See and change the GIPF settings of this server", ServerSettings, change_server_settings
)


@handles("set_up", "", Reply.APART, guard=check_manager)
async def press_set_up(interaction: Interaction) -> None:
    """Show the settings of the server to a person who manages it."""
    await _show_server_settings(interaction)


@handles("server_page", "{page:terms|places|look}", guard=check_manager)
async def press_server_page(interaction: Interaction, page: str) -> None:
    """Show a page of the server's settings."""
    await _show_server_settings(interaction, page)


@handles("server_switch", "{name:[a-z_]+}:{value:[A-Za-z]+}", guard=check_manager)
async def press_server_switch(interaction: Interaction, name: str, value: str) -> None:
    """Change one setting of the server to the value of the pressed button."""
    row = controls.find_setting(interaction.client.app.servers.kind, name)
    if not (row.is_switch or row.place):
        raise Malformed(name)
    await _update_server_settings(interaction, {name: controls.parse_value(row, value)})


@handles("server_choice", "{name:[a-z_]+}", guard=check_manager)
async def choose_server_setting(interaction: Interaction, name: str) -> None:
    """Change one setting of the server to the value that the user has chosen."""
    row = controls.find_setting(interaction.client.app.servers.kind, name)
    if row.is_switch:
        raise Malformed(name)
    await _update_server_settings(interaction, {name: controls.parse_value(row, chosen_value(interaction))})


async def _update_server_settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    """Change these settings of a server, and show the page on which the first stands.

    If the bot lacks a permission that the changes need in a channel, say so and change nothing. Raises Refused for a
    value that is not offered.
    """
    guild, servers = _guild_of(interaction), interaction.client.app.servers
    before, changes = await servers.settings(guild.id), _without_everyone(guild, changes)
    wanted, rows = before.with_changes(changes), before.rows()
    for name, value in changes.items():
        if (place := rows[name].place) and value is not None:
            PLACE_CHECKS[place](guild, name, value)
    page = controls.SETTING_TEXTS[servers.kind][next(iter(changes), "rules")].page
    if refused := _why_channel_refused(guild, wanted, changes):
        await _show_server_settings(interaction, "places", [refused])
        return
    after, told_in = await servers.change(guild.id, changes) if changes else (before, None)
    notes = [controls.change_line(name, before, after) for name in changes]
    if told_in is not None and any(rows[name].announced for name in changes):
        notes.append(news_follows_text(told_in))
    await _show_server_settings(interaction, page, notes)


async def _show_server_settings(interaction: Interaction, page: str = "terms", notes: Sequence[str] = ()) -> None:
    """Show a page of the server's settings as they are now. `notes` say what was changed, or why nothing was."""
    guild, app = _guild_of(interaction), interaction.client.app
    settings = await app.servers.settings(guild.id)
    await app.end_snapshot()
    flipped = settings.below == "black"
    painter, person = interaction.client.painter, interaction.user.id
    preview = await draw_theme_preview(painter, settings.theme, person, flipped=flipped) if page == "look" else []
    text = server_settings_text(settings, page, _missing_in_games_channel(guild, settings))
    known = _known_places(guild, settings)
    if page == "places":
        text = join_lines(text, *_place_warnings(guild, settings, known))
    rows = server_settings_rows(settings, page, known)
    await show_reply(interaction, text, rows=with_note_above(join_lines(*notes), rows), files=preview)


def _guild_of(interaction: Interaction) -> discord.Guild:
    assert interaction.guild, "the guard lets nobody pass outside servers"
    return interaction.guild


def _known_places(guild: discord.Guild, settings: ServerSettings) -> dict[str, int]:
    """Return the chosen channels and the chosen role by setting name. Those that the server lacks are left out."""
    find = {Place.CHANNEL: guild.get_channel, Place.ROLE: guild.get_role}
    rows = settings.rows().items()
    found = {name: find[row.place](getattr(settings, name) or 0) for name, row in rows if row.place}
    return {name: place.id for name, place in found.items() if place}


def _place_warnings(guild: discord.Guild, settings: ServerSettings, known: Mapping[str, int]) -> Iterator[str]:
    """Yield warnings about the role that may challenge, and about the channels for results and for puzzles."""
    if settings.challengers is not None and "challengers" not in known:
        yield ROLE_GONE
    if settings.results is not None and "results" not in known:
        yield RESULTS_GONE
    elif settings.results is not None and (missing := missing_permissions_in(guild.get_channel(settings.results))):
        yield results_lack_text(missing, settings.results)
    if settings.puzzles is not None and "puzzles" not in known:
        yield PUZZLES_GONE
    elif settings.puzzles is not None and (missing := missing_permissions_in(guild.get_channel(settings.puzzles))):
        yield puzzles_lack_text(missing, settings.puzzles)


def _check_channel(guild: discord.Guild, name: str, channel: int) -> None:
    """Raise Refused for a channel other than a text channel. A modified Discord client can send any value."""
    found = guild.get_channel(channel)
    if found and not isinstance(found, discord.TextChannel):
        raise Refused(Why.NOT_OFFERED, option=name, value=found.name)


def _check_role(guild: discord.Guild, name: str, role: int) -> None:
    """Raise Refused for a role that the server does not have. A modified Discord client can send any value."""
    if guild.get_role(role) is None:
        raise Refused(Why.NOT_OFFERED, option=name, value=role)


PLACE_CHECKS = {Place.CHANNEL: _check_channel, Place.ROLE: _check_role}


def _without_everyone(guild: discord.Guild, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with None for Discord's role of everybody, which has the id of the server."""
    is_everybody = changes.get("challengers") == guild.id
    return {**changes, **({"challengers": None} if is_everybody else {})}


def _why_channel_refused(guild: discord.Guild, wanted: ServerSettings, changes: Mapping[str, Any]) -> str:
    """Return which permissions the bot lacks for these changes, and in which channel. Empty if it lacks none."""
    if blocking := _blocking_permissions(_missing_in_games_channel(guild, wanted), changes):
        return channel_refused_text(blocking, wanted.channel)
    for channel in filter(None, (changes.get("results"), changes.get("puzzles"))):
        if missing := missing_permissions_in(guild.get_channel(channel)):
            return channel_refused_text(missing, channel)
    return ""


def _blocking_permissions(missing: Sequence[str], changes: Mapping[str, Any]) -> list[str]:
    """Return the missing permissions that block these changes, in words.

    A new channel for games needs all permissions. Threads need only those for threads.
    """
    if changes.get("channel"):
        return [*missing]
    return [words for words in missing if words in THREAD_PERMISSIONS.values()] if changes.get("threads") else []


def _missing_in_games_channel(guild: discord.Guild, settings: ServerSettings) -> list[str]:
    """Return the permissions that the bot lacks in the channel for games, in words. Empty if no such channel is set."""
    if settings.channel is None:
        return []
    needed = {**NEEDED_PERMISSIONS, **(THREAD_PERMISSIONS if settings.threads else {})}
    return missing_permissions_in(guild.get_channel(settings.channel), needed)


@outbox_message(SETTINGS_CHANGED)
async def build_setting_news(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the message on changed settings, with a button to the open challenges."""
    rows, lines = app.servers.kind.rows().items(), [HEADING]
    for announced, heading in HEADINGS.items():
        changed = [name for name, setting in rows if setting.announced is announced and name in row.payload["before"]]
        lines += [heading, *(_change_line(app, row, name) for name in changed)] if changed else []
    return OutboxMessage(join_lines(*lines), rows=((Button(FIND_OPPONENT_LABEL, "find_opponent"),),))


def _change_line(app: App, row: OutboxRow, name: str) -> str:
    text = controls.SETTING_TEXTS[app.servers.kind][name]
    old, new = (text.words(row.payload[part][name]) for part in ("before", "after"))
    return f"- {text.label}: {old} → **{new}**"
