"""Games with potentials (section 7): which acts a player has, and what a push, a use and a removal change.

The engine calls these functions only if the rule set has potentials. They know no potential by name: what a potential
may do is asked from `POWERS`.
"""

from .actions import Push, Remove, Use
from .geometry import ALL_SPOTS, LINES, each_bit
from .pieces import Colour, Kind, Piece
from .position import Position, piece_at
from .powers import POWERS
from .rows import open_rows
from .rulesets import Ruleset


def covers_gipf(rules: Ruleset) -> bool:
    """Return whether GIPF-pieces can be covered, so that R6.2 is tested only when the turn ends."""
    return any(POWERS[letter].covers for letter, _ in rules.potentials)


def kinds_to_push(position: Position) -> tuple[str, ...]:
    """Return the letters of the kinds of pieces that the mover can push now (R5, R7.2). Does not look at the board."""
    mover, reserve = position.mover, position.reserve[position.mover]
    own_gipf = position.owned[mover] & position.gipf
    if position.opening[mover] and not own_gipf:
        return ("G",) if reserve > 1 else ()
    if not reserve:
        return ()
    counts = zip(position.rules.potentials, position.left[mover] if position.left else (), strict=True)
    loaded = tuple(letter for (letter, _), count in counts if count)
    return (*(("G",) if position.opening[mover] and reserve > 1 else ()), *loaded, "")


def uses(position: Position) -> tuple[Use, ...]:
    """Return the legal uses of potentials (R7.3). Does not check that the player has no row to remove."""
    return tuple(
        Use(piece.kind, at, *target)
        for at, piece in position.odd
        if piece.owner is position.mover and piece.kind.loaded
        for target in POWERS[piece.kind].targets(position, at)
    )


def can_act(position: Position) -> bool:
    """Return whether the mover can push or use a potential (R7.6). A line is open as long as any spot is vacant."""
    mover = position.mover
    has_piece = (position.reserve[mover] and not position.opening[mover]) or kinds_to_push(position)
    return bool(has_piece and position.owned[0] | position.owned[1] != ALL_SPOTS) or bool(uses(position))


def push_piece(position: Position, push: Push) -> Position:
    """Return the position after a push, with all that it moves (R3.2, R7.2). Its rows are not looked at."""
    mover, entry, kind = position.mover, push.entry, push.kind
    white, black = position.owned
    block = _block(entry.first, entry.mask & ~(white | black), entry.mask, entry.shift)
    owned = [_shifted(white, block, entry.shift), _shifted(black, block, entry.shift)]
    owned[mover] |= entry.first
    odd = [(_shifted(bit, block, entry.shift), piece) for bit, piece in position.odd]
    if kind.loaded:
        odd.append((entry.first, Piece(mover, kind)))
    gipf = _shifted(position.gipf, block, entry.shift)
    opening, left = [*position.opening], [*position.left]
    opening[mover] = opening[mover] and kind is Kind.GIPF
    left[mover] = _left_after(position, kind)
    return Position(
        position.rules,
        mover,
        (owned[0], owned[1]),
        gipf | entry.first if kind is Kind.GIPF else gipf,
        _spend(position, kind.worth),
        position.captured,
        (opening[0], opening[1]),
        pushed=True,
        odd=tuple(sorted(odd)),
        left=(left[0], left[1]),
    )


def _block(first: int, vacant: int, line: int, shift: int) -> int:
    """Return the pieces (bits) that a push onto the first spot moves: those before the first vacancy of the line."""
    if first & vacant:
        return 0
    return line & (vacant & -vacant) - 1 if shift > 0 else line & -(1 << vacant.bit_length())


def _shifted(spots: int, block: int, shift: int) -> int:
    moving = spots & block
    return spots & ~block | (moving << shift if shift > 0 else moving >> -shift)


def _left_after(position: Position, kind: Kind) -> tuple[int, ...]:
    """Return how many potentials the mover may still bring in after a push. None after a basic piece (R7.2)."""
    left = position.left[position.mover] if position.left else ()
    if kind.loaded:
        letters = (letter for letter, _ in position.rules.potentials)
        return tuple(count - (letter == kind) for letter, count in zip(letters, left, strict=True))
    return left if kind is Kind.GIPF else (0,) * len(left)


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
    reserve, captured, odd = [*position.reserve], [*position.captured], dict(position.odd)
    owned, gipf, freed = [*position.owned], position.gipf & ~remove.taken, 0
    for bit in each_bit(remove.taken):
        top = piece_at(position, bit)
        odd.pop(bit, None)
        owned[top.owner] &= ~bit
        (reserve if top.owner is position.mover else captured)[top.owner] += top.kind.worth
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
    again = sum(1 << row.line.number for row in open_rows(position._replace(dealt=0)) if row.core & freed)
    return position._replace(dealt=position.dealt & ~again & (1 << len(LINES)) - 1)
