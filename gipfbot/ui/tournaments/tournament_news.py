"""The outbox messages about tournaments: in their channels, and direct ones to their players. They ping nobody."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from gipfbot.match import Refused
from gipfbot.service.app import App
from gipfbot.service.tournaments.kinds import tournament_kinds
from gipfbot.service.tournaments.news import NEWS, TOLD, What
from gipfbot.service.tournaments.tournaments import Shown
from gipfbot.ui.kit import AppClient, Button, OutboxMessage, outbox_message
from gipfbot.ui.kit.permissions import server_name
from gipfbot.ui.kit.pictures import board_style_of
from gipfbot.values import OutboxRow
from gipfbot.values.tournaments import TournamentState
from render import CLASSIC, THEMES, Described, Theme, TournamentCard

from . import tournament_texts
from .standings import (
    join_button,
    leave_button,
    own_games_button,
    standings_button,
    stay_button,
)
from .table_cards import table_card, winner_card

_SERVER = "server_name"  # in the payload of a direct message that is being built: the name of the tournament's server
MakeButton: TypeAlias = Callable[[int], Button]


class Told(NamedTuple):
    """What a message says of: how a tournament stands, its server's name if it is needed, its reader, and the time."""

    shown: Shown
    server: str
    reader: int
    now: int


class NewsText(NamedTuple):
    """How a message is written: its text, its buttons, and its picture.

    It is needed only in these states of the tournament, and `between` seasons, within them or in both (None).
    """

    text: Callable[[Told], str]
    buttons: Sequence[MakeButton]
    states: Sequence[TournamentState]
    between: bool | None = None
    draw: Callable[[Shown], Described | None] = lambda _: None


def first_table(shown: Shown) -> TournamentCard | None:
    """Return the first page of the first division's table. None before there are tables."""
    return table_card(shown, 1, 1) if shown.tables else None


OPEN, RUNNING, OVER = TournamentState.OPEN, TournamentState.RUNNING, TournamentState.OVER
NEWS_TEXTS = {
    What.OPENED: NewsText(
        lambda told: tournament_texts.opening_text(told.shown.tournament, told.server),
        (join_button, leave_button, standings_button),
        (OPEN,),
    ),
    What.SOON: NewsText(
        lambda told: tournament_texts.soon_text(told.shown, told.server),
        (leave_button, standings_button),
        (OPEN, RUNNING),
    ),
    What.BEGUN: NewsText(
        lambda told: tournament_texts.begun_text(told.shown, told.server, told.now),
        (standings_button, own_games_button, leave_button),
        (RUNNING,),
        between=False,
        draw=first_table,
    ),
    What.WEEK: NewsText(
        lambda told: tournament_texts.week_text(told.shown, told.server),
        (standings_button, own_games_button, leave_button),
        (RUNNING,),
        between=False,
        draw=first_table,
    ),
    What.SEASON_OVER: NewsText(
        lambda told: tournament_texts.season_over_text(told.shown, told.server),
        (stay_button, join_button, standings_button),
        (RUNNING,),
        between=True,
        draw=winner_card,
    ),
    What.STAY: NewsText(
        lambda told: tournament_texts.stay_text(told.shown, told.server, told.reader),
        (stay_button, standings_button),
        (RUNNING,),
        between=True,
    ),
    What.OVER: NewsText(
        lambda told: tournament_texts.over_text(told.shown, told.server),
        (standings_button, own_games_button),
        (OVER,),
        draw=winner_card,
    ),
    What.CALLED_OFF: NewsText(
        lambda told: tournament_texts.called_off_text(
            told.shown.tournament, told.server, tournament_kinds()[told.shown.tournament.kind].fewest
        ),
        (standings_button,),
        (TournamentState.CALLED_OFF,),
    ),
    What.STOPPED: NewsText(
        lambda told: tournament_texts.stopped_text(told.shown.tournament, told.server),
        (standings_button, own_games_button),
        (TournamentState.STOPPED,),
    ),
}


async def _add_server_name(client: AppClient, row: OutboxRow) -> bool:
    """Add to the payload of a direct message the name of the tournament's server, as far as the bot knows it."""
    with suppress(Refused):
        shown = await client.app.tournaments.show(row.payload["tournament"])
        row.payload[_SERVER] = await server_name(client, shown.tournament.venue.server) or ""
    return True


@outbox_message(NEWS)
async def build_tournament_news(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build a message to a tournament's channel. Return None if the tournament has gone on since."""
    return await _build_news(app, row)


@outbox_message(TOLD, guard=_add_server_name)
async def build_told_news(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build a direct message to a player of a tournament. Return None if the tournament has gone on since."""
    return await _build_news(app, row)


async def _build_news(app: App, row: OutboxRow) -> OutboxMessage | None:
    try:
        shown = await app.tournaments.show(row.payload["tournament"])
    except Refused:  # it cannot be read
        return None
    tournament, news = shown.tournament, NEWS_TEXTS[What(row.payload["what"])]
    is_between = bool(tournament.begun and tournament.starts_at)
    if row.payload["begun"] != tournament.begun or tournament.state not in news.states:
        return None
    if news.between is not None and news.between is not is_between:
        return None
    text = news.text(Told(shown, row.payload.get(_SERVER, ""), row.channel, app.now()))
    buttons = tuple(button(tournament.id) for button in news.buttons)
    return OutboxMessage(text, picture=news.draw(shown), rows=(buttons,), theme=await _theme_of(app, row, shown))


async def _theme_of(app: App, row: OutboxRow, shown: Shown) -> Theme:
    """Return the theme of the reader of a direct message, or of the server."""
    if row.kind == TOLD:
        return board_style_of(await app.users.user_settings(row.channel)).theme
    return THEMES.get((await app.servers.settings(shown.tournament.venue.server)).theme, CLASSIC)
