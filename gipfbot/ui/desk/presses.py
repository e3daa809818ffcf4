"""Read a press on the desk: which actions it plays, or what it selects. Used in games and in studies."""

from gipfbot.match import Game
from gipfbot.notation import ParseError, parse_action_code
from gipfbot.rules import PASS, Act, Action, Kind, Push, Remove, Use, play
from gipfbot.rules.pending import Question, question
from gipfbot.rules.powers import POWERS
from gipfbot.ui.desk.screens import Focus


def chosen_removal(asked: Question, line: str, taken: str) -> Remove | None:
    """Return the removal that a **Done** button stands for; None if that removal is not legal now.

    `line` is the code of the row's line. `taken` is the spots of the chosen pieces, joined: `e8f8`.
    """
    row = next((row for row in asked.rows if row.line.code == line), None)
    return row and row.removal([taken[at : at + 2] for at in range(0, len(taken), 2)])


# Verbs that play a turn shown for confirmation. The second one plays even a turn that loses on time.
PLAY_VERB, PLAY_ANYWAY_VERB = "play", "anyway"


def _pressed_kind(code: str) -> Kind:
    return Kind(code) if code == Kind.GIPF or code in POWERS else Kind.BASIC


def desk_actions(game: Game, asked: Question, verb: str, what: str) -> tuple[Action, ...]:
    """Return the actions that a desk button plays; empty for a button that only changes what is shown.

    Also empty if the button's push, use or removal is not legal now, or cannot be read. `verb` and `what` come from the
    button's `custom_id`.
    """
    if verb == "pass":
        return (PASS,)
    if verb in (PLAY_VERB, PLAY_ANYWAY_VERB):
        return _pressed_actions(what)
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


def _pressed_actions(codes: str) -> tuple[Action, ...]:
    try:
        return tuple(parse_action_code(code) for code in codes.split(";"))
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
