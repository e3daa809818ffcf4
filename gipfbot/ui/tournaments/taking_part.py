"""Taking part in a tournament: **Join**, **Stay** and **Leave**."""

from gipfbot.languages import say
from gipfbot.match import Refused, Why
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.kit import Button, Interaction, Reply, handles, show_reply
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.lobby.open_challenges import seat_of_user

from . import tournament_texts
from .standings import leave_button, own_games_button, shown_to, standings_button


@handles("tournament_join", "{tournament}:{verb:join|stay}", Reply.APART)
async def press_join(interaction: Interaction, tournament: int, verb: str) -> None:
    """Let a person take part: in a league in the season that begins next. Tell them privately what that means.

    Who does not play in the season that runs has to see the channel.
    """
    app, before = interaction.client.app, await shown_to(interaction, tournament)
    await check_bot_is_on(interaction, before.tournament.venue.server)
    if verb == "stay" and before.tournament.begun and not _has_played(before, interaction.user.id):
        raise Refused(Why.NOT_IN_TOURNAMENT)
    shown = await app.tournaments.join(tournament, seat_of_user(interaction.user))
    is_known = bool(before.tournament.begun) and _has_played(before, interaction.user.id)
    said = tournament_texts.stayed_text(shown.tournament) if is_known else tournament_texts.joined_text(shown)
    await show_reply(interaction, said, rows=((leave_button(tournament), standings_button(tournament)),))


def _has_played(shown: Shown, user: int) -> bool:
    return any(each.seat.user == user for each in shown.played.entries)


@handles("tournament_leave", "{tournament}", Reply.APART)
async def press_leave(interaction: Interaction, tournament: int) -> None:
    """Let a player leave. If they would lose games, ask first."""
    shown, user = await shown_to(interaction, tournament), interaction.user.id
    own = await interaction.client.app.tournaments.games_of(tournament, user)
    left = sum(each.outcome is None for each in own)
    if not (left and shown.entry_of(user)):
        await _leave(interaction, tournament)
        return
    leave = Button(say(tournament_texts.LEAVE_NOW_LABEL), f"tournament_left:{tournament}:leave", "danger")
    keep = Button(say(tournament_texts.PLAY_ON_LABEL), f"tournament_left:{tournament}:keep")
    await show_reply(interaction, tournament_texts.ask_leave_text(shown.tournament, left), rows=((leave, keep),))


@handles("tournament_left", "{tournament}:{verb:leave|keep}")
async def press_left(interaction: Interaction, tournament: int, verb: str) -> None:
    """Let a player leave who has confirmed it."""
    if verb == "leave":
        await _leave(interaction, tournament)
    else:
        await show_reply(interaction, say(tournament_texts.STAYED_IN), rows=((own_games_button(tournament),),))


async def _leave(interaction: Interaction, tournament: int) -> None:
    shown = await interaction.client.app.tournaments.leave(tournament, interaction.user.id)
    said = tournament_texts.left_text(shown.tournament)
    await show_reply(interaction, said, rows=((standings_button(tournament),),))
