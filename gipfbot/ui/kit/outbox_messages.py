"""What is posted: each kind of row of the outbox becomes a message."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gipfbot.match import Game, RequestState
from gipfbot.notation import Notation
from gipfbot.service.clock.digests import DIGEST
from gipfbot.service.clock.downtime_notice import DOWNTIME_NOTICE
from gipfbot.service.clock.reminders import CHANNEL_REMINDER, NUDGE, REMINDER
from gipfbot.service.clock.vacations import VACATION
from gipfbot.service.delivery.threads import LEFT_THREAD, NO_THREAD
from gipfbot.service.delivery.undeliverable import UNDELIVERABLE
from gipfbot.service.kit.game_names import game_name
from gipfbot.service.play.board_message import BOARD, BoardMessage
from gipfbot.service.play.conditionals_on_turn import DISCARDED, DISCARDED_BY_TAKEBACK
from gipfbot.service.requests.claim_win import CLAIM_WIN, CLAIM_WIN_DM
from gipfbot.service.requests.takebacks import TAKEBACK
from gipfbot.service.service import CHALLENGE, OutboxRow, notation_in_settings
from gipfbot.ui.clock import clock_texts, reminder_texts, vacation_texts
from gipfbot.ui.clock.reminders import digest_quiet_select, reminder_off_buttons
from gipfbot.ui.delivery import thread_texts
from gipfbot.ui.lobby import lobby_texts
from gipfbot.ui.play import board_texts, game_list_texts
from gipfbot.ui.play.desk import board_url
from gipfbot.ui.play.desk_screens import Button, ComponentRow, button_rows, game_picture
from gipfbot.ui.records import replay_texts
from gipfbot.ui.requests import claim_win_texts, conditional_texts, takeback_texts
from gipfbot.ui.requests.takeback import takeback_buttons
from render import CLASSIC, THEMES, Described, ResultCard, Theme

from . import texts
from .board_style import board_style_of
from .pictures import board_picture, challenge_card

if TYPE_CHECKING:
    from gipfbot.ui.bot import GipfBot


@dataclass(frozen=True)
class OutboxMessage:
    """A message about to be posted."""

    text: str
    pinged: tuple[int, ...] = ()
    picture: Described | None = None
    rows: tuple[ComponentRow, ...] = ()
    theme: Theme = CLASSIC


async def _owed_board_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    board = await bot.undeliverable.board_to_post(owed)
    return replace(public_board_message(board), theme=THEMES.get(board.theme, CLASSIC))


async def _challenge_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    offered = await bot.service.stored_challenge(owed.payload["challenge"])
    offer = offered.challenge
    if offer.state is not RequestState.OPEN:
        return None
    pinged = (offer.to.user,) if offer.to else ()
    card = challenge_card(offer, lobby_texts.challenge_card_title(offer), lobby_texts.challenge_card_terms(offer))
    known = await bot.servers.settings(offered.venue.server)
    text, theme = lobby_texts.challenge_text(offer, known.vacation), THEMES.get(known.theme, CLASSIC)
    return OutboxMessage(text, pinged, card, challenge_buttons(offer.id, offer.to is None), theme)


async def _reminder_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    stored = await bot.reminders.game_to_remind(owed)
    if stored is None:
        return None
    settings = await bot.service.user_settings(owed.channel)
    post = direct_reminder(stored.game, notation_in_settings(settings), board_url(stored), bot.service.now())
    look = board_style_of(settings)
    assert post.picture
    return replace(post, picture=look.seen_by(post.picture, stored.game.position.mover), theme=look.theme)


async def _digest_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    briefs, at = await bot.digests.games_to_list(owed), owed.payload["at"]
    if not briefs:
        return None
    notes = await bot.notes.notes_on_games([brief.id for brief in briefs], owed.channel)
    text = game_list_texts.digest_text(briefs, owed.channel, notes, bot.service.now())
    desks = [
        Button(game_name(brief.id), f"l:desk:{brief.id}:{at}", "primary")
        for brief in briefs[: game_list_texts.GAMES_PER_PAGE]
    ]
    others = (
        Button(game_list_texts.ALL_GAMES_LABEL, "l:page:0"),
        Button(reminder_texts.NO_DIGESTS_LABEL, f"n:{at}:digest"),
    )
    return OutboxMessage(text, rows=(*button_rows(desks), others, digest_quiet_select(briefs, owed.channel)))


async def _channel_reminder_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    stored, user = await bot.reminders.game_to_remind(owed), owed.payload["user"]
    if stored is None:
        return None
    text, off = (
        reminder_texts.channel_reminder_text(stored.game, user, bot.service.now()),
        reminder_off_buttons(stored.game, user),
    )
    return channel_call_to_move(stored.game, user, text, off)


async def _nudge_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    stored, user = await bot.reminders.game_to_remind(owed), owed.payload["user"]
    return (
        None
        if stored is None
        else channel_call_to_move(stored.game, user, reminder_texts.nudge_text(stored.game, user))
    )


async def _takeback_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    found = await bot.takebacks.current_request(owed.payload["request"])
    offer, game = found.request, found.stored.game
    if offer.state is not RequestState.OPEN:
        return None
    return OutboxMessage(
        takeback_texts.takeback_request_text(offer, game),
        (takeback_texts.takeback_receiver(offer, game),),
        None,
        (takeback_buttons(offer),),
    )


async def _claim_win_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    found = await bot.win_claims.current_warning(owed)
    if found is None:
        return None
    game, until = found[0].game, found[1]
    assert game.asked is not None
    user = game.seats[game.asked].user
    if owed.kind == CLAIM_WIN:
        return channel_call_to_move(game, user, claim_win_texts.claim_warning_text(game, until, texts.ping_user(user)))
    button = Button(move_button_label(game), f"o:{game.id}", "primary")
    return OutboxMessage(claim_win_texts.claim_warning_text(game, until), (), None, ((button,),))


async def _vacation_message(_: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    return OutboxMessage(vacation_texts.vacation_announcement(**owed.payload))


async def _downtime_message(_: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    return OutboxMessage(clock_texts.downtime_text(**owed.payload))


async def _discarded_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    found = await bot.conditionals.discarded_conditionals(owed)
    if found is None:
        return None
    text = conditional_texts.discarded_text(found, await bot.service.user_notation(owed.channel))
    game, user = found.game, found.user
    mine = game.asked is not None and game.seats[game.asked].user == user
    return OutboxMessage(text, rows=((Button(move_button_label(game), f"o:{game.id}", "primary"),),) if mine else ())


async def _discarded_by_takeback_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    game = (await bot.service.game(owed.payload["game"])).game
    return OutboxMessage(conditional_texts.discarded_by_takeback_text(game, owed.channel))


async def _undeliverable_message(bot: "GipfBot", owed: OutboxRow) -> OutboxMessage | None:
    game = await bot.undeliverable.fallback_dm_game(owed)
    if game is None:
        return None
    button = Button(move_button_label(game), f"o:{game.id}", "primary")
    return OutboxMessage(reminder_texts.undeliverable_board_text(game), rows=((button,),))


async def _no_thread_message(_: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    return OutboxMessage(thread_texts.no_thread_text(**owed.payload))


async def _left_thread_message(_: "GipfBot", owed: OutboxRow) -> OutboxMessage:
    return OutboxMessage(thread_texts.left_thread_text(**owed.payload))


# The message of a row, None where there is nothing to say any more.
MESSAGE_BUILDERS: dict[str, Callable[["GipfBot", OutboxRow], Awaitable[OutboxMessage | None]]] = {
    BOARD: _owed_board_message,
    CHALLENGE: _challenge_message,
    REMINDER: _reminder_message,
    DIGEST: _digest_message,
    CHANNEL_REMINDER: _channel_reminder_message,
    NUDGE: _nudge_message,
    VACATION: _vacation_message,
    DOWNTIME_NOTICE: _downtime_message,
    TAKEBACK: _takeback_message,
    CLAIM_WIN: _claim_win_message,
    CLAIM_WIN_DM: _claim_win_message,
    DISCARDED: _discarded_message,
    DISCARDED_BY_TAKEBACK: _discarded_by_takeback_message,
    UNDELIVERABLE: _undeliverable_message,
    NO_THREAD: _no_thread_message,
    LEFT_THREAD: _left_thread_message,
}
DIRECT_KINDS = {
    REMINDER,
    DIGEST,
    DISCARDED,
    DISCARDED_BY_TAKEBACK,
    CLAIM_WIN_DM,
    UNDELIVERABLE,
}  # what goes to a person, not to a channel


def public_board_message(board: BoardMessage) -> OutboxMessage:
    """Return a board as a message: it pings whoever must act, or both at the end.

    Where an answer follows at once nobody has to.
    """
    text, picture = board_texts.board_message_text(board), board_picture(board, board_texts.board_caption(board))
    if board.over:
        replay = Button(replay_texts.REPLAY_LABEL, f"j:{board.game}")
        record = (Button(texts.RECORD_LABEL, f"r:{board.game}"), replay) if board.turn_number else ()
        rematch = () if board.followed_by else (Button(texts.REMATCH_LABEL, f"m:{board.game}"),)
        card = ResultCard(picture, board.turn_number)
        return OutboxMessage(text, board.seats, card, ((*rematch, *record),) if rematch or record else ())
    if board.conditional_follows:
        return OutboxMessage(text, (), picture)
    label = texts.REMOVE_LABEL if board_texts.is_removal_due(board.position) else texts.MOVE_LABEL
    button = Button(label, f"b:{board.game}:{board.turn_serial}", "primary")
    return OutboxMessage(text, (board.seats[board.position.mover],), picture, ((button,),))


def move_button_label(game: Game) -> str:
    """Return what the button says that leads on in a game."""
    return texts.REMOVE_LABEL if board_texts.is_removal_due(game.current) else texts.MOVE_LABEL


def direct_reminder(game: Game, notation: Notation, link: str | None, now: int) -> OutboxMessage:
    """Return the direct message that reminds the player to move, whose clock runs; `link` leads to the board."""
    buttons = (Button(move_button_label(game), f"o:{game.id}", "primary"), *reminder_off_buttons(game))
    return OutboxMessage(
        reminder_texts.reminder_text(game, notation, link, now), (), game_picture(game, notation), (buttons,)
    )


def channel_call_to_move(game: Game, user: int, text: str, more: tuple[Button, ...] = ()) -> OutboxMessage:
    """Return what is said in the channel to the player to move, with these buttons behind the one that leads on."""
    button = Button(move_button_label(game), f"b:{game.id}:{game.turn_serial}", "primary")
    return OutboxMessage(text, (user,), None, ((button, *more),))


def challenge_buttons(challenge_id: int, seek: bool) -> tuple[ComponentRow, ...]:
    """Return the buttons of an open challenge or seek."""
    take = Button(texts.TAKE_SEEK_LABEL if seek else texts.ACCEPT_LABEL, f"c:{challenge_id}:accept", "success")
    decline = () if seek else (Button(texts.DECLINE_LABEL, f"c:{challenge_id}:decline"),)
    return ((take, *decline, Button(texts.WITHDRAW_LABEL, f"c:{challenge_id}:withdraw")),)
