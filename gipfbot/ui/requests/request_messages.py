"""The outbox messages about takebacks, draws, claims of a win, and discarded conditional turns."""

from gipfbot.match import RequestState
from gipfbot.service.app import App
from gipfbot.service.play.turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.draws import DRAW, TURN_SERIAL
from gipfbot.service.requests.takebacks import TAKEBACK
from gipfbot.ui.board.public_board import channel_call_to_move, desk_button, game_button
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import OutboxRow

from . import conditional_texts, request_texts
from .draws import draw_buttons
from .takebacks import takeback_buttons


@outbox_message(TAKEBACK)
async def build_takeback_request(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that asks a player to agree to a takeback. Return None if the request is no longer open."""
    found = await app.takebacks.current_request(row.payload["request"])
    request, game = found.request, found.stored.game
    if request.state is not RequestState.OPEN:
        return None
    text, receiver = (
        request_texts.takeback_request_text(request, game),
        request_texts.takeback_receiver(request, game),
    )
    return OutboxMessage(text, (receiver,), None, (takeback_buttons(request),))


@outbox_message(DRAW)
async def build_draw_offer(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that offers a player a draw. Return None if the offer is no longer open.

    If the bot has declined it already, the message says so.
    """
    assert row.game is not None
    if declined := await app.draws.declined_by_house(row.game, row.payload[TURN_SERIAL]):
        return OutboxMessage(request_texts.draw_settled_text(declined.stored.game, declined.step))
    standing = await app.draws.open_offer(row.game)
    if standing is None or standing.step.by != row.payload["by"]:
        return None
    game, offer = standing.stored.game, standing.step
    text, receiver = request_texts.draw_offer_text(game, offer), request_texts.draw_receiver(game, offer)
    if game.terms.house:
        return OutboxMessage(text, (), None, (draw_buttons(game)[2:],))
    return OutboxMessage(text, (receiver,), None, (draw_buttons(game),))


@outbox_message(CLAIM_WIN)
async def build_claim_warning(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the claim warning to the player to move, in the game's channel. Return None if the game has gone on."""
    found = await app.win_claims.current_warning(row)
    if found is None:
        return None
    game, until = found[0].game, found[1]
    assert game.asked is not None
    user = game.seats[game.asked].user
    text = request_texts.claim_warning_text(game, until, texts.ping_user(user))
    return channel_call_to_move(game, user, text)


@outbox_message(CLAIM_WIN_DM)
async def build_claim_warning_dm(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the claim warning to the player to move, as a direct message. Return None if the game has gone on."""
    found = await app.win_claims.current_warning(row)
    if found is None:
        return None
    game, until = found[0].game, found[1]
    return OutboxMessage(request_texts.claim_warning_text(game, until), rows=((desk_button(game),),))


@outbox_message(DISCARDED)
async def build_discard_notice(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the direct message that lists the conditional lines a turn discarded. Return None if it is out of date."""
    found = await app.conditionals.discarded_conditionals(row)
    if found is None:
        return None
    text = conditional_texts.discarded_text(found, await app.users.user_notation(row.channel))
    return OutboxMessage(text, rows=((game_button(found.game, found.user),),))


@outbox_message(DISCARDED_BY_TAKEBACK)
async def build_takeback_discard_notice(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the direct message that tells a player that a takeback discarded their conditional turns."""
    game = (await app.games.game(row.payload["game"])).game
    text = conditional_texts.discarded_by_takeback_text(game, row.channel)
    return OutboxMessage(text, rows=((game_button(game, row.channel),),))
