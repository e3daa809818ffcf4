"""`/gipf-server settings`: its pages and controls, and the public message on what has changed."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from gipfbot.match import TIME_CONTROLS, Refused, Why
from gipfbot.rules import RULESETS
from gipfbot.service.app import App
from gipfbot.service.settings.servers import (
    MOST_GAMES,
    MOST_GRACE_HOURS,
    MOST_VACATION_DAYS,
    POTENTIAL_NUMBERS,
    POTENTIAL_SETTINGS,
    SETTINGS_CHANGED,
    SETTINGS_FROM_NOW_ON,
    SETTINGS_OF_NEW_GAMES,
    SIDES,
    TOLD_SETTINGS,
    ServerSettings,
    with_changes,
)
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ChannelSelect, PrivateRow, RoleSelect, Select, with_note_above
from gipfbot.ui.kit.interactions import Reply, answers_privately, chosen_value, handles, slash_command
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.ui.kit.permissions import NEEDED_PERMISSIONS, THREAD_PERMISSIONS, check_manager, missing_permissions_in
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.slash_commands import POTENTIAL_CHOICES, RULES_CHOICES, TIME_CONTROL_CHOICES, chosen_options
from gipfbot.ui.kit.texts import join_lines, setting_change_text
from gipfbot.ui.lobby.lobby_texts import FIND_OPPONENT_LABEL
from gipfbot.values import OutboxRow
from render import THEMES

from . import server_texts
from .server_texts import SERVER_LABELS, server_value_text
from .user import THEME_CHOICES, draw_theme_preview

# The settings on each page. Switches and buttons come last, in one row.
SETTINGS_ON_PAGE = {
    "terms": ("rules", "zertz", "punct", "pace", "grace", "vacation", "weekends", "rated"),
    "places": ("channel", "results", "puzzles", "challengers", "cap", "threads"),
    "look": ("theme", "below"),
}
PAGE_OF_SETTING = {name: page for page, names in SETTINGS_ON_PAGE.items() for name in names}
SWITCHES = {
    "weekends": (True, False),
    "rated": (True, False),
    "threads": (None, True, False),
    "below": ("white", "black"),
}
OFFERED_VALUES: dict[str, tuple[Any, ...]] = {
    "rules": tuple(RULESETS),
    **dict.fromkeys(POTENTIAL_SETTINGS, POTENTIAL_NUMBERS),
    "pace": tuple(TIME_CONTROLS),
    "grace": (0, 1, 2, 4, 6, 12, 24, 36, 48, 72, 96, 120, 168),  # hours
    "vacation": (0, 7, 10, 14, 21, 28, 30, 35, 42, 60, 90, 120, 180, 365),  # days a year
    "cap": (None, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100),
    "theme": tuple(THEMES),
}
NO_VALUE = "none"  # stands for None in a `custom_id` and in a choice
ANYWHERE = Button(server_texts.ANYWHERE_LABEL, f"server_switch:channel:{NO_VALUE}")
NO_RESULTS = Button(server_texts.NO_RESULTS_LABEL, f"server_switch:results:{NO_VALUE}")
NO_PUZZLES = Button(server_texts.NO_PUZZLES_LABEL, f"server_switch:puzzles:{NO_VALUE}")
EVERYBODY = Button(server_texts.EVERYBODY_LABEL, f"server_switch:challengers:{NO_VALUE}")
UNSET_BUTTONS = {"channel": ANYWHERE, "results": NO_RESULTS, "puzzles": NO_PUZZLES, "challengers": EVERYBODY}
SWITCH_WORDS = {"True": True, "False": False}
_NUMBER = re.compile("[0-9]{1,20}")

CHANNEL_SETTINGS = ("channel", "results", "puzzles")
SIDE_CHOICES = [app_commands.Choice(name=f"{side.capitalize()}'s side", value=side) for side in SIDES]

HEADING = "**GIPF settings for this server have changed**"
# What stands above the settings that do not hold for everything at once.
HEADINGS = {
    "For new games, running ones stay as they are:": SETTINGS_OF_NEW_GAMES,
    "From now on:": SETTINGS_FROM_NOW_ON,
}


def parse_setting(name: str, text: str) -> Any:
    """Return the value that a button or a choice stands for. Does not check whether it is offered."""
    if name in (*UNSET_BUTTONS, "cap", "threads") and text == NO_VALUE:
        return None
    if name in (*UNSET_BUTTONS, "cap", "grace", "vacation", *POTENTIAL_SETTINGS) and _NUMBER.fullmatch(text):
        return int(text)
    return SWITCH_WORDS.get(text, text) if name in ("weekends", "rated", "threads") else text


def server_settings_rows(settings: ServerSettings, page: str, known: Mapping[str, int]) -> tuple[PrivateRow, ...]:
    """Return the controls of one page of a server's settings.

    `known` has the chosen channels and the chosen role, by the names of their settings, as far as the server has them.
    """
    selects = [_setting_select(settings, name) for name in SETTINGS_ON_PAGE[page] if name in OFFERED_VALUES]
    places = (
        _channel_select("channel", known),
        _channel_select("results", known),
        _channel_select("puzzles", known),
        RoleSelect(server_texts.SERVER_LABELS["challengers"], "server_choice:challengers", known.get("challengers")),
    )
    buttons = [_setting_switch(settings, name) for name in SETTINGS_ON_PAGE[page] if name in SWITCHES]
    unset = [
        button
        for name, button in UNSET_BUTTONS.items()
        if name in SETTINGS_ON_PAGE[page] and getattr(settings, name) is not None
    ]
    return (_page_buttons(page), *(places if page == "places" else ()), *selects, (*buttons, *unset))


def _channel_select(name: str, known: Mapping[str, int]) -> ChannelSelect:
    return ChannelSelect(server_texts.SERVER_LABELS[name], f"server_choice:{name}", known.get(name))


def _page_buttons(page: str) -> tuple[Button, ...]:
    """Return the buttons that lead to the pages. That of `page` cannot be pressed."""
    return tuple(
        Button(label, f"server_page:{name}", "primary" if name == page else "secondary", disabled=name == page)
        for name, label in server_texts.PAGE_LABELS.items()
    )


def _setting_select(settings: ServerSettings, name: str) -> Select:
    now = getattr(settings, name)
    values = OFFERED_VALUES[name]
    if now not in values:  # a number that was set with the slash command
        values = tuple(sorted((*values, now), key=lambda value: value or 0))
    options = tuple((server_texts.server_setting_label(name, value), _value_code(value)) for value in values)
    return Select(server_texts.SERVER_LABELS[name], f"server_choice:{name}", options, _value_code(now))


def _value_code(value: object) -> str:
    return NO_VALUE if value is None else str(value)


def _setting_switch(settings: ServerSettings, name: str) -> Button:
    """Return the button that shows a setting of few values, and changes it to the next of them."""
    now, values = getattr(settings, name), SWITCHES[name]
    following = values[(values.index(now) + 1) % len(values)]
    style = "success" if now is True else "secondary"
    return Button(server_texts.server_setting_label(name, now), f"server_switch:{name}:{_value_code(following)}", style)


@slash_command("gipf-server settings", 10, "See and change the GIPF settings of this server")
@app_commands.describe(
    rules="The version of GIPF, unless a challenge says otherwise",
    zertz="How many ZÈRTZ-potentials each player gets, unless a challenge says otherwise",
    punct="How many PÜNCT-potentials each player gets, unless a challenge says otherwise",
    pace="How much time each player has, unless a challenge says otherwise",
    weekends="Whether Saturdays and Sundays (UTC) count, unless a challenge says otherwise",
    grace="Hours to finish a turn after its time is over (0: none)",
    vacation="Days a year for which a player's clocks may be paused",
    channel="Where challenges and boards go",
    anywhere="Challenges and boards go where the command is used",
    results="Where results are announced",
    no_results="Results are not announced",
    puzzles="Where a new puzzle is posted every day",
    no_puzzles="No daily puzzle",
    challengers="Who may challenge; @everyone: everybody",
    threads="Whether each game gets a thread of its own, whatever a challenge says",
    rated="Whether games are rated, unless a challenge says otherwise",
    cap="How many games a person may play here at a time (0: any number)",
    theme="The colours of the boards that everybody sees",
    below="Whose side public boards are seen from",
)
@app_commands.choices(rules=RULES_CHOICES, zertz=POTENTIAL_CHOICES, punct=POTENTIAL_CHOICES)
@app_commands.rename(below="side")
@app_commands.choices(pace=TIME_CONTROL_CHOICES, theme=THEME_CHOICES, below=SIDE_CHOICES)
@answers_privately
async def server_settings_command(
    interaction: Interaction,
    rules: str | None = None,
    zertz: int | None = None,
    punct: int | None = None,
    pace: str | None = None,
    weekends: bool | None = None,
    grace: app_commands.Range[int, 0, MOST_GRACE_HOURS] | None = None,
    vacation: app_commands.Range[int, 0, MOST_VACATION_DAYS] | None = None,
    channel: discord.TextChannel | None = None,
    anywhere: bool | None = None,
    results: discord.TextChannel | None = None,
    no_results: bool | None = None,
    puzzles: discord.TextChannel | None = None,
    no_puzzles: bool | None = None,
    challengers: discord.Role | None = None,
    threads: bool | None = None,
    rated: bool | None = None,
    cap: app_commands.Range[int, 0, MOST_GAMES] | None = None,
    theme: str | None = None,
    below: str | None = None,
) -> None:
    """Change the settings of a server, and show all. An option that is None changes nothing.

    `anywhere` unsets the channel for games, `no_results` that for results, `no_puzzles` that for
    the daily puzzle. A `cap` of 0 unsets the cap.
    """
    options = {
        "rules": rules,
        "zertz": zertz,
        "punct": punct,
        "pace": pace,
        "weekends": weekends,
        "grace": grace,
        "vacation": vacation,
        "channel": channel and channel.id,
        "results": results and results.id,
        "puzzles": puzzles and puzzles.id,
        "challengers": challengers and challengers.id,
        "threads": threads,
        "rated": rated,
        "theme": theme,
        "below": below,
    }
    switched_off = {"channel": anywhere, "results": no_results, "puzzles": no_puzzles}
    unset = {name: None for name, off in switched_off.items() if off}
    limit = {} if cap is None else {"cap": cap or None}
    if not await check_manager(interaction):
        return
    if anywhere is False or (anywhere and channel):
        await _show_server_settings(interaction, "places", [server_texts.CHANNEL_OR_ANYWHERE])
    elif no_results is False or (no_results and results):
        await _show_server_settings(interaction, "places", [server_texts.RESULTS_OR_NONE])
    elif no_puzzles is False or (no_puzzles and puzzles):
        await _show_server_settings(interaction, "places", [server_texts.PUZZLES_OR_NONE])
    else:
        await _update_server_settings(interaction, {**chosen_options(options), **unset, **limit})


@handles("set_up", "", Reply.APART, guard=check_manager)
async def press_set_up(interaction: Interaction) -> None:
    """Show the settings of the server to a person who manages it."""
    await _show_server_settings(interaction)


@handles("server_page", "{page:terms|places|look}", guard=check_manager)
async def press_server_page(interaction: Interaction, page: str) -> None:
    """Show a page of the server's settings."""
    await _show_server_settings(interaction, page)


@handles(
    "server_switch",
    "{name:weekends|rated|threads|below|channel|results|puzzles|challengers}:{value:[A-Za-z]+}",
    guard=check_manager,
)
async def press_server_switch(interaction: Interaction, name: str, value: str) -> None:
    """Change one setting of the server to the value of the pressed button."""
    await _update_server_settings(interaction, {name: parse_setting(name, value)})


@handles(
    "server_choice",
    "{name:rules|zertz|punct|pace|grace|vacation|cap|theme|channel|results|puzzles|challengers}",
    guard=check_manager,
)
async def choose_server_setting(interaction: Interaction, name: str) -> None:
    """Change one setting of the server to the value that the user has chosen."""
    await _update_server_settings(interaction, {name: parse_setting(name, chosen_value(interaction))})


async def _update_server_settings(interaction: Interaction, changes: Mapping[str, Any]) -> None:
    """Change these settings of a server, and show the page on which the first stands.

    If the bot lacks a permission that the changes need in a channel, say so and change nothing. Raises Refused for a
    value that is not offered.
    """
    guild, servers = _guild_of(interaction), interaction.client.app.servers
    before, changes = await servers.settings(guild.id), _without_everyone(guild, changes)
    wanted = with_changes(before, changes)
    for name in CHANNEL_SETTINGS:
        _check_text_channel(guild, name, changes.get(name))
    _check_role(guild, changes.get("challengers"))
    page = PAGE_OF_SETTING[next(iter(changes), "rules")]
    if refused := _why_channel_refused(guild, wanted, changes):
        await _show_server_settings(interaction, "places", [refused])
        return
    after, told_in = await servers.change(guild.id, changes) if changes else (before, None)
    notes = [_server_change_text(name, before, after) for name in changes]
    if told_in is not None and changes.keys() & {*TOLD_SETTINGS}:
        notes.append(server_texts.news_follows_text(told_in))
    await _show_server_settings(interaction, page, notes)


async def _show_server_settings(interaction: Interaction, page: str = "terms", notes: Sequence[str] = ()) -> None:
    """Show a page of the server's settings as they are now. `notes` say what was changed, or why nothing was."""
    guild, app = _guild_of(interaction), interaction.client.app
    settings = await app.servers.settings(guild.id)
    await app.end_snapshot()
    flipped = settings.below == "black"
    painter, person = interaction.client.painter, interaction.user.id
    preview = await draw_theme_preview(painter, settings.theme, person, flipped=flipped) if page == "look" else []
    text = server_texts.server_settings_text(settings, page, _missing_in_games_channel(guild, settings))
    known = _known_places(guild, settings)
    if page == "places":
        text = join_lines(text, *_place_warnings(guild, settings, known))
    rows = server_settings_rows(settings, page, known)
    await show_reply(interaction, text, rows=with_note_above(join_lines(*notes), rows), files=preview)


def _guild_of(interaction: Interaction) -> discord.Guild:
    assert interaction.guild, "the guard lets nobody pass outside servers"
    return interaction.guild


def _known_places(guild: discord.Guild, settings: ServerSettings) -> dict[str, int]:
    """Return the channels and the role that are set, by the names of their settings, as far as the server has them."""
    channels = {name: guild.get_channel(getattr(settings, name) or 0) for name in CHANNEL_SETTINGS}
    found = {**channels, "challengers": guild.get_role(settings.challengers or 0)}
    return {name: place.id for name, place in found.items() if place}


def _place_warnings(guild: discord.Guild, settings: ServerSettings, known: Mapping[str, int]) -> Iterator[str]:
    """Yield what is wrong with the role that may challenge and with the channels for results and for puzzles."""
    if settings.challengers is not None and "challengers" not in known:
        yield server_texts.ROLE_GONE
    if settings.results is not None and "results" not in known:
        yield server_texts.RESULTS_GONE
    elif settings.results is not None and (missing := missing_permissions_in(guild.get_channel(settings.results))):
        yield server_texts.results_lack_text(missing, settings.results)
    if settings.puzzles is not None and "puzzles" not in known:
        yield server_texts.PUZZLES_GONE
    elif settings.puzzles is not None and (missing := missing_permissions_in(guild.get_channel(settings.puzzles))):
        yield server_texts.puzzles_lack_text(missing, settings.puzzles)


def _check_text_channel(guild: discord.Guild, name: str, channel: int | None) -> None:
    """Raise Refused for a channel that is not for texts. A modified Discord client can send any value."""
    found = channel and guild.get_channel(channel)
    if found and not isinstance(found, discord.TextChannel):
        raise Refused(Why.NOT_OFFERED, option=name, value=found.name)


def _without_everyone(guild: discord.Guild, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes with None for Discord's role of everybody, which has the id of the server."""
    is_everybody = changes.get("challengers") == guild.id
    return {**changes, **({"challengers": None} if is_everybody else {})}


def _check_role(guild: discord.Guild, role: int | None) -> None:
    """Raise Refused for a role that the server does not have. A modified Discord client can send any value."""
    if role is not None and guild.get_role(role) is None:
        raise Refused(Why.NOT_OFFERED, option="challengers", value=role)


def _server_change_text(name: str, before: ServerSettings, after: ServerSettings) -> str:
    old, new = (server_texts.server_value_text(name, getattr(settings, name)) for settings in (before, after))
    return setting_change_text(server_texts.SERVER_LABELS[name], old, new)


def _why_channel_refused(guild: discord.Guild, wanted: ServerSettings, changes: Mapping[str, Any]) -> str:
    """Return which permissions the bot lacks for these changes, and in which channel. Empty if it lacks none."""
    if blocking := _blocking_permissions(_missing_in_games_channel(guild, wanted), changes):
        return server_texts.channel_refused_text(blocking, wanted.channel)
    for channel in filter(None, (changes.get("results"), changes.get("puzzles"))):
        if missing := missing_permissions_in(guild.get_channel(channel)):
            return server_texts.channel_refused_text(missing, channel)
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
async def build_setting_news(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message on changed settings, with a button to the open challenges."""
    changed = [name for name in TOLD_SETTINGS if name in row.payload["before"]]
    parts = (_part_text(row, heading, names) for heading, names in HEADINGS.items() if {*names} & {*changed})
    button = Button(FIND_OPPONENT_LABEL, "find_opponent")
    return OutboxMessage(join_lines(HEADING, *parts), rows=((button,),))


def _part_text(row: OutboxRow, heading: str, names: Collection[str]) -> str:
    return join_lines(heading, *_change_lines(row, names))


def _change_lines(row: OutboxRow, names: Collection[str]) -> Iterator[str]:
    before, after = row.payload["before"], row.payload["after"]
    for name in names:
        if name in before:
            old, new = (server_value_text(name, values[name]) for values in (before, after))
            yield f"- {SERVER_LABELS[name]}: {old} → **{new}**"
