"""Prove by the rules alone who wins by force, and find the best replies. Pure.

Every turn of both players is looked at. Nothing here knows the search, so that each confirms the other. Repetitions
(R6.3) need no thought: a win that is forced within so many turns never has to repeat a position.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from gipfbot.rules import Act, Position, Remove, Turn, distinct_acts, play, removal_ways


class FullTurn(NamedTuple):
    """A full turn, and the position after it."""

    turn: Turn
    after: Position


class Stopped(Exception):
    """Nobody wants to know any more."""


class WinProof:
    """Proofs about the positions of one puzzle. What is found is kept for the next question.

    All positions must be at the start of a turn. A win counts within so many turns of the player, the present one
    included. It needs no more of these, but may be completed by a turn of the opponent, who loses in it. `stop` is
    asked often: when it returns True, any method raises Stopped.
    """

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self._stop = stop
        self._known: dict[tuple[Position, int], bool] = {}
        self._refuting: dict[int, Act] = {}  # the act that refuted last, with so many turns of the player left

    def winning_turns(self, position: Position, own_turns: int) -> list[FullTurn]:
        """Return the turns that win by force. Turns that differ only in the order of their lists count as one."""
        return [one for one in _full_turns(position) if self.loses(one.after, own_turns - 1)]

    def wins(self, position: Position, own_turns: int) -> bool:
        """Return whether the player whose turn it is wins by force."""
        if position.result is not None or own_turns < 1:
            return position.result is not None and position.result.winner is position.mover
        if self._stop():
            raise Stopped
        key = position, own_turns
        if key not in self._known:
            # A turn that removes pieces wins more often.
            quiet = list[FullTurn]()
            won = any(self.loses(one.after, own_turns - 1) for one in _taking_first(position, quiet))
            self._known[key] = won or any(self.loses(one.after, own_turns - 1) for one in quiet)
        return self._known[key]

    def loses(self, position: Position, own_turns: int) -> bool:
        """Return whether the player whose turn it is loses within so many turns of the opponent, by force."""
        if position.result is not None or own_turns < 1:
            return position.result is not None and position.result.winner is position.mover.other
        return self.refutation(position, own_turns) is None

    def refutation(self, position: Position, own_turns: int) -> FullTurn | None:
        """Return a turn after which the opponent does not win within so many turns; None if there is none.

        The player whose turn it is plays it. Assumes that the game is not over.
        """
        for one in _full_turns(position, self._refuting.get(own_turns)):
            if not self.wins(one.after, own_turns):
                if one.turn.act:
                    self._refuting[own_turns] = one.turn.act
                return one
        return None

    def best_defence(self, position: Position, own_turns: int) -> FullTurn:
        """Return the best turn of the player who loses within so many turns of the opponent.

        It holds out longest. Among several that do, it leaves the opponent the fewest turns that win. Assumes that the
        player does lose, and that the game is not over.
        """
        replies = [*_full_turns(position)]
        for fewer in range(own_turns - 1, -1, -1):
            if lasting := [one for one in replies if not self.wins(one.after, fewer)]:
                return min(lasting, key=lambda one: len(self.winning_turns(one.after, fewer + 1)))
        return replies[0]


def _taking_first(position: Position, quiet: list[FullTurn]) -> Iterator[FullTurn]:
    """Yield the turns that remove pieces or end the game. Put all others into `quiet`."""
    for one in _full_turns(position):
        if one.turn.before or one.turn.after or one.after.result is not None:
            yield one
        else:
            quiet.append(one)


def _full_turns(position: Position, first: Act | None = None) -> Iterator[FullTurn]:
    """Yield every full turn once, as `rules.turns` does, but those with the act `first` before the others."""
    for ready, ways in removal_ways(position).items():
        before = tuple(action for action in ways if type(action) is Remove)
        if ready.mover is not position.mover:
            yield FullTurn(Turn(before, None, ways[len(before) :]), ready)
            continue
        acts = [*distinct_acts(ready)]
        if first in acts:
            acts.remove(first)
            acts.insert(0, first)
        for act in acts:
            acted = play(ready, act)
            ends = removal_ways(acted) if acted.mover is position.mover else {acted: ()}
            for end, after in ends.items():
                yield FullTurn(Turn(before, act, after), end)
