"""Who may show what where: the person's own rights in the channel, and whether all who read it may see the game."""

import discord

from gipfbot.match import Game, Refused, Status, Why
from gipfbot.ui.kit import AppClient, Interaction
from gipfbot.ui.kit.permissions import venue_of
from gipfbot.ui.kit.respond import CannotTell
from gipfbot.ui.kit.visibility import all_of_channel_see_venue, check_may_post
from gipfbot.values import ListedGame, OutboxRow, StoredGame, Venue


async def may_be_shown(client: AppClient, game: StoredGame | ListedGame, what: str, by: int, here: Venue) -> bool:
    """Return whether a person may show something of a game at a place: this alone decides it.

    `what` is the kind of thing, a key of THINGS. All who see the place must surely see the game, too; of a private game
    its player may show some things. Raises ConnectionError as long as the bot does not know the server's channels, and
    discord.HTTPException if Discord cannot tell.
    """
    if game.venue.is_private:
        return isinstance(game, StoredGame) and _may_show_private(game.game, what, by)
    return await _all_see_venue(client, game.venue, here)


async def _all_see_venue(client: AppClient, venue: Venue, here: Venue) -> bool:
    return venue.channel == here.channel or await all_of_channel_see_venue(client, here.parent or here.channel, venue)


def _may_show_private(game: Game, what: str, by: int) -> bool:
    """Return whether a person may show this of a private game: its player boards, and the rest once it has ended."""
    things = ("board",) if game.status is Status.RUNNING else ("board", "replay", "record")
    return game.colour_of(by) is not None and what in things


async def is_for_all_here(interaction: Interaction, game: StoredGame | ListedGame, what: str) -> bool:
    """Return whether the person who acts may show something of a game here. Raises CannotTell."""
    try:
        return await may_be_shown(interaction.client, game, what, interaction.user.id, venue_of(interaction))
    except (discord.HTTPException, ConnectionError) as error:
        raise CannotTell from error


async def is_venue_for_all_here(interaction: Interaction, venue: Venue) -> bool:
    """Return whether all who read here see a venue. Raises CannotTell."""
    try:
        return await _all_see_venue(interaction.client, venue, venue_of(interaction))
    except (discord.HTTPException, ConnectionError) as error:
        raise CannotTell from error


async def check_for_all_here(interaction: Interaction, game: StoredGame, what: str) -> None:
    """Raise Refused unless the person who acts may show something of a game here, or CannotTell."""
    if not await is_for_all_here(interaction, game, what):
        raise Refused(Why.PRIVATE_NOT_SHOWN if game.venue.is_private else Why.NOT_FOR_ALL)


async def check_may_show(interaction: Interaction) -> None:
    """Raise Refused unless the person who acts may send messages and files here, or CannotTell."""
    if interaction.guild_id is None:
        raise Refused(Why.SHOWN_ON_SERVERS)
    here = venue_of(interaction)
    await check_may_post(interaction, here)
    if not interaction.permissions.attach_files:
        raise Refused(Why.MAY_NOT_ATTACH, channel=here.channel)


async def is_still_for_all(client: AppClient, row: OutboxRow) -> bool:
    """Return whether all games of a row of the outbox may still be shown where it goes."""
    here = Venue(row.payload["server"], row.channel, row.payload["parent"])
    what, by, wanted = row.payload["what"], row.payload["by"], row.payload.get("games", [])
    found = await client.app.games.games(wanted)
    return all([game in found and await may_be_shown(client, found[game], what, by, here) for game in wanted])
