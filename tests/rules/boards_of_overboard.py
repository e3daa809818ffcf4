"""Positions of Overboard for its tests: reached in games that seek rows, and built."""

from random import Random

from gipfbot.notation import action_code, parse_action_code, parse_position
from gipfbot.rules import OVERBOARD, Action, Colour, Kind, Position, Push, Remove, build, legal, play, start
from gipfbot.rules.geometry import LINES, SPOTS
from tests.rules.naive_overboard import Table

CROSSINGS = [(one, two) for one in LINES for two in LINES if one is not two and {*one.spots[:4]} & {*two.spots[:4]}]


def table_at(line: str) -> Position:
    """Return the position of a line such as `w W=Gb5,e2 B=Gb2`. What is not on the board is in reserve."""
    mover, white, black, *fields = line.split()
    reserve = (18 - sum(not piece.startswith("G") for piece in _split(side)) for side in (white, black))
    rest = ["reserve={}-{}".format(*reserve), "captured=0-0", *fields]
    return parse_position(" ".join(["overboard", mover, white, black, *rest]))


def _split(side: str) -> list[str]:
    return [piece for piece in side[2:].split(",") if piece]


def after_codes(position: Position, *codes: str) -> Position:
    """Return the position after the actions of these codes (`e1e2`, `xe:e2e3`, `-`), each of which must be legal."""
    for code in codes:
        action = parse_action_code(code)
        assert action in legal(position), f"{code} is not legal: {codes_of(position)}"
        position = play(position, action)
    return position


def codes_of(position: Position) -> list[str]:
    """Return the codes of the legal actions."""
    return [action_code(action) for action in legal(position)]


FIRST_TABLE = start(OVERBOARD)
# The push from a4 moves d4 to e4 and completes White's row e3-e6; black pieces stand at both ends of it.
ROW = table_at("w W=d4,e3,e5,e6,Gb5,Gh5 B=e2,e7,e8,Gb2,Gh2")
# The same push by Black. Two of White's GIPF-pieces are in the row.
OUT_OF_TURN = table_at("b W=d4,Ge3,e5,Ge6,Gh5 B=e2,e7,e8,Gb2,Gh2")
# White's push from a4 completes Black's row e3-e6, in which two GIPF-pieces of Black's stand.
ASKS = table_at("w W=e2,Gb2,Gc2 B=d4,Ge3,e5,Ge6,Gh5")
# White's push from a4 completes Black's row on line e beside that on line h. Each has a GIPF-piece of Black's in it.
ASKS_TWICE = table_at("w W=e2,Gb2,Gc2 B=d4,Ge3,e5,e6,h2,h3,h4,Gh5")
# After Black's answer White is asked again: White's d7 is at the end of Black's second row.
ASKS_BACK = table_at("w W=e2,d7,Gb2,Gc2 B=d4,Ge3,e5,e6,e7,f6,g5,h4,Gh5")


def seek_rows(position: Position, actions: tuple[Action, ...], rng: Random) -> Action:
    """Choose an action that makes a row, mostly; and give up GIPF-pieces rarely."""
    removals = [action for action in actions if isinstance(action, Remove)]
    if removals and rng.random() < 0.9:
        return min(removals, key=lambda one: (one.taken & position.gipf).bit_count() + rng.random() / 2)
    pushes = [action for action in actions if isinstance(action, Push)]
    if not pushes or rng.random() < 0.2:
        return rng.choice(actions)
    rows = [push for push in pushes if play(position, push).noted]
    return rng.choice(rows or pushes)


def reached_table(rng: Random) -> Position:
    """Return a position at the start of a turn, reached in a game that seeks rows."""
    position, length = start(OVERBOARD), rng.randrange(1, 60)
    while length or position.pushed:
        actions = legal(position)
        if not actions:
            return start(OVERBOARD)
        after = play(position, seek_rows(position, actions, rng))
        length -= length > 0 and after.mover is not position.mover
        position = after
    return position if position.result is None else start(OVERBOARD)


def built_table(rng: Random) -> Position:
    """Return a position at the start of a turn, crowded with near rows of both colours."""
    board: dict[str, tuple[Colour, Kind]] = {}
    mover = Colour(rng.randrange(2))
    for _ in range(rng.choice((2, 3, 4))):
        line, colour = rng.choice(LINES), Colour(rng.randrange(2))
        for spot in line.spots:
            if rng.random() < 0.75:
                board.setdefault(spot, (colour, Kind.BASIC))
    for spot in SPOTS:
        if rng.random() < rng.choice((0, 0.1, 0.3)):
            board.setdefault(spot, (Colour(rng.randrange(2)), Kind.BASIC))
    for colour in Colour:
        spots = [spot for spot, (owner, _) in board.items() if owner is colour]
        spots += [spot for spot in SPOTS if spot not in board]
        for spot in rng.sample(spots, rng.choice((1, 2, 3, 3))):
            board[spot] = (colour, Kind.GIPF)
    if rng.random() < 0.2:
        _cross_at_the_only_basic_piece(board, mover, rng)
    if rng.random() < 0.1:
        _use_up_reserve(board, mover)
    position = _legal_table(mover, board, rng)
    # One row put over another may have replaced the last GIPF-piece of a player, who would have lost before (R8.5).
    return position if all(side & position.gipf for side in position.owned) else built_table(rng)


def _cross_at_the_only_basic_piece(board: dict[str, tuple[Colour, Kind]], colour: Colour, rng: Random) -> None:
    """Put two rows on crossing lines, with GIPF-pieces on all other spots of the first one."""
    first, second = rng.choice(CROSSINGS)
    for spot, (owner, kind) in [*board.items()]:
        if kind is Kind.GIPF and owner is colour:
            board[spot] = (colour, Kind.BASIC)
    board.update(dict.fromkeys(second.spots[:4], (colour, Kind.BASIC)))
    board.update({spot: (colour, Kind.GIPF) for spot in first.spots[:4] if spot not in second.spots})


def _use_up_reserve(board: dict[str, tuple[Colour, Kind]], colour: Colour) -> None:
    own = sum(piece == (colour, Kind.BASIC) for piece in board.values())
    for spot in [spot for spot in SPOTS if spot not in board][: max(0, 18 - own)]:
        board[spot] = (colour, Kind.BASIC)


def _legal_table(mover: Colour, board: dict[str, tuple[Colour, Kind]], rng: Random) -> Position:
    for colour in Colour:
        basic = [spot for spot, piece in board.items() if piece == (colour, Kind.BASIC)]
        for spot in rng.sample(basic, max(0, len(basic) - 18)):
            del board[spot]
    white, black = (
        tuple((kind, spot) for spot, (owner, kind) in sorted(board.items()) if owner is colour) for colour in Colour
    )
    return build(OVERBOARD, mover, (white, black))


def as_table(position: Position) -> Table:
    """Return a position at the start of a turn in the words of the naive program."""
    pieces = position.pieces()
    return Table(
        position.mover.letter,
        {spot: piece.owner.letter + (piece.kind or ".") for spot, piece in pieces.items()},
        {colour.letter: position.reserve[colour] for colour in Colour},
        winner="" if position.result is None or position.result.winner is None else position.result.winner.letter,
    )
