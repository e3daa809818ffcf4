"""Games with potentials (section 7): which acts a player has, and what a push, a use and a removal change.

The engine calls these functions only if the rule set has potentials. They know no potential by name: what a potential
may do is asked from `POWERS`.
"""

from .actions import Push, Remove, Use
from .geometry import ALL_SPOTS
from .pieces import Colour, Kind, Piece
from .position import Left, OddPieces, Position, piece_at, worth
from .powers import POWERS
from .rows import cores
from .rulesets import Ruleset

_new = tuple.__new__  # faster than the constructor of a named tuple


def covers_gipf(rules: Ruleset) -> bool:
    """Return whether GIPF-pieces can be covered, so that R6.2 is tested only when the turn ends."""
    return any(POWERS[letter].covers for letter, _ in rules.potentials)


def kinds_to_push(position: Position) -> tuple[str, ...]:
    """Return the letters of the kinds of pieces that the mover can push now (R5, R7.2). Does not look at the board."""
    mover, reserve = position.mover, position.reserve[position.mover]
    if not reserve:
        return ()
    opening, left = position.opening[mover], position.left[mover] if position.left else ()
    gipf = ("G",) if opening and reserve > 1 else ()
    if opening and not position.owned[mover] & position.gipf:
        return gipf
    if not any(left):
        return (*gipf, "")
    loaded = (letter for (letter, _), count in zip(position.rules.potentials, left, strict=True) if count)
    return (*gipf, *loaded, "")


def uses(position: Position) -> tuple[Use, ...]:
    """Return the legal uses of potentials (R7.3). Does not check that the player has no row to remove."""
    mover, found = position.mover, list[Use]()
    for at, piece in position.odd:
        if piece.owner is mover and (kind := piece.kind).loaded:
            for to, put in POWERS[kind].targets(position, at):
                found.append(_new(Use, (kind, at, to, put)))
    return tuple(found)


def can_act(position: Position) -> bool:
    """Return whether the mover can push or use a potential (R7.6). A line is open as long as any spot is vacant."""
    mover = position.mover
    has_piece = (position.reserve[mover] and not position.opening[mover]) or kinds_to_push(position)
    return bool(has_piece and position.owned[0] | position.owned[1] != ALL_SPOTS) or bool(uses(position))


def loaded_push(position: Position, push: Push, block: int) -> tuple[OddPieces, Left]:
    """Return the odd pieces and the potentials left after a push that shifts the pieces in `block` (R3.2, R7.2)."""
    kind, mover, odd, left = push.kind, position.mover, position.odd, position.left
    if block and [bit for bit, _ in odd if bit & block]:
        odd = _shifted_pieces(odd, block, push.entry.shift)
    if kind is Kind.GIPF or not left or not any(left[mover]):
        return odd, left
    own = (0,) * len(left[mover])
    if kind.loaded:
        odd = tuple(sorted((*odd, (push.entry.first, Piece(mover, kind)))))
        counts = zip(position.rules.potentials, left[mover], strict=True)
        own = tuple(count - (letter == kind) for (letter, _), count in counts)
    return odd, (own, left[1]) if mover is Colour.WHITE else (left[0], own)


def _shifted_pieces(odd: OddPieces, block: int, shift: int) -> OddPieces:
    step = abs(shift)
    moved = [(bit if not bit & block else bit << step if shift > 0 else bit >> step, piece) for bit, piece in odd]
    return tuple(sorted(moved))


def _spend(position: Position, cost: int) -> tuple[int, int]:
    white, black = position.reserve
    return (white - cost, black) if position.mover is Colour.WHITE else (white, black - cost)


def use_power(position: Position, use: Use) -> Position:
    """Return the position after the use of a potential (R7.3, R7.7, R7.8). Its rows are not looked at.

    The loaded piece becomes a basic piece. On the target, the used potential or the pieces put down cover what stood
    there.
    """
    mover, kept, odd = position.mover, ~use.to, dict(position.odd)
    del odd[use.at]
    under: tuple[Piece, ...] = ()
    if (position.owned[0] | position.owned[1]) & use.to:
        piece = piece_at(position, use.to)
        under = (piece._replace(under=()), *piece.under)
    odd[use.to] = Piece(mover, (Kind(use.kind.lower()), Kind.BASIC, Kind.GIPF)[use.put], under)
    owned = [position.owned[0] & kept, position.owned[1] & kept]
    owned[mover] |= use.to
    return position._replace(
        owned=(owned[0], owned[1]),
        gipf=position.gipf & kept | (use.to if use.put == 2 else 0),
        reserve=_spend(position, use.put),
        pushed=True,
        dealt=0,
        odd=tuple(sorted(odd.items())),
    )


def take_tops(position: Position, remove: Remove) -> Position:
    """Return the position after a removal (R4.3, R4.4). Of a stack only the top goes, and frees what lies below (R7.8).

    A row of the mover with a freed piece in it is open again, also on a line already dealt with (R4.6).
    """
    mover, taken, odd = position.mover, remove.taken, dict(position.odd)
    reserve, captured = [*position.reserve], [*position.captured]
    owned, gipf, freed = [side & ~taken for side in position.owned], position.gipf & ~taken, 0
    tops = [(bit, odd.pop(bit)) for bit, _ in position.odd if bit & taken]
    plain = taken & ~sum([bit for bit, _ in tops])
    reserve[mover] += worth(position, position.owned[mover] & plain)
    captured[mover.other] += worth(position, position.owned[mover.other] & plain)
    for bit, top in tops:
        (reserve if top.owner is mover else captured)[top.owner] += top.kind.worth
        if top.under:
            below = top.under[0]._replace(under=top.under[1:])
            owned[below.owner] |= bit
            gipf |= bit if below.kind is Kind.GIPF else 0
            freed |= bit
            if below.under or below.kind is not Kind.GIPF:
                odd[bit] = below
    after = position._replace(
        owned=(owned[0], owned[1]),
        gipf=gipf,
        reserve=(reserve[0], reserve[1]),
        captured=(captured[0], captured[1]),
        odd=tuple(sorted(odd.items())),
        dealt=position.dealt | 1 << remove.line,
    )
    return _reopen(after, freed) if freed else after


def _reopen(position: Position, freed: int) -> Position:
    """Return the position with the lines of all rows of the mover open whose core has a freed piece (R4.6)."""
    again = [1 << line.number for line, core in cores(position.owned[position.mover]) if core & freed]
    return position._replace(dealt=position.dealt & ~sum(again))
