"""`/gipf profile` and `/gipf-server stats`: what the games of a player, of two people or of a server come to."""

from collections.abc import Sequence

import discord
from discord import app_commands

from gipfbot.match.game import clean_name
from gipfbot.service.competing.profiles import Profile
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button, ListedText, PrivateRow
from gipfbot.ui.kit.interactions import Reply, answers_privately, handles, slash_command
from gipfbot.ui.kit.permissions import channels_seen, check_manager, visible_games
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.values import FollowedGame, ListedGame

from . import profile_texts

SHOWN_RUNNING = 8  # running games, each with a button
Person = discord.User | discord.Member


@slash_command("gipf profile", 190, "See a player's ratings, results and games")
@app_commands.describe(player="Whose (default: yours)", against="Only their games against this person")
@answers_privately
async def profile_command(
    interaction: Interaction, player: Person | None = None, against: Person | None = None
) -> None:
    """Show a player's profile, or how they stand against somebody."""
    person = player or interaction.user
    if person.bot or (against and against.bot):
        await show_reply(interaction, profile_texts.BOTS_DO_NOT_PLAY)
    elif against and against.id == person.id:
        await show_reply(interaction, profile_texts.SAME_PERSON)
    else:
        await _show_profile(interaction, person, against)


@handles("own_profile", "", Reply.APART)
async def press_own_profile(interaction: Interaction) -> None:
    """Show the profile of the person who pressed, in a new private message."""
    await _show_profile(interaction, interaction.user, None)


async def _show_profile(interaction: Interaction, person: Person, against: Person | None) -> None:
    """Show a profile. Games that the person who asks may not see are counted, but not named."""
    profile = await interaction.client.app.profiles.profile(person.id, against.id if against else None)
    if profile.is_empty:
        await show_reply(interaction, _empty_text(interaction, person, against))
        return
    running = await visible_games(interaction, profile.running)
    longest = [profile.longest.game] if profile.longest else []
    name = clean_name(person.display_name)
    heading = profile_texts.profile_heading(name, clean_name(against.display_name) if against else None)
    shows_longest = bool(await visible_games(interaction, longest))
    text = profile_texts.profile_text(profile, heading, await notation_of(interaction), shows_longest=shows_longest)
    plot = None if against else profile_texts.rating_plot(profile, name)
    await show_reply(interaction, text, plot, _running_rows(profile, running))


def _empty_text(interaction: Interaction, person: Person, against: Person | None) -> str:
    if against:
        return profile_texts.never_met_text(person.display_name, against.display_name)
    if person.id == interaction.user.id:
        return profile_texts.YOU_NEVER_PLAYED
    return profile_texts.never_played_text(person.display_name)


def _running_rows(profile: Profile, running: Sequence[ListedGame]) -> tuple[PrivateRow, ...]:
    """Return the running games that the asker sees, each with its button, below the number of all of them."""
    shown = running[:SHOWN_RUNNING]
    head = profile_texts.running_text(profile.running_count, len(running), len(shown))
    buttons = [
        ListedText(profile_texts.running_line(game), Button(texts.BOARD_LABEL, f"game_board:{game.id}"))
        for game in shown
    ]
    return (*([head] if head else []), *buttons)


@slash_command("gipf-server stats", 20, "See how much is played on this server, and how often White wins")
@answers_privately
async def server_stats_command(interaction: Interaction) -> None:
    """Show the figures of a server, and of its followed games the first that the person may see."""
    member = interaction.user
    if not await check_manager(interaction) or not isinstance(member, discord.Member):
        return
    figures = await interaction.client.app.server_stats.figures(member.guild.id, channels_seen(member), member.id)
    if figures.is_empty:
        await show_reply(interaction, profile_texts.NO_GAMES_HERE)
        return
    text = profile_texts.server_figures_text(figures, member.guild.name)
    seen = await visible_games(interaction, figures.followed)
    rows = (_followed_row(seen),) if figures.running else ()
    await show_reply(interaction, text, profile_texts.turns_plot(figures), rows)


def _followed_row(seen: list[FollowedGame]) -> PrivateRow:
    """Return the first of these games with its button, or that there is none."""
    if not seen:
        return profile_texts.NOBODY_FOLLOWS
    return ListedText(profile_texts.followed_text(seen[0]), Button(texts.BOARD_LABEL, f"game_board:{seen[0].id}"))
