"""Turns in words: the push as it is pressed on the desk comes first, its notation last and marked as such."""

from collections.abc import Sequence

from gipfbot.rules import Action, Kind, Piece, Push
from gipfbot.rules.actions import Act, Remove, Use
from gipfbot.rules.powers import POWERS

from .texts import turn_place


def piece_name(kind: Kind) -> str:
    """Return the name of a kind of piece: `GIPF-piece`, `ZÈRTZ-piece`, `used ZÈRTZ`, `basic piece`."""
    if kind.loaded:
        return f"{POWERS[kind].name}-piece"
    if kind.used:
        return f"used {POWERS[kind.upper()].name}"
    return "GIPF-piece" if kind is Kind.GIPF else "basic piece"


def pieces_in_words(gone: Sequence[tuple[str, Piece]]) -> str:
    """Return pieces with their spots. Basic pieces come first, without a name: `d3 d4 and GIPF-piece d2`."""
    spots = dict[Kind, list[str]]()
    for spot, piece in sorted(gone, key=lambda each: each[1].kind is not Kind.BASIC):
        spots.setdefault(piece.kind, []).append(spot)
    return " and ".join(
        " ".join([f"{piece_name(kind)}{'s' * (len(on) > 1)}", *on] if kind else on) for kind, on in spots.items()
    )


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
        return "a removal" if _count_rows(actions) else "no removal"
    if act is None:
        return "a pass"
    if isinstance(act, Use):
        return f"{POWERS[act.kind].name} {act.spot} → {act_end(act)}"
    return f"{act.dot} → {act.spot}{'' if act.kind is Kind.BASIC else f' with a {piece_name(act.kind)}'}"


def spoken_turn(actions: Sequence[Action]) -> str:
    """Return a turn for a sentence, with its removals: `e1 → e2 and removed a row`."""
    pressed, rows = pressed_turn(actions), _count_rows(actions)
    if not rows or pressed == "a removal":
        return pressed
    return f"{pressed} and removed {'a row' if rows == 1 else f'{rows} rows'}"


def _count_rows(actions: Sequence[Action]) -> int:
    """Return from how many lines pieces were removed. In Overboard one row may be several removals."""
    return len({action.line for action in actions if isinstance(action, Remove) and action.taken})


def notation_clause(actions: Sequence[Action], text: str) -> str:
    """Return the clause with the notation `text` of a turn: `in records` and the text as code.

    Empty if the text has no other words than the pressed push: `e1-e2` in Overboard.
    """
    return "" if text.replace("-", " → ") == pressed_turn(actions) else f"in records `{text}`"


def records_line(actions: Sequence[Action], text: str) -> str:
    """Return the small line with the notation `text` of a turn, below what a message says. Empty as the clause is."""
    written = notation_clause(actions, text)
    return f"-# I{written[1:]}" if written else ""


def pressed_with_notation(actions: Sequence[Action], text: str) -> str:
    """Return a turn within a sentence, its notation behind it in brackets: **e1 → e2** (in records `e1-e3`)."""
    written = notation_clause(actions, text)
    return f"**{pressed_turn(actions)}**{written and f' ({written})'}"


def placed_turn(turn_number: int, actions: Sequence[Action], text: str) -> str:
    """Return a turn with its place in the game, its notation last: **3. White:** e1 → e2 · in records `e1-e3`."""
    written = notation_clause(actions, text)
    return f"**{turn_place(turn_number)}:** {pressed_turn(actions)}{written and f' · {written}'}"
