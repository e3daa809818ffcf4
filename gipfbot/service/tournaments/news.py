"""What a tournament says: in its channel at its beginning, each round or week and its end, and to its players.

A message says how the tournament stands when it is posted. If its channel is gone, its players are told directly.
"""

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from gipfbot.service.kit.message_kinds import MessageKind
from gipfbot.store import Connection, outbox, tournaments, users
from gipfbot.values import OutboxRow, is_former_player
from gipfbot.values.tournaments import Entry, Tournament

from .kinds import tournament_kinds

NEWS = MessageKind("tournament", "news of a tournament")
TOLD = MessageKind("tournament_told", "direct message about a tournament", direct=True)


class What(StrEnum):
    """What a message is about."""

    OPENED = "opened"
    SOON = "soon"  # the start, for those who have joined
    BEGUN = "begun"  # a season or a round
    WEEK = "week"  # of a season
    SEASON_OVER = "season over"
    STAY = "stay"  # in a league: whether a player does
    OVER = "over"
    CALLED_OFF = "called off"
    STOPPED = "stopped"


async def owe_news(db: Connection, tournament: Tournament, what: What, now: int, mark: str = "") -> int:
    """Queue a message to a tournament's channel. Return the id of its row.

    `mark` tells messages of the same kind apart, such as those of two weeks.
    """
    key, payload = _key(tournament, what, mark), _payload(tournament, what)
    return await outbox.owe(db, key, NEWS, tournament.venue.channel, payload, now)


async def tell_players(
    db: Connection, tournament: Tournament, players: Collection[Entry], what: What, now: int, mark: str = ""
) -> None:
    """Queue a direct message to each of these players who takes any. The bot and former players get none."""
    house = tournament.terms.house
    for user in (each.seat.user for each in players):
        if (
            not is_former_player(user)
            and not (house and house.user == user)
            and not await users.dms_shut(db, user, now)
        ):
            key = f"{_key(tournament, what, mark)}:{user}"
            await outbox.owe(db, key, TOLD, user, _payload(tournament, what), now)


def _key(tournament: Tournament, what: What, mark: str) -> str:
    return f"{NEWS}:{tournament.id}:{what}:{tournament.begun}:{mark}"


def _payload(tournament: Tournament, what: What) -> dict[str, Any]:
    return {
        "tournament": tournament.id,
        "what": what,
        "begun": tournament.begun,
        "server": tournament.venue.server,  # whose language it is in
    }


@NEWS.when_dropped
async def tell_without_channel(db: Connection, row: OutboxRow, now: int) -> None:
    """Tell the players who have not left what could not be posted. What a week has brought is left out.

    Those who were asked whether they stay know that the season is over.
    """
    tournament, what = await tournaments.load_tournament(db, row.payload["tournament"]), What(row.payload["what"])
    if tournament and tournament.kind in tournament_kinds() and what is not What.WEEK:
        season = tournament.joins if what is What.CALLED_OFF else tournament.season
        played = await tournaments.load_played(db, tournament, season)
        known = tournament_kinds()[tournament.kind].asked_to_stay(played) if what is What.SEASON_OVER else ()
        players = [each for each in played.entries if each.left_at is None and each not in known]
        await tell_players(db, tournament, players, what, now, "told")
