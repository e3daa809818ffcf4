"""Rematches: another game after one that is over, with colours swapped."""

from gipfbot.languages import say
from gipfbot.match import propose_rematch
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit import Button, Interaction, Reply, handles, show_reply, texts
from gipfbot.ui.kit.visibility import check_may_post, check_still_there
from gipfbot.values import StoredChallenge

from . import lobby_texts
from .open_challenges import challenge_url, seat_of_user, show_outcome, withdraw_button


@handles("rematch", "{game}", Reply.APART)
async def press_rematch(interaction: Interaction, game: int) -> None:
    """Ask the opponent of a finished game for a rematch, or accept the opponent's request.

    The reply is a new private message. The message with the last board is not replaced.
    """
    await ask_or_accept_rematch(interaction, game)


async def ask_or_accept_rematch(interaction: Interaction, game_id: int) -> None:
    """Ask the opponent of a game for a rematch, or accept the opponent's request.

    The private reply says which of the two happened.
    """
    bot = interaction.client
    over = await bot.app.games.game(game_id)
    opponent, _ = propose_rematch(over.game, interaction.user.id)
    venue = await bot.app.lobby.rematch_venue(over)
    await check_may_post(interaction, venue)
    await check_still_there(interaction, venue.server, opponent)
    stored, owed = await bot.app.lobby.rematch(game_id, seat_of_user(interaction.user))
    await bot.delivery.deliver(owed)
    if stored.game is None:
        posted = await bot.app.lobby.stored_challenge(stored.challenge.id)
        channel, link = posted.venue.channel, challenge_url(posted)
        said = lobby_texts.challenge_sent_text(posted.challenge, channel, link)
        await show_reply(interaction, said, rows=((withdraw_button(posted.challenge.id),),))
    else:
        await _show_accepted_rematch(interaction, stored, stored.game)


async def _show_accepted_rematch(interaction: Interaction, stored: StoredChallenge, new_game: int) -> None:
    bot = interaction.client
    begun = await bot.app.games.game(new_game)
    await show_outcome(bot, stored, begun.game)
    against_bot = begun.game.terms.house is not None
    text = lobby_texts.rematch_begins_text(game_name(new_game), board_url(begun), against_bot=against_bot)
    opens = ((Button(say(texts.BOARD_LABEL), f"open_desk:{new_game}", "primary"),),) if begun.venue.is_private else ()
    await show_reply(interaction, text, rows=opens)
