"""Organising tournaments: `/gipf-tournament new` and `stop`, and who may use them."""

from itertools import chain, count
from typing import Any, NamedTuple

import discord
from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import DAY, LEVEL_NAMES, House, Refused, Seat, Terms, Why, check_level, house_name
from gipfbot.match.courses import course_of
from gipfbot.match.game import clean_name
from gipfbot.match.tournament import BANKS, PAUSED_AT_MOST, bank_for_game
from gipfbot.rules import RULESETS
from gipfbot.service.settings.servers import ServerSettings
from gipfbot.service.tournaments.league import LEAGUE
from gipfbot.service.tournaments.tournaments import DAYS_BEFORE, LONGEST_NAME, MOST_ROUNDS
from gipfbot.ui.kit import Button, Interaction, answers_privately, handles, join_lines, show_reply, slash_command
from gipfbot.ui.kit.clock_texts import time_control_text
from gipfbot.ui.kit.command_permissions import may_use_server_command
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.slash_commands import RULES_CHOICES, chosen_options, said_choices
from gipfbot.ui.kit.texts import ONLY_ON_SERVERS
from gipfbot.ui.kit.visibility import check_may_post
from gipfbot.ui.lobby.challenge import (
    OFFERED_POTENTIALS,
    ChallengePlace,
    find_challenge_place,
    potential_numbers,
    why_no_challenge,
)
from gipfbot.ui.lobby.lobby_texts import level_name
from gipfbot.ui.lobby.open_challenges import seat_of_user
from gipfbot.values.tournaments import Tournament

from . import tournament_texts
from .standings import complete_tournament, find_tournament, join_button, shown_to, standings_button

USUAL_DAYS, USUAL_PACE, USUAL_ROUNDS = 7, 10, 5
KIND_CHOICES = [app_commands.Choice(name=each.choice, value=key) for key, each in tournament_texts.KIND_TEXTS.items()]
PACE_CHOICES = said_choices(lambda days: time_control_text(bank_for_game(days)), BANKS)
PLAYED_RULES = [each for each in RULES_CHOICES if course_of(RULESETS[str(each.value)]).rated]


class TournamentWish(NamedTuple):
    """What somebody wants to open. `chosen` are the settings of the server that are to differ."""

    kind: str
    name: str
    days: int  # until the start
    pace: int  # days for a whole game
    rounds: int
    takebacks: bool
    level: int | None  # of the bot, if that takes part
    chosen: dict[str, Any]


async def check_organiser(interaction: Interaction) -> None:
    """Raise Refused unless the person manages this server, or has the role that it has named for tournaments.

    Also if the bot itself is not on the server.
    """
    guild, person = interaction.guild, interaction.user
    await check_bot_is_on(interaction, interaction.guild_id)
    settings = await interaction.client.app.servers.settings(interaction.guild_id)
    role = guild.get_role(settings.organisers or 0) if guild else None
    if role and (role.is_default() or (isinstance(person, discord.Member) and person.get_role(role.id))):
        return
    if not await may_use_server_command(interaction):
        raise Refused(Why.NOT_ORGANISER)


# ── Opening one ──


@slash_command("gipf-tournament new", 10, "Open a league or a Swiss tournament that runs by itself")
@app_commands.describe(
    kind="League or Swiss (default: league)",
    name="What it is called (default: as the server)",
    days="In how many days it starts (default: 7)",
    pace="How much time each player has for a whole game (default: 10 days)",
    rounds="How many rounds a Swiss tournament has (default: 5)",
    rules="Which version of GIPF (default: the server's, or Standard)",
    potentials="Special pieces for both, each used once (default: the server's or none)",
    rated="Whether ratings change (default: as the server's games)",
    takebacks="Whether players may ask to take a turn back (default: no)",
    bot="The level of the bot, if it takes part; then nothing is rated",
)
@app_commands.choices(kind=KIND_CHOICES, rules=PLAYED_RULES, potentials=OFFERED_POTENTIALS)
@app_commands.choices(pace=PACE_CHOICES, bot=said_choices(level_name, LEVEL_NAMES))
@answers_privately
async def new_tournament_command(
    interaction: Interaction,
    kind: str = LEAGUE.key,
    name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    days: app_commands.Range[int, DAYS_BEFORE[0], DAYS_BEFORE[-1]] = USUAL_DAYS,
    pace: int = USUAL_PACE,
    rounds: app_commands.Range[int, 1, MOST_ROUNDS] | None = None,
    rules: str | None = None,
    potentials: str | None = None,
    rated: bool | None = None,
    takebacks: bool = False,
    bot: int | None = None,
) -> None:
    """Open a tournament, and post the message by which people join it."""
    if interaction.guild is None:
        await show_reply(interaction, say(ONLY_ON_SERVERS))
        return
    await check_organiser(interaction)
    chosen = chosen_options({"rules": rules, "rated": rated, **potential_numbers(potentials)})
    usual_rounds = 0 if kind == LEAGUE.key else USUAL_ROUNDS
    wish = TournamentWish(
        kind,
        name or await _free_name(interaction, interaction.guild),
        days,
        pace,
        rounds if rounds and usual_rounds else usual_rounds,
        takebacks,
        bot,
        chosen,
    )
    ignored = [say(tournament_texts.NO_ROUNDS_IN_LEAGUES)] if rounds and kind == LEAGUE.key else []
    await _open(interaction, wish, ignored)


async def _free_name(interaction: Interaction, guild: discord.Guild) -> str:
    """Return the name of the server, with a number if one of its tournaments has that name."""
    known = {each.name for each in await interaction.client.app.tournaments.on_server(guild.id)}
    plain = clean_name(guild.name)[: LONGEST_NAME - len(" 11")]
    return next(name for name in chain([plain], (f"{plain} {at}" for at in count(2))) if name not in known)


async def _open(interaction: Interaction, wish: TournamentWish, notes: list[str]) -> None:
    """Open a tournament and post its message. If it is impossible, raise Refused or tell the person why."""
    app = interaction.client.app
    known = await app.servers.settings(interaction.guild_id)
    settings = known.with_changes(wish.chosen)
    place = await find_challenge_place(interaction, settings)
    if reason := why_no_challenge(interaction, None, place):
        await show_reply(interaction, reason)
        return
    await check_may_post(interaction, place.venue)
    house = _house_seat(interaction, wish.level)
    new = _new_tournament(interaction, wish, settings, place, house)
    opened, owed = await app.tournaments.open(new, house)
    await interaction.client.delivery.deliver(owed)
    if house and wish.chosen.get("rated"):
        notes = [*notes, say(tournament_texts.UNRATED_WITH_BOT)]
    buttons = join_button(opened.id), standings_button(opened.id)
    await show_reply(interaction, join_lines(tournament_texts.opened_reply(opened), *notes), rows=(buttons,))


def _house_seat(interaction: Interaction, level: int | None) -> Seat | None:
    """Return the bot as a player of this level; None without one. Raises Refused for a level that does not exist."""
    me = interaction.client.user
    if level is None or me is None:
        return None
    check_level(level)
    return Seat(me.id, house_name(clean_name(me.display_name), level))


def _new_tournament(
    interaction: Interaction, wish: TournamentWish, settings: ServerSettings, place: ChallengePlace, house: Seat | None
) -> Tournament:
    """Return the tournament that somebody wants. Raises Refused for a pace that is not offered."""
    now = interaction.client.app.now()
    if wish.pace not in BANKS:
        raise Refused(Why.NOT_OFFERED, option="pace", value=wish.pace)
    terms = Terms(
        bank_for_game(wish.pace),
        rated=settings.terms.rated,
        vacation=PAUSED_AT_MOST // DAY,
        house=House(wish.level, house.user) if house and wish.level else None,
        takebacks=wish.takebacks,
    )
    return Tournament(
        id=0,
        kind=wish.kind,
        name=wish.name,
        venue=place.venue,
        organiser=seat_of_user(interaction.user),
        ruleset=settings.ruleset,
        terms=terms,
        rounds=wish.rounds,
        starts_at=now + wish.days * DAY,
        created_at=now,
    )


# ── Stopping one ──


@slash_command("gipf-tournament stop", 40, "Stop a tournament; its running games go on as friendly ones")
@app_commands.describe(tournament="Which tournament (default: the only one here)")
@app_commands.autocomplete(tournament=complete_tournament)
@answers_privately
async def stop_tournament_command(interaction: Interaction, tournament: str = "") -> None:
    """Ask whether a tournament shall really be stopped."""
    if interaction.guild is None:
        await show_reply(interaction, say(ONLY_ON_SERVERS))
        return
    await check_organiser(interaction)
    found = await find_tournament(interaction, tournament)
    if found is None:
        await show_reply(interaction, say(tournament_texts.NAME_THE_TOURNAMENT))
        return
    stop = Button(say(tournament_texts.STOP_LABEL), f"stop_tournament:{found.id}:stop", "danger")
    keep = Button(say(tournament_texts.LET_RUN_LABEL), f"stop_tournament:{found.id}:keep")
    await show_reply(interaction, tournament_texts.ask_stop_text(found), rows=((stop, keep),))


@handles("stop_tournament", "{tournament}:{verb:stop|keep}")
async def press_stop(interaction: Interaction, tournament: int, verb: str) -> None:
    """Stop a tournament of this server, if the person may still do so."""
    if verb == "keep":
        await show_reply(interaction, say(tournament_texts.LET_RUN), rows=((standings_button(tournament),),))
        return
    await check_organiser(interaction)
    shown = await shown_to(interaction, tournament)
    if shown.tournament.venue.server != interaction.guild_id:
        raise Refused(Why.NO_TOURNAMENT)
    stopped = await interaction.client.app.tournaments.stop(tournament)
    said = tournament_texts.stopped_text(stopped)
    await show_reply(interaction, said, rows=((standings_button(tournament),),))
