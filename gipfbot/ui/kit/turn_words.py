"""Turns in words: the push as it is pressed on the desk comes first, its notation last and marked as such."""

from collections.abc import Sequence
from itertools import groupby

from gipfbot.match import Game
from gipfbot.notation import Notation, decision_text
from gipfbot.rules import Action, Kind, Piece, Position, Push
from gipfbot.rules.actions import Act, Pass, Remove, Use
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


def planned_turn(actions: Sequence[Action]) -> str:
    """Return a turn or a decision with what to do in it, and each spot to clear: `play e1 → e2 and remove e2 e3 e4`."""
    done = list[str]()
    played = [action for action in actions if not isinstance(action, Pass)]
    for is_removal, some in groupby(played, lambda action: isinstance(action, Remove)):
        part = tuple(some)
        done.append(f"remove {removed_spots(part) or 'nothing'}" if is_removal else f"play {pressed_turn(part)}")
    return " and ".join(filter(None, (", ".join(done[:-1]), *done[-1:]))) or "pass"


def removed_spots(actions: Sequence[Action]) -> str:
    """Return the spots from which a turn removes pieces, in the order of the removals; empty if there are none."""
    return " ".join(spot for action in actions if isinstance(action, Remove) for spot in action.spots)


def _count_rows(actions: Sequence[Action]) -> int:
    """Return from how many lines pieces were removed. In Overboard one row may be several removals."""
    return len({action.line for action in actions if isinstance(action, Remove) and action.taken})


def told_turn(actions: Sequence[Action], text: str, *, newcomer: bool) -> str:
    """Return a turn as its game is told to people: in its notation `text`, or as pressed if one of the two is new.

    Somebody who knows no notation takes `e1-e3` beside `e1 → e2` for a mistake.
    """
    return pressed_turn(actions) if newcomer else text


def game_turn_text(game: Game, before: Position, actions: Sequence[Action], notation: Notation) -> str:
    """Return a turn of a game, or a decision in it, as it is told to people (`told_turn`). `before` precedes it."""
    return told_turn(actions, decision_text(before, actions, notation), newcomer=game.terms.newcomer)


def game_notation(game: Game, before: Position, actions: Sequence[Action], notation: Notation) -> str:
    """Return the notation of a turn of a game to write behind its words. Empty if one of the two players is new."""
    return "" if game.terms.newcomer else decision_text(before, actions, notation)


def notation_clause(actions: Sequence[Action], text: str) -> str:
    """Return the clause with the notation `text` of a turn: `also written` and the text as code.

    Empty without a notation, and if it has no other words than the pressed push: `e1-e2` in Overboard.
    """
    return f"also written `{text}`" if text and text.replace("-", " → ") != pressed_turn(actions) else ""


def records_line(actions: Sequence[Action], text: str) -> str:
    """Return the small line with the notation `text` of a turn, below what a message says. Empty as the clause is."""
    written = notation_clause(actions, text)
    return f"-# A{written[1:]}" if written else ""


def pressed_with_notation(actions: Sequence[Action], text: str) -> str:
    """Return a turn within a sentence, its notation behind it in brackets: **e1 → e2** (also written `e1-e3`).

    Without a notation, the brackets have what it removes: **e1 → e2** (e2 e3 e4 off).
    """
    removed = removed_spots(actions)
    written = notation_clause(actions, text) or (removed and f"{removed} off")
    return f"**{pressed_turn(actions)}**{written and f' ({written})'}"


def placed_turn(turn_number: int, actions: Sequence[Action], text: str) -> str:
    """Return a turn with its place in the game, its notation last: **3. White:** e1 → e2 · also written `e1-e3`."""
    written = notation_clause(actions, text)
    return f"**{turn_place(turn_number)}:** {pressed_turn(actions)}{written and f' · {written}'}"
