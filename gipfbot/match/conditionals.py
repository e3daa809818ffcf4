"""Answers left in advance: lines of turns, the opponent's and one's own in turn, that a player has written down. Pure.

A line begins with the opponent's turn in the position as it stands, and every second turn of it is an answer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gipfbot.notation import OFFICIAL, Notation, parse_conditional_turn, split_conditional
from gipfbot.rules import Position

from .errors import Refused, Why
from .game import Game, Performed, Turn, check_running_player, perform, position_after
from .study import Actions

DEEPEST_CONDITIONAL = 5  # answers in a line
MOST_CONDITIONALS = 20  # lines of one player in a game


@dataclass(frozen=True)
class ConditionalLine:
    """The turns of a line; `number` turns of the game were played before its first. `user` is who answers."""

    id: int
    user: int
    turn_number: int
    turns: tuple[Actions, ...]

    @property
    def remaining_line(self) -> "ConditionalLine | None":
        """What is left of it after its first turn and the answer to it."""
        left = self.turns[2:]
        return replace(self, turn_number=self.turn_number + 2, turns=left) if left else None


def check_waiting(game: Game, by: int) -> None:
    """Raise Refused unless this person waits for his opponent's turn, and the game can go on after it."""
    colour = check_running_player(game, by)
    if colour is game.asked:
        raise Refused(Why.OWN_TURN)
    if next_turn_decides(game):
        raise Refused(Why.CONDITIONAL_TOO_LATE)


def may_add_conditional(game: Game, by: int) -> bool:
    """Return whether this person may leave answers in a game now."""
    try:
        check_waiting(game, by)
    except Refused:
        return False
    return True


def next_turn_decides(game: Game) -> bool:
    """Return whether the next turn decides the game, whatever it is: the flag has fallen (R6.4, FAQ 11)."""
    return game.clock is not None and game.clock.flagged


def read_conditional(game: Game, by: int, text: str, notation: Notation = OFFICIAL) -> tuple[Actions, ...]:
    """Return the turns of a line as a player writes it; `notation` is their own.

    What the opponent has begun of their turn does not count: nobody knows it yet. Raises Refused, and BrokenRecord for
    the first turn that cannot be read, or played, or that leaves something open.
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
    """Return whether two lines from a position part at a turn of the opponent, so that both can stand.

    Lines that answer the same turns differently, or of which one is the beginning of the other, do not.
    """
    for step, pair in enumerate(zip(one, other, strict=False)):
        first, second = (position_after(position, actions) for actions in pair)
        if first != second:
            return step % 2 == 0
        position = first
    return False


def conditional_fits(conditional: ConditionalLine, turn: Turn) -> bool:
    """Return whether this turn of the opponent is the one that a line begins with, or leads to the same position."""
    return (
        conditional.turn_number == turn.turn_number - 1
        and position_after(turn.before, conditional.turns[0]) == turn.after
    )


def perform_conditional(game: Game, conditionals: Iterable[ConditionalLine]) -> Performed | None:
    """Return the game after the answer of the first of these lines; None without any, or if it is illegal.

    It was legal when the line was left, and the position is the same. Not checked: whether the lines fit.
    """
    line = next(iter(conditionals), None)
    if line is None:
        return None
    try:
        return perform(game, line.user, line.turns[1])
    except Refused:
        return None
