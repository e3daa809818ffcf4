"""Open challenges: `/gipf seeks`, the public message of each, its buttons, and its end."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import discord

from gipfbot.languages import say
from gipfbot.match import Challenge, Game, Refused, RequestState, Seat, Why, accept_challenge, expire_challenge
from gipfbot.match.game import clean_name
from gipfbot.service.app import App
from gipfbot.service.kit.loaded_games import GameUpdate, game_name
from gipfbot.service.lobby.lobby import CHALLENGE
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit import (
    AppClient,
    Button,
    Interaction,
    OutboxMessage,
    Reply,
    answers_privately,
    handles,
    outbox_message,
    refusal_texts,
    show_reply,
    slash_command,
    texts,
)
from gipfbot.ui.kit.components import ComponentRow, build_view, button_rows, with_note_above
from gipfbot.ui.kit.interactions import chosen_number
from gipfbot.ui.kit.permissions import check_bot_is_on
from gipfbot.ui.kit.pictures import challenge_card
from gipfbot.ui.kit.request_log import note_refusal
from gipfbot.ui.kit.respond import message_address, tell_privately
from gipfbot.ui.kit.spoken import speaking_to, spoken_on
from gipfbot.ui.kit.visibility import can_see_venue, check_may_post, check_still_there, sees_venue
from gipfbot.values import OutboxRow, StoredChallenge
from render import CLASSIC, THEMES, ChallengeCard

from . import lobby_texts, seeker_texts
from .other_terms import other_terms_button
from .seekers import JOIN, LEAVE, Seekers, find_seekers, join_or_leave, seekers_button

MOST_SEEKS_SHOWN = 5  # each seek takes a row of buttons

ON_CARD = ":card"  # the end of the `custom_id`s on the private card of a challenge
NOT_THEIRS = (Why.OWN_CHALLENGE, Why.NOT_FOR_YOU, Why.NOT_YOUR_CHALLENGE)  # refusals that lead on to what is theirs
MOST_EXPIRED = 5  # challenges closed in one sweep: Discord takes few edits in a channel, and the sweep has more to do


def seat_of_user(user: discord.abc.User) -> Seat:
    """Return a Discord user as a player: their id and display name."""
    return Seat(user.id, clean_name(user.display_name))


def challenge_url(stored: StoredChallenge) -> str | None:
    """Return the address of a challenge's message, None if it is not posted."""
    home = stored.venue
    return message_address(home.server, home.channel, stored.message) if stored.message else None


@slash_command("gipf seeks", 10, "Who is looking for a game on this server")
@answers_privately
async def seeks_command(interaction: Interaction) -> None:
    """List the open seeks of this server whose channels the user can see."""
    if interaction.guild_id is None:
        await show_reply(interaction, say(lobby_texts.SEEKS_NEED_SERVER))
    else:
        await show_open_seeks(interaction, interaction.guild_id)


async def show_open_seeks(interaction: Interaction, server: int | None) -> None:
    """Show the open seeks of a server in the user's private message.

    Seeks in channels that the user cannot see are left out. If there is room, a button posts a seek of the user's own.
    If seeks mention a role, another lets the user join or leave it.
    """
    await check_bot_is_on(interaction, server)
    settings = await interaction.client.app.servers.settings(server)
    await _show_seek_list(interaction, server, await find_seekers(interaction, settings))


async def _show_seek_list(interaction: Interaction, server: int | None, seekers: Seekers) -> None:
    bot, user = interaction.client, interaction.user.id
    there = await bot.app.lobby.open_seeks(server)
    places = {venue: await can_see_venue(interaction, venue) for venue in {seek.venue for seek in there}}
    found = _in_turns([seek for seek in there if places[seek.venue]])
    lines = [(seek.challenge, challenge_url(seek)) for seek in found]
    text = lobby_texts.seek_list_text(lines, MOST_SEEKS_SHOWN, user)
    rows = [_seek_row(number, seek.challenge, user) for number, seek in enumerate(found[:MOST_SEEKS_SHOWN], 1)]
    post = [Button(say(lobby_texts.POST_SEEK_LABEL), "post_seek", "primary"), other_terms_button()]
    last = post if len(rows) < MOST_SEEKS_SHOWN else []
    last += [seekers_button(joined=seekers.joined)] if seekers.role else []
    role = seeker_texts.seekers_text(seekers.role.id, joined=seekers.joined) if seekers.role else ""
    text = texts.join_lines(text, role)
    await show_reply(interaction, text, rows=with_note_above(seekers.note, (*rows, *button_rows(last))))


@handles("seekers", f"{{verb:{JOIN}|{LEAVE}}}")
async def press_seekers(interaction: Interaction, verb: str) -> None:
    """Let a player join or leave the role that seeks mention. The list of seeks then says what has come of it."""
    await check_bot_is_on(interaction, interaction.guild_id)
    settings = await interaction.client.app.servers.settings(interaction.guild_id)
    seekers = await find_seekers(interaction, settings)
    if seekers.role:
        seekers = await join_or_leave(interaction, seekers.role, verb, settings)
    elif not seekers.note:
        seekers = seekers._replace(note=say(seeker_texts.SEEKERS_OFF))
    await _show_seek_list(interaction, interaction.guild_id, seekers)


def _in_turns(seeks: Sequence[StoredChallenge]) -> list[StoredChallenge]:
    """Return the seeks in rotation: first one seek of each person, then each person's second, and so on."""
    rounds, counts = list[int](), Counter[int]()
    for seek in seeks:
        rounds.append(counts[seek.challenge.by.user])
        counts[seek.challenge.by.user] += 1
    return [seeks[at] for at in sorted(range(len(seeks)), key=rounds.__getitem__)]


def _seek_row(number: int, challenge: Challenge, user: int) -> ComponentRow:
    verb = "withdraw" if challenge.by.user == user else "accept"
    return (Button(lobby_texts.seek_button_label(number, challenge, user), f"challenge:{challenge.id}:{verb}"),)


@outbox_message(CHALLENGE)
async def build_challenge(app: App, row: OutboxRow) -> OutboxMessage | None:
    """Build the public message of a challenge or seek. Return None if it is no longer open."""
    owed = await app.lobby.challenge_to_post(row)
    challenge = owed.stored.challenge
    if challenge.state is not RequestState.OPEN:
        return None
    pinged = (challenge.to.user,) if challenge.to else ()
    role, theme = owed.stored.mentioned_role, THEMES.get(owed.theme, CLASSIC)
    text = lobby_texts.challenge_text(challenge, mentioned_role=role)
    return OutboxMessage(text, pinged, _card(challenge), (challenge_buttons(challenge),), theme, role)


def _card(challenge: Challenge) -> ChallengeCard:
    title, terms = lobby_texts.challenge_card_title(challenge), lobby_texts.challenge_card_terms(challenge)
    return challenge_card(challenge, title, terms)


def challenge_buttons(challenge: Challenge, reader: int | None = None) -> tuple[Button, ...]:
    """Return the row of buttons under an open challenge or seek.

    Everybody reads the public message, so its buttons fit everybody. With `reader`, the row is that of the private
    card of this person, with what only they can do.
    """
    seek, where = challenge.to is None, "" if reader is None else ON_CARD
    accept = Button(
        say(texts.TAKE_SEEK_LABEL if seek else texts.ACCEPT_LABEL), f"challenge:{challenge.id}:accept{where}", "success"
    )
    decline = () if seek else (Button(say(texts.DECLINE_LABEL), f"challenge:{challenge.id}:decline{where}"),)
    learn = Button(say(texts.HOW_TO_PLAY_LABEL), f"open_tutorial:challenge{challenge.id}")
    beside = (learn, *((Button(say(lobby_texts.PLAY_BOT_LABEL), "play_bot"),) if seek else ()))
    if reader == challenge.by.user:
        return (withdraw_button(challenge.id), *beside)
    if challenge.to and reader not in (None, challenge.to.user):
        return (*beside, Button(say(lobby_texts.FIND_OPPONENT_LABEL), "find_opponent"))
    return (accept, *decline, *beside)


def withdraw_button(challenge_id: int) -> Button:
    """Return the button by which the challenger withdraws a challenge, on a private message of theirs."""
    return Button(say(texts.WITHDRAW_LABEL), f"challenge:{challenge_id}:withdraw{ON_CARD}")


@handles("challenge_card", "{challenge}")
async def press_challenge_card(interaction: Interaction, challenge: int) -> None:
    """Show a challenge in place of the private message that was pressed."""
    await _show_challenge(interaction, challenge)


@handles("choose_challenge", "")
async def choose_challenge(interaction: Interaction) -> None:
    """Show an open challenge that was chosen from the person's list of games, with what they can do about it."""
    await _show_challenge(interaction, chosen_number(interaction))


async def _show_challenge(interaction: Interaction, challenge: int) -> None:
    stored = await interaction.client.app.lobby.stored_challenge(challenge)
    if await can_see_venue(interaction, stored.venue):
        await _show_card(interaction, stored)
    else:
        await tell_privately(interaction, say(lobby_texts.CANNOT_SEE_SEEK))


async def _show_card(interaction: Interaction, stored: StoredChallenge) -> None:
    """Show a challenge privately. If it is closed because its game has begun, a button opens the board."""
    text, rows = await _challenge_content(interaction.client.app, stored, interaction.user.id)
    is_open = stored.challenge.state is RequestState.OPEN
    if stored.game and not is_open:
        rows = (_board_buttons(stored.game),)
    await show_reply(interaction, text, _card(stored.challenge) if is_open else None, rows)


@handles("challenge", f"{{challenge}}:{{verb:accept|decline|withdraw}}{{where:(?:{ON_CARD})?}}", Reply.FOR_ALL)
async def press_challenge(interaction: Interaction, challenge: int, verb: str, where: str) -> None:
    """Accept, decline or withdraw a challenge. Its public message then shows the outcome.

    The pressed button is on the public message, in a private list of seeks, or on the private card. The list or the
    card then shows the outcome, too.
    """
    stored = await interaction.client.app.lobby.stored_challenge(challenge)
    try:
        if verb == "accept":
            await _accept_challenge(interaction, stored, where)
        else:
            await _close_challenge(interaction, challenge, verb, where)
    except Refused as refusal:
        if refusal.why in NOT_THEIRS:
            await _lead_on(interaction, stored.challenge, refusal)
            return
        if refusal.why is Why.CHALLENGE_CLOSED:
            stored = await _show_closed_challenge(interaction, challenge, where)
            if where == ON_CARD and stored.game and stored.challenge.by.user == interaction.user.id:
                note_refusal(interaction, refusal)  # their card says so, and leads to the game
                return
        raise


async def _lead_on(interaction: Interaction, challenge: Challenge, refusal: Refused) -> None:
    """Say why a button of a challenge is not for the person who pressed it, and show those that are."""
    note_refusal(interaction, refusal)
    user = interaction.user.id
    own = refusal.why is Why.NOT_FOR_YOU and challenge.by.user == user
    with speaking_to(interaction):
        said = say(lobby_texts.OWN_CHALLENGE_DECLINED) if own else refusal_texts.refusal_text(refusal)
        await tell_privately(interaction, said, challenge_buttons(challenge, user))


async def _accept_challenge(interaction: Interaction, stored: StoredChallenge, where: str) -> None:
    if not await sees_venue(interaction, stored.venue):
        await check_bot_is_on(interaction, stored.venue.server)
        with speaking_to(interaction):
            await tell_privately(interaction, say(lobby_texts.CANNOT_SEE_SEEK))
        return
    await check_may_post(interaction, stored.venue)
    app, by = interaction.client.app, seat_of_user(interaction.user)
    accept_challenge(stored.challenge, by, app.now(), True)  # nobody is asked about a challenge that is closed
    await check_still_there(interaction, stored.venue.server, stored.challenge.by)
    stored, update = await app.lobby.accept_challenge(stored.challenge.id, by)
    try:
        was_pressed = await _update_challenge_message(interaction, stored, where, update.game)
    finally:
        await interaction.client.delivery.deliver(update.owed)
    if where == ON_CARD:  # the card has done its work: the answer takes its place
        said = await _accepted_reply(interaction, stored, update)
        await show_reply(interaction, said, rows=(_board_buttons(update.game.id),))
    elif stored.challenge.to is None or not was_pressed:
        with speaking_to(interaction):
            await tell_privately(interaction, await _accepted_reply(interaction, stored, update))


async def _accepted_reply(interaction: Interaction, stored: StoredChallenge, update: GameUpdate) -> str:
    link = board_url(await interaction.client.app.games.game(update.game.id))
    colour = update.game.colour_of(interaction.user.id)
    assert colour is not None
    what = stored.challenge, game_name(update.game.id), link, update.stored.venue.channel
    return lobby_texts.seek_taken_text(*what, colour=colour, rated=update.game.terms.rated)


async def _close_challenge(interaction: Interaction, challenge_id: int, verb: str, where: str) -> None:
    lobby, user = interaction.client.app.lobby, interaction.user.id
    close = lobby.decline_challenge if verb == "decline" else lobby.withdraw_challenge
    stored = await close(challenge_id, user)
    if not await _update_challenge_message(interaction, stored, where) and where != ON_CARD:
        await tell_privately(interaction, lobby_texts.challenge_closed_text(stored.challenge))


async def _show_closed_challenge(interaction: Interaction, challenge_id: int, where: str) -> StoredChallenge:
    """Update the public message of a challenge that was already closed when its button was pressed. Return it."""
    stored = await interaction.client.app.lobby.stored_challenge(challenge_id)
    if stored.challenge.state is RequestState.OPEN:  # its time is over; the next sweep will close it
        stored = replace(stored, challenge=expire_challenge(stored.challenge))
    await _update_challenge_message(interaction, stored, where)
    return stored


def _board_buttons(game: int) -> tuple[Button, ...]:
    """Return the button that opens the board of a game in place of a private card."""
    return (Button(say(texts.BOARD_LABEL), f"more:{game}::", "primary"),)


async def _update_challenge_message(
    interaction: Interaction, stored: StoredChallenge, where: str, begun: Game | None = None
) -> bool:
    """Update the public message of a challenge. Return whether the pressed button was on that message.

    If the button was in a private list of seeks or on a private card, refresh that; but not a card whose challenge was
    accepted. `begun` is the game to which the challenge has just led.
    """
    pressed = interaction.message
    if pressed and pressed.id == stored.message:
        text, rows = await _challenge_content(interaction.client.app, stored, begun=begun)
        pictures = discord.utils.MISSING if _is_pictured(stored.challenge) else []
        await interaction.edit_original_response(content=text, view=build_view(rows), attachments=pictures)
        return True
    await show_outcome(interaction.client, stored, begun)
    if where == ON_CARD and begun is None:
        await _show_card(interaction, stored)
    elif where != ON_CARD and pressed and pressed.flags.ephemeral:
        await show_open_seeks(interaction, stored.venue.server)
    return False


async def _challenge_content(
    app: App, stored: StoredChallenge, reader: int | None = None, begun: Game | None = None
) -> tuple[str, tuple[ComponentRow, ...]]:
    """Return the text and the buttons of a challenge's message. A closed challenge has no buttons.

    `reader` is as in `challenge_buttons`. `begun` is its newest game; if it is None, that is loaded.
    """
    challenge, is_on = stored.challenge, stored.challenge.state in (RequestState.OPEN, RequestState.ACCEPTED)
    if stored.game and begun is None and is_on:
        begun = (await app.games.game(stored.game)).game
    said = lobby_texts.begun_text(challenge, begun) if begun else ""
    if challenge.state is RequestState.OPEN:
        text = lobby_texts.challenge_text(challenge, said, stored.mentioned_role)
        return text, (challenge_buttons(challenge, reader),)
    return lobby_texts.challenge_closed_text(challenge, said), ()


async def close_expired_challenges(bot: AppClient) -> None:
    """Close challenges that have expired, at most MOST_EXPIRED. Their messages say so and lose their buttons."""
    closed = await bot.app.lobby.expire_challenges(MOST_EXPIRED)
    await asyncio.gather(*(show_outcome(bot, late) for late in closed))


async def show_outcome(bot: AppClient, stored: StoredChallenge, begun: Game | None = None) -> None:
    """Show what has become of a challenge in its public message, if it is posted. `begun` is its newest game."""
    if not stored.message:
        return
    async with spoken_on(bot, stored.venue.server, stored.challenge.by.user):
        text, rows = await _challenge_content(bot.app, stored, begun=begun)
        pictured = _is_pictured(stored.challenge)
        await bot.delivery.strip_buttons(stored.venue.channel, stored.message, text, rows, pictured=pictured)


def _is_pictured(challenge: Challenge) -> bool:
    """Return whether a challenge's public message has its card. The card of a seek asks anybody: it goes at the end."""
    return challenge.to is not None or challenge.state is RequestState.OPEN
