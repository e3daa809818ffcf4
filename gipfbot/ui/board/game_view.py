"""A game as everybody sees it: the names of its players, its picture, and the link to its newest board."""

from dataclasses import replace

from gipfbot.match import Game, Status
from gipfbot.notation import OFFICIAL, Notation, turn_text
from gipfbot.service.delivery.board_message import new_board_message
from gipfbot.ui.board import board_texts
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.respond import message_address
from gipfbot.values import EndedGame, GameBrief, StoredGame
from render import Picture


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
