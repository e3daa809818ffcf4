"""The announcement of a result in a server's channel for results, with the last board. It pings nobody."""

from dataclasses import replace

from gipfbot.languages import say
from gipfbot.service.app import App
from gipfbot.service.competing.results import ANNOUNCEMENT, announced_end
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.ui.board import public_board
from gipfbot.ui.kit import AppClient, Button, OutboxMessage, outbox_message, texts
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.visibility import all_of_channel_see_venue
from gipfbot.values import OutboxRow
from render import CLASSIC, THEMES, ResultCard

from .leaderboard_texts import announcement_text


async def _may_announce(client: AppClient, row: OutboxRow) -> bool:
    """Return whether a result may be announced: the server still wants it there, and all readers may see the game.

    Raises ConnectionError as long as the bot does not know the server's channels.
    """
    venue = (await client.app.games.game(row.payload["game"])).venue
    settings = await client.app.servers.settings(venue.server)
    return settings.results == row.channel and await all_of_channel_see_venue(client, row.channel, venue)


@outbox_message(ANNOUNCEMENT, guard=_may_announce)
async def build_announcement(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the announcement of a result, in the style of its server."""
    stored = await app.games.game(row.payload["game"])
    settings = await app.servers.settings(stored.venue.server)
    board = replace(new_board_message(stored.game), flipped=settings.below == "black")
    picture = board_picture(board, public_board.board_caption(board))
    button = Button(say(texts.REPLAY_LABEL), f"replay:{board.game}")
    if not board.turn_number:  # there is nothing to replay
        button = Button(say(texts.BOARD_LABEL), f"game_board:{board.game}")
    return OutboxMessage(
        announcement_text(board, announced_end(row)),
        picture=ResultCard(picture, board.turn_number),
        rows=((button,),),
        theme=THEMES.get(settings.theme, CLASSIC),
    )
