"""The direct messages to followers of games and players."""

from gipfbot.service.app import App
from gipfbot.service.settings.users import notation_in_settings
from gipfbot.service.watching.watching import FOLLOWED
from gipfbot.ui.board.public_board import board_url, game_picture
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.client import AppClient
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.ui.kit.permissions import user_sees_venue
from gipfbot.ui.kit.pictures import board_style_of
from gipfbot.values import OutboxRow

from . import follow_texts
from .guess import new_guess_button


async def _still_sees(client: AppClient, row: OutboxRow) -> bool:
    """Return whether a follower is to be told, because there is news and they see the game's channel.

    Discord is asked at most once a day. Raises what `user_sees_venue` raises.
    """
    news = await client.app.follows.news_to_tell(row)
    if news is None or news.sees is not None:
        return news is not None and bool(news.sees)
    sees = await user_sees_venue(client, row.channel, news.stored.venue)
    await client.app.follows.note_check(news, sees=sees)
    return sees


@outbox_message(FOLLOWED, direct=True, guard=_still_sees)
async def build_news(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that tells a follower of a turn or of the end of a game, in their own style.

    Return None if the follow has ended, or if the game has gone on since.
    """
    news = await app.follows.news_to_tell(row)
    if news is None:
        return None
    settings = await app.users.user_settings(row.channel)
    notation, style = notation_in_settings(settings), board_style_of(settings)
    game = news.stored.game
    text = follow_texts.news_text(game, news.turns_taken_back, notation, board_url(news.stored))
    picture = style.seen_by(game_picture(game, notation), None)
    buttons = (
        Button(texts.BOARD_LABEL, f"game_board:{game.id}"),
        *((Button(texts.REPLAY_LABEL, f"replay:{game.id}"),) if game.turn_number else ()),
        *((new_guess_button(game),) if game.asked is not None else ()),
        Button(follow_texts.STOP_LABEL, f"unfollow:{news.follow.id}"),
    )
    return OutboxMessage(text, (), picture, (buttons,), style.theme)
