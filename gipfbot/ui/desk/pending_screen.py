"""The desk: the one screen that asks the pending question, whatever it is."""

from dataclasses import replace

from gipfbot.match import Game
from gipfbot.rules.pending import question
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit.texts import join_lines

from .noted_row_screens import noted_row_screen, pass_screen
from .removal_screens import removal_screen
from .screens import NO_FOCUS, Focus, Screen, push_screen
from .use_screens import use_screen


def desk_screen(game: Game, focus: Focus = NO_FOCUS) -> Screen:
    """Return the desk for the player whose turn it is.

    Does not check that the game is running.
    """
    asked = question(game.current)
    assert asked is not None
    if asked.any_order:
        return noted_row_screen(game, asked)
    if asked.may_pass and not asked.rows:
        return pass_screen(game)
    if asked.due or (focus.taking and asked.rows) or asked.pushed or not asked.may_act:
        shown = removal_screen(game, asked, focus)
    elif focus.using or not asked.pushes:
        shown = use_screen(game, asked, focus)
    else:
        shown = push_screen(game, asked, focus)
    note = desk_texts.forced_removals_text(game.position, game.draft, game.forced)
    return replace(shown, text=join_lines(note, shown.text))
