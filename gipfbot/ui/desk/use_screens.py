"""The screens of the desk that ask which potential is used, and where it jumps to."""

from collections.abc import Iterator

from gipfbot.match import Game
from gipfbot.rules.pending import Question, UseChoice
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit.components import Button, button_rows

from .screens import Focus, Screen, act_buttons, choices_picture, marked_picture

MOST_BESIDE_JUMPS = 20  # buttons; more jumps and loaded pieces would not fit into one message


def use_screen(game: Game, asked: Question, focus: Focus) -> Screen:
    """Return the screen that asks for the use of a potential: the loaded pieces, and for a chosen one its jumps.

    Does not check that the question asks for a use.
    """
    only = asked.uses[0] if len(asked.uses) == 1 else None
    chosen = next((use for use in asked.uses if use.spot == focus.loaded), only)
    if chosen is None:
        picture = marked_picture(game, desk_texts.USE_CAPTION)
        buttons = [*_piece_choices(asked, None), *_ways_back(asked)]
        return Screen(desk_texts.choose_potential_text(asked), picture, tuple(button_rows(buttons)))
    return _jump_screen(game, asked, chosen)


def _jump_screen(game: Game, asked: Question, chosen: UseChoice) -> Screen:
    ways = sorted(chosen.ways, key=lambda way: (way.target, way.put))
    jumps = [*act_buttons(game.current, ways)]
    alone = len(asked.uses) == 1
    back = _ways_back(asked) if alone else [Button(desk_texts.BACK_LABEL, "use:-")]
    others = [] if alone else [*_piece_choices(asked, chosen)]
    rows = (*button_rows([*jumps, *back]), *button_rows(others if len(jumps + others) <= MOST_BESIDE_JUMPS else []))
    picture = choices_picture(game, chosen.ways, desk_texts.JUMP_CAPTION)
    return Screen(desk_texts.choose_jump_text(chosen), picture, rows)


def _piece_choices(asked: Question, chosen: UseChoice | None) -> Iterator[Button]:
    for use in asked.uses:
        style = "primary" if use is chosen else "secondary"
        yield Button(desk_texts.loaded_piece_label(use), f"piece:{use.spot}", style)


def _ways_back(asked: Question) -> Iterator[Button]:
    if asked.rows:
        yield Button(desk_texts.TAKE_FIRST_LABEL, "take:-")
    if asked.pushes:
        yield Button(desk_texts.BACK_LABEL, "back:-")
