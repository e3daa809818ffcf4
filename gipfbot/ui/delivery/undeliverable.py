"""The direct message that tells a player that it is their turn, if the board could not be posted."""

from gipfbot.match import Game
from gipfbot.service.app import App
from gipfbot.service.clock.undeliverable import UNDELIVERABLE
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import desk_button
from gipfbot.ui.kit import clock_texts, texts
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import OutboxRow

BOARD_UNDELIVERABLE = (
    "The bot can't post the board in the game's channel, but keeps trying. Play here, or use **/gipf board** in a "
    "channel that both of you see: the game moves there."
)


@outbox_message(UNDELIVERABLE, direct=True)
async def build_fallback_dm(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that replaces a board that could not be posted. It goes to the player to move.

    Return None if the game has gone on, or if the board no longer waits for a retry.
    """
    game = await app.undeliverable.fallback_dm_game(row)
    return None if game is None else OutboxMessage(undeliverable_board_text(game), rows=((desk_button(game),),))


def undeliverable_board_text(game: Game) -> str:
    """Return the text of the direct message that replaces a board that could not be posted.

    The first line is the push notification, so it must make sense alone.
    """
    opponent = texts.escape_text(game.seats[game.decider.other].name)
    awaited = texts.asked_for(answering=game.answering)
    first = f"It's your {awaited} in {game_name(game.id)} vs {opponent}{clock_texts.clock_summary(game)}"
    return texts.join_lines(
        first, clock_texts.your_grace_text(game.clock, answering=game.answering), BOARD_UNDELIVERABLE
    )
