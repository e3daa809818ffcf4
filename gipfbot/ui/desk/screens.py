"""The screens of the desk: what a player sees and may press, built from the pending question alone.

A screen is a value. What the player has selected so far is its focus. The focus is stored only in the `custom_id`s of
the message; `presses` reads it back.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gipfbot.match import Game
from gipfbot.notation import action_code
from gipfbot.rules import Act, Kind, Position, Push, Use, play
from gipfbot.rules.geometry import EDGE
from gipfbot.rules.pending import Question, question
from gipfbot.rules.push_effects import push_effect
from gipfbot.ui.board.public_board import seat_names
from gipfbot.ui.desk import desk_texts
from gipfbot.ui.kit.components import BUTTONS_PER_ROW, Button, button_rows
from gipfbot.ui.kit.pictures import describe_actions
from render import Marks, Picture


@dataclass(frozen=True)
class Focus:
    """What the player has selected on the desk but not yet played."""

    kind: Kind | None = None
    dot: str | None = None
    row: str | None = None  # the code of its line
    taken: tuple[str, ...] = ()  # spots of the optional pieces in that row that are selected to be taken
    taking: bool = False  # whether the player takes GIPF-pieces before the push
    using: bool = False  # whether the player uses a potential instead of a push
    loaded: str | None = None  # the spot of its loaded piece


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
    return Picture(shown or game.current, seat_names(game), caption, Marks.of_turn(describe_actions(start, actions)))


def push_screen(game: Game, asked: Question, focus: Focus) -> Screen:
    """Return the screen that asks for a push: the dots, and for a chosen dot its pushes.

    Does not check that the question asks for a push.
    """
    kinds = [*dict.fromkeys(push.kind for push in asked.pushes)]
    kind = focus.kind if focus.kind in kinds else kinds[0]
    pushes = tuple(push for push in asked.pushes if push.kind is kind)
    from_dot = tuple(push for push in pushes if push.dot == focus.dot)
    dots = _dot_rows(pushes, focus.dot)
    if from_dot:
        text = desk_texts.choose_push_text(game.current, from_dot[0])
        buttons = (*act_buttons(game.current, from_dot), Button(desk_texts.BACK_LABEL, f"kind:{kind or '-'}"))
        picture = choices_picture(game, from_dot, desk_texts.PUSH_CAPTION)
        return Screen(text, picture, (buttons, *dots))
    others = _kinds_after(kinds, kind)
    uses = (Button(desk_texts.USE_LABEL, "use:-"),) if asked.uses else ()
    offers = (Button(desk_texts.TAKE_FIRST_LABEL, "take:-"),) if asked.rows else ()
    switch = [_kind_button(other) for other in others][: BUTTONS_PER_ROW - len(uses + offers)]
    row = (*switch, *uses, *offers)
    text = desk_texts.choose_dot_text(kind, others)
    return Screen(text, marked_picture(game, desk_texts.DOT_CAPTION), (*dots, row) if row else dots)


def _kinds_after(kinds: Sequence[Kind], kind: Kind) -> tuple[Kind, ...]:
    """Return the other kinds, beginning with the one behind `kind`: all are reached even if not all have a button."""
    at = kinds.index(kind)
    return (*kinds[at + 1 :], *kinds[:at])


def choices_picture(game: Game, acts: tuple[Act, ...], caption: str) -> Picture:
    """Return the picture of a desk with an arrow for each of these pushes or uses."""
    return replace(marked_picture(game, caption), marks=Marks(choices=acts))


def typed_act_picture(game: Game, act: Act | None) -> Picture:
    """Return the picture of a game before a typed turn: an arrow shows the push or use, as not played yet."""
    return choices_picture(game, (act,), desk_texts.TYPED_CAPTION) if act else marked_picture(game, "")


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


def act_buttons(position: Position, acts: Iterable[Act]) -> Iterator[Button]:
    """Yield the buttons that play pushes or uses. Each says where it goes and the least it does."""
    for act in acts:
        code, end = action_code(act), desk_texts.act_end(act)
        yield Button(desk_texts.push_label(end, push_effect(position, act)), f"push:{code}", "success")
        after = question(play(position, act))
        if after and after.pushed and after.may_pass:
            yield Button(desk_texts.push_then_take_label(end), f"more:{code}")
