"""Conditional turns: lines that a player enters in advance, such as "if e2 then g3". Pure.

A line begins with a turn of the opponent from the current position. Every second turn of a line is the player's reply.

In Overboard a "turn" of a line is one player's decision: the actions up to the first question to the other, or an
answer to such a question (R8.4). So a line may also begin inside a turn, and reply inside one.

Lines also come from turns that were tried in a study, which holds whole turns: they are cut where the decision passes
from one player to the other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

from gipfbot.notation import (
    OFFICIAL,
    BrokenRecord,
    Notation,
    OpenTurn,
    decision_text,
    parse_conditional_turn,
    split_conditional,
    turn_text,
)
from gipfbot.rules import Action, Colour, Position, legal, play
from gipfbot.rules.pending import question

from .errors import Refused, Why
from .game import (
    Game,
    Performed,
    Turn,
    check_running_player,
    forced_removals,
    perform,
    position_after,
    remember_reading,
)
from .game_clock import is_turn_last
from .study import Actions

DEEPEST_CONDITIONAL = 5  # replies in a line
MOST_CONDITIONALS = 20  # lines that one player may have in a game


@dataclass(frozen=True)
class ConditionalLine:
    """A line of conditional turns that a player has entered in a game."""

    id: int
    user: int  # its owner, who replies
    turn_number: int  # turns played in the game before the first turn of the line
    turns: tuple[Actions, ...]
    drafted: int = 0  # actions of an unfinished turn before the line


def check_waiting(game: Game, by: int) -> None:
    """Raise Refused unless this player may enter conditional turns now.

    They must be waiting for the opponent's turn, and that turn must not decide the game.
    """
    colour = check_running_player(game, by)
    if colour is game.asked:
        raise Refused(Why.OWN_TURN, decision=game.answering)
    if next_turn_decides(game):
        raise Refused(Why.CONDITIONAL_TOO_LATE)


def may_add_conditional(game: Game, by: int) -> bool:
    """Return whether this person may enter conditional turns in a game now."""
    try:
        check_waiting(game, by)
    except Refused:
        return False
    return True


def next_turn_decides(game: Game) -> bool:
    """Return whether the opponent's next decision ends the game anyway, because they are flagged (R6.4, FAQ 11).

    In Overboard a flagged mover's turn may ask for an answer first (R8.4), which may win.
    """
    flagged = game.clock is not None and game.clock.flagged
    return flagged and (game.answering or not game.ruleset.asks_opponent)


@remember_reading
def read_conditional(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Actions, ...]:
    """Parse a typed line of conditional turns, and return its turns. `notation` is the player's own.

    The line starts after `known_draft`, since only the opponent knows the rest of the draft. A dot and a spot such as
    `e1 e3` are one push or two turns, whichever can be played.

    Raises Refused if the player may not enter such a line. Raises BrokenRecord for the first turn that cannot be read
    or played, or that has two meanings or leaves a choice open.
    """
    check_waiting(game, by)
    answers = game.ruleset.asks_opponent
    apart, joined = (split_conditional(text, join_dots=join, answers=answers) for join in (False, True))
    game = replace(game, draft=known_draft(game, by))
    if apart == joined:
        return _read_turns(game, by, apart, notation)
    found, faults = list[tuple[Actions, ...]](), list[BrokenRecord | Refused]()
    for written in (apart, joined):
        try:
            found.append(_read_turns(game, by, written, notation))
        except (BrokenRecord, Refused) as fault:
            faults.append(fault)
    if not found:
        raise max(faults, key=_fault_rank)
    _check_same_line(game, found, text)
    return max(found, key=len)


def _read_turns(game: Game, by: int, written: Sequence[str], notation: Notation) -> tuple[Actions, ...]:
    """Return the turns of a line. A player who is asked again inside a turn gives each answer by itself."""
    if not game.ruleset.asks_opponent:
        _check_conditional_length(len(written), written)
    turns, last, here, end = list[Actions](), by, game, 0
    for at, said in enumerate(written):
        _check_goes_on(game, here)
        _check_asks_other(here, last, written[:at])
        begun = (*here.draft, *here.forced) if here.draft else ()
        actions = parse_conditional_turn(here.position, said, here.turn_number + 1, notation, begun)
        if _asked_user(here) == last:
            turns[-1] = (*turns[-1], *here.draft[end:], *actions)
        else:
            turns.append(actions)
            _check_conditional_depth(len(turns))
        last, end = _asked_user(here), len(begun) + len(actions)
        here = perform(here, last, actions).game
    left_open = here.draft and _asked_user(here) == last
    _check_conditional_length(0 if left_open else len(turns), written)
    return tuple(turns)


def _check_asks_other(game: Game, last: int, said: Sequence[str]) -> None:
    """Raise Refused if an answer has completed the turn and the player who decided `last` is asked again."""
    if _asked_user(game) == last and not game.draft:
        name = next(seat.name for seat in game.seats if seat.user == last)
        raise Refused(Why.CONDITIONAL_SAME_PLAYER, answer=said[-1], name=name)


def known_draft(game: Game, by: int) -> Actions:
    """Return the part of the draft that a waiting player knows: up to their own last decision and what it forces.

    It is empty except in Overboard, when the mover waits for an answer or has gone on after one.
    """
    colour, known = game.colour_of(by), 0
    position = game.position
    for number, action in enumerate(game.draft, 1):
        asked = question(position)
        if position.decider is colour and asked and asked.forced != action:
            known = number
        position = play(position, action)
    forced = forced_removals(game.position, game.draft[:known]) if known else ()
    return game.draft[: known + len(forced)]


def lines_begin_at(game: Game, by: int) -> Position:
    """Return the position from which the lines of a waiting player start: the latest that they know."""
    return position_after(game.position, known_draft(game, by))


def is_line_current(conditional: ConditionalLine, game: Game) -> bool:
    """Return whether a line still waits for its first turn. It does not if its owner has been asked since."""
    if game.asked is None or game.seats[game.asked].user == conditional.user:
        return False
    drafted = len(known_draft(game, conditional.user))
    return (conditional.turn_number, conditional.drafted) == (game.turn_number, drafted)


def is_line_due(conditional: ConditionalLine, performed: Performed) -> bool:
    """Return whether the performed actions decide about a line: it fits them, or is dropped."""
    game, turn = performed.game, performed.turn
    played = replace(game, position=turn.before, draft=turn.actions, turn_number=turn.turn_number - 1) if turn else game
    drafted = len(known_draft(played, conditional.user))
    return (conditional.turn_number, conditional.drafted) == (played.turn_number, drafted)


def line_fits(conditional: ConditionalLine, performed: Performed) -> bool:
    """Return whether the performed actions lead to the same position as the first turn of a line."""
    if performed.turn:
        return conditional_fits(conditional, performed.turn)
    return conditional_fits_draft(conditional, performed.game)


def _fault_rank(fault: BrokenRecord | Refused) -> float:
    """Return a sort key for the better reason: an open choice, or else the one that comes later in the line."""
    if isinstance(fault, Refused):
        return MOST_CONDITIONALS
    return inf if isinstance(fault.fault, OpenTurn) else fault.turn_number


def _check_same_line(game: Game, lines: Sequence[tuple[Actions, ...]], text: str) -> None:
    """Raise BrokenRecord for the first turn in which the readings of a line differ."""
    position = position_after(game.position, game.draft)
    for number, turns in enumerate(zip(*lines, strict=False), game.turn_number + 1):
        meant = dict.fromkeys(turn_text(position, actions) for actions in turns)
        if len(meant) > 1:
            raise BrokenRecord(number, position.decider, OpenTurn([*meant], text, two_ways=True))
        position = position_after_part(position, turns[0]) or position


def position_after_part(position: Position, actions: Actions) -> Position | None:
    """Return the position after these actions, and after the forced removals inside the same turn.

    None if the actions are not legal there, for example if their line begins elsewhere.
    """
    after = position
    for action in actions:
        if action not in legal(after):
            return None
        after = play(after, action)
    return after if after.mover is not position.mover else position_after(after, forced_removals(after))


def _check_goes_on(begun: Game, reached: Game) -> None:
    """Raise Refused if the game is over in `reached`, at the end of a line that begins in the game `begun`."""
    if reached.position.result:
        raise Refused(Why.CONDITIONAL_GOES_ON)
    if is_turn_last(begun) and reached.turn_number > begun.turn_number:
        raise Refused(Why.CONDITIONAL_TOO_LATE)


def check_conditional(game: Game, by: int, turns: Sequence[Actions]) -> None:
    """Raise Refused unless a player may enter these turns as a line of conditional turns."""
    check_waiting(game, by)
    _check_conditional_length(len(turns))
    reached = replace(game, draft=known_draft(game, by))
    for number, actions in enumerate(turns):
        _check_goes_on(game, reached)
        if (_asked_user(reached) == by) is (number % 2 == 0):
            raise Refused(Why.ILLEGAL)
        performed = perform(reached, _asked_user(reached), actions)
        if performed.decided is None:
            raise Refused(Why.CONDITIONAL_UNANSWERED, said=())
        reached = performed.game


def _check_conditional_length(turns: int, said: Sequence[str] = ()) -> None:
    _check_conditional_depth(turns)
    if turns % 2 or not turns:
        raise Refused(Why.CONDITIONAL_UNANSWERED, said=tuple(said))


def _check_conditional_depth(turns: int) -> None:
    if turns > 2 * DEEPEST_CONDITIONAL:
        raise Refused(Why.CONDITIONAL_TOO_DEEP)


def _asked_user(game: Game) -> int:
    if game.asked is None:
        raise Refused(Why.CONDITIONAL_GOES_ON)
    return game.seats[game.asked].user


def can_coexist(position: Position, one: Sequence[Actions], other: Sequence[Actions]) -> bool:
    """Return whether a player may have two lines at the same time. Both lines start from `position`.

    The result is True if the lines first differ in a turn of the opponent. It is False if the lines reply differently
    to the same turns, or if one line is the beginning of the other.
    """
    for step, pair in enumerate(zip(one, other, strict=False)):
        first, second = (position_after_part(position, actions) for actions in pair)
        if first is None or second is None:
            return True
        if first != second:
            return step % 2 == 0
        position = first
    return False


def conditional_fits(conditional: ConditionalLine, turn: Turn) -> bool:
    """Return whether a turn of the opponent leads to the same position as the first turn of a line."""
    begun = position_after(turn.before, turn.actions[: conditional.drafted])
    leads_to = position_after_part(begun, conditional.turns[0])
    return conditional.turn_number == turn.turn_number - 1 and leads_to == turn.after


def conditional_fits_draft(conditional: ConditionalLine, game: Game) -> bool:
    """Return whether the draft leads to the same position as the first turn of a line, whose owner is asked now (R8.4).

    Assumes that the actions before the line are those that its owner knew.
    """
    if conditional.turn_number != game.turn_number or game.colour_of(conditional.user) is not game.asked:
        return False
    begun = position_after(game.position, game.draft[: conditional.drafted])
    return position_after_part(begun, conditional.turns[0]) == game.current


def line_after_reply(conditional: ConditionalLine, game: Game) -> ConditionalLine | None:
    """Return the rest of a line after its first reply, which has led to `game`. None if nothing is left."""
    rest = conditional.turns[2:]
    drafted = len(known_draft(game, conditional.user))
    return replace(conditional, turn_number=game.turn_number, turns=rest, drafted=drafted) if rest else None


def perform_conditional(game: Game, conditionals: Iterable[ConditionalLine]) -> Performed | None:
    """Play the first reply of the first line. Return None if there are no lines, or if the reply is refused.

    Does not check that the line fits the last turn. The reply of a fitting line is always legal, because the line was
    entered for this position.
    """
    line = next(iter(conditionals), None)
    if line is None:
        return None
    try:
        return perform(game, line.user, line.turns[1])
    except Refused:
        return None


class Decision(NamedTuple):
    """All that one player decides before the other is asked: a turn, a part of a turn, or an answer."""

    start: Position
    by: Colour
    actions: Actions


def tried_line(game: Game, by: int, tried: Sequence[Actions]) -> tuple[Actions, ...]:
    """Return the conditional line made of turns tried in a study. The last of them may be unfinished.

    The turns begin at the start of the game's current turn. The part of the draft that this player knows must be tried
    first, and is left out of the line.

    Raises Refused if the player may not enter such a line. Does not check that the turns are legal.
    """
    check_waiting(game, by)
    decisions = tried_decisions(game, by, tried)
    for one, other in pairwise(decisions):
        if one.by is other.by:
            answer = decision_text(one.start, one.actions)
            raise Refused(Why.CONDITIONAL_SAME_PLAYER, answer=answer, name=game.seats[one.by].name)
    line = tuple(decision.actions for decision in decisions)
    check_conditional(game, by, line)
    return line


def tried_decisions(game: Game, by: int, tried: Sequence[Actions]) -> list[Decision]:
    """Return what either player decides in turns tried in a study, after what this waiting player knows of the turn.

    Raises Refused if the turns do not begin with that part. Does not check that they are legal.
    """
    return [*_decisions(lines_begin_at(game, by), _after_known(game, by, tried))]


def _after_known(game: Game, by: int, tried: Sequence[Actions]) -> tuple[Actions, ...]:
    """Return the tried turns without the part of the draft that the player knows.

    Raises Refused if the turns do not begin with that part.
    """
    known, begun = known_draft(game, by), lines_begin_at(game, by)
    if not known:
        return tuple(tried)
    first = tried[0] if tried else ()
    for length in range(len(first) + 1):
        if position_after(game.position, first[:length]) == begun:
            return (first[length:], *tried[1:])
    raise Refused(Why.CONDITIONAL_BEGUN, played=turn_text(game.position, known))


def _decisions(position: Position, turns: Sequence[Actions]) -> Iterator[Decision]:
    for actions in turns:
        yield from _decisions_in_turn(position, actions)
        position = position_after(position, actions)


def _decisions_in_turn(position: Position, actions: Actions) -> Iterator[Decision]:
    """Yield the decisions in a turn. A forced removal between two decisions of one player belongs to them.

    Other forced removals after a decision are left out: they are done for the players.
    """
    begun, by, taken, forced = position, position.decider, list[Action](), list[Action]()
    for action in actions:
        asked = question(position)
        if position.decider is not by and asked and asked.forced == action:
            forced.append(action)
        elif position.decider is by:
            taken += [*forced, action]
            forced.clear()
        else:
            yield Decision(begun, by, tuple(taken))
            begun, by, taken = position, position.decider, [action]
            forced.clear()
        position = play(position, action)
    if taken:
        yield Decision(begun, by, tuple(taken))
