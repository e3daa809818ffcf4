"""`/gipf-server settings`: its pages and controls, and the public message on what has changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord

from gipfbot.match import Refused, Why
from gipfbot.service.app import App
from gipfbot.service.settings.servers import SETTINGS_CHANGED, ServerSettings
from gipfbot.service.settings.setting_rows import Announced, Place
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, Malformed, PrivateRow, button_rows, with_note_above
from gipfbot.ui.kit.interactions import Reply, chosen_value, handles
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.ui.kit.permissions import NEEDED_PERMISSIONS, THREAD_PERMISSIONS, check_manager, missing_permissions_in
from gipfbot.ui.kit.respond import show_reply
from gipfbot.ui.kit.texts import join_lines
from gipfbot.ui.lobby.lobby_texts import FIND_OPPONENT_LABEL
from gipfbot.values import OutboxRow

from . import controls, server_texts
from .user import draw_theme_preview

HEADING = "**GIPF settings for this server have changed**"
HEADINGS = {
    Announced.NEW_GAMES: "For new games, running ones stay as they are:",
    Announced.FROM_NOW_ON: "From now on:",
}


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
        for name, label in server_texts.PAGE_LABELS.items()
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
    find = {Place.CHANNEL: guild.get_channel, Place.ROLE: guild.get_role}
    rows = settings.rows().items()
    found = {name: find[row.place](getattr(settings, name) or 0) for name, row in rows if row.place}
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


def _check_channel(guild: discord.Guild, name: str, channel: int) -> None:
    """Raise Refused for a channel that is not for texts. A modified Discord client can send any value."""
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
