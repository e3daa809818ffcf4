"""Requests to the opponent, for a takeback or a draw: the confirmation question, the message and its buttons."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from gipfbot.languages import say
from gipfbot.match import GameRequest, Refused, RequestKind, RequestState, Why
from gipfbot.service.requests.game_requests import DRAW, TAKEBACK, RequestUpdate
from gipfbot.ui.desk.screens import desk_prefix, start_over_button
from gipfbot.ui.kit import (
    AppClient,
    Button,
    Interaction,
    PrivateRow,
    Reply,
    handles,
    handles_picked_game,
    show_reply,
    texts,
)
from gipfbot.ui.kit.game_picker import pick_game_or_ask, running_unless_named
from gipfbot.ui.kit.refusal_texts import NO_DRAWS
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import message_address
from gipfbot.ui.kit.spoken import spoken_on
from gipfbot.ui.kit.visibility import check_may_post, check_still_there
from gipfbot.values import StoredGame

from .request_texts import BACK_LABEL, REQUEST_TEXTS, TAKE_BACK_LAST_LABEL, TURN_IS_BEGUN, takeback_hint

MOST_CLOSED = 5  # requests closed in one sweep: Discord takes few edits in a channel, and the sweep has more to do
ANSWERS = {"accept": RequestState.ACCEPTED, "decline": RequestState.DECLINED, "withdraw": RequestState.WITHDRAWN}
KIND = f"{{kind:{'|'.join(RequestKind)}}}"  # in the patterns of buttons


# ── Asking ──


async def take_back_in_game_meant(interaction: Interaction, named: str) -> None:
    """Ask whether to request a takeback in the game `named`. Inside a turn, offer to start it over.

    If `named` is empty and several games are possible, ask which one.
    """
    running, none = await running_unless_named(interaction, named), say(texts.NO_RUNNING_GAMES)
    if game_id := await pick_game_or_ask(interaction, named, running, "takeback", none, say(texts.WHICH_GAME)):
        await _take_back_in_picked_game(interaction, game_id, "")


@handles_picked_game("takeback")
async def _take_back_in_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    game = (await interaction.client.app.games.game(game_id)).game
    if game.asked is None or game.seats[game.asked].user != interaction.user.id or not game.may_start_over:
        await _confirm_request(interaction, TAKEBACK, game_id)
        return
    ask = Button(say(TAKE_BACK_LAST_LABEL), f"ask_request:takeback:{game_id}", is_custom_id=True)
    buttons = (*start_over_button(game), *((ask,) if game.has_played(game.asked) else ()))
    await show_reply(interaction, say(TURN_IS_BEGUN), rows=(buttons,), prefix=desk_prefix(game, ""))


async def offer_draw_in_game_meant(interaction: Interaction, named: str) -> None:
    """Ask whether to offer a draw in the game `named`. If none of the user's games can be drawn, explain that."""
    running = await running_unless_named(interaction, named)
    drawable = [brief for brief in running if brief.agreed_draw]
    if not named and not drawable:
        raise Refused(Why.NO_DRAWS)
    none, ask = say(NO_DRAWS), say(texts.WHICH_GAME)
    if game_id := await pick_game_or_ask(interaction, named, drawable, "draw", none, ask):
        await _confirm_request(interaction, DRAW, game_id)


@handles_picked_game("draw")
async def _offer_draw_in_picked_game(interaction: Interaction, game_id: int, _: str) -> None:
    await _confirm_request(interaction, DRAW, game_id)


@handles("ask_request", f"{KIND}:{{game}}")
async def press_ask_request(interaction: Interaction, kind: str, game: int) -> None:
    """Ask the player to confirm a request before it is public. If a request is open, show that one instead."""
    await _confirm_request(interaction, RequestKind(kind), game)


async def _confirm_request(interaction: Interaction, kind: RequestKind, game: int) -> None:
    try:
        planned = await interaction.client.app.requests.plan(kind, game, interaction.user.id)
    except Refused as refusal:
        await _show_open_request(interaction, refusal)
        return
    said, request = REQUEST_TEXTS[kind], planned.request
    make = Button(say(said.make_label), f"make_request:{kind}:{game}:{request.turn_serial}")
    back = Button(say(BACK_LABEL), f"more:{game}::")
    await show_reply(interaction, said.confirm(request, planned.stored.game), rows=((make, back),))


@handles("make_request", f"{KIND}:{{game}}:{{turn_serial}}")
async def press_make_request(interaction: Interaction, kind: str, game: int, turn_serial: int) -> None:
    """Make a request. If the game has moved on since the player was asked, ask them again."""
    stored = await interaction.client.app.games.game(game)
    try:
        if stored.game.turn_serial != turn_serial:
            raise Refused(Why.STALE)
        await _make_request(interaction, RequestKind(kind), game, turn_serial)
    except Refused as refusal:
        if refusal.why is not Why.STALE:
            raise
        await _confirm_request(interaction, RequestKind(kind), game)


async def _make_request(interaction: Interaction, kind: RequestKind, game: int, turn_serial: int) -> None:
    requests = interaction.client.app.requests
    try:
        planned = await requests.plan(kind, game, interaction.user.id)
        await check_may_post(interaction, planned.stored.venue)
        await _check_other_player(interaction, planned)
        made = await requests.make(kind, game, interaction.user.id, turn_serial, planned)
    except Refused as refusal:
        await _show_open_request(interaction, refusal)
        return
    if made.stored.venue.is_private:
        await _show_private_request(interaction, made)
        return
    said, is_posted = REQUEST_TEXTS[kind], await interaction.client.delivery.deliver(made.owed)
    found = await requests.current(made.request.id)
    if found.request.state is not RequestState.OPEN:  # the bot has answered meanwhile
        text = said.answered(found.request, found.stored.game)
    elif is_posted:
        text = said.sent(found.request, found.stored.game, _request_url(found))
    else:
        text = say(said.untaken if found.untaken else said.posted_later)
    await show_reply(interaction, text)


async def _show_private_request(interaction: Interaction, made: RequestUpdate) -> None:
    """Show a request in a private game. The message is shown anew once the bot has answered."""
    requests = interaction.client.app.requests
    found = await requests.current(made.request.id)
    request, game = found.request, found.stored.game
    back = (Button(say(texts.BOARD_LABEL), f"open_desk:{request.game}", "primary"),)
    if request.state is not RequestState.OPEN:
        await show_reply(interaction, REQUEST_TEXTS[request.kind].answered(request, game), rows=(back,))
        if game.asked is None:
            await interaction.client.app.untold.note_seen(game.id)
        return

    async def show_answer(_: StoredGame) -> None:
        await _show_private_request(interaction, found)

    await show_reply(interaction, REQUEST_TEXTS[request.kind].sent(request, game, None), rows=(back,))
    interaction.client.bot_answers.wait(interaction, found.stored, show_answer)


async def _check_other_player(interaction: Interaction, found: RequestUpdate) -> None:
    """Raise Refused if the other player of a request's game has left its server."""
    game = found.stored.game
    other = next(seat for seat in game.seats if seat.user != interaction.user.id)
    await check_still_there(interaction, found.stored.venue.server, other, game)


# ── Open requests ──


async def _show_open_request(interaction: Interaction, refusal: Refused) -> None:
    """Show the open request if a new one was refused because of it. Raises any other refusal again."""
    note_refusal(interaction, refusal)
    if refusal.why not in (Why.REQUEST_OPEN, Why.REQUEST_TO_ANSWER):
        raise refusal
    found = await interaction.client.app.requests.current(refusal.facts["request"])
    text, buttons = _text_and_buttons(found, interaction.user.id)
    await show_reply(interaction, text, rows=(buttons,))


async def open_request_rows(
    interaction: Interaction, stored: StoredGame
) -> Mapping[RequestKind, tuple[PrivateRow, ...]]:
    """Return the text of each open request of a game, and its buttons, for one of the players."""
    requests, user = interaction.client.app.requests, interaction.user.id
    asked = await requests.open_requests([stored.game]) if stored.has_requests else []
    found = [await requests.current(each.id) for each in asked]
    return {each.request.kind: _text_and_buttons(each, user, name_kind=len(found) > 1) for each in found}


def _text_and_buttons(found: RequestUpdate, user: int, *, name_kind: bool = False) -> tuple[str, tuple[Button, ...]]:
    """Return the text of an open request for one of the players, and the buttons that they may press.

    With `name_kind`, each label names the kind of the request, as in `Accept draw`.
    """
    request, game, said = found.request, found.stored.game, REQUEST_TEXTS[found.request.kind]
    accept, decline, withdraw = (
        replace(button, label=say(label)) if name_kind else button
        for button, label in zip(request_buttons(request), said.answer_labels, strict=True)
    )
    if request.by == user:
        text = say(said.untaken) if found.untaken else said.pending(request, game, _request_url(found))
        return text, (withdraw,)
    return said.to_answer(request, game), (accept, decline)


async def takeback_note(interaction: Interaction, stored: StoredGame) -> str:
    """Return the desk's line on a takeback request that the player has to answer. Empty if there is none."""
    game, requests = stored.game, interaction.client.app.requests
    for request in await requests.open_requests([game]) if stored.has_requests else []:
        if request.kind is TAKEBACK and request.by != interaction.user.id:
            return takeback_hint(request, game)
    return ""


def _request_url(found: RequestUpdate) -> str | None:
    return message_address(found.stored.venue.server, *found.message) if found.message else None


def request_buttons(request: GameRequest) -> tuple[Button, Button, Button]:
    """Return the buttons of an open request: accept, decline, withdraw."""
    return (
        Button(say(texts.ACCEPT_LABEL), f"request:{request.id}:accept", "success"),
        Button(say(texts.DECLINE_LABEL), f"request:{request.id}:decline"),
        Button(say(texts.WITHDRAW_LABEL), f"request:{request.id}:withdraw"),
    )


# ── Answers ──


@handles("request", f"{{request}}:{{verb:{'|'.join(ANSWERS)}}}", Reply.FOR_ALL)
async def press_request(interaction: Interaction, request: int, verb: str) -> None:
    """Accept, decline or withdraw a request. Its message then shows the outcome and loses its buttons."""
    requests, user, state = interaction.client.app.requests, interaction.user.id, ANSWERS[verb]
    try:
        found = await requests.plan_acceptance(request, user) if state is RequestState.ACCEPTED else None
        if found and found.request.kind is TAKEBACK:  # a draw begins nothing
            await _check_other_player(interaction, found)
        settled = await requests.settle(request, user, state, found)
    except Refused as refusal:
        if refusal.why in (Why.REQUEST_CLOSED, Why.OVER):
            await _show_settled_request(interaction, await requests.current(request))
        raise
    try:
        await _show_settled_request(interaction, settled)
    finally:
        await interaction.client.delivery.deliver(settled.owed)


async def _show_settled_request(interaction: Interaction, settled: RequestUpdate) -> None:
    """Show the outcome of a request in the pressed message and in the request's public message.

    Both lose their buttons.
    """
    await show_reply(interaction, _settled_text(settled))
    pressed = interaction.message and interaction.message.id
    if settled.message and settled.message[1] != pressed:
        await show_outcome(interaction.client, settled)


async def show_outcome(bot: AppClient, settled: RequestUpdate) -> None:
    """Show the outcome of a settled request in its message, without buttons. Does nothing if it is not posted."""
    if settled.message:
        async with spoken_on(bot, settled.stored.venue.server, settled.request.by):
            await bot.delivery.strip_buttons(*settled.message, _settled_text(settled))


def _settled_text(settled: RequestUpdate) -> str:
    return REQUEST_TEXTS[settled.request.kind].settled(settled.request, settled.stored.game)


async def close_expired_requests(bot: AppClient) -> None:
    """Close requests that have expired, at most MOST_CLOSED. Their messages say so."""
    closed = await bot.app.requests.close_expired(MOST_CLOSED)
    await asyncio.gather(*(show_outcome(bot, each) for each in closed))
