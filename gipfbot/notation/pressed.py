"""Turns as their buttons are pressed, which is how games of newcomers are told."""

from collections.abc import Sequence

from gipfbot.rules import Action, Kind, Push
from gipfbot.rules.actions import Act, Remove, Use
from gipfbot.rules.powers import POWERS


def piece_name(kind: Kind) -> str:
    """Return the name of a kind of piece: `GIPF-piece`, `ZÈRTZ-piece`, `used ZÈRTZ`, `basic piece`."""
    if kind.loaded:
        return f"{POWERS[kind].name}-piece"
    if kind.used:
        return f"used {POWERS[kind.upper()].name}"
    return "GIPF-piece" if kind is Kind.GIPF else "basic piece"


def act_end(act: Act) -> str:
    """Return the target of a piece or a potential for its button: the first spot of a push, or `c4 +2`."""
    if isinstance(act, Push):
        return act.spot
    return f"{act.target} +{act.put}" if act.put else act.target


def pressed_turn(actions: Sequence[Action]) -> str:
    """Return the push or use of a turn as its buttons say it: `e1 → e2`, `e1 → e2 with a GIPF-piece`.

    Without either, return `a removal`, `no removal` for a decision that takes nothing (R8.3), or `a pass`.
    """
    act = next((action for action in actions if isinstance(action, Push | Use)), None)
    if act is None and any(isinstance(action, Remove) for action in actions):
        return "a removal" if any(isinstance(action, Remove) and action.taken for action in actions) else "no removal"
    if act is None:
        return "a pass"
    if isinstance(act, Use):
        return f"{POWERS[act.kind].name} {act.spot} → {act_end(act)}"
    return f"{act.dot} → {act.spot}{'' if act.kind is Kind.BASIC else f' with a {piece_name(act.kind)}'}"


def told_turn(actions: Sequence[Action], text: str, *, newcomer: bool) -> str:
    """Return a turn as its game is told to people: in its notation `text`, or as pressed if one of the two is new.

    Somebody who knows no notation takes `e1-e3` beside `e1 → e2` for a mistake.
    """
    return pressed_turn(actions) if newcomer else text
