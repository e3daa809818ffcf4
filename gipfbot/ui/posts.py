"""What is posted: each kind of row of the outbox becomes a message."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gipfbot.match import Game, State
from gipfbot.notation import Notation
from gipfbot.service.answers import FORGOTTEN, LAPSED
from gipfbot.service.boards import KIND as BOARD
from gipfbot.service.boards import Board
from gipfbot.service.claims import CLAIM, LETTER
from gipfbot.service.digests import DIGEST
from gipfbot.service.excuses import EXCUSE
from gipfbot.service.ids import game_name
from gipfbot.service.offers import UNDO
from gipfbot.service.reminders import CALL, NUDGE, REMINDER
from gipfbot.service.service import CHALLENGE, Owed, notation_in
from gipfbot.service.stranded import STRANDED
from gipfbot.service.threads import LEFT_THREAD, NO_THREAD
from gipfbot.service.vacations import VACATION
from render import CLASSIC, THEMES, Described, ResultCard, Theme

from . import (
    board_texts,
    claim_texts,
    condition_texts,
    games_texts,
    lobby_texts,
    reminder_texts,
    replay_texts,
    texts,
    thread_texts,
    time_texts,
    undo_texts,
    vacation_texts,
)
from .desk import board_url
from .looks import look_in
from .pictures import board_picture, invitation
from .reminders import off_buttons, quiet_select
from .screens import Button, Row, game_picture, lines_of
from .undo import undo_buttons

if TYPE_CHECKING:
    from .bot import GipfBot


@dataclass(frozen=True)
class Post:
    """A message about to be posted."""

    text: str
    pinged: tuple[int, ...] = ()
    picture: Described | None = None
    rows: tuple[Row, ...] = ()
    theme: Theme = CLASSIC


async def _board(bot: "GipfBot", owed: Owed) -> Post:
    board = await bot.stranded.board(owed)
    return replace(board_post(board), theme=THEMES.get(board.theme, CLASSIC))


async def _challenge(bot: "GipfBot", owed: Owed) -> Post | None:
    offered = await bot.service.stored_challenge(owed.payload["challenge"])
    offer = offered.challenge
    if offer.state is not State.OPEN:
        return None
    pinged = (offer.to.user,) if offer.to else ()
    card = invitation(offer, lobby_texts.card_title(offer), lobby_texts.card_terms(offer))
    known = await bot.servers.settings(offered.home.server)
    text, theme = lobby_texts.challenge(offer, known.vacation), THEMES.get(known.theme, CLASSIC)
    return Post(text, pinged, card, challenge_rows(offer.id, offer.to is None), theme)


async def _reminder(bot: "GipfBot", owed: Owed) -> Post | None:
    stored = await bot.reminders.fresh(owed)
    if stored is None:
        return None
    settings = await bot.service.settings(owed.channel)
    post = reminder_post(stored.game, notation_in(settings), board_url(stored), bot.service.now())
    look = look_in(settings)
    assert post.picture
    return replace(post, picture=look.turned(post.picture, stored.game.position.mover), theme=look.theme)


async def _digest(bot: "GipfBot", owed: Owed) -> Post | None:
    briefs, at = await bot.digests.fresh(owed), owed.payload["at"]
    if not briefs:
        return None
    notes = await bot.notes.among([brief.id for brief in briefs], owed.channel)
    text = games_texts.digest(briefs, owed.channel, notes, bot.service.now())
    desks = [Button(game_name(brief.id), f"l:desk:{brief.id}:{at}", "primary") for brief in briefs[: games_texts.PAGE]]
    others = Button(games_texts.ALL_GAMES, "l:page:0"), Button(reminder_texts.DIGEST_OFF, f"n:{at}:digest")
    return Post(text, rows=(*lines_of(desks), others, quiet_select(briefs, owed.channel)))


async def _call(bot: "GipfBot", owed: Owed) -> Post | None:
    stored, user = await bot.reminders.fresh(owed), owed.payload["user"]
    if stored is None:
        return None
    text, off = reminder_texts.call(stored.game, user, bot.service.now()), off_buttons(stored.game, user)
    return call_post(stored.game, user, text, off)


async def _nudge(bot: "GipfBot", owed: Owed) -> Post | None:
    stored, user = await bot.reminders.fresh(owed), owed.payload["user"]
    return None if stored is None else call_post(stored.game, user, reminder_texts.nudge(stored.game, user))


async def _undo(bot: "GipfBot", owed: Owed) -> Post | None:
    found = await bot.offers.offered(owed.payload["offer"])
    offer, game = found.offer, found.stored.game
    if offer.state is not State.OPEN:
        return None
    return Post(undo_texts.request(offer, game), (undo_texts.receiver(offer, game),), None, (undo_buttons(offer),))


async def _claim(bot: "GipfBot", owed: Owed) -> Post | None:
    found = await bot.claims.fresh(owed)
    if found is None:
        return None
    game, until = found[0].game, found[1]
    assert game.asked is not None
    user = game.seats[game.asked].user
    if owed.kind == CLAIM:
        return call_post(game, user, claim_texts.warning(game, until, texts.ping(user)))
    button = Button(move_label(game), f"o:{game.id}", "primary")
    return Post(claim_texts.warning(game, until), (), None, ((button,),))


async def _vacation(_: "GipfBot", owed: Owed) -> Post:
    return Post(vacation_texts.announced(**owed.payload))


async def _excuse(_: "GipfBot", owed: Owed) -> Post:
    return Post(time_texts.away(**owed.payload))


async def _lapsed(bot: "GipfBot", owed: Owed) -> Post | None:
    found = await bot.conditions.lapsed(owed)
    if found is None:
        return None
    text = condition_texts.lapsed(found, await bot.service.notation(owed.channel))
    game, user = found.game, found.user
    mine = game.asked is not None and game.seats[game.asked].user == user
    return Post(text, rows=((Button(move_label(game), f"o:{game.id}", "primary"),),) if mine else ())


async def _forgotten(bot: "GipfBot", owed: Owed) -> Post:
    game = (await bot.service.game(owed.payload["game"])).game
    return Post(condition_texts.forgotten(game, owed.channel))


async def _stranded(bot: "GipfBot", owed: Owed) -> Post | None:
    game = await bot.stranded.letter(owed)
    if game is None:
        return None
    button = Button(move_label(game), f"o:{game.id}", "primary")
    return Post(reminder_texts.stranded(game), rows=((button,),))


async def _no_thread(_: "GipfBot", owed: Owed) -> Post:
    return Post(thread_texts.none_made(**owed.payload))


async def _left_thread(_: "GipfBot", owed: Owed) -> Post:
    return Post(thread_texts.left(**owed.payload))


# The message of a row, None where there is nothing to say any more.
POSTS: dict[str, Callable[["GipfBot", Owed], Awaitable[Post | None]]] = {
    BOARD: _board,
    CHALLENGE: _challenge,
    REMINDER: _reminder,
    DIGEST: _digest,
    CALL: _call,
    NUDGE: _nudge,
    VACATION: _vacation,
    EXCUSE: _excuse,
    UNDO: _undo,
    CLAIM: _claim,
    LETTER: _claim,
    LAPSED: _lapsed,
    FORGOTTEN: _forgotten,
    STRANDED: _stranded,
    NO_THREAD: _no_thread,
    LEFT_THREAD: _left_thread,
}
DIRECT = {REMINDER, DIGEST, LAPSED, FORGOTTEN, LETTER, STRANDED}  # what goes to a person, not to a channel


def board_post(board: Board) -> Post:
    """Return a board as a message: it pings whoever must act, or both at the end.

    Where an answer follows at once nobody has to.
    """
    text, picture = board_texts.board(board), board_picture(board, board_texts.caption(board))
    if board.over:
        replay = Button(replay_texts.REPLAY, f"j:{board.game}")
        record = (Button(texts.RECORD, f"r:{board.game}"), replay) if board.number else ()
        rematch = () if board.followed_by else (Button(texts.REMATCH, f"m:{board.game}"),)
        card = ResultCard(picture, board.number)
        return Post(text, board.seats, card, ((*rematch, *record),) if rematch or record else ())
    if board.answered:
        return Post(text, (), picture)
    label = texts.REMOVE if board_texts.removal_due(board.position) else texts.MOVE
    button = Button(label, f"b:{board.game}:{board.serial}", "primary")
    return Post(text, (board.seats[board.position.mover],), picture, ((button,),))


def move_label(game: Game) -> str:
    """Return what the button says that leads on in a game."""
    return texts.REMOVE if board_texts.removal_due(game.current) else texts.MOVE


def reminder_post(game: Game, notation: Notation, link: str | None, now: int) -> Post:
    """Return the direct message that reminds the player to move, whose clock runs; `link` leads to the board."""
    buttons = (Button(move_label(game), f"o:{game.id}", "primary"), *off_buttons(game))
    return Post(reminder_texts.reminder(game, notation, link, now), (), game_picture(game, notation), (buttons,))


def call_post(game: Game, user: int, text: str, more: tuple[Button, ...] = ()) -> Post:
    """Return what is said in the channel to the player to move, with these buttons behind the one that leads on."""
    button = Button(move_label(game), f"b:{game.id}:{game.serial}", "primary")
    return Post(text, (user,), None, ((button, *more),))


def challenge_rows(id: int, seek: bool) -> tuple[Row, ...]:
    """Return the buttons of an open challenge or seek."""
    take = Button(texts.TAKE_SEEK if seek else texts.ACCEPT, f"c:{id}:accept", "success")
    decline = () if seek else (Button(texts.DECLINE, f"c:{id}:decline"),)
    return ((take, *decline, Button(texts.WITHDRAW, f"c:{id}:withdraw")),)
