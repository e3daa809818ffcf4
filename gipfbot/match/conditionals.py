"""Conditional turns: lines that a player leaves in advance, such as "if e2 then g3". Pure.

A line begins with the opponent's turn in the present position. Every second turn of it is the player's own reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gipfbot.notation import OFFICIAL, Notation, parse_conditional_turn, split_conditional
from gipfbot.rules import Position

from .errors import Refused, Why
from .game import Game, Performed, Turn, check_running_player, perform, position_after
from .study import Actions

DEEPEST_CONDITIONAL = 5  # replies in a line
MOST_CONDITIONALS = 20  # lines of one player in a game


@dataclass(frozen=True)
class ConditionalLine:
    """A line that a player has left in a game."""

    id: int
    user: int  # its owner, who replies
    turn_number: int  # turns of the game that were played before its first turn
    turns: tuple[Actions, ...]

    @property
    def remaining_line(self) -> "ConditionalLine | None":
        """The line after its first turn and the reply to it; None if nothing follows."""
        rest = self.turns[2:]
        return replace(self, turn_number=self.turn_number + 2, turns=rest) if rest else None


def check_waiting(game: Game, by: int) -> None:
    """Raise Refused unless this player waits for the opponent's turn, and the game can go on after it."""
    colour = check_running_player(game, by)
    if colour is game.asked:
        raise Refused(Why.OWN_TURN)
    if next_turn_decides(game):
        raise Refused(Why.CONDITIONAL_TOO_LATE)


def may_add_conditional(game: Game, by: int) -> bool:
    """Return whether this person may leave conditional turns in a game now."""
    try:
        check_waiting(game, by)
    except Refused:
        return False
    return True


def next_turn_decides(game: Game) -> bool:
    """Return whether any next turn decides the game, as the flag has fallen (R6.4, FAQ 11)."""
    return game.clock is not None and game.clock.flagged


def read_conditional(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Actions, ...]:
    """Return the turns of a line that a player has typed; `notation` is their own.

    The opponent's draft does not count: nobody knows it yet. Raises Refused, and BrokenRecord for the first turn that
    cannot be read or played, or that leaves a choice open.
    """
    check_waiting(game, by)
    written = split_conditional(text)
    _check_conditional_length(len(written), written)
    position, turns = game.position, list[Actions]()
    for number, said in enumerate(written, game.turn_number + 1):
        _check_goes_on(position)
        turns.append(parse_conditional_turn(position, said, number, notation))
        position = position_after(position, turns[-1])
    return tuple(turns)


def _check_goes_on(position: Position) -> None:
    if position.result:
        raise Refused(Why.CONDITIONAL_GOES_ON)


def check_conditional(game: Game, by: int, turns: Sequence[Actions]) -> None:
    """Raise Refused unless a player may leave these turns as a line."""
    check_waiting(game, by)
    _check_conditional_length(len(turns))
    reached = replace(game, draft=())
    for actions in turns:
        reached = perform(reached, _asked_user(reached), actions).game


def _check_conditional_length(turns: int, said: Sequence[str] = ()) -> None:
    if turns > 2 * DEEPEST_CONDITIONAL:
        raise Refused(Why.CONDITIONAL_TOO_DEEP)
    if turns % 2 or not turns:
        raise Refused(Why.CONDITIONAL_UNANSWERED, said=tuple(said))


def _asked_user(game: Game) -> int:
    if game.asked is None:
        raise Refused(Why.CONDITIONAL_GOES_ON)
    return game.seats[game.asked].user


def can_coexist(position: Position, one: Sequence[Actions], other: Sequence[Actions]) -> bool:
    """Return whether two lines from a position first differ in a turn of the opponent, so that both can stay.

    Lines with different replies to the same turns cannot, nor can a line and its beginning.
    """
    for step, pair in enumerate(zip(one, other, strict=False)):
        first, second = (position_after(position, actions) for actions in pair)
        if first != second:
            return step % 2 == 0
        position = first
    return False


def conditional_fits(conditional: ConditionalLine, turn: Turn) -> bool:
    """Return whether the opponent's turn leads to the same position as the first turn of a line."""
    return (
        conditional.turn_number == turn.turn_number - 1
        and position_after(turn.before, conditional.turns[0]) == turn.after
    )


def perform_conditional(game: Game, conditionals: Iterable[ConditionalLine]) -> Performed | None:
    """Return the game after the reply of the first of these lines; None without lines, or if it is illegal.

    It was legal when the line was left, and the position is the same. Not checked: whether the lines fit.
    """
    line = next(iter(conditionals), None)
    if line is None:
        return None
    try:
        return perform(game, line.user, line.turns[1])
    except Refused:
        return None
