"""Turns in words: the push as it is pressed on the desk comes first, its notation last and marked as such."""

from collections.abc import Sequence
from itertools import groupby

from gipfbot.match import Game
from gipfbot.notation import Notation, decision_text, piece_name, pressed_turn, told_turn
from gipfbot.rules import Action, Kind, Piece, Position
from gipfbot.rules.actions import Pass, Remove

from .texts import turn_place


def pieces_in_words(gone: Sequence[tuple[str, Piece]]) -> str:
    """Return pieces with their spots. Basic pieces come first, without a name: `d3 d4 and GIPF-piece d2`."""
    spots = dict[Kind, list[str]]()
    for spot, piece in sorted(gone, key=lambda each: each[1].kind is not Kind.BASIC):
        spots.setdefault(piece.kind, []).append(spot)
    return " and ".join(
        " ".join([f"{piece_name(kind)}{'s' * (len(on) > 1)}", *on] if kind else on) for kind, on in spots.items()
    )


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


def game_turn_text(game: Game, before: Position, actions: Sequence[Action], notation: Notation) -> str:
    """Return a turn of a game, or a decision in it, as it is told to people (`told_turn`). `before` precedes it."""
    return told_turn(actions, decision_text(before, actions, notation), newcomer=game.terms.newcomer)


def notation_clause(actions: Sequence[Action], text: str) -> str:
    """Return the clause with the notation `text` of a turn: `in records` and the text as code.

    Empty if the text has no other words than the pressed push: `e1-e2` in Overboard, or a turn told as pressed.
    """
    return "" if pressed_turn(actions) in (text, text.replace("-", " → ")) else f"in records `{text}`"


def records_line(actions: Sequence[Action], text: str) -> str:
    """Return the small line with the notation `text` of a turn, below what a message says. Empty as the clause is."""
    written = notation_clause(actions, text)
    return f"-# I{written[1:]}" if written else ""


def pressed_with_notation(actions: Sequence[Action], text: str) -> str:
    """Return a turn within a sentence, its notation behind it in brackets: **e1 → e2** (in records `e1-e3`).

    Without a notation, the brackets have what it removes: **e1 → e2** (e2 e3 e4 off).
    """
    removed = removed_spots(actions)
    written = notation_clause(actions, text) or (removed and f"{removed} off")
    return f"**{pressed_turn(actions)}**{written and f' ({written})'}"


def placed_turn(turn_number: int, actions: Sequence[Action], text: str) -> str:
    """Return a turn with its place in the game, its notation last: **3. White:** e1 → e2 · in records `e1-e3`."""
    written = notation_clause(actions, text)
    return f"**{turn_place(turn_number)}:** {pressed_turn(actions)}{written and f' · {written}'}"
