"""A second definition of the official game, written from the rule text alone and deliberately naive.

A board is a dict from the names of the occupied spots to (colour, kind); a line is a tuple of names with a dot at
both ends; nothing is cached. Only the last part of the file uses the engine's values: `naive_legal`, `naive_play` and
`naive_perft` take and return the same values as `legal`, `play` and `perft`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, TypeAlias

from gipfbot.rules.actions import PASS, PUSHES, Action, Pass, Push, Remove
from gipfbot.rules.geometry import LINES, bits
from gipfbot.rules.pieces import Colour, Kind, Reason, Result
from gipfbot.rules.position import Position
from gipfbot.rules.rulesets import Ruleset

Board: TypeAlias = dict[str, tuple[Colour, Kind]]
Line: TypeAlias = tuple[str, ...]

# R1.4: 7 lines in each of 3 directions, the dots at their ends included.
NAIVE_LINES: tuple[Line, ...] = tuple(
    tuple(text.split())
    for text in (
        "b1 b2 b3 b4 b5 b6",
        "c1 c2 c3 c4 c5 c6 c7",
        "d1 d2 d3 d4 d5 d6 d7 d8",
        "e1 e2 e3 e4 e5 e6 e7 e8 e9",
        "f1 f2 f3 f4 f5 f6 f7 f8",
        "g1 g2 g3 g4 g5 g6 g7",
        "h1 h2 h3 h4 h5 h6",
        "a2 b2 c2 d2 e2 f1",
        "a3 b3 c3 d3 e3 f2 g1",
        "a4 b4 c4 d4 e4 f3 g2 h1",
        "a5 b5 c5 d5 e5 f4 g3 h2 i1",
        "b6 c6 d6 e6 f5 g4 h3 i2",
        "c7 d7 e7 f6 g5 h4 i3",
        "d8 e8 f7 g6 h5 i4",
        "a4 b5 c6 d7 e8 f8",
        "a3 b4 c5 d6 e7 f7 g7",
        "a2 b3 c4 d5 e6 f6 g6 h6",
        "a1 b2 c3 d4 e5 f5 g5 h5 i5",
        "b1 c2 d3 e4 f4 g4 h4 i4",
        "c1 d2 e3 f3 g3 h3 i3",
        "d1 e2 f2 g2 h2 i2",
    )
)


class Row(NamedTuple):
    """A row (R4.1), the unbroken occupied stretch it lies in (R4.2), and the line it is known by (R4.6)."""

    line: Line
    core: Line
    stretch: Line


@dataclass(frozen=True)
class State:
    """A position in plain words."""

    rules: Ruleset
    mover: Colour
    board: Board
    reserve: dict[Colour, int]
    captured: dict[Colour, int]
    opening: dict[Colour, bool]
    pushed: bool
    dealt: frozenset[Line]
    result: Result | None


class NaivePush(NamedTuple):
    """A piece of this kind is put on the first point of the path, a dot, and pushed along it."""

    path: Line
    kind: Kind


class NaiveRemove(NamedTuple):
    """The row on this line is removed: these spots are cleared."""

    line: Line
    spots: frozenset[str]


class NaivePass(NamedTuple):
    """The offers that stand after the push are left."""


NaiveAction: TypeAlias = NaivePush | NaiveRemove | NaivePass

WORTH = {Kind.BASIC: 1, Kind.GIPF: 2}


# --- what stands on the board -----------------------------------------------------------------------------------


def runs(spots: Line, mark: Mapping[str, object]) -> Iterator[Line]:
    """Yield the longest runs of neighbouring spots that carry one and the same mark; unmarked spots are gaps."""
    run: list[str] = []
    for spot in spots:
        if run and (spot not in mark or mark[spot] != mark[run[-1]]):
            yield tuple(run)
            run = []
        if spot in mark:
            run.append(spot)
    if run:
        yield tuple(run)


def rows(board: Board, colour: Colour) -> list[Row]:
    """Return the rows of one colour: at least 4 adjacent spots of one line with pieces of that colour (R4.1)."""
    owners = {spot: owner for spot, (owner, _) in board.items()}
    occupied = dict.fromkeys(board, "occupied")
    return [
        Row(line, core, stretch)
        for line in NAIVE_LINES
        for stretch in runs(line[1:-1], occupied)
        for core in runs(stretch, owners)
        if len(core) >= 4 and owners[core[0]] is colour
    ]


def open_rows(state: State) -> list[Row]:
    """Return the mover's rows on lines that they have not yet dealt with in this removal step (R4.6)."""
    return [row for row in rows(state.board, state.mover) if row.line not in state.dealt]


def is_due(board: Board, row: Row) -> bool:
    """Return whether the row's stretch holds a basic piece of either colour. If not, it is an offer (R4.7)."""
    return any(board[spot][1] is Kind.BASIC for spot in row.stretch)


def gipf_pieces(board: Board, colour: Colour) -> int:
    """Count a player's GIPF-pieces on the board."""
    return sum(1 for piece in board.values() if piece == (colour, Kind.GIPF))


# --- what may be done -------------------------------------------------------------------------------------------


def removals(board: Board, row: Row) -> Iterator[NaiveRemove]:
    """Yield every way to deal with one row: basic pieces go, each GIPF-piece stays or goes (R4.3, R4.4, R4.7)."""
    basic = [spot for spot in row.stretch if board[spot][1] is Kind.BASIC]
    gipf = [spot for spot in row.stretch if board[spot][1] is Kind.GIPF]
    for number in range(len(gipf) + 1):
        for some in combinations(gipf, number):
            if basic or some:
                yield NaiveRemove(row.line, frozenset(basic) | frozenset(some))


def kinds(state: State) -> list[Kind]:
    """Return the kinds of piece that the mover can bring in from their reserve now (section 2, R5.1-R5.3)."""
    reserve = state.reserve[state.mover]
    if reserve == 0:
        return []
    if reserve == 1 or not (state.rules.gipf_enters and state.opening[state.mover]):
        return [Kind.BASIC]
    if gipf_pieces(state.board, state.mover) == 0:
        return [Kind.GIPF]
    return [Kind.BASIC, Kind.GIPF]


def pushes(state: State) -> Iterator[NaivePush]:
    """Yield every push: from both ends of every line that has a vacancy (R3.2, R3.3)."""
    for kind in kinds(state):
        for line in NAIVE_LINES:
            if any(spot not in state.board for spot in line[1:-1]):
                yield NaivePush(line, kind)
                yield NaivePush(line[::-1], kind)


def state_legal(state: State) -> Iterator[NaiveAction]:
    """Yield everything the mover may do next (R3.1-R3.4, R4.5, R4.7, R4.8)."""
    if state.result is not None:
        return
    standing = open_rows(state)
    for row in standing:
        yield from removals(state.board, row)
    if any(is_due(state.board, row) for row in standing):
        return
    if not state.pushed:
        yield from pushes(state)
    elif standing:
        yield NaivePass()


# --- what it does -----------------------------------------------------------------------------------------------


def state_play(state: State, action: NaiveAction) -> State:
    """Return the state after a legal action."""
    match action:
        case NaivePush():
            return settle(after_push(state, action))
        case NaiveRemove():
            return settle(after_removal(state, action))
        case NaivePass():
            return turn_passes(state)


def after_push(state: State, push: NaivePush) -> State:
    """Move the unbroken block in front one step, as far as the first vacancy, and put the new piece behind it."""
    spots = push.path[1:-1]
    vacancy = next(place for place, spot in enumerate(spots) if spot not in state.board)
    board = {spot: piece for spot, piece in state.board.items() if spot not in spots[:vacancy]}
    for place in range(vacancy):
        board[spots[place + 1]] = state.board[spots[place]]
    board[spots[0]] = (state.mover, push.kind)
    reserve = {**state.reserve, state.mover: state.reserve[state.mover] - WORTH[push.kind]}
    opening = {**state.opening, state.mover: state.opening[state.mover] and push.kind is Kind.GIPF}
    return replace(state, board=board, reserve=reserve, opening=opening, pushed=True, dealt=frozenset())


def after_removal(state: State, removal: NaiveRemove) -> State:
    """Clear the spots: own pieces go back to the reserve, the opponent's are captured (R4.3, R4.4)."""
    reserve, captured = dict(state.reserve), dict(state.captured)
    for spot in removal.spots:
        owner, kind = state.board[spot]
        if owner is state.mover:
            reserve[owner] += WORTH[kind]
        else:
            captured[owner] += WORTH[kind]
    board = {spot: piece for spot, piece in state.board.items() if spot not in removal.spots}
    return replace(state, board=board, reserve=reserve, captured=captured, dealt=state.dealt | {removal.line})


def settle(state: State) -> State:
    """End the game if it is decided; pass the turn if it is complete."""
    standing, player = open_rows(state), state.mover
    if any(is_due(state.board, row) for row in standing):
        return state
    winner = winner_by_gipf(state)
    if winner is not None:
        return game_ends(state, Result(winner, Reason.GIPF))
    if standing:
        return state
    if state.pushed:
        return turn_passes(state)
    if state.reserve[player] == 0:
        return game_ends(state, Result(player.other, Reason.RESERVE))
    return state


def winner_by_gipf(state: State) -> Colour | None:
    """Return who has won under R6.2. If both have none left the player who removed them wins (FAQ 10)."""
    if not state.rules.gipf_decides:
        return None
    player, opponent = state.mover, state.mover.other
    not_begun = state.opening[opponent] and state.reserve[opponent] == state.rules.pieces
    if gipf_pieces(state.board, opponent) == 0 and not not_begun:
        return player
    can_bring_one = not state.pushed and state.opening[player] and state.reserve[player] >= 2
    if gipf_pieces(state.board, player) == 0 and not can_bring_one:
        return opponent
    return None


def turn_passes(state: State) -> State:
    """Give the turn to the opponent. They lose if they have neither a reserve nor a row that refills it (R6.1)."""
    player, opponent = state.mover, state.mover.other
    lost = state.reserve[opponent] == 0 and not rows(state.board, opponent)
    result = Result(player, Reason.RESERVE) if lost else None
    return replace(state, mover=opponent, pushed=False, dealt=frozenset(), result=result)


def game_ends(state: State, result: Result) -> State:
    """End the game within the mover's turn; the mover is then the player who would have been next."""
    return replace(state, mover=state.mover.other, pushed=False, dealt=frozenset(), result=result)


# --- full turns -------------------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A full turn as section 9 tells turns apart; without a push when the removal before it ended the game."""

    before: frozenset[str]
    push: NaivePush | None
    after: frozenset[str]

    def and_then(self, action: NaiveAction) -> "Turn":
        """Return the turn with one more action."""
        match action:
            case NaivePush():
                return self._replace(push=action)
            case NaiveRemove() if self.push is None:
                return self._replace(before=self.before | action.spots)
            case NaiveRemove():
                return self._replace(after=self.after | action.spots)
            case NaivePass():
                return self


def turns(state: State) -> dict[Turn, State]:
    """Return every full turn from the start of a turn, with the state it leads to."""
    done: dict[Turn, State] = {}
    unfinished = [(Turn(frozenset(), None, frozenset()), state)]
    while unfinished:
        turn, now = unfinished.pop()
        for action in state_legal(now):
            longer, then = turn.and_then(action), state_play(now, action)
            if then.mover is state.mover:
                unfinished.append((longer, then))
            else:
                assert done.setdefault(longer, then) == then, "the same turn leads to two positions"
    return done


def as_written(board: Board, turn: Turn) -> Turn:
    """Return the turn without its dot if the official notation does not write it (section 9, D)."""
    if turn.push is None or turn.push.path[1] in {spot for spot in board if spot not in turn.before}:
        return turn
    return turn._replace(push=NaivePush(turn.push.path[1:2], turn.push.kind))


# --- the edges: the engine's values in and out ------------------------------------------------------------------

NUMBER = {line: next(known.number for known in LINES if set(known.spots) == set(line[1:-1])) for line in NAIVE_LINES}


def state_of(position: Position) -> State:
    """Return an engine's position in plain words."""
    return State(
        rules=position.rules,
        mover=position.mover,
        board={spot: (piece.owner, piece.kind) for spot, piece in position.pieces().items()},
        reserve={colour: position.reserve[colour] for colour in Colour},
        captured={colour: position.captured[colour] for colour in Colour},
        opening={colour: position.opening[colour] for colour in Colour},
        pushed=position.pushed,
        dealt=frozenset(line for line in NAIVE_LINES if position.dealt >> NUMBER[line] & 1),
        result=position.result,
    )


def position_of(state: State) -> Position:
    """Return plain words as the engine's position."""
    white, black = Colour.WHITE, Colour.BLACK
    owned = {colour: bits(spot for spot, piece in state.board.items() if piece[0] is colour) for colour in Colour}
    return Position(
        rules=state.rules,
        mover=state.mover,
        owned=(owned[white], owned[black]),
        gipf=bits(spot for spot, piece in state.board.items() if piece[1] is Kind.GIPF),
        reserve=(state.reserve[white], state.reserve[black]),
        captured=(state.captured[white], state.captured[black]),
        opening=(state.opening[white], state.opening[black]),
        pushed=state.pushed,
        dealt=sum(1 << NUMBER[line] for line in state.dealt),
        result=state.result,
    )


def action_of(action: NaiveAction) -> Action:
    """Return a naive action as the engine's."""
    match action:
        case NaivePush(path, kind):
            return PUSHES[path[0], path[1], kind]
        case NaiveRemove(line, spots):
            return Remove(NUMBER[line], bits(spots))
        case NaivePass():
            return PASS


def naive_of(action: Action) -> NaiveAction:
    """Return an engine's action as a naive one."""
    match action:
        case Push(entry, kind):
            lines = [*NAIVE_LINES, *(line[::-1] for line in NAIVE_LINES)]
            return NaivePush(next(path for path in lines if path[:2] == (entry.dot, entry.spot)), kind)
        case Remove():
            return removal_of(action)
        case Pass():
            return NaivePass()
        case _:
            raise AssertionError("the official versions have no uses")


def removal_of(remove: Remove) -> NaiveRemove:
    """Return an engine's removal as a naive one."""
    return NaiveRemove(next(line for line in NAIVE_LINES if NUMBER[line] == remove.line), frozenset(remove.spots))


def naive_legal(position: Position) -> list[Action]:
    """Return what `legal` must return, in any order."""
    return [action_of(action) for action in state_legal(state_of(position))]


def naive_play(position: Position, action: Action) -> Position:
    """Return what `play` must return."""
    return position_of(state_play(state_of(position), naive_of(action)))


def naive_perft(position: Position, depth: int) -> tuple[int, int, int]:
    """Return what `perft` must return for a position at the start of a turn (section 9)."""
    seen: dict[Position, dict[Turn, Position]] = {}

    def children(parent: Position) -> dict[Turn, Position]:
        if parent not in seen:
            seen[parent] = {turn: position_of(state) for turn, state in turns(state_of(parent)).items()}
        return seen[parent]

    level = {position: (1, 1)}
    for _ in range(depth):
        deeper: dict[Position, tuple[int, int]] = {}
        for parent, (sequences, written) in level.items():
            board = state_of(parent).board
            spelled = {as_written(board, turn): child for turn, child in children(parent).items()}
            for child in children(parent).values():
                a, d = deeper.get(child, (0, 0))
                deeper[child] = (a + sequences, d)
            for child in spelled.values():
                a, d = deeper[child]
                deeper[child] = (a, d + written)
        level = deeper
    return sum(a for a, _ in level.values()), sum(d for _, d in level.values()), len(level)
