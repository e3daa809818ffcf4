"""The screens of the desk that ask about removals: which row comes first, and which pieces of a row are taken."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from gipfbot.match import Game
from gipfbot.rules import Position, Remove, play
from gipfbot.rules.pending import Question, RowChoice
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit.components import Button, button_rows
from gipfbot.ui.kit.pictures import ROW_LETTERS, describe_actions
from render import Marks, Picture

from .screens import Focus, Screen, marked_picture


def removal_screen(game: Game, asked: Question, focus: Focus) -> Screen:
    """Return the screen that asks which row is removed, or which pieces of a row. Does not check that one is."""
    group = _rows_to_ask(asked)
    row = next((row for row in group if row.line.code == focus.row), group[0] if len(group) == 1 else None)
    if row is None:
        return _row_screen(game, asked, group)
    optional = {spot for toggle in row.toggles for spot in toggle}  # a forged button may name any spots
    taken = optional.intersection(focus.taken) if focus.row == row.line.code else ()
    return _pieces_screen(game, asked, row, {*taken})


def _rows_to_ask(asked: Question) -> tuple[RowChoice, ...]:
    """Return the rows to ask about now: a due row with all rows that share spots with it.

    If no row is due, or if a removal can free a piece that makes another row, return all rows.
    """
    if asked.frees:
        return asked.rows
    due = (group for group in asked.groups if any(row.due for row in group))
    return next(due, None) or (asked.rows if len(asked.groups) > 1 else asked.groups[0])


def _row_screen(game: Game, asked: Question, group: tuple[RowChoice, ...]) -> Screen:
    buttons = [
        Button(desk_texts.row_label(letter, game.current, row), _row_action(row), "primary" if row.due else "secondary")
        for letter, row in zip(ROW_LETTERS, group, strict=False)
    ]
    rows = tuple((letter, row.stretch) for letter, row in zip(ROW_LETTERS, group, strict=False))
    picture = marked_picture(game, desk_texts.ROW_CAPTION)
    return Screen(
        desk_texts.choose_row_text(asked),
        replace(picture, marks=replace(picture.marks, rows=rows)),
        tuple(button_rows([*buttons, *_way_out_buttons(asked)])),
    )


def _row_action(row: RowChoice) -> str:
    return f"row:{row.line.code}" if row.toggles else _done_action(row, ())


def _done_action(row: RowChoice, taken: Iterable[str]) -> str:
    return f"done:{row.line.code}:{_join_spots(taken)}"


def _way_out_buttons(asked: Question) -> Iterator[Button]:
    if asked.may_pass:
        yield Button(desk_texts.KEEP_ALL_LABEL, "pass:-")
    elif not asked.due and asked.may_act:
        yield Button(desk_texts.BACK_LABEL, "back:-")


def _pieces_screen(game: Game, asked: Question, row: RowChoice, taken: Collection[str]) -> Screen:
    group, may_keep = _rows_to_ask(asked), asked.may_act or asked.pushed
    ways_out = [Button(desk_texts.BACK_LABEL, "back:-")] if len(group) > 1 else [*_way_out_buttons(asked)]
    letter = ROW_LETTERS[group.index(row)]  # the letter under which the player chose the row
    if _is_one_piece_in_question(row):
        text = desk_texts.keep_or_take_text(game.current, row)
        picture, buttons = _pieces_picture(game, row, letter, None), [*_keep_or_take_buttons(row)]
    else:
        text = desk_texts.choose_pieces_text(game.current, row, taken, may_keep=may_keep)
        picture, buttons = _pieces_picture(game, row, letter, row.removal(taken)), [*_piece_buttons(row, {*taken})]
    return Screen(text, picture, tuple(button_rows([*buttons, *ways_out])))


def _pieces_picture(game: Game, row: RowChoice, letter: str, removal: Remove | None) -> Picture:
    """Return the picture of a row with its optional pieces numbered. With `removal`, show what it would leave."""
    caption = desk_texts.PIECE_CAPTION if _is_one_piece_in_question(row) else desk_texts.PIECES_CAPTION
    picture = marked_picture(game, caption, _after_removal(game.current, removal) if removal else None)
    numbers = tuple((toggle[0], number) for number, toggle in enumerate(row.toggles, 1))
    if _is_one_piece_in_question(row):
        numbers = ()  # its buttons name its spot
    marks = replace(picture.marks, rows=((letter, row.stretch),), numbers=numbers)
    if removal:
        gone = Marks.of_turn(describe_actions(game.current, (removal,))).ghosts
        marks = replace(marks, ghosts=(*marks.ghosts, *gone))
    return replace(picture, marks=marks)


def _after_removal(position: Position, removal: Remove) -> Position:
    """Return the position with a row off the board, and the same player still to decide."""
    return play(position, removal)._replace(mover=position.mover, pushed=position.pushed, result=None)


def _is_one_piece_in_question(row: RowChoice) -> bool:
    """Return whether the only choice about a row is to keep or to take one piece."""
    return row.due and len(row.toggles) == 1 and len(row.ways) == 2


def _keep_or_take_buttons(row: RowChoice) -> Iterator[Button]:
    (toggle,) = row.toggles
    yield Button(desk_texts.keep_label(toggle), _done_action(row, ()), "success")
    yield Button(desk_texts.take_label(toggle), _done_action(row, toggle), "danger")


def _piece_buttons(row: RowChoice, taken: set[str]) -> Iterator[Button]:
    """Yield a button for each piece that may stay. Pieces that can only go together share a button.

    Last comes **Done**, if the pieces in `taken` can be taken.
    """
    for number, toggle in enumerate(row.toggles, 1):
        goes = taken >= {*toggle}
        action = f"flip:{row.line.code}:{_join_spots(taken ^ {*toggle})}"
        yield Button(desk_texts.piece_toggle_label(number, toggle, goes), action, "danger" if goes else "secondary")
    if row.removal(taken):
        yield Button(desk_texts.DONE_LABEL, _done_action(row, taken), "success")


def _join_spots(spots: Iterable[str]) -> str:
    return "".join(sorted(spots))
