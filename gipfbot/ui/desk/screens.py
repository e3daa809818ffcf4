"""The screens of the desk: what a player sees and may press, built from the pending question alone.

A screen is a value. What the player has selected so far is its focus. The focus is stored only in the `custom_id`s of
the message; `presses` reads it back.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gipfbot.match import Game
from gipfbot.notation import OFFICIAL, Notation, action_code
from gipfbot.rules import Kind, Position, Push, play
from gipfbot.rules.changes import moves
from gipfbot.rules.pending import Question, RowChoice, question
from gipfbot.ui.board.game_view import seat_names
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit import text_parts
from gipfbot.ui.kit.pictures import ROW_LETTERS, describe_actions
from gipfbot.ui.kit.widgets import Button, ComponentRow, Select, button_rows
from render import Marks, Picture


@dataclass(frozen=True)
class Focus:
    """What the player has selected on the desk but not yet played."""

    kind: Kind | None = None
    push: Push | None = None
    row: str | None = None  # the code of its line
    taken: tuple[str, ...] = ()  # spots of the GIPF-pieces in that row that are selected to be taken
    taking: bool = False  # whether the player takes GIPF-pieces before the push


NO_FOCUS = Focus()


@dataclass(frozen=True)
class Screen:
    """A private message: its text, its picture, and its rows of components."""

    text: str
    picture: Picture
    rows: tuple[ComponentRow, ...] = ()


def desk_screen(game: Game, focus: Focus = NO_FOCUS, notation: Notation = OFFICIAL, *, tried: bool = False) -> Screen:
    """Return the desk for the player whose turn it is. `tried` means that the turn is tried in a study.

    Does not check that the game is running.
    """
    asked = question(game.current)
    assert asked is not None
    note = desk_texts.forced_removals_text(game.position, game.draft, game.forced)
    if asked.due or focus.taking or asked.pushed or not asked.pushes:
        return _removal_screen(game, asked, focus, note)
    return _push_screen(game, asked, focus, note, notation, tried)


def _desk_picture(
    game: Game,
    caption: str,
    *,
    preview: Push | None = None,
    entries: tuple[Push, ...] = (),
    rows: tuple[tuple[str, tuple[str, ...]], ...] = (),
    numbers: tuple[tuple[str, int], ...] = (),
) -> Picture:
    done = Marks.of_turn(describe_actions(game.position, (*game.draft, *game.forced)))
    marks = replace(done, preview=preview, entries=entries, rows=rows, numbers=numbers)
    return Picture(game.current, seat_names(game), caption, marks)


def _push_screen(game: Game, asked: Question, focus: Focus, note: str, notation: Notation, tried: bool) -> Screen:
    opening = bool(game.current.opening[asked.by])
    kind = _kind_to_push(asked, focus, opening=opening)
    offers = (Button(desk_texts.TAKE_FIRST_LABEL, "take:-"),) if asked.rows else ()
    if kind is None:
        return _kind_screen(game, note, offers)
    if focus.push is not None and focus.push in asked.pushes:
        return _confirm_screen(game, asked, focus.push, note, notation, offers)
    other = (Button(desk_texts.OTHER_PIECE_LABEL, "back:-"),) if opening else ()
    text = text_parts.join_lines(note, desk_texts.choose_dot_text(kind, tried=tried))
    rows = [row for row in (_dot_select(asked, kind), (*other, *offers)) if row]
    return Screen(text, _desk_picture(game, desk_texts.DOT_CAPTION), tuple(rows))


def _kind_to_push(asked: Question, focus: Focus, *, opening: bool) -> Kind | None:
    """Return the kind of piece to push; None if the player has to choose the kind first."""
    if focus.kind in {push.kind for push in asked.pushes}:
        return focus.kind
    return None if opening else Kind.BASIC


def _kind_screen(game: Game, note: str, offers: tuple[Button, ...]) -> Screen:
    kinds = (
        Button(desk_texts.GIPF_PIECE_LABEL, "kind:G", "primary"),
        Button(desk_texts.BASIC_PIECE_LABEL, "kind:-"),
    )
    text = text_parts.join_lines(note, desk_texts.CHOOSE_KIND)
    return Screen(text, _desk_picture(game, desk_texts.KIND_CAPTION), ((*kinds, *offers),))


def _confirm_screen(
    game: Game, asked: Question, push: Push, note: str, notation: Notation, offers: tuple[Button, ...]
) -> Screen:
    """Return the screen after a dot was chosen, with a piece shown on that dot.

    The player can push, change the direction, or choose another dot.
    """
    others = tuple(
        other for other in asked.pushes if (other.dot, other.kind) == (push.dot, push.kind) and other != push
    )
    text = text_parts.join_lines(note, desk_texts.confirm_push_text(push, notation.push_text(game.current, push)))
    picture = _desk_picture(game, desk_texts.PUSH_CAPTION, preview=push, entries=others)
    buttons = (*_push_buttons(game.current, push, others, asked), *offers)
    return Screen(text, picture, (buttons, _dot_select(asked, push.kind, push.dot)))


def _dot_select(asked: Question, kind: Kind, chosen: str | None = None) -> Select:
    dots = dict.fromkeys(push.dot for push in asked.pushes if push.kind is kind)
    return Select(desk_texts.DOT_PLACEHOLDER, f"dot:{kind or '-'}", tuple((dot, dot) for dot in dots), chosen)


def _push_buttons(position: Position, push: Push, others: tuple[Push, ...], asked: Question) -> Iterator[Button]:
    code = action_code(push)
    yield Button(desk_texts.push_label(push.dot, moves(position, push)[0][1]), f"push:{code}", "success")
    after = question(play(position, push))
    if after and after.pushed and after.by is asked.by and after.may_pass:
        yield Button(desk_texts.PUSH_THEN_TAKE_LABEL, f"more:{code}")
    for other in others:
        yield Button(desk_texts.OTHER_DIRECTION_LABEL, f"look:{action_code(other)}")


def _removal_screen(game: Game, asked: Question, focus: Focus, note: str) -> Screen:
    group = _rows_to_ask(asked)
    row = next((row for row in group if row.line.code == focus.row), group[0] if len(group) == 1 else None)
    if row is None:
        return _row_screen(game, asked, group, note)
    return _pieces_screen(game, asked, row, focus, note)


def _rows_to_ask(asked: Question) -> tuple[RowChoice, ...]:
    """Return the rows to ask about now: a due row with all rows that share spots with it.

    If no row is due, return all rows.
    """
    due = (group for group in asked.groups if any(row.due for row in group))
    return next(due, None) or (asked.rows if len(asked.groups) > 1 else asked.groups[0])


def _row_screen(game: Game, asked: Question, group: tuple[RowChoice, ...], note: str) -> Screen:
    buttons = [
        Button(desk_texts.row_label(letter, game.current, row), _row_action(row), "primary" if row.due else "secondary")
        for letter, row in zip(ROW_LETTERS, group, strict=False)
    ]
    marks = tuple((letter, row.stretch) for letter, row in zip(ROW_LETTERS, group, strict=False))
    return Screen(
        text_parts.join_lines(note, desk_texts.choose_row_text(asked)),
        _desk_picture(game, desk_texts.ROW_CAPTION, rows=marks),
        tuple(button_rows([*buttons, *_way_out_buttons(asked)])),
    )


def _row_action(row: RowChoice) -> str:
    return f"row:{row.line.code}" if row.toggles else f"done:{row.line.code}:"


def _way_out_buttons(asked: Question) -> Iterator[Button]:
    if asked.may_pass:
        yield Button(desk_texts.KEEP_ALL_LABEL, "pass:-")
    elif not asked.due and asked.pushes:
        yield Button(desk_texts.BACK_LABEL, "back:-")


def _pieces_screen(game: Game, asked: Question, row: RowChoice, focus: Focus, note: str) -> Screen:
    group, may_keep = _rows_to_ask(asked), bool(asked.pushes) or asked.pushed
    taken = {*focus.taken} if focus.row == row.line.code else set[str]()
    ways_out = [Button(desk_texts.BACK_LABEL, "back:-")] if len(group) > 1 else [*_way_out_buttons(asked)]
    letter = ROW_LETTERS[group.index(row)]  # the letter under which the player chose the row
    numbers = tuple((toggle[0], number) for number, toggle in enumerate(row.toggles, 1))
    text = text_parts.join_lines(note, desk_texts.choose_pieces_text(game.current, row, may_keep=may_keep))
    picture = _desk_picture(game, desk_texts.PIECES_CAPTION, rows=((letter, row.stretch),), numbers=numbers)
    return Screen(text, picture, tuple(button_rows([*_piece_buttons(row, taken), *ways_out])))


def _piece_buttons(row: RowChoice, taken: set[str]) -> Iterator[Button]:
    """Yield a button for each GIPF-piece that may stay. Pieces that can only go together share a button.

    Last comes **Done**, if the pieces in `taken` can be taken.
    """
    for number, toggle in enumerate(row.toggles, 1):
        goes = taken >= {*toggle}
        action = f"flip:{row.line.code}:{_join_spots(taken ^ {*toggle})}"
        yield Button(desk_texts.piece_toggle_label(number, toggle, goes), action, "danger" if goes else "secondary")
    if row.removal(taken):
        yield Button(desk_texts.DONE_LABEL, f"done:{row.line.code}:{_join_spots(taken)}", "success")


def _join_spots(spots: Iterable[str]) -> str:
    return "".join(sorted(spots))
