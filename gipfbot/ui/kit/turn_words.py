"""Turns in words: the push as it is pressed on the desk comes first, its notation last and marked as such."""

from collections.abc import Sequence
from itertools import groupby

from gipfbot.languages import mark_number, say, say_amount, say_list, say_name
from gipfbot.match import Game
from gipfbot.notation import Notation, decision_text
from gipfbot.rules import Action, Kind, Piece, Position, Push
from gipfbot.rules.actions import Act, Pass, Remove, Use
from gipfbot.rules.powers import POWERS

from .texts import turn_place


def piece_name(kind: Kind) -> str:
    """Return the name of a kind of piece: `GIPF-piece`, `ZÈRTZ-piece`, `used ZÈRTZ`, `basic piece`."""
    if kind.loaded:
        return say_name("{potential}-piece", potential=POWERS[kind].name)
    if kind.used:
        return say_name("used {potential}", potential=POWERS[kind.upper()].name)
    return say_name("GIPF-piece") if kind is Kind.GIPF else say_name("basic piece")


def pieces_in_words(gone: Sequence[tuple[str, Piece]]) -> str:
    """Return pieces with their spots. Basic pieces come first, without a name: `d3 d4 and GIPF-piece d2`."""
    spots = dict[Kind, list[str]]()
    for spot, piece in sorted(gone, key=lambda each: each[1].kind is not Kind.BASIC):
        spots.setdefault(piece.kind, []).append(spot)
    return say_list([_pieces_of_kind(kind, on) for kind, on in spots.items()])


def _pieces_of_kind(kind: Kind, on: Sequence[str]) -> str:
    """Return the pieces of one kind with their spots: `GIPF-pieces d2 e2`. Basic pieces have no name."""
    spots = " ".join(on)
    if kind is Kind.GIPF:
        return say_amount("GIPF-piece {spots}", "GIPF-pieces {spots}", len(on), spots=spots)
    if kind.loaded:
        forms = mark_number("{potential}-piece {spots}", "{potential}-pieces {spots}")
    elif kind.used:
        forms = mark_number("used {potential} {spots}", "used {potential}s {spots}")
    else:
        return spots
    return say_amount(*forms, len(on), potential=POWERS[kind.upper()].name, spots=spots)


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
        return say_name("a removal") if _count_rows(actions) else say_name("no removal")
    if act is None:
        return say_name("a pass")
    if isinstance(act, Use):
        return f"{POWERS[act.kind].name} {act.spot} → {act_end(act)}"
    if act.kind is Kind.BASIC:
        return f"{act.dot} → {act.spot}"
    return say_name("{dot} → {spot} with a {piece}", dot=act.dot, spot=act.spot, piece=piece_name(act.kind))


def spoken_turn(actions: Sequence[Action]) -> str:
    """Return a turn for a sentence, with its removals: `e1 → e2 and removed a row`."""
    pressed, rows = pressed_turn(actions), _count_rows(actions)
    if not rows or not any(isinstance(action, Push | Use) for action in actions):
        return pressed
    # For translators: it stands behind "{name} played".
    return say_amount("{turn} and removed a row", "{turn} and removed {number} rows", rows, turn=pressed)


def planned_turn(actions: Sequence[Action]) -> str:
    """Return a turn or a decision with what to do in it, and each spot to clear: `play e1 → e2 and remove e2 e3 e4`."""
    played = [action for action in actions if not isinstance(action, Pass)]
    parts = groupby(played, lambda action: isinstance(action, Remove))
    done = [_planned_removal(tuple(part)) if is_removal else _planned_push(tuple(part)) for is_removal, part in parts]
    return say_list(done) if done else say_name("pass")


def _planned_removal(removals: Sequence[Action]) -> str:
    spots = removed_spots(removals)
    # For translators: what is done in a plan stands behind "if they" and "you".
    return say_name("remove {spots}", spots=spots) if spots else say_name("remove nothing")


def _planned_push(actions: Sequence[Action]) -> str:
    # For translators: what is done in a plan stands behind "if they" and "you".
    return say_name("play {turn}", turn=pressed_turn(actions))


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


def needs_notation(actions: Sequence[Action], text: str) -> bool:
    """Return whether the notation `text` of a turn is to be written beside its words.

    It is not without a notation, or if it has no other words than the pressed push: `e1-e2` in Overboard.
    """
    return bool(text) and text.replace("-", " → ") != pressed_turn(actions)


def records_line(actions: Sequence[Action], text: str) -> str:
    """Return the small line with the notation `text` of a turn, below what a message says.

    Empty unless the turn needs it (`needs_notation`).
    """
    return f"-# {say('Also written `{turn}`', turn=text)}" if needs_notation(actions, text) else ""


def pressed_with_notation(actions: Sequence[Action], text: str) -> str:
    """Return a turn within a sentence, its notation behind it in brackets: **e1 → e2** (also written `e1-e3`).

    Without a notation, the brackets have what it removes: **e1 → e2** (e2 e3 e4 off).
    """
    pressed, removed = pressed_turn(actions), removed_spots(actions)
    if needs_notation(actions, text):
        return say_name("**{turn}** (also written `{notation}`)", turn=pressed, notation=text)
    return say_name("**{turn}** ({spots} off)", turn=pressed, spots=removed) if removed else f"**{pressed}**"


def placed_turn(turn_number: int, actions: Sequence[Action], text: str) -> str:
    """Return a turn with its place in the game, its notation last: **3. White:** e1 → e2 · also written `e1-e3`."""
    placed = f"**{turn_place(turn_number)}:** {pressed_turn(actions)}"
    return f"{placed} · {say('also written `{turn}`', turn=text)}" if needs_notation(actions, text) else placed
