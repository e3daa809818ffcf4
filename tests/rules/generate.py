"""Games and boards for the property tests. They meet the hard cases, which plain random games rarely do."""

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeAlias

from gipfbot.rules import PUSHES, Action, ByColour, Colour, Kind, Position, Push, Remove, Ruleset, build, legal, play
from gipfbot.rules.geometry import BIT
from tests.rules.naive import NAIVE_LINES, WORTH, Board, gipf_pieces, rows

Policy: TypeAlias = Callable[[Position, tuple[Action, ...], Random], Action]
PATH = {path[:2]: path for line in NAIVE_LINES for path in (line, line[::-1])}
SPOTS = tuple(sorted({spot for line in NAIVE_LINES for spot in line[1:-1]}))


def at_random(position: Position, actions: tuple[Action, ...], rng: Random) -> Action:
    """Choose any action."""
    return rng.choice(actions)


def row_seeking(position: Position, actions: tuple[Action, ...], rng: Random) -> Action:
    """Bring in GIPF-pieces, keep them in removals, and make rows: own rows if possible, else any row."""
    removals = [action for action in actions if isinstance(action, Remove)]
    if removals and rng.random() < 0.8:
        fewest = min(action.taken.bit_count() for action in removals)
        return rng.choice([action for action in removals if action.taken.bit_count() <= fewest + 1])
    pushes = [action for action in actions if isinstance(action, Push)]
    if not pushes or rng.random() < 0.1:
        return rng.choice(actions)
    gipf = [push for push in pushes if push.kind is Kind.GIPF]
    pushes = gipf if gipf and rng.random() < 0.9 else pushes
    ends = [(push, play(position, push)) for push in pushes]
    own = [push for push, end in ends if end.pushed]
    others = [push for push, end in ends if not end.pushed and any(isinstance(a, Remove) for a in legal(end))]
    return rng.choice(own or others or pushes)


def walk(position: Position, rng: Random, policy: Policy, length: int) -> Iterator[tuple[Position, Action, Position]]:
    """Play so many actions, or to the end of the game; yield each position, its action and the next position."""
    for _ in range(length):
        actions = legal(position)
        if not actions:
            return
        action = policy(position, actions, rng)
        after = play(position, action)
        yield position, action, after
        position = after


def dense(rules: Ruleset, rng: Random) -> Position:
    """Return a built position with correct totals, crowded with crossing rows of both colours."""
    while True:
        position = _attempt(rules, rng)
        if position is not None:
            return position


def dense_after_a_push(rules: Ruleset, rng: Random) -> Position:
    """Return a crowded position in the middle of a turn, with rows that the mover's push has made."""
    while True:
        position = dense(rules, rng)
        for push in rng.sample(sorted(PUSHES.values()), len(PUSHES)):
            before = pulled_back(position, push, rng)
            if before is not None and push in legal(before):
                after = play(before, push)
                if after.pushed:
                    return after


def pulled_back(position: Position, push: Push, rng: Random) -> Position | None:
    """Return a position from which the push leads to these pieces; None if it cannot have been the last push."""
    mover, path, bit = position.mover, PATH[push.dot, push.spot], BIT[push.spot]
    if not position.owned[mover] & bit or bool(position.gipf & bit) is not (push.kind is Kind.GIPF):
        return None
    board = {spot: (piece.owner, piece.kind) for spot, piece in position.pieces().items()}
    spots = path[1:-1]
    run = next((place for place, spot in enumerate(spots) if spot not in board), len(spots))
    moved = rng.randrange(run)
    for place in range(moved):
        board[spots[place]] = board[spots[place + 1]]
    del board[spots[moved]]
    if position.rules.gipf_decides and not (position.opening[mover] or gipf_pieces(board, mover)):
        return None
    return _built(position.rules, mover, board, position.captured, position.opening)


def _built(rules: Ruleset, mover: Colour, board: Board, captured: ByColour[int], opening: ByColour[bool]) -> Position:
    white, black = (
        tuple((kind, spot) for spot, (owner, kind) in sorted(board.items()) if owner is colour) for colour in Colour
    )
    return build(rules, mover, (white, black), captured, opening)


def _attempt(rules: Ruleset, rng: Random) -> Position | None:
    mover = rng.choice(tuple(Colour))
    board = _painted(mover, rng)
    opening = [rules.gipf_enters and rng.random() < 0.4 for _ in Colour]
    reserve, captured = [0, 0], [0, 0]
    for colour in Colour:
        _choose_kinds(board, colour, rules, opening[colour], rng)
        rest = rules.pieces - _worth(board, colour)
        if rest < 0:
            return None
        reserve[colour] = min(rest, rng.choice((0, 0, 1, 2, 3, rest, rest)))
        if opening[colour]:
            reserve[colour] -= reserve[colour] % 2
        captured[colour] = rest - reserve[colour]
        begun = not (opening[colour] and captured[colour] == 0)
        if rules.gipf_decides and begun and not gipf_pieces(board, colour):
            return None
    if not reserve[mover] and not rows(board, mover):
        return None
    return _built(rules, mover, board, (captured[0], captured[1]), (opening[0], opening[1]))


def _painted(mover: Colour, rng: Random) -> Board:
    """Return a board with rows, their extensions and noise. Most rows are the mover's and run through one spot."""
    centre, share = rng.choice(SPOTS), 0.5
    board: Board = {}

    def put(spot: str, colour: Colour) -> None:
        board.setdefault(spot, (colour, Kind.GIPF if rng.random() < share else Kind.BASIC))

    for _ in range(rng.choice((1, 2, 2, 3))):
        line = rng.choice([line[1:-1] for line in NAIVE_LINES if centre in line or rng.random() < 0.1])
        colour = mover if rng.random() < 0.8 else mover.other
        share = rng.choice((0.1, 0.5, 0.9, 1.0, 1.0))
        length = min(len(line), rng.choice((4, 4, 4, 5, 6)))
        first = rng.randrange(len(line) - length + 1)
        for spot in line[first : first + length]:
            put(spot, colour)
        for spot in line:
            if rng.random() < 0.35:
                put(spot, rng.choice((colour, colour.other, colour.other)))
    noise = rng.choice((0, 0, 0.1, 0.3))
    for spot in SPOTS:
        if rng.random() < noise:
            put(spot, rng.choice(tuple(Colour)))
    return board


def _choose_kinds(board: Board, colour: Colour, rules: Ruleset, opening: bool, rng: Random) -> None:
    """Turn pieces of one colour into the other kind until the rule set and the total allow them."""
    own = [spot for spot, (owner, _) in board.items() if owner is colour]
    rng.shuffle(own)
    if opening:
        board.update(dict.fromkeys(own, (colour, Kind.GIPF)))
        return
    if rules.gipf_decides and own:
        board[own[0]] = (colour, Kind.GIPF)
    most = 18 if rules.gipf_enters else 3 if rules.gipf_decides else 0
    for spot in own[::-1]:
        if gipf_pieces(board, colour) > most or _worth(board, colour) > rules.pieces:
            board[spot] = (colour, Kind.BASIC)


def _worth(board: Board, colour: Colour) -> int:
    return sum(WORTH[kind] for owner, kind in board.values() if owner is colour)
