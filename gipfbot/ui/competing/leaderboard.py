"""`/gipf leaderboard`: who plays best, on a server or everywhere, as a card and as text."""

import discord
from discord import app_commands

from gipfbot.languages import say
from gipfbot.match.ratings import POOLS, pool_of
from gipfbot.rules import Ruleset
from gipfbot.service.competing.leaderboards import LeaderboardPage
from gipfbot.ui.kit import Button, Interaction, PrivateRow, answers_privately, handles, show_reply, slash_command
from gipfbot.ui.kit.components import Select, with_note_above
from gipfbot.ui.kit.interactions import chosen_value
from gipfbot.ui.kit.people_names import fetch_global_names, names_here
from gipfbot.ui.kit.permissions import check_bot_is_on, fetch_member
from gipfbot.ui.kit.respond import show_here_buttons

from . import leaderboard_texts, profile

POOL_CHOICES = [app_commands.Choice(name=title, value=name) for name, title in leaderboard_texts.POOL_TITLES.items()]
SERVER, GLOBAL = "server", "global"
SCOPE_CHOICES = [
    app_commands.Choice(name="this server", value=SERVER),
    app_commands.Choice(name="all servers", value=GLOBAL),
]
_MOST_READINGS = 5  # times that a page is read again without people who have left the server
LEADERBOARD = f"{{pool:{'|'.join(POOLS)}}}:{{scope:{SERVER}|{GLOBAL}}}"


@slash_command("gipf leaderboard", 180, "See who plays GIPF best, here or everywhere")
@app_commands.describe(
    pool="Which kind of game (default: the kind that you played last)",
    scope="Whose games: of this server, or of all (default: this server)",
    page="Which page (default: the first)",
)
@app_commands.choices(pool=POOL_CHOICES, scope=SCOPE_CHOICES)
@answers_privately
async def leaderboard_command(
    interaction: Interaction,
    pool: str | None = None,
    scope: str | None = None,
    page: app_commands.Range[int, 1, 1_000_000] = 1,
) -> None:
    """Show a page of a leaderboard. Raises Refused if there is no such page."""
    app, note = interaction.client.app, ""
    if pool is None:
        settings = await app.servers.settings(interaction.guild_id)
        pool = await app.leaderboards.busiest_pool(interaction.user.id) or _usual_pool(settings.ruleset)
    server = None if scope == GLOBAL else interaction.guild_id
    if scope == SERVER and server is None:
        note = say(leaderboard_texts.NEEDS_SERVER)
    if interaction.guild:
        await _note_own_membership(interaction, interaction.guild)
    shown = await page_as_shown(interaction, await app.leaderboards.page(pool, server, page))
    await _show_leaderboard(interaction, shown, note)


def _usual_pool(ruleset: Ruleset) -> str:
    """Return the pool of a rule set's games, or Standard's if they are never rated."""
    return pool if (pool := pool_of(ruleset)) in POOLS else "standard"


@handles("leaderboard", LEADERBOARD + ":{page}")
async def press_leaderboard_page(interaction: Interaction, pool: str, scope: str, page: int) -> None:
    """Show a page of a leaderboard: the last one, if it is beyond the end."""
    await show_leaderboard_page(interaction, pool, scope, page)


@handles("leaderboard_pool", f"{{scope:{SERVER}|{GLOBAL}}}")
async def choose_pool(interaction: Interaction, scope: str) -> None:
    """Show the first page of the leaderboard of another pool."""
    await show_leaderboard_page(interaction, chosen_value(interaction), scope, 1)


@handles("leaderboard_me", LEADERBOARD)
async def press_me(interaction: Interaction, pool: str, scope: str) -> None:
    """Show the page of a leaderboard on which the person stands, or tell them why they are on none."""
    server = interaction.guild_id if scope == SERVER else None
    own = await interaction.client.app.leaderboards.own_place(pool, server, interaction.user.id)
    note = "" if own.page else leaderboard_texts.no_place_text(own, pool, server)
    await show_leaderboard_page(interaction, pool, scope, own.page or 1, note)


async def show_leaderboard_page(interaction: Interaction, pool: str, scope: str, number: int, note: str = "") -> None:
    """Show a page of a leaderboard privately: the last one, if it is beyond the end."""
    server = interaction.guild_id if scope == SERVER else None
    shown = await interaction.client.app.leaderboards.nearest_page(pool, server, number)
    await _show_leaderboard(interaction, await page_as_shown(interaction, shown), note)


async def _note_own_membership(interaction: Interaction, guild: discord.Guild) -> None:
    """Put a person who has rejoined the server back on its leaderboards."""
    if await interaction.client.app.leaderboards.is_gone(guild.id, interaction.user.id):
        await interaction.client.app.leaderboards.note_members(guild.id, {interaction.user.id: True})


async def page_as_shown(interaction: Interaction, shown: LeaderboardPage) -> LeaderboardPage:
    """Return a page of a leaderboard as it is shown. Discord may be asked about the people on it.

    That of a server is without people who have left it, and has their names there. That of all servers has names that
    are no server's.
    """
    boards, guild = interaction.client.app.leaderboards, interaction.guild
    if shown.server is None or guild is None:
        return shown.with_names(await fetch_global_names(interaction, [line.user for line in shown.lines]))
    await check_bot_is_on(interaction, shown.server)
    for _ in range(_MOST_READINGS):
        asked = await boards.people_to_ask_about(guild.id, [line.user for line in shown.lines])
        if asked:
            await interaction.client.app.end_snapshot()  # Discord may take seconds, and others need the connection
        found = {user: is_member for user in asked if (is_member := await _is_member(guild, user)) is not None}
        if found:
            await boards.note_members(guild.id, found)
        if all(found.values()):
            break
        shown = await boards.nearest_page(shown.pool, shown.server, shown.page)
    return shown.with_names(names_here(interaction, [line.user for line in shown.lines]))


async def _is_member(guild: discord.Guild, user: int) -> bool | None:
    """Return whether a person is on a server. None if Discord cannot tell now."""
    try:
        return await fetch_member(guild, user) is not None
    except discord.HTTPException:
        return None


async def _show_leaderboard(interaction: Interaction, shown: LeaderboardPage, note: str) -> None:
    user = interaction.user.id
    text, card = leaderboard_texts.leaderboard_text(shown), leaderboard_texts.leaderboard_card(shown, user)
    scope = GLOBAL if shown.server is None else SERVER
    showing = show_here_buttons(interaction, f"leaderboard:{shown.pool}:{scope}:{shown.page}")
    rows = (*_leaderboard_rows(shown, can_switch=interaction.guild is not None), *((showing,) if showing else ()))
    await show_reply(interaction, text, card, with_note_above(note, rows))


def _leaderboard_rows(shown: LeaderboardPage, *, can_switch: bool) -> tuple[PrivateRow, ...]:
    """Return the controls below a page. With `can_switch`, one leads to the other leaderboard of the pool."""
    scope, other = (GLOBAL, SERVER) if shown.server is None else (SERVER, GLOBAL)
    here = f"leaderboard:{shown.pool}:{scope}"
    # Disabled buttons lead beyond the ends, because no two buttons may have the same `custom_id`.
    previous = Button(say(leaderboard_texts.PREVIOUS_LABEL), f"{here}:{shown.page - 1}", disabled=shown.page == 1)
    following = Button(
        say(leaderboard_texts.NEXT_LABEL), f"{here}:{shown.page + 1}", disabled=shown.page == shown.pages
    )
    mine = Button(say(leaderboard_texts.ME_LABEL), f"leaderboard_me:{shown.pool}:{scope}", "primary")
    switch = Button(leaderboard_texts.switch_label(shown.server), f"leaderboard:{shown.pool}:{other}:1")
    options = tuple((leaderboard_texts.pool_label(pool), pool) for pool in POOLS)
    select = Select(say("Pool"), f"leaderboard_pool:{scope}", options, shown.pool)
    own = Button(say(profile.PROFILE_LABEL), "own_profile")
    return (previous, mine, following, *((switch,) if can_switch else ()), own), select
