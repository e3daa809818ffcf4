"""`/gipf-server settings`: its pages and controls, and the public message on what has changed."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import discord

from gipfbot.languages import mark, say, say_name, say_number
from gipfbot.match import HOUR, TIME_CONTROLS, Refused, Why
from gipfbot.service.app import App
from gipfbot.service.lobby.lobby import MOST_MENTIONS
from gipfbot.service.settings.puzzle_channel import PUZZLE_HOUR
from gipfbot.service.settings.servers import POTENTIAL_SETTINGS, SETTINGS_CHANGED, ServerSettings
from gipfbot.service.settings.setting_rows import AS_DISCORD, Announced, Place
from gipfbot.ui.kit import (
    Button,
    Interaction,
    OutboxMessage,
    PrivateRow,
    Reply,
    clock_texts,
    controls,
    handles,
    join_lines,
    outbox_message,
    show_reply,
    texts,
)
from gipfbot.ui.kit.components import Malformed, button_rows, with_note_above
from gipfbot.ui.kit.controls import SETTING_TEXTS, PlaceText, SettingText
from gipfbot.ui.kit.interactions import chosen_value
from gipfbot.ui.kit.permissions import (
    NEEDED_PERMISSIONS,
    THREAD_PERMISSIONS,
    check_manager,
    missing_permissions_in,
    permission_name,
)
from gipfbot.ui.kit.slash_commands import RULES_TITLES, potential_number_text
from gipfbot.ui.kit.spoken import forget_server, language_name, note_manager
from gipfbot.ui.kit.texts import channel_mention, role_mention
from gipfbot.ui.lobby.lobby_texts import FIND_OPPONENT_LABEL
from gipfbot.ui.lobby.seeker_texts import (
    CANNOT_CHOOSE_SEEKERS,
    NEEDS_MANAGE_ROLES,
    role_challenges_text,
    role_refused_text,
)
from gipfbot.ui.lobby.seekers import role_for_seeks, seekers_warnings, why_unfit_now
from gipfbot.values import OutboxRow

from .user import draw_theme_preview, theme_name

SERVER_HEADING = mark("**GIPF settings for this server**")
PAGE_LABELS = {"terms": mark("Terms"), "places": mark("Places"), "look": mark("Appearance")}
# The texts of the pages beside their controls.
PAGE_HINTS = {
    "terms": mark(
        "New games here begin with these terms; running games keep theirs. A challenge can change rules, pace, "
        "weekends and rating.\nPotentials are special pieces, each used once. The usual game has none."
    ),
    "places": "",
    "look": mark(
        "Everybody sees this look on the boards in channels. Each player chooses their own for private boards."
    ),
}

HEADING = mark("**GIPF settings for this server have changed**")
HEADINGS = {
    Announced.NEW_GAMES: mark("For new games (running games stay as they are):"),
    Announced.FROM_NOW_ON: mark("From now on:"),
}
HOW_TO_JOIN = mark("To hear of open challenges, press **Find an opponent**, then **Mention me**.")


def _grace_text(hours: int) -> str:
    if not hours:
        return say_name("lost at once")
    return say_name("win within {time} or lose", time=clock_texts.duration_text(hours * HOUR))


def _vacation_text(days: int) -> str:
    return say_number("{number} day a year", "{number} days a year", days) if days else say_name("none")


def _potentials_in_short(number: int) -> str:
    return potential_number_text(number) if number else say_name("none")


_RULES_NAMES = {
    "basic": mark("Basic"),
    "standard": mark("Standard"),
    "tournament": mark("Tournament"),
    "overboard": mark("Overboard"),
}
_POTENTIALS = {"zertz": mark("ZÈRTZ-potentials"), "punct": mark("PÜNCT-potentials")}
_POTENTIALS_DESCRIBED = {
    "zertz": mark("How many ZÈRTZ-potentials each gets, unless a challenge says otherwise"),
    "punct": mark("How many PÜNCT-potentials each gets, unless a challenge says otherwise"),
}
_SIDES = {"white": mark("White's side"), "black": mark("Black's side")}


def _games_sentence(settings: ServerSettings) -> str:
    if settings.channel is None:
        if settings.threads:
            return say("Challenges are posted where the command is used, boards in the thread of their game.")
        return say("Challenges and boards are posted where the command is used.")
    channel = channel_mention(settings.channel)
    if settings.threads:
        return say("Challenges are posted in {channel}, boards in the thread of their game.", channel=channel)
    return say("Challenges and boards are posted in {channel}.", channel=channel)


def _results_sentence(settings: ServerSettings) -> str:
    if not settings.results:
        return ""
    sentence = mark("Results are also posted in {channel}, if everybody there may see the game.")
    return say(sentence, channel=channel_mention(settings.results))


def _puzzles_sentence(settings: ServerSettings) -> str:
    if not settings.puzzles:
        return ""
    sentence = mark("A puzzle is posted in {channel} every day at {hour}:00 UTC.")
    return say(sentence, channel=channel_mention(settings.puzzles), hour=PUZZLE_HOUR)


def _seekers_sentences(settings: ServerSettings) -> str:
    if not settings.seekers:
        return ""
    sentence = mark("The first {count} open challenges of a day mention {role}.")
    mentioned = say(sentence, count=MOST_MENTIONS, role=role_mention(settings.seekers))
    return f"{mentioned} {say('Players join and leave that role in **/gipf seeks**.')}"


GAMES_PLACE = PlaceText(
    mark("Allow games in any channel"),
    "anywhere",
    mark("True: challenges and boards are posted where the command is used"),
    mark("Nothing was changed. Choose a **channel**, or **anywhere:True** to play in any channel."),
    _games_sentence,
    lacks=mark("**The bot lacks permissions in {channel}: {permissions}.**"),
    warns_everywhere=True,
    threads="threads",
)
RESULTS_PLACE = PlaceText(
    mark("Announce no results"),
    "no_results",
    mark("True: results are not announced"),
    mark("Nothing was changed. Choose a channel for **results**, or **no_results:True** to announce none."),
    _results_sentence,
    mark("**The channel for results was deleted, so none are announced. Choose another.**"),
    mark("**No results are announced, because in {channel} the bot lacks permissions: {permissions}.**"),
)
PUZZLES_PLACE = PlaceText(
    mark("Stop the daily puzzle"),
    "no_puzzles",
    mark("True: no daily puzzle"),
    mark("Nothing was changed. Choose a channel for **puzzles**, or **no_puzzles:True** for no daily puzzle."),
    _puzzles_sentence,
    mark("**The channel for the daily puzzle was deleted, so none is posted. Choose another.**"),
    mark("**No daily puzzle is posted, because in {channel} the bot lacks permissions: {permissions}.**"),
)
CHALLENGERS = PlaceText(
    mark("Let everybody challenge"),
    gone=mark("**The role that may challenge was deleted, so everybody may challenge. Choose another.**"),
)
SEEKERS = PlaceText(
    mark("Mention nobody"),
    "no_seekers",
    mark("True: open challenges mention nobody"),
    mark("Nothing was changed. Choose a role for **seekers**, or **no_seekers:True** to mention nobody."),
    _seekers_sentences,
)
ORGANISERS = PlaceText(
    mark("No role opens tournaments"),
    "no_organisers",
    mark("True: only those who manage the server open tournaments"),
    mark("Nothing was changed. Choose a role for **organisers**, or **no_organisers:True** for none."),
    gone=mark("**The role that may open tournaments was deleted. Choose another.**"),
)
SERVER_TEXTS = {
    "language": SettingText(
        mark("Language"),
        mark("What everybody here reads"),
        "terms",
        lambda code: say("that of the server's Discord") if code == AS_DISCORD else language_name(code),
    ),
    "rules": SettingText(
        mark("Rules"),
        mark("The version of GIPF, unless a challenge says otherwise"),
        "terms",
        lambda name: say_name(RULES_TITLES[name]),
        in_short=lambda name: say_name(_RULES_NAMES[name]),
    ),
    **{
        name: SettingText(
            _POTENTIALS[name],
            _POTENTIALS_DESCRIBED[name],
            "terms",
            potential_number_text,
            in_short=_potentials_in_short,
        )
        for name in POTENTIAL_SETTINGS
    },
    "pace": SettingText(
        mark("Pace"),
        mark("How much time each player has, unless a challenge says otherwise"),
        "terms",
        lambda name: clock_texts.time_control_text(TIME_CONTROLS[name]),
    ),
    "weekends": SettingText(
        mark("Clocks run at weekends (UTC)"),
        mark("Whether weekends (UTC) count, unless a challenge says otherwise"),
        "terms",
    ),
    "grace": SettingText(
        mark("Late"), mark("Hours for one late turn, which has to win the game (0: none)"), "terms", _grace_text
    ),
    "vacation": SettingText(
        mark("Vacation"), mark("Days a year for which a player may pause their clocks"), "terms", _vacation_text
    ),
    "channel": SettingText(
        mark("Channel for games"),
        mark("Where challenges and boards go"),
        "places",
        channel_mention,
        mark("any"),
        GAMES_PLACE,
    ),
    "results": SettingText(
        mark("Channel for results"),
        mark("Where results are announced"),
        "places",
        channel_mention,
        mark("none"),
        RESULTS_PLACE,
    ),
    "puzzles": SettingText(
        mark("Daily puzzle in"),
        mark("Where a new puzzle is posted every day"),
        "places",
        channel_mention,
        mark("none"),
        PUZZLES_PLACE,
    ),
    "challengers": SettingText(
        mark("Who may challenge"),
        mark("The role that may challenge (@everyone: everybody)"),
        "places",
        role_mention,
        mark("everybody"),
        CHALLENGERS,
    ),
    "seekers": SettingText(
        mark("Open challenges mention"),
        mark("The role that open challenges mention; players join it in /gipf seeks"),
        "places",
        role_mention,
        mark("nobody"),
        SEEKERS,
    ),
    "organisers": SettingText(
        mark("Who may open tournaments"),
        mark("The role that may open and stop tournaments"),
        "places",
        role_mention,
        mark("who manages the server"),
        ORGANISERS,
    ),
    "threads": SettingText(
        mark("Thread for each game"),
        mark("Whether each game gets a thread of its own, whatever a challenge says"),
        "places",
        unset=mark("challengers choose"),
        switched=(mark("never"), mark("always")),
    ),
    "rated": SettingText(
        mark("Rated games"), mark("Whether games are rated, unless a challenge says otherwise"), "terms"
    ),
    "cap": SettingText(
        mark("Games per person"),
        mark("How many games a person may play here at a time (0: any number)"),
        "places",
        lambda number: say_name("at most {count}", count=number),
        mark("any number"),
    ),
    "theme": SettingText(mark("Theme"), mark("The colours of the boards that everybody sees"), "look", theme_name),
    "below": SettingText(
        mark("Boards seen from"),
        mark("Whose side public boards are seen from"),
        "look",
        lambda side: say_name(_SIDES[side]),
        option="side",
    ),
}
SETTING_TEXTS[ServerSettings] = SERVER_TEXTS


def server_settings_text(settings: ServerSettings, page: str, warnings: Iterable[str], *, is_new: bool = True) -> str:
    """Return the text of one page of a server's settings, beside its controls. `page` is a key of PAGE_LABELS.

    `warnings` say what is wrong with the chosen channels and roles. The page's hint is left out unless `is_new`: then
    notes say what was changed, and both do not fit on a phone.
    """
    uses = [place.use(settings) for each in controls.shown_settings(settings, page) if (place := each.text.place_text)]
    hint = say(PAGE_HINTS[page]) if is_new and PAGE_HINTS[page] else ""
    return texts.join_lines(f"{say(SERVER_HEADING)} · {say(PAGE_LABELS[page])}", *uses, hint, *warnings)


def news_follows_text(channel: int) -> str:
    """Return the sentence on where players are told about the changes."""
    sentence = mark("In a few minutes, the bot posts all your changes in {channel}, in one message.")
    return say(sentence, channel=channel_mention(channel))


def channel_refused_text(permissions: Sequence[str], channel: int) -> str:
    """Return the reason why a channel cannot be the one for games. `permissions` names what the bot lacks there."""
    sentence = mark(
        "Nothing was changed, because in {channel} the bot lacks permissions: {permissions}. "
        "Grant them there, or choose another channel."
    )
    return say(sentence, channel=channel_mention(channel), permissions=", ".join(permissions))


def server_settings_rows(
    settings: ServerSettings, page: str, known: Mapping[str, int], *, manages_roles: bool
) -> tuple[PrivateRow, ...]:
    """Return the controls of one page of a server's settings.

    `known` has the chosen channels and the chosen role, by the names of their settings, as far as the server has them.
    `manages_roles` says whether the user may choose the role that seeks mention. If not, a sentence says who may.
    """
    shown = controls.shown_settings(settings, page)
    buttons = [controls.setting_button(each, "server_switch") for each in shown if each.row.is_switch]
    unset = [controls.unset_button(each, "server_switch") for each in shown if each.row.place and each.now is not None]
    lists = [
        f"**{say(each.text.label)}**\n{say(CANNOT_CHOOSE_SEEKERS)}"
        if each.name == "seekers" and not manages_roles
        else controls.setting_list(each, "server_choice:{}", known)
        for each in shown
        if not each.row.is_switch
    ]
    return (_page_buttons(page), *lists, *button_rows([*buttons, *unset]))


def _page_buttons(page: str) -> tuple[Button, ...]:
    """Return the buttons that lead to the pages. That of `page` cannot be pressed."""
    return tuple(
        Button(say(label), f"server_page:{name}", "primary" if name == page else "secondary", disabled=name == page)
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
        if text.place_text and (off := chosen.pop(text.place_text.option, None)) is not None:
            if not off or name in chosen:
                await _show_server_settings(interaction, text.page, [say(text.place_text.unclear)])
                return
            unset[name] = None
        if rows[name].has_limit and name in chosen:
            limits[name] = chosen.pop(name) or None
    given = {name: getattr(value, "id", value) for name, value in chosen.items()}
    await _update_server_settings(interaction, {**given, **unset, **limits})


server_settings_command = controls.settings_command(
    "gipf-server settings",
    mark("See and change the GIPF settings of this server"),
    ServerSettings,
    change_server_settings,
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
    before, rows = await servers.settings(guild.id), servers.kind.rows()
    # A role without an option of its own for nobody is unset by the role of everybody, which has the server's id.
    unset = [name for name, value in changes.items() if rows[name].place is Place.ROLE and value == guild.id]
    changes = {**changes, **dict.fromkeys(name for name in unset if not _has_option_to_unset(before, name))}
    wanted = before.with_changes(changes)
    for name, value in changes.items():
        if (place := rows[name].place) and value is not None:
            PLACE_CHECKS[place](guild, name, value)
    if refused := _why_refused(guild, wanted, changes):
        await _show_server_settings(interaction, refused[0], [refused[1]])
        return
    if reason := await _why_role_refused(interaction, wanted, changes):
        await _show_server_settings(interaction, _page_of(wanted, "seekers"), [reason])
        return
    after, told_in = await servers.change(guild.id, changes) if changes else (before, None)
    forget_server(interaction.client, guild.id)
    notes = [controls.change_line(name, before, after) for name in changes]
    if told_in is not None and any(rows[name].announced for name in changes):
        notes.append(news_follows_text(told_in))
    await _show_server_settings(interaction, _page_of(after, next(iter(changes), "rules")), notes)


async def _show_server_settings(interaction: Interaction, page: str = "terms", notes: Sequence[str] = ()) -> None:
    """Show a page of the server's settings as they are now. `notes` say what was changed, or why nothing was."""
    guild, app = _guild_of(interaction), interaction.client.app
    await note_manager(interaction, guild.id)
    settings = await app.servers.settings(guild.id)
    role, gone = await role_for_seeks(interaction, settings)
    if gone:
        settings, notes = replace(settings, seekers=None), [*notes, gone]
    await app.end_snapshot()
    flipped = settings.below == "black"
    painter, person = interaction.client.painter, interaction.user.id
    preview = await draw_theme_preview(painter, settings.theme, person, flipped=flipped) if page == "look" else []
    known = _known_places(guild, settings)
    warnings = [*_place_warnings(guild, settings, page, known)]
    warnings += seekers_warnings(role, settings) if role and page == _page_of(settings, "seekers") else []
    text = server_settings_text(settings, page, warnings, is_new=not notes)
    rows = server_settings_rows(settings, page, known, manages_roles=_manages_roles(interaction))
    await show_reply(interaction, text, rows=with_note_above(join_lines(*notes), rows), files=preview)


def _page_of(settings: ServerSettings, name: str) -> str:
    return controls.SETTING_TEXTS[type(settings)][name].page


def _manages_roles(interaction: Interaction) -> bool:
    return isinstance(interaction.user, discord.Member) and interaction.user.guild_permissions.manage_roles


def _guild_of(interaction: Interaction) -> discord.Guild:
    assert interaction.guild, "the guard lets nobody pass outside servers"
    return interaction.guild


def _known_places(guild: discord.Guild, settings: ServerSettings) -> dict[str, int]:
    """Return the chosen channels and the chosen role by setting name. Those that the server lacks are left out."""
    find = {Place.CHANNEL: guild.get_channel, Place.ROLE: guild.get_role}
    rows = settings.rows().items()
    found = {name: find[row.place](getattr(settings, name) or 0) for name, row in rows if row.place}
    return {name: place.id for name, place in found.items() if place}


def _place_warnings(guild: discord.Guild, settings: ServerSettings, page: str, known: Collection[str]) -> Iterator[str]:
    """Yield the warnings of a page about chosen channels and roles that the server lacks or the bot cannot use."""
    for name, chosen, text in _chosen_places(settings):
        if text.warns_everywhere or page == _page_of(settings, name):
            if text.gone and name not in known:
                yield say(text.gone)
            elif text.lacks and (missing := _missing_in(guild, settings, chosen, text)):
                yield say(text.lacks, channel=channel_mention(chosen), permissions=", ".join(missing))


def _chosen_places(settings: ServerSettings) -> Iterator[tuple[str, int, PlaceText]]:
    """Yield the chosen channels and roles in the order of the rows, each between its setting's name and its texts."""
    for name in settings.rows():
        chosen, text = getattr(settings, name), controls.SETTING_TEXTS[type(settings)][name].place_text
        if text and chosen is not None:
            yield name, chosen, text


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


def _missing_in(guild: discord.Guild, settings: ServerSettings, channel: int, text: PlaceText) -> list[str]:
    """Return the permissions that the bot lacks in a chosen channel, in words."""
    has_threads = text.threads and getattr(settings, text.threads)
    needed = {**NEEDED_PERMISSIONS, **(THREAD_PERMISSIONS if has_threads else {})}
    return missing_permissions_in(guild.get_channel(channel), needed)


def _why_refused(guild: discord.Guild, wanted: ServerSettings, changes: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the page of a channel in which the bot lacks permissions for these changes, and which it lacks.

    A newly chosen channel needs all permissions. Threads need only those for threads. None if the bot lacks none.
    """
    for name, chosen, text in _chosen_places(wanted):
        asked = THREAD_PERMISSIONS if changes.get(text.threads) else {}
        missing = _missing_in(guild, wanted, chosen, text) if text.lacks else []
        if blocking := [words for words in missing if changes.get(name) or words in map(permission_name, asked)]:
            return _page_of(wanted, name), channel_refused_text(blocking, chosen)
    return None


async def _why_role_refused(interaction: Interaction, wanted: ServerSettings, changes: Mapping[str, Any]) -> str:
    """Return why the role that seeks mention cannot be chosen, empty if it can, or if it is not about these changes."""
    guild = _guild_of(interaction)
    if wanted.seekers is None or wanted.seekers not in map(changes.get, ("seekers", "challengers", "organisers")):
        return ""
    if "seekers" in changes and not _manages_roles(interaction):
        return say(NEEDS_MANAGE_ROLES)
    if wanted.seekers == wanted.challengers:
        return role_challenges_text(wanted.seekers)
    role = guild.get_role(wanted.seekers)
    reason = await why_unfit_now(interaction, role, wanted) if role else ""
    return role_refused_text(reason) if reason else ""


@outbox_message(SETTINGS_CHANGED)
async def build_setting_news(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the message on changed settings, with a button to the open challenges."""
    rows, lines = app.servers.kind.rows().items(), [say(HEADING)]
    for announced, heading in HEADINGS.items():
        changed = [name for name, setting in rows if setting.announced is announced and name in row.payload["before"]]
        lines += [say(heading), *(_change_line(app, row, name) for name in changed)] if changed else []
    if row.payload["after"].get("seekers"):
        lines.append(say(HOW_TO_JOIN))
    return OutboxMessage(join_lines(*lines), rows=((Button(say(FIND_OPPONENT_LABEL), "find_opponent"),),))


def _change_line(app: App, row: OutboxRow, name: str) -> str:
    text = controls.SETTING_TEXTS[app.servers.kind][name]
    old, new = (text.words(row.payload[part][name]) for part in ("before", "after"))
    return f"- {say(text.label)}: {old} → **{new}**"


def _has_option_to_unset(settings: ServerSettings, name: str) -> bool:
    place = SETTING_TEXTS[type(settings)][name].place_text
    return place is not None and bool(place.option)
