"""Public board messages: one for each turn, with a button to play the next one."""

from dataclasses import replace

from gipfbot.match import Game, Status, position_code
from gipfbot.notation import OFFICIAL, Notation, turn_text
from gipfbot.rules import Colour, Position
from gipfbot.service.app import App
from gipfbot.service.delivery.board_message import BOARD, BoardMessage, ended_without_turn, new_board_message
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button, ComponentRow, button_rows
from gipfbot.ui.kit.outbox_messages import MY_GAMES, OutboxMessage, outbox_message
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.refusal_texts import WHY_LABEL
from gipfbot.ui.kit.respond import message_address
from gipfbot.ui.kit.texts import pair_number
from gipfbot.values import EndedGame, GameBrief, OutboxRow, StoredGame
from render import CLASSIC, THEMES, Picture, ResultCard

from . import board_texts

WHY_THIS_TURN_LABEL = "Why this turn?"  # where another **Why?** may stand, which leads to a rule


def seat_names(game: Game) -> tuple[str, str]:
    """Return the names of a game's players: White, then Black."""
    return game.seats[0].name, game.seats[1].name


def game_picture(game: Game, notation: Notation = OFFICIAL) -> Picture:
    """Return the public picture of a game: the position at the start of the turn, with the last turn marked.

    The caption shows the last turn in `notation`.
    """
    board = new_board_message(game)
    if game.last:
        board = replace(board, text=turn_text(game.last.before, game.last.actions, notation))
    picture = board_picture(board, board_texts.board_caption(board))
    return replace(picture, cancelled=game.status is Status.CANCELLED)


def board_url(stored: StoredGame | GameBrief | EndedGame) -> str | None:
    """Return the URL of a game's newest board message; None before it is posted."""
    if not (stored.board_message and stored.board_channel):
        return None
    return message_address(stored.venue.server, stored.board_channel, stored.board_message)


def newest_board_link(stored: StoredGame) -> str:
    """Return a link to a game's newest board message; empty before it is posted."""
    return texts.board_link_text(board_url(stored))


@outbox_message(BOARD)
async def build_board(app: App, row: OutboxRow) -> OutboxMessage:
    """Build the message of a board's outbox row, in the theme of its server."""
    board = await app.undeliverable.board_to_post(row)
    return replace(public_board_message(board), theme=THEMES.get(board.theme, CLASSIC))


def public_board_message(board: BoardMessage) -> OutboxMessage:
    """Return a board as an outbox message in the classic theme.

    It pings the player who has to decide, or both players if the game is over. It pings nobody if a conditional turn
    follows at once, and never the bot as a player.
    """
    text, picture = board_texts.board_message_text(board), board_picture(board, board_texts.board_caption(board))
    if board.over:
        return OutboxMessage(
            text, board.pinged_at_end, ResultCard(picture, pair_number(board.turn_number)), _result_rows(board)
        )
    if board.conditional_follows:
        return OutboxMessage(text, (), picture)
    removal_due = board_texts.is_removal_due(board.position)
    label = texts.DECIDE_LABEL if board.within_turn else _next_move_label(removal_due)
    button = Button(label, f"board:{board.game}:{board.turn_serial}", "primary")
    more = Button(texts.MORE_LABEL, f"board_more:{board.game}")
    if board.house_decides:
        return OutboxMessage(text, (), picture, ((more,),))
    row = button, more, *_reasons_buttons(board)
    return OutboxMessage(text, (board.seats[board.position.decider],), picture, (row,))


def _reasons_buttons(board: BoardMessage) -> tuple[Button, ...]:
    if board.before is None or board.within_turn or ended_without_turn(board):
        return ()
    if board.house is None or board.seats[board.mover] != board.house:
        return ()
    return (_reasons_button(board.game, board.turn_number, board.position, WHY_LABEL),)


def reasons_buttons(game: Game, turn_number: int, after: Position) -> tuple[Button, ...]:
    """Return a tuple with the private button that explains a turn, if it was the bot's. Empty otherwise.

    `after` is the position that the turn led to.
    """
    colour = Colour.WHITE if turn_number % 2 else Colour.BLACK
    if not turn_number or game.house_colour is not colour:
        return ()
    return (_reasons_button(game.id, turn_number, after, WHY_THIS_TURN_LABEL),)


def _reasons_button(game: int, turn_number: int, after: Position, label: str) -> Button:
    """Return the button of one turn. It names the position after it, so that it never explains another turn."""
    return Button(label, f"reasons:{game}:{turn_number}:{position_code(after)}")


def _result_rows(board: BoardMessage) -> tuple[ComponentRow, ...]:
    replay = Button(texts.REPLAY_LABEL, f"replay:{board.game}")
    record = (Button(texts.RECORD_LABEL, f"record:{board.game}"), replay) if board.turn_number else ()
    rematch = () if board.followed_by else (Button(texts.REMATCH_LABEL, f"rematch:{board.game}"),)
    is_explored = board.turn_number and board.cancelled_by is None
    explorer = (Button(texts.EXPLORER_LABEL, f"explore_game:{board.game}:0"),) if is_explored else ()
    analysis = (Button(texts.ANALYSE_LABEL, f"analyse:{board.game}"),) if is_explored else ()
    buttons = [*rematch, *record, *explorer, *analysis, *_reasons_buttons(board)]
    return tuple(button_rows(buttons)) if rematch or record else MY_GAMES


def move_button_label(game: Game) -> str:
    """Return the label of the button that opens a game's desk.

    It is **Decide** in a turn in which both players decide (R8.4), **Finish turn** within another turn, **Remove row**
    if a removal is due, else **Move**.
    """
    if game.handed_over:
        return texts.DECIDE_LABEL
    return texts.GO_ON_LABEL if game.draft else _next_move_label(board_texts.is_removal_due(game.current))


def _next_move_label(is_removal_due: bool) -> str:
    return texts.REMOVE_LABEL if is_removal_due else texts.MOVE_LABEL


def desk_button(game: Game) -> Button:
    """Return a direct message's button that opens the desk of a game."""
    return Button(move_button_label(game), f"message_desk:{game.id}", "primary")


def game_button(game: Game, user: int) -> Button:
    """Return a direct message's button for a game: it opens the desk if it is the user's turn, else the board."""
    if game.asked is not None and game.seats[game.asked].user == user:
        return desk_button(game)
    return Button(texts.BOARD_LABEL, f"game_board:{game.id}")


def channel_call_to_move(game: Game, user: int, text: str, more: tuple[Button, ...] = ()) -> OutboxMessage:
    """Return a message for a game's channel that pings `user`, the player to move.

    Its first button opens the desk. The buttons `more` follow.
    """
    button = Button(move_button_label(game), f"board:{game.id}:{game.turn_serial}", "primary")
    return OutboxMessage(text, (user,), None, ((button, *more),))
