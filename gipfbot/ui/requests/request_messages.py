"""The outbox messages about takebacks, draws, claims of a win, and discarded conditional turns."""

from gipfbot.match import RequestState
from gipfbot.service.app import App
from gipfbot.service.play.turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.game_requests import DRAW_OFFER, TAKEBACK_REQUEST, is_declined_by_house
from gipfbot.ui.board.public_board import channel_call_to_move, desk_button, game_button
from gipfbot.ui.kit import OutboxMessage, outbox_message, texts
from gipfbot.values import OutboxRow

from . import conditionals, request_texts
from .game_requests import request_buttons
from .request_texts import REQUEST_TEXTS


async def build_request(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the message that asks the other player something. Return None if the request is no longer open.

    If the bot has declined it already, the message says so.
    """
    found = await app.requests.current(row.payload["request"])
    request, game, said = found.request, found.stored.game, REQUEST_TEXTS[found.request.kind]
    if is_declined_by_house(request, game):
        return OutboxMessage(said.settled(request, game))
    if request.state is not RequestState.OPEN:
        return None
    text, buttons = said.message(request, game), request_buttons(request)
    if game.terms.house:
        return OutboxMessage(text, rows=(buttons[2:],))
    return OutboxMessage(text, (request_texts.request_receiver(request, game),), rows=(buttons,))


build_takeback_request = outbox_message(TAKEBACK_REQUEST)(build_request)
build_draw_offer = outbox_message(DRAW_OFFER)(build_request)


@outbox_message(CLAIM_WIN)
async def build_claim_warning(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the claim warning to the player to move, in the game's channel. Return None if the game has gone on."""
    found = await app.win_claims.current_warning(row)
    if found is None:
        return None
    game, until = found[0].game, found[1]
    assert game.asked is not None
    user = game.seats[game.asked].user
    text = request_texts.claim_warning_text(game, until, texts.address_users(user))
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
    text = conditionals.discarded_text(found, await app.users.user_notation(row.channel))
    return OutboxMessage(text, rows=((game_button(found.game, found.user),),))


@outbox_message(DISCARDED_BY_TAKEBACK)
async def build_takeback_discard_notice(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the direct message that tells a player that a takeback discarded their conditional turns."""
    game = (await app.games.game(row.payload["game"])).game
    text = conditionals.discarded_by_takeback_text(game, row.channel)
    return OutboxMessage(text, rows=((game_button(game, row.channel),),))
