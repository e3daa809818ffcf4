"""How a tournament stands: `/gipf-tournament list` and `show`, **Standings** and **My games**."""

from discord import app_commands

from gipfbot.languages import say
from gipfbot.match import Refused, Why
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.competing.leaderboard_texts import NEXT_LABEL, PREVIOUS_LABEL
from gipfbot.ui.kit import Button, Interaction, PrivateRow, Reply, answers_privately, handles, show_reply, slash_command
from gipfbot.ui.kit.components import BUTTONS_PER_ROW, Select, button_rows, with_note_above
from gipfbot.ui.kit.game_picker import Findable, matching_choices, suggests_in_time
from gipfbot.ui.kit.interactions import chosen_number
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.texts import ONLY_ON_SERVERS, STANDINGS_LABEL, join_lines
from gipfbot.ui.kit.visibility import can_see_venue, sees_venue
from gipfbot.values.tournaments import Tournament, TournamentState

from . import tournament_texts
from .table_cards import table_card, table_pages

MOST_BOARDS = 3 * BUTTONS_PER_ROW  # buttons to the boards of one's own games


# ── Which tournament ──


async def tournaments_seen(interaction: Interaction) -> list[Tournament]:
    """Return the newest tournaments of this server whose channels the person sees. Empty outside servers."""
    if interaction.guild_id is None:
        return []
    found = await interaction.client.app.tournaments.on_server(interaction.guild_id)
    venues = {venue: await can_see_venue(interaction, venue) for venue in {each.venue for each in found}}
    return [each for each in found if venues[each.venue]]


@suggests_in_time
async def complete_tournament(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest the tournaments of this server whose channels the person sees."""
    found = [
        Findable(tournament_texts.tournament_label(each), str(each.id)) for each in await tournaments_seen(interaction)
    ]
    return matching_choices(interaction, current, found)


async def find_tournament(interaction: Interaction, named: str) -> Tournament | None:
    """Return the tournament of this server that is named, or the only one that the person sees.

    Those that are over count only if none goes on. If it is unclear which one is meant, return None. Raises Refused if
    the bot is not on the server, or if the person sees no such tournament.
    """
    await check_bot_is_on(interaction, interaction.guild_id)
    seen = await tournaments_seen(interaction)
    found = [each for each in seen if goes_on(each)] or seen
    if named:
        found = [each for each in seen if named.casefold() in (str(each.id), each.name.casefold())]
    if not found:
        raise Refused(Why.NO_TOURNAMENT)
    return found[0] if len(found) == 1 else None


def goes_on(tournament: Tournament) -> bool:
    """Return whether a tournament is open or runs."""
    return tournament.state in (TournamentState.OPEN, TournamentState.RUNNING)


async def shown_to(interaction: Interaction, tournament: int) -> Shown:
    """Return how a tournament stands, if the person plays in it or sees its channel.

    Raises Refused as if there were none, or CannotTell.
    """
    shown, user = await interaction.client.app.tournaments.show(tournament), interaction.user.id
    if not (shown.entry_of(user) or shown.has_entered(user) or await sees_venue(interaction, shown.tournament.venue)):
        raise Refused(Why.NO_TOURNAMENT)
    return shown


# ── The commands ──


@slash_command("gipf-tournament list", 20, "See the tournaments of this server")
@answers_privately
async def list_tournaments_command(interaction: Interaction) -> None:
    """List the tournaments of this server whose channels the person sees."""
    if interaction.guild_id is None:
        await show_reply(interaction, say(ONLY_ON_SERVERS))
        return
    await check_bot_is_on(interaction, interaction.guild_id)
    await _show_list(interaction, await tournaments_seen(interaction))


async def _show_list(interaction: Interaction, listed: list[Tournament]) -> None:
    options = tuple((tournament_texts.tournament_label(each), str(each.id)) for each in listed)
    select = (Select(say(tournament_texts.TOURNAMENT_PLACEHOLDER), "choose_tournament", options),) if options else ()
    await show_reply(interaction, tournament_texts.listed_text(listed), rows=select)


@handles("choose_tournament", "")
async def choose_tournament(interaction: Interaction) -> None:
    """Show how the chosen tournament stands."""
    await show_standings(interaction, await shown_to(interaction, chosen_number(interaction)))


@slash_command("gipf-tournament show", 30, "See how a tournament stands, join or leave it")
@app_commands.describe(tournament="Which tournament (default: the only one here)")
@app_commands.autocomplete(tournament=complete_tournament)
@answers_privately
async def show_tournament_command(interaction: Interaction, tournament: str = "") -> None:
    """Show how a tournament stands. Without a name, list them if there are several."""
    if interaction.guild_id is None:
        await show_reply(interaction, say(ONLY_ON_SERVERS))
    elif found := await find_tournament(interaction, tournament):
        await show_standings(interaction, await shown_to(interaction, found.id))
    else:
        await _show_list(interaction, await tournaments_seen(interaction))


# ── Standings ──


@handles("standings", "{tournament}", Reply.APART)
async def press_standings(interaction: Interaction, tournament: int) -> None:
    """Show how a tournament stands in a new private message."""
    await show_standings(interaction, await shown_to(interaction, tournament))


@handles("standings_page", "{tournament}:{division}:{page}")
async def press_standings_page(interaction: Interaction, tournament: int, division: int, page: int) -> None:
    """Show a page of a division's table: the nearest, if there is no such one."""
    await show_standings(interaction, await shown_to(interaction, tournament), division, page)


@handles("standings_division", "{tournament}")
async def choose_division(interaction: Interaction, tournament: int) -> None:
    """Show the table of the chosen division."""
    await show_standings(interaction, await shown_to(interaction, tournament), chosen_number(interaction))


async def show_standings(
    interaction: Interaction, shown: Shown, division: int | None = None, page: int = 1, note: str = ""
) -> None:
    """Show a page of a division's table: the nearest there is, of the person's own division if none is named."""
    user, tournament, rows = interaction.user.id, shown.tournament, list[PrivateRow]()
    own, card = shown.entry_of(user), None
    text = tournament_texts.heading_text(tournament, pictured=bool(shown.tables))
    if shown.tables:
        wanted = division if division is not None else (own and own.division) or 1
        division = min(max(wanted, 1), len(shown.tables))
        page, pages = min(max(page, 1), table_pages(shown, division)), table_pages(shown, division)
        card = table_card(shown, division, page, user)
        rows += _table_controls(tournament.id, division, len(shown.tables), page, pages)
    else:
        text = join_lines(text, tournament_texts.entered_text(shown.entered))
    rows.append(tournament_buttons(shown, user))
    await show_reply(interaction, text, card, with_note_above(note, [row for row in rows if row]))


def _table_controls(tournament: int, division: int, divisions: int, page: int, pages: int) -> list[PrivateRow]:
    """Return the controls that lead to other divisions and pages."""
    rows, here = list[PrivateRow](), f"standings_page:{tournament}:{division}"
    if divisions > 1:
        options = tuple((tournament_texts.division_label(at), str(at)) for at in range(1, divisions + 1))
        placeholder = say(tournament_texts.DIVISION_PLACEHOLDER)
        rows.append(Select(placeholder, f"standings_division:{tournament}", options, str(division)))
    if pages > 1:
        previous = Button(say(PREVIOUS_LABEL), f"{here}:{page - 1}", disabled=page == 1)
        following = Button(say(NEXT_LABEL), f"{here}:{page + 1}", disabled=page == pages)
        rows.append((previous, following))
    return rows


def join_button(tournament: int) -> Button:
    """Return the button that lets a person take part."""
    return Button(say(tournament_texts.JOIN_LABEL), f"tournament_join:{tournament}:join", "success")


def stay_button(tournament: int) -> Button:
    """Return the button that lets a player of a season take part in the next one."""
    return Button(say(tournament_texts.STAY_LABEL), f"tournament_join:{tournament}:stay", "success")


def leave_button(tournament: int) -> Button:
    """Return the button that lets a player leave."""
    return Button(say(tournament_texts.LEAVE_LABEL), f"tournament_leave:{tournament}")


def standings_button(tournament: int) -> Button:
    """Return the button that shows how a tournament stands."""
    return Button(say(STANDINGS_LABEL), f"standings:{tournament}")


def own_games_button(tournament: int) -> Button:
    """Return the button that shows a player their games."""
    return Button(say(tournament_texts.OWN_GAMES_LABEL), f"tournament_games:{tournament}")


def tournament_buttons(shown: Shown, user: int) -> tuple[Button, ...]:
    """Return what a person can do in a tournament, beside looking at it."""
    tournament, plays = shown.tournament, shown.entry_of(user) is not None
    may_join = goes_on(tournament) and not (tournament.rounds and tournament.begun) and not shown.has_entered(user)
    buttons = list[Button]()
    if may_join and not plays:
        buttons.append(join_button(tournament.id))
    if may_join and plays and tournament.starts_at:
        buttons.append(stay_button(tournament.id))
    if goes_on(tournament) and (plays or shown.has_entered(user)):
        buttons.append(leave_button(tournament.id))
    if any(each.seat.user == user for each in shown.played.entries):
        buttons.append(own_games_button(tournament.id))
    return tuple(buttons)


# ── One's own games ──


@handles("tournament_games", "{tournament}", Reply.APART)
async def press_own_games(interaction: Interaction, tournament: int) -> None:
    """Show a player their games of a season or tournament, with buttons to the boards of those that run."""
    shown, user = await shown_to(interaction, tournament), interaction.user.id
    if not (shown.has_entered(user) or any(each.seat.user == user for each in shown.played.entries)):
        raise Refused(Why.NOT_IN_TOURNAMENT)
    own = await interaction.client.app.tournaments.games_of(tournament, user)
    running = [each.game for each in own if each.game and each.outcome is None]
    waiting = {game.id for game in await interaction.client.app.games.waiting_games(user)}
    boards = [
        Button(game_name(game), f"game_board:{game}", "primary" if game in waiting else "secondary")
        for game in running[:MOST_BOARDS]
    ]
    rows = (*button_rows(boards), (standings_button(tournament),))
    await show_reply(interaction, tournament_texts.own_games_text(shown, user, own, waiting), rows=rows)
