"""Pieces in words: their kinds, their spots, and what lies under them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gipfbot.rules import Kind, Piece
from gipfbot.rules.powers import POWERS

from .wording import Words, mark, mark_number


def pieces_by_kind(pieces: Iterable[tuple[str, Piece]], words: Words) -> list[str]:
    """Return one text for each kind of piece that occurs, with its spots: `GIPF-pieces b5 e2`.

    Stacks with the same pieces in them have a text of their own, with what lies under their tops in brackets.
    """
    spots: dict[tuple[Kind, str], list[str]] = {(Kind.GIPF, ""): [], (Kind.BASIC, ""): []}
    for spot, piece in pieces:
        spots.setdefault((piece.kind, _covered_words(piece.under, words)), []).append(spot)
    return [_group_words(kind, under, found, words) for (kind, under), found in spots.items() if found]


class KindName(NamedTuple):
    """What a kind of pieces is called: one piece, and its forms with the spots of one and of several."""

    one: str
    on_spots: tuple[str, str]


_BASIC = KindName(mark("a basic piece"), mark_number("basic piece {spots}", "basic pieces {spots}"))
_GIPF = KindName(mark("a GIPF-piece"), mark_number("GIPF-piece {spots}", "GIPF-pieces {spots}"))
_LOADED = KindName(
    mark("a {potential}-loaded piece"),
    mark_number("{potential}-loaded piece {spots}", "{potential}-loaded pieces {spots}"),
)
_USED = KindName(
    mark("a used {potential}-potential"),
    mark_number("used {potential}-potential {spots}", "used {potential}-potentials {spots}"),
)


def _kind_name(kind: Kind) -> KindName:
    if kind.loaded or kind.used:
        return _USED if kind.used else _LOADED
    return _GIPF if kind is Kind.GIPF else _BASIC


def a_piece(kind: Kind, words: Words) -> str:
    """Return one piece of a kind in words. A potential without a name is called by its letter."""
    return words.say_name(_kind_name(kind).one, potential=potential_name(kind.upper()))


def _group_words(kind: Kind, under: str, spots: Sequence[str], words: Words) -> str:
    """Return the pieces of one kind, and what lies under each. `under` is empty if nothing does."""
    forms, potential = _kind_name(kind).on_spots, potential_name(kind.upper())
    named = words.say_amount(*forms, len(spots), potential=potential, spots=" ".join(spots))
    stacked = mark_number("{pieces} (on {under})", "{pieces} (each on {under})")
    return words.say_amount(*stacked, len(spots), pieces=named, under=under) if under else named


def potential_name(letter: str) -> str:
    """Return the name of a potential. One without a name is called by its letter."""
    return POWERS[letter].name if letter in POWERS else letter


def _covered_words(under: tuple[Piece, ...], words: Words) -> str:
    """Return the pieces under a piece in words, from top to bottom; more than two by their letters. Empty if none."""
    if len(under) > 2:
        letters = " ".join(piece.kind for piece in under)
        forms = mark_number("{number} piece: {kinds}", "{number} pieces: {kinds}")
        return words.say_amount(*forms, len(under), kinds=letters)
    upper, *lower = [a_piece(piece.kind, words) for piece in under] or [""]
    return words.say_name(mark("{upper} on {lower}"), upper=upper, lower=lower[0]) if lower else upper
