"""`/gipf board turn:`: a game as it stood after one of its turns, for one person."""

from gipfbot.match import Game
from gipfbot.match.study import Study, parse_place
from gipfbot.notation import Notation, Record, RecordedTurn, turn_text
from gipfbot.rules import Ruleset, start
from gipfbot.service.delivery.board_message import BoardMessage
from gipfbot.ui.board import board_texts
from gipfbot.ui.board.public_board import game_picture, reasons_buttons, seat_names
from gipfbot.ui.kit import permissions, texts
from gipfbot.ui.kit.client import Interaction
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.pictures import board_picture
from gipfbot.ui.kit.refusal_texts import removal_why_buttons
from gipfbot.ui.kit.respond import notation_of, show_reply
from gipfbot.ui.kit.texts import with_code_block
from render import Picture, text_board

from . import export_texts, study_texts
from .explorer import explore_game_buttons
from .export import study_button

LONGEST_TURN_NUMBER = 10  # characters


async def show_past_board(interaction: Interaction, game_id: int, turn: str, *, as_text: bool) -> None:
    """Show a game as it stood after the turn with the number `turn`, such as `12b`, if the person may see the game.

    A text that is not the number of one of its turns is answered with those that there are.
    """
    stored, record = await interaction.client.app.studies.record(game_id, interaction.user.id)
    if reason := await permissions.why_game_hidden(interaction, stored):
        await show_reply(interaction, reason)
        return
    game, turns = stored.game, tuple(step.actions for step in record.turns)
    study = Study(0, record.rules, seat_names(game), turns)
    place = parse_place(turn, study)
    if place is None or place > len(turns):
        await show_reply(interaction, study_texts.bad_move_number_text(turn, study))
        return
    notation = await notation_of(interaction)
    picture = place_picture(game, record, place, notation)
    text = export_texts.past_board_text(game, record, place, notation)
    why = removal_why_buttons(record.rules, record.turns[place - 1].actions) if place else ()
    buttons = Button(texts.BOARD_LABEL, f"more:{game.id}::"), study_button(game.id)
    explaining = reasons_buttons(game, place, record.turns[place - 1].after) if place else ()
    rows = ((*buttons, *explore_game_buttons(game, place), *why, *explaining),)
    if as_text:
        await show_reply(interaction, with_code_block(text, text_board(picture)), rows=rows)
    else:
        await show_reply(interaction, text, picture, rows, colour=game.colour_of(interaction.user.id))


def place_picture(game: Game, record: Record, place: int, notation: Notation) -> Picture:
    """Return the board of a game after the first `place` turns of its record. After the last one, it shows the end."""
    if place == len(record.turns):
        return game_picture(game, notation)
    return turn_picture(game, record.turns[place - 1], notation) if place else start_picture(game, record.rules)


def turn_picture(game: Game, step: RecordedTurn, notation: Notation) -> Picture:
    """Return the board that was posted after a turn of a game, with its caption in `notation`."""
    text = turn_text(step.before, step.actions, notation)
    players = (game.seats[0].user, game.seats[1].user)
    shown = BoardMessage(
        game.id, step.turn_number, players, seat_names(game), step.after, step.before, step.actions, text
    )
    return board_picture(shown, board_texts.board_caption(shown))


def start_picture(game: Game, rules: Ruleset) -> Picture:
    """Return the board of a game before its first turn."""
    begin = BoardMessage(game.id, 0, (game.seats[0].user, game.seats[1].user), seat_names(game), start(rules))
    return board_picture(begin, board_texts.board_caption(begin))
