"""The screens of the desk: the text, picture and buttons that a player sees, and the meaning of each press.

A screen is a value. Its focus is the player's selection so far. The focus is stored only in the `custom_id`s of the
message; `desk_focus` reads it back.

In Overboard each answer about a row is a button of its own, since there are few: at most two runs at its ends, and at
most three GIPF-pieces.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gipfbot.languages import mark, say
from gipfbot.match import Game
from gipfbot.match.study import Study, perform_in_study, study_game
from gipfbot.notation import ParseError, action_code, parse_action_code
from gipfbot.rules import PASS, Act, Action, Kind, Position, Push, Remove, Stage, Use, play
from gipfbot.rules.geometry import EDGE
from gipfbot.rules.pending import Question, RowChoice, UseChoice, question
from gipfbot.rules.powers import POWERS
from gipfbot.rules.push_effects import most_taken, push_effect, two_counts
from gipfbot.ui.board.public_board import seat_names
from gipfbot.ui.kit import Button, Interaction, join_lines
from gipfbot.ui.kit.components import BUTTONS_PER_ROW, MOST_COMPONENTS, button_rows, count_components
from gipfbot.ui.kit.pictures import ROW_LETTERS, describe_actions
from gipfbot.ui.kit.texts import player_names
from gipfbot.ui.kit.turn_words import act_end
from render import Marks, Picture

from . import desk_texts
from .desk_texts import PLAYER, Reader

MOST_BESIDE_JUMPS = 20  # more buttons for jumps and loaded pieces would not fit into one message
# Verbs that play a turn shown for confirmation. The second one plays even a turn that loses on time.
PLAY_VERB, PLAY_ANYWAY_VERB = "play", "anyway"
START_OVER_VERB = "over"
BACK_ONE_TURN_LABEL, TYPE_IT_LABEL = mark("Back one turn"), mark("Type it…")
GONE_ON = mark("You have gone on since then. Here is where you are.")
MOST_BESIDE_PUSHES = 1  # button; a note, all dots and the pushes from one dot leave no room for more
OTHER_COMPONENTS = 4  # the text, the picture, a note, and the row of the study's own buttons


@dataclass(frozen=True)
class Focus:
    """The player's selection on the desk that is not played yet."""

    kind: Kind | None = None
    dot: str | None = None
    row: str | None = None  # the code of its line
    taken: tuple[str, ...] = ()  # spots of the optional pieces in that row that are selected to be taken
    taking: bool = False  # whether the player takes GIPF-pieces before the push
    using: bool = False  # whether the player uses a potential instead of a push
    loaded: str | None = None  # the spot of that potential's loaded piece


NO_FOCUS = Focus()


@dataclass(frozen=True)
class Screen:
    """A private message: its text, its picture, and its rows of components."""

    text: str
    picture: Picture
    rows: tuple[tuple[Button, ...], ...] = ()


def marked_picture(game: Game, caption: str, shown: Position | None = None) -> Picture:
    """Return the picture of a desk: the last turn and the draft are marked. `shown` replaces the current position.

    Once the draft has a push, only the draft is marked.
    """
    actions, start = (*game.draft, *game.forced), game.position
    if game.last and not any(isinstance(action, Push | Use) for action in actions):
        actions, start = (*game.last.actions, *actions), game.last.before
    names = player_names(seat_names(game))
    return Picture(shown or game.current, names, caption, Marks.of_turn(describe_actions(start, actions)))


def push_screen(game: Game, asked: Question, focus: Focus, reader: Reader, *, tells_win: bool = True) -> Screen:
    """Return the screen that asks for a push: the dots, and for a chosen dot its pushes.

    `tells_win` is as in `desk_screen`. Does not check that the question asks for a push.
    """
    kinds = [*dict.fromkeys(push.kind for push in asked.pushes)]
    kind = focus.kind if focus.kind in kinds else kinds[0]
    pushes = tuple(push for push in asked.pushes if push.kind is kind)
    from_dot = tuple(push for push in pushes if push.dot == focus.dot)
    dots = _dot_rows(pushes, focus.dot)
    if from_dot:
        text = desk_texts.choose_push_text(game.current, from_dot, reader)
        pushing = act_buttons(game.current, from_dot, reader, tells_win=tells_win)
        buttons = (*pushing, Button(say(desk_texts.BACK_LABEL), f"kind:{kind or '-'}"))
        picture = choices_picture(game, from_dot, say(desk_texts.PUSH_CAPTION))
        return Screen(text, picture, (buttons, *dots))
    others = _kinds_after(kinds, kind)
    uses = (Button(say(desk_texts.USE_LABEL), "use:-"),) if asked.uses else ()
    offers = (Button(say(desk_texts.TAKE_FIRST_LABEL), "take:-"),) if asked.rows else ()
    switch = [_kind_button(other) for other in others][: BUTTONS_PER_ROW - len(uses + offers)]
    row = (*switch, *uses, *offers)
    text = desk_texts.choose_dot_text(kind, others, reader)
    return Screen(text, marked_picture(game, say(desk_texts.DOT_CAPTION)), (*dots, row) if row else dots)


def _kinds_after(kinds: Sequence[Kind], kind: Kind) -> tuple[Kind, ...]:
    """Return the other kinds, starting after `kind`. So all can be reached even if not all have a button."""
    at = kinds.index(kind)
    return (*kinds[at + 1 :], *kinds[:at])


def choices_picture(game: Game, acts: tuple[Act, ...], caption: str) -> Picture:
    """Return the picture of a desk with an arrow for each of these pushes or uses."""
    return replace(marked_picture(game, caption), marks=Marks(choices=acts))


def typed_act_picture(game: Game, act: Act | None) -> Picture:
    """Return the picture of a game before a typed turn. An arrow shows the push or use that is not played yet."""
    return choices_picture(game, (act,), say(desk_texts.TYPED_CAPTION)) if act else marked_picture(game, "")


def _kind_button(kind: Kind) -> Button:
    return Button(desk_texts.kind_label(kind), f"kind:{kind or '-'}")


def _dot_rows(pushes: tuple[Push, ...], chosen: str | None) -> tuple[tuple[Button, ...], ...]:
    """Return a button for each dot that has a push, in the order of the edge."""
    dots, kind = sorted({push.dot for push in pushes}, key=EDGE.index), pushes[0].kind
    return tuple(
        button_rows(
            [Button(dot, f"dot:{kind or '-'}:{dot}", "primary" if dot == chosen else "secondary") for dot in dots]
        )
    )


def act_buttons(position: Position, acts: Iterable[Act], reader: Reader, *, tells_win: bool = True) -> Iterator[Button]:
    """Yield the buttons that play pushes or uses. Each label says where the act goes, and its effect.

    `tells_win` is as in `desk_screen`.
    """
    for act in acts:
        code, end = action_code(act), act_end(act)
        effect = push_effect(position, act)
        most, two = (0, 0), (False, False)
        if effect.returned or effect.captured:
            most = most_taken(position, act)
            two = two_counts(position, act) if most != (effect.returned, effect.captured) else two
        label = desk_texts.push_label(end, effect, reader, most, two, tells_win=tells_win)
        yield Button(label, f"push:{code}", "success")
        after = question(play(position, act))
        if after and after.pushed and after.may_pass:
            yield Button(desk_texts.push_then_take_label(end), f"more:{code}")


def removal_screen(game: Game, asked: Question, focus: Focus, reader: Reader) -> Screen:
    """Return the screen that asks which row is removed, or which pieces of a row.

    Does not check that the question asks for a removal.
    """
    group = _rows_to_ask(asked)
    row = next((row for row in group if row.line.code == focus.row), group[0] if len(group) == 1 else None)
    if row is None:
        return _row_screen(game, asked, group, reader)
    optional = {spot for toggle in row.toggles for spot in toggle}  # a forged button may name any spots
    taken = optional.intersection(focus.taken) if focus.row == row.line.code else ()
    return _pieces_screen(game, asked, row, {*taken}, reader)


def _rows_to_ask(asked: Question) -> tuple[RowChoice, ...]:
    """Return the rows to ask about now: a due row with all rows that share spots with it.

    If no row is due, or if a removal can free a piece that makes another row, return all rows.
    """
    if asked.frees:
        return asked.rows
    due = (group for group in asked.groups if any(row.due for row in group))
    return next(due, None) or (asked.rows if len(asked.groups) > 1 else asked.groups[0])


def _row_screen(game: Game, asked: Question, group: tuple[RowChoice, ...], reader: Reader) -> Screen:
    buttons = [
        Button(desk_texts.row_label(letter, game.current, row), _row_action(row), "primary" if row.due else "secondary")
        for letter, row in zip(ROW_LETTERS, group, strict=False)
    ]
    rows = tuple((letter, row.stretch) for letter, row in zip(ROW_LETTERS, group, strict=False))
    picture = marked_picture(game, say(desk_texts.ROW_CAPTION))
    return Screen(
        desk_texts.choose_row_text(asked, reader),
        replace(picture, marks=replace(picture.marks, rows=rows)),
        tuple(button_rows([*buttons, *_way_out_buttons(asked)])),
    )


def _row_action(row: RowChoice) -> str:
    return f"row:{row.line.code}" if row.toggles else _done_action(row, ())


def _done_action(row: RowChoice, taken: Iterable[str]) -> str:
    return f"done:{row.line.code}:{_join_spots(taken)}"


def _way_out_buttons(asked: Question) -> Iterator[Button]:
    if asked.may_pass:
        yield Button(say(desk_texts.KEEP_ALL_LABEL), "pass:-")
    elif not asked.due and asked.may_act:
        yield Button(say(desk_texts.BACK_LABEL), "back:-")


def _pieces_screen(game: Game, asked: Question, row: RowChoice, taken: Collection[str], reader: Reader) -> Screen:
    group, may_keep = _rows_to_ask(asked), asked.may_act or asked.pushed
    ways_out = [Button(say(desk_texts.BACK_LABEL), "back:-")] if len(group) > 1 else [*_way_out_buttons(asked)]
    if _is_one_piece_in_question(row):
        text = desk_texts.keep_or_take_text(game.current, row, reader)
        picture, buttons = _pieces_picture(game, row, None), [*_keep_or_take_buttons(row)]
    else:
        text = desk_texts.choose_pieces_text(game.current, row, taken, reader, may_keep=may_keep)
        picture, buttons = _pieces_picture(game, row, row.removal(taken)), [*_piece_buttons(row, {*taken})]
    return Screen(text, picture, tuple(button_rows([*buttons, *ways_out])))


def _pieces_picture(game: Game, row: RowChoice, removal: Remove | None) -> Picture:
    """Return the picture of a row with its optional pieces numbered. With `removal`, show what it would leave."""
    is_one = _is_one_piece_in_question(row)
    caption = desk_texts.piece_caption(game.current, row) if is_one else say(desk_texts.PIECES_CAPTION)
    picture = marked_picture(game, caption, _after_removal(game.current, removal) if removal else None)
    numbers = tuple((toggle[0], number) for number, toggle in enumerate(row.toggles, 1))
    if is_one:
        numbers = ()  # the buttons name the piece's spot
    marks = replace(picture.marks, rows=(("", row.stretch),), numbers=numbers)
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
    yield Button(desk_texts.keep_label(toggle), _done_action(row, ()), "primary")  # one colour: neither is better
    yield Button(desk_texts.take_label(toggle), _done_action(row, toggle), "primary")


def _piece_buttons(row: RowChoice, taken: set[str]) -> Iterator[Button]:
    """Yield a button for each optional piece. Pieces that can only go together share a button.

    Last comes **Done**, if the pieces in `taken` can be taken.
    """
    for number, toggle in enumerate(row.toggles, 1):
        goes = taken >= {*toggle}
        action = f"flip:{row.line.code}:{_join_spots(taken ^ {*toggle})}"
        yield Button(desk_texts.piece_toggle_label(number, toggle, goes), action, "primary" if goes else "secondary")
    if row.removal(taken):
        yield Button(say(desk_texts.DONE_LABEL), _done_action(row, taken), "success")


def _join_spots(spots: Iterable[str]) -> str:
    return "".join(sorted(spots))


def use_screen(game: Game, asked: Question, focus: Focus, reader: Reader, *, tells_win: bool = True) -> Screen:
    """Return the screen that asks for the use of a potential: the loaded pieces, and for a chosen one its jumps.

    `tells_win` is as in `desk_screen`. Does not check that the question asks for a use.
    """
    only = asked.uses[0] if len(asked.uses) == 1 else None
    chosen = next((use for use in asked.uses if use.spot == focus.loaded), only)
    if chosen is None:
        picture = marked_picture(game, say(desk_texts.USE_CAPTION))
        buttons = [*_piece_choices(asked, None), *_ways_back(asked)]
        return Screen(desk_texts.choose_potential_text(asked, reader), picture, tuple(button_rows(buttons)))
    return _jump_screen(game, asked, chosen, reader, tells_win=tells_win)


def _jump_screen(game: Game, asked: Question, chosen: UseChoice, reader: Reader, *, tells_win: bool) -> Screen:
    ways = sorted(chosen.ways, key=lambda way: (way.target, way.put))
    jumps = [*act_buttons(game.current, ways, reader, tells_win=tells_win)]
    alone = len(asked.uses) == 1
    back = _ways_back(asked) if alone else [Button(say(desk_texts.BACK_LABEL), "use:-")]
    others = [] if alone else [*_piece_choices(asked, chosen)]
    rows = (*button_rows([*jumps, *back]), *button_rows(others if len(jumps + others) <= MOST_BESIDE_JUMPS else []))
    picture = choices_picture(game, chosen.ways, say(desk_texts.JUMP_CAPTION))
    return Screen(desk_texts.choose_jump_text(chosen, reader), picture, rows)


def _piece_choices(asked: Question, chosen: UseChoice | None) -> Iterator[Button]:
    for use in asked.uses:
        style = "primary" if use is chosen else "secondary"
        yield Button(desk_texts.loaded_piece_label(use), f"piece:{use.spot}", style)


def _ways_back(asked: Question) -> Iterator[Button]:
    if asked.rows:
        yield Button(say(desk_texts.TAKE_FIRST_LABEL), "take:-")
    if asked.pushes:
        yield Button(say(desk_texts.BACK_LABEL), "back:-")


def noted_row_screen(game: Game, asked: Question, reader: Reader) -> Screen:
    """Return the screen that asks about noted rows. Does not check that there are any."""
    if asked.stage is None:
        return _order_screen(game, asked)
    (row,), position = asked.rows, game.current
    if asked.stage is Stage.ENDS:
        text = desk_texts.ends_text(position, row, reader)
        labels = [desk_texts.ends_label(row, way.spots) for way in row.ways]
    else:
        text = desk_texts.give_up_text(position, row, reader)
        labels = [desk_texts.give_up_label(row, way.spots, reader, loses=_loses(position, way)) for way in row.ways]
    answers = zip(labels, row.ways, strict=True)
    buttons = [Button(label, _way_action(row, way), _way_style(position, way)) for label, way in answers]
    return Screen(text, _rows_picture(game, (row,)), tuple(button_rows(buttons)))


def _order_screen(game: Game, asked: Question) -> Screen:
    """Return the screen that asks which row is resolved next."""
    buttons = [
        Button(desk_texts.noted_row_label(letter, row), _way_action(row, row.ways[0]), "primary")
        for letter, row in zip(ROW_LETTERS, asked.rows, strict=False)
    ]
    return Screen(say(desk_texts.WHICH_ROW), _rows_picture(game, asked.rows), tuple(button_rows(buttons)))


def _rows_picture(game: Game, rows: tuple[RowChoice, ...]) -> Picture:
    picture = marked_picture(game, say(desk_texts.ROWS_CAPTION))
    letters = ROW_LETTERS if len(rows) > 1 else ("",)  # the buttons name the letters
    lettered = tuple((letter, row.core) for letter, row in zip(letters, rows, strict=False))
    return replace(picture, marks=replace(picture.marks, rows=lettered))


def _way_action(row: RowChoice, way: Remove) -> str:
    return f"done:{row.line.code}:{''.join(spot for spot in way.spots if spot not in row.must)}"


def _way_style(position: Position, way: Remove) -> str:
    return "danger" if _loses(position, way) else "primary"


def _loses(position: Position, way: Remove) -> bool:
    """Return whether a removal takes the decider's last GIPF-pieces."""
    own = {spot for spot, piece in position.pieces().items() if piece == (position.decider, Kind.GIPF, ())}
    return bool(own) and own <= {*way.spots}


def pass_screen(game: Game, reader: Reader) -> Screen:
    """Return the screen of a player who can only pass (R8.5)."""
    buttons = (Button(say(desk_texts.PASS_LABEL), "pass:-", "primary"),)
    return Screen(desk_texts.pass_text(reader), marked_picture(game, say(desk_texts.PASS_CAPTION)), (buttons,))


def desk_screen(game: Game, focus: Focus = NO_FOCUS, reader: Reader = PLAYER, *, tells_win: bool = True) -> Screen:
    """Return the desk of the player whose turn it is. `reader` is who reads it, if they plan or guess that turn.

    `tells_win` says whether a button names a win before it is pressed: in a puzzle that would be the answer. Does not
    check that the game is running.
    """
    shown = _asking_screen(game, focus, reader, tells_win=tells_win)
    return replace(shown, picture=replace(shown.picture, caption=reader.captioned(shown.picture.caption)))


def _asking_screen(game: Game, focus: Focus, reader: Reader, *, tells_win: bool) -> Screen:
    asked = question(game.current)
    assert asked is not None
    if asked.any_order:
        return noted_row_screen(game, asked, reader)
    if asked.may_pass and not asked.rows:
        return pass_screen(game, reader)
    if asked.due or (focus.taking and asked.rows) or asked.pushed or not asked.may_act:
        shown = removal_screen(game, asked, focus, reader)
    elif focus.using or not asked.pushes:
        shown = use_screen(game, asked, focus, reader, tells_win=tells_win)
    else:
        shown = push_screen(game, asked, focus, reader, tells_win=tells_win)
    note = desk_texts.forced_removals_text(game.position, game.draft, game.forced, reader)
    return replace(shown, text=join_lines(note, shown.text))


def desk_prefix(game: Game, page: str) -> str:
    """Return the start of all `custom_id`s on a game's desk. `page` is as in `ui/play/desk_view.py`."""
    return f"desk:{game.id}:{game.version}:{page}:"


def start_over_button(game: Game) -> tuple[Button, ...]:
    """Return the button that takes back what nobody else has seen of the turn; none if nothing is begun."""
    return (Button(say(desk_texts.START_OVER_LABEL), f"{START_OVER_VERB}:-"),) if game.may_start_over else ()


def chosen_removal(asked: Question, line: str, taken: str) -> Remove | None:
    """Return the removal that a **Done** button stands for; None if that removal is not legal now.

    `line` is the code of the row's line. `taken` is the spots of the chosen pieces, joined: `e8f8`.
    """
    row = next((row for row in asked.rows if row.line.code == line), None)
    return row and row.removal([taken[at : at + 2] for at in range(0, len(taken), 2)])


def _pressed_kind(code: str) -> Kind:
    return Kind(code) if code == Kind.GIPF or code in POWERS else Kind.BASIC


def desk_actions(game: Game, asked: Question, verb: str, what: str) -> tuple[Action, ...]:
    """Return the actions that a desk button plays; empty for a button that only changes what is shown.

    Also empty if the button's push, use or removal is not legal now, or cannot be read. `verb` and `what` come from the
    button's `custom_id`.
    """
    if verb == "pass":
        return (PASS,)
    if offered := offered_actions(verb, what):
        return offered
    if verb == "done":
        line, _, spots = what.partition(":")
        removal = chosen_removal(asked, line, spots)
        return (removal,) if removal else ()
    if verb not in ("push", "more"):
        return ()
    act = _pressed_act(what)
    if act is None or act not in asked.acts:
        return ()
    after = question(play(game.current, act))
    offers_only = after is not None and after.pushed and after.may_pass
    return (act, PASS) if offers_only and verb == "push" else (act,)


def offered_actions(verb: str, what: str) -> tuple[Action, ...]:
    """Return the actions of a button that offers a turn. Empty for any other button.

    Does not check that they are legal. `verb` and `what` come from the button's `custom_id`.
    """
    if verb not in (PLAY_VERB, PLAY_ANYWAY_VERB):
        return ()
    try:
        return tuple(parse_action_code(code) for code in what.split(";"))
    except ParseError:
        return ()


def _pressed_act(code: str) -> Act | None:
    try:
        action = parse_action_code(code)
    except ParseError:
        return None
    return action if isinstance(action, Push | Use) else None


def desk_focus(verb: str, what: str) -> Focus:
    """Return the focus that a desk button sets; an empty focus for any other button.

    `verb` and `what` come from the button's `custom_id`.
    """
    match verb:
        case "kind":
            return Focus(kind=_pressed_kind(what))
        case "dot":
            kind, _, dot = what.partition(":")
            return Focus(kind=_pressed_kind(kind), dot=dot)
        case "use":
            return Focus(using=True)
        case "piece":
            return Focus(using=True, loaded=what)
        case "take":
            return Focus(taking=True)
        case "row":
            return Focus(row=what, taking=True)
        case "flip":
            line, _, spots = what.partition(":")
            return Focus(row=line, taken=tuple(spots[at : at + 2] for at in range(0, len(spots), 2)), taking=True)
        case _:
            return Focus()


# ── What the desks of all studies share ──


def pressed_step(study: Study, verb: str, what: str) -> Callable[[Study], Study] | None:
    """Return a function that plays the pressed part of a turn. None if the press only changes what is shown.

    The function raises Refused if that part is illegal.
    """
    game = study_game(study)
    actions = desk_actions(game, game.question, verb, what) if game.question else ()
    return partial(perform_in_study, actions=actions) if actions else None


async def replay_study_aside(interaction: Interaction, study: Study) -> None:
    """Replay a study in a thread. After that, `study_game` need not replay it, with or without its tried turns."""
    for each in (replace(study, tried=(), draft=()), study):
        await interaction.client.app.aside.run(interaction.user.id, study_game, each)


def buttons_beside(rows: Sequence[tuple[Button, ...]], focus: Focus) -> int:
    """Return the number of a study's buttons that fit beside these rows of the desk."""
    if focus.dot:
        return MOST_BESIDE_PUSHES
    return min(BUTTONS_PER_ROW, MOST_COMPONENTS - OTHER_COMPONENTS - count_components(rows))
