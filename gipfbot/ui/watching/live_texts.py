"""Texts of the list of a server's running games. Their lines are short, as a button stands beside each."""

from gipfbot.match import Game
from gipfbot.notation import Notation, turn_text
from gipfbot.rules import ruleset_words
from gipfbot.service.kit.loaded_games import game_name
from gipfbot.ui.board.public_board import board_url
from gipfbot.ui.kit.listed_game import LISTED_NAME_LENGTH
from gipfbot.ui.kit.texts import asked_for, escape_text, escape_turn, join_lines, link_to, short_turn, shorten_text
from gipfbot.values import StoredGame

WATCH_LABEL, NEWER_LABEL, OLDER_LABEL = "Watch", "◀", "▶"
NEEDS_SERVER = "A server's running games are listed on the server: use **/gipf live** there."
NOTHING_RUNS = "No games are running here that you can see. Start one with **/gipf challenge**."
PAGE_GONE = "That page is gone, so here's the first."
LONGEST_TURN = 30  # characters


def live_heading(page_number: int) -> str:
    """Return what stands above the games of a page, counted from 0."""
    page = f" · page {page_number + 1}" if page_number else ""
    return f"**Running games you can see here**, last moved first{page}"


def live_label(game: Game) -> str:
    """Return the label of a game's small board: its name and its players."""
    return f"{game_name(game.id)} {game.seats[0].name} vs {game.seats[1].name}"


def live_line(stored: StoredGame, notation: Notation) -> str:
    """Return the lines of a running game: its players, its last turn, and who is to move."""
    game, name = stored.game, f"**{game_name(stored.game.id)}**"
    white, black = (_short_name(seat.name) for seat in game.seats)
    url = board_url(stored)
    last = game.last
    played = (
        f"{_short_name(game.seats[last.colour].name)} played {_short_turn(game, notation)}" if last else "No turn yet"
    )
    awaited = _short_name(game.seats[game.decider].name)
    return join_lines(
        f"{link_to(name, url) if url else name} {white} vs {black} · {ruleset_words(game.ruleset.name)}",
        f"{played} · {awaited}'s {asked_for(answering=game.answering)}",
    )


def _short_name(name: str) -> str:
    return escape_text(shorten_text(name, LISTED_NAME_LENGTH))


def _short_turn(game: Game, notation: Notation) -> str:
    assert game.last
    text = turn_text(game.last.before, game.last.actions, notation)
    return escape_turn(shorten_text(short_turn(text), LONGEST_TURN))
