"""A checker for each kind of fact about a turn. Each tries all that is legal, by `legal` and `play` alone.

Nothing here uses how the facts are found: rows are found on a board of names, and pieces are followed by name.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gipfbot.rules import Action, Colour, Kind, Position, Push, Reason, Remove, legal, play
from gipfbot.rules.geometry import LINES
from gipfbot.rules.turn_facts import FactKind, TurnFact
from tests.rules.naive import NAIVE_LINES, runs

Line = tuple[str, ...]
MIDDLE = "e5 e4 e6 d4 d5 f4 f5".split()
RINGS = {  # how many steps a spot is from the centre
    "e5": 0,
    **dict.fromkeys("e4 e6 d4 d5 f4 f5".split(), 1),
    **dict.fromkeys("e3 f3 g3 g4 g5 f6 e7 d6 c5 c4 c3 d3".split(), 2),
    **dict.fromkeys("e2 f2 g2 h2 h3 h4 h5 g6 f7 e8 d7 c6 b5 b4 b3 b2 c2 d2".split(), 3),
}
MOST_STEPS = 200_000  # of one enumeration; a position with more cannot be checked


class Case(NamedTuple):
    """A turn, about which a fact is claimed, and the positions at the start of the earlier turns."""

    before: Position
    actions: tuple[Action, ...]
    earlier: tuple[Position, ...] = ()

    @property
    def after(self) -> Position:
        position = self.before
        for action in self.actions:
            position = play(position, action)
        return position

    @property
    def steps(self) -> list[tuple[Position, Action]]:
        position, found = self.before, []
        for action in self.actions:
            found.append((position, action))
            position = play(position, action)
        return found


class TooMany(Exception):
    """There is too much to try."""


class Step(NamedTuple):
    """A position on the way of one player's turn. `came` says where each piece on the board stood at its start.

    `taken` are the pieces of the opponent that were taken in so far, by where they stood at its start.
    """

    position: Position
    came: tuple[tuple[str, str], ...]
    taken: frozenset[str]


# --- Trying --------------------------------------------------------------------------------------------------------


def tried(position: Position, player: Colour) -> Iterator[tuple[Step, Action, Step]]:
    """Yield every step of every turn that a player could play, were it their turn."""
    if position.result is not None:
        return
    begun = position._replace(mover=player, pushed=False, dealt=0)
    if not begun.left and not begun.reserve[player] and not rows(begun, player):
        return  # R6.1: they could do nothing
    first = Step(begun, tuple((spot, spot) for spot in sorted(begun.pieces())), frozenset())
    todo, seen, count = [first], {first}, 0
    while todo:
        step = todo.pop()
        for action in legal(step.position):
            count += 1
            if count > MOST_STEPS:
                raise TooMany
            following = _follow(step, action)
            yield step, action, following
            if following not in seen and following.position.mover is player and following.position.result is None:
                seen.add(following)
                todo.append(following)


def _follow(step: Step, action: Action) -> Step:
    after, came, taken = play(step.position, action), dict(step.came), step.taken
    if isinstance(action, Push):
        came = {to: came[spot] for spot, to in pushed(step.position, action).items()}
    elif isinstance(action, Remove):
        standing = step.position.pieces()
        gone = [spot for spot in action.spots if standing[spot].owner is not step.position.mover]
        taken |= {came[spot] for spot in gone if spot in came}
        came = {spot: from_ for spot, from_ in came.items() if spot not in action.spots}
    return Step(after, tuple(sorted(came.items())), taken)


def pushed(position: Position, push: Push) -> dict[str, str]:
    """Return where each piece on the board is after a push (R3.2); in Overboard the whole line moves (R8.2)."""
    line = next(line for way in NAIVE_LINES for line in (way, way[::-1]) if line[:2] == (push.dot, push.spot))
    standing, where = position.pieces(), {}
    for place, spot in enumerate(line[1:-1], 1):
        if spot not in standing and position.resolving is None:
            break
        where[spot] = line[place + 1]
    return {spot: where.get(spot, spot) for spot in standing}


def rows(position: Position, player: Colour) -> dict[Line, Line]:
    """Return the rows of a player: the spots of each, in the order of the line, with its line (R4.1)."""
    owners: Mapping[str, object] = {spot: piece.owner for spot, piece in position.pieces().items()}
    return {
        run: line
        for line in NAIVE_LINES
        for run in runs(line[1:-1], owners)
        if len(run) >= 4 and owners[run[0]] is player
    }


class Reached(NamedTuple):
    """A row that stands on the way of a turn, and what a removal of this row takes in, by where it stood."""

    row: Line
    line: Line
    certain: int  # pieces that every removal of the row takes in
    taken: frozenset[str]


def reached(position: Position, player: Colour) -> Iterator[Reached]:
    """Yield the rows that a player could make or remove in one turn, were it theirs, in each way."""
    removals: dict[tuple[Step, int], list[frozenset[str]]] = {}
    for step, action, following in tried(position, player):
        if isinstance(action, Remove):
            removals.setdefault((step, action.line), []).append(following.taken - step.taken)
    for (step, number), ways in removals.items():
        lines = rows(step.position, player)
        (row,) = [row for row, line in lines.items() if set(line[1:-1]) == set(LINES[number].spots)]
        yield Reached(row, lines[row], min(map(len, ways)), max(ways, key=len))


def wins_at_once(position: Position, player: Colour) -> bool:
    return any(_is_won(following.position, player) for _, _, following in tried(position, player))


def _is_won(position: Position, player: Colour) -> bool:
    return position.result is not None and position.result.winner is player


# --- Checkers ------------------------------------------------------------------------------------------------------


def wins(case: Case, fact: TurnFact) -> bool:
    after, opponent = case.after, fact.player.other
    if not _is_won(after, fact.player):
        return False
    if fact.reason is Reason.GIPF:
        return not any(piece.owner is opponent and piece.kind is Kind.GIPF for piece in after.pieces().values())
    return fact.reason is Reason.RESERVE and (bool(after.left) or not after.reserve[opponent])


def forces_win(case: Case, fact: TurnFact) -> bool:
    if case.after.result is not None:
        return False
    return _is_lost(case.after, fact.player, fact.later, {*case.earlier, case.before, case.after})


def _is_lost(after: Position, player: Colour, later: int, stood: set[Position]) -> bool:
    """Return whether the opponent, who is to move, loses whatever they play."""
    ends = {step.position for _, _, step in tried(after, player.other) if step.position.mover is player}
    ends |= {step.position for _, _, step in tried(after, player.other) if step.position.result is not None}
    return bool(ends) and all(
        _is_won(end, player) or (end.result is None and end not in stood and _wins_soon(end, player, later, stood))
        for end in ends
    )


def _wins_soon(position: Position, player: Colour, later: int, stood: set[Position]) -> bool:
    if wins_at_once(position, player):
        return True
    ends = {step.position for _, _, step in tried(position, player) if step.position.mover is player.other}
    return later > 0 and any(_is_lost(end, player, later - 1, stood) for end in ends - stood if end.result is None)


def stops_win(case: Case, fact: TurnFact) -> bool:
    opponent = fact.player.other
    return case.after.result is None and wins_at_once(case.before, opponent) and not wins_at_once(case.after, opponent)


def threatens_win(case: Case, fact: TurnFact) -> bool:
    return wins_at_once(case.after, fact.player)


def removes(case: Case, fact: TurnFact) -> bool:
    player, removed, taken, gipf, home = fact.player, list[Line](), 0, list[str](), 0
    for position, action in case.steps:
        if isinstance(action, Remove):
            removed += [row for row, line in rows(position, player).items() if set(line[1:-1]) == set(action.on.spots)]
            for spot in action.spots:
                owner, kind, _ = position.pieces()[spot]
                home += kind.worth if owner is player else 0
                taken += owner is not player and kind is not Kind.GIPF
                gipf += [spot] if owner is not player and kind is Kind.GIPF else []
    row = removed[0] if len(removed) == 1 else ()
    return bool(removed) and (row, taken, tuple(gipf), home) == (fact.row, fact.taken, fact.gipf, fact.home)


def saves_gipf(case: Case, fact: TurnFact) -> bool:
    (here,) = fact.gipf
    stood = [spot for spot, to in _stayed(case).items() if to == here]
    piece = case.after.pieces().get(here)
    if len(stood) != 1 or piece is None or (piece.owner, piece.kind) != (fact.player, Kind.GIPF):
        return False
    opponent = fact.player.other
    could = any(found.row == fact.row and stood[0] in found.taken for found in reached(case.before, opponent))
    return could and not any(here in step.taken for _, _, step in tried(case.after, opponent))


def _stayed(case: Case) -> dict[str, str]:
    """Return where each piece is that stood on the board before the turn, and was not removed in it."""
    came = {spot: spot for spot in case.before.pieces()}
    for position, action in case.steps:
        if isinstance(action, Push):
            came = {to: came[spot] for spot, to in pushed(position, action).items() if spot in came}
        elif isinstance(action, Remove):
            came = {spot: from_ for spot, from_ in came.items() if spot not in action.spots}
    return {from_: spot for spot, from_ in came.items()}


def threatens_row(case: Case, fact: TurnFact) -> bool:
    now = [found for found in reached(case.after, fact.player) if found.row == fact.row]
    standing = case.after.pieces()
    gipf = {spot for spot, piece in standing.items() if piece.owner is not fact.player and piece.kind is Kind.GIPF}
    is_new = fact.row not in rows(case.after, fact.player)
    is_new = is_new and not any(found.row == fact.row for found in reached(case.before, fact.player))
    return is_new and any(_takes(found, fact, gipf) for found in now)


def _takes(found: Reached, fact: TurnFact, gipf: set[str]) -> bool:
    """Return whether a row can take these GIPF-pieces in, and takes in that many others for certain."""
    return found.certain == fact.taken and found.taken & gipf == set(fact.gipf)


def stops_row(case: Case, fact: TurnFact) -> bool:
    opponent, standing = fact.player.other, case.before.pieces()
    gipf = {spot for spot, piece in standing.items() if piece.owner is fact.player and piece.kind is Kind.GIPF}
    before = [found for found in reached(case.before, opponent) if found.row == fact.row]
    lines = {found.line for found in reached(case.after, opponent)}
    lines |= {line for _, _, step in tried(case.after, opponent) for line in rows(step.position, opponent).values()}
    return any(_takes(found, fact, gipf) and found.line not in lines for found in before)


def shrinks_prey(case: Case, fact: TurnFact) -> bool:
    was, now = (
        max((len(found.taken) for found in reached(position, fact.player.other)), default=0)
        for position in (case.before, case.after)
    )
    return now < was and (was, now) == (fact.was[0], fact.now[0])


def enters_gipf(case: Case, fact: TurnFact) -> bool:
    (push,) = [action for action in case.actions if isinstance(action, Push)]
    mine = [piece for piece in case.after.pieces().values() if (piece.owner, piece.kind) == (fact.player, Kind.GIPF)]
    return push.kind is Kind.GIPF and fact.now[0] == len(mine) and fact.gipf == (push.spot,)


def takes_centre(case: Case, fact: TurnFact) -> bool:
    before, after = case.before.pieces().get("e5"), case.after.pieces().get("e5")
    is_taken = after is not None and after.owner is fact.player and (before is None or before.owner is not fact.player)
    return is_taken and bool(fact.was[1]) is (before is not None)


def holds_middle(case: Case, fact: TurnFact) -> bool:
    was, now = (_held(position, fact.player) for position in (case.before, case.after))
    return (was, now) == (fact.was, fact.now) and now[0] - now[1] > was[0] - was[1] and now[0] > now[1]


def _held(position: Position, player: Colour) -> tuple[int, int]:
    owners = [piece.owner for spot, piece in position.pieces().items() if spot in MIDDLE]
    return owners.count(player), owners.count(player.other)


def _moved(case: Case, fact: TurnFact, owner: Colour) -> int | None:
    """Return how many steps nearer to the centre a GIPF-piece has come; None if it has not gone so."""
    came, to = fact.moved
    piece = case.before.pieces().get(came)
    if piece is None or (piece.owner, piece.kind) != (owner, Kind.GIPF) or _stayed(case).get(came) != to:
        return None
    return RINGS[came] - RINGS[to]


def leads_gipf_in(case: Case, fact: TurnFact) -> bool:
    nearer = _moved(case, fact, fact.player)
    return nearer is not None and nearer > 0


def drives_gipf_out(case: Case, fact: TurnFact) -> bool:
    nearer = _moved(case, fact, fact.player.other)
    return nearer is not None and nearer < 0


def pushes_off(case: Case, fact: TurnFact) -> bool:
    (position, push) = next((position, action) for position, action in case.steps if isinstance(action, Push))
    came, to = fact.moved
    piece = position.pieces().get(came)
    is_off = piece is not None and piece.owner is fact.player.other and to not in RINGS
    after = play(position, push)
    return is_off and pushed(position, push)[came] == to and len(after.pieces()) == len(position.pieces())


CHECKERS: dict[FactKind, Callable[[Case, TurnFact], bool]] = {
    FactKind.WINS: wins,
    FactKind.FORCES_WIN: forces_win,
    FactKind.STOPS_WIN: stops_win,
    FactKind.THREATENS_WIN: threatens_win,
    FactKind.REMOVES: removes,
    FactKind.SAVES_GIPF: saves_gipf,
    FactKind.THREATENS_ROW: threatens_row,
    FactKind.STOPS_ROW: stops_row,
    FactKind.SHRINKS_PREY: shrinks_prey,
    FactKind.ENTERS_GIPF: enters_gipf,
    FactKind.TAKES_CENTRE: takes_centre,
    FactKind.HOLDS_MIDDLE: holds_middle,
    FactKind.LEADS_GIPF_IN: leads_gipf_in,
    FactKind.DRIVES_GIPF_OUT: drives_gipf_out,
    FactKind.PUSHES_OFF: pushes_off,
}


def is_true(case: Case, fact: TurnFact) -> bool:
    """Return whether a fact about a turn is true. Raises TooMany."""
    return fact.player is case.before.mover and CHECKERS[fact.kind](case, fact)
