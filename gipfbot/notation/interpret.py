"""Find the actions that a written turn means in a position, up to the first open choice.

A notation has already split the text into a `WrittenTurn`, so the spelling does not matter here. The module
`open_choices` lists the texts that decide an open choice.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gipfbot.rules import PASS, Act, Action, Colour, Position, Push, Reason, Use, open_rows

from .errors import IllegalTurn
from .normalise import WrittenAct, WrittenTurn
from .notations import Notation, RemovalLists
from .refusals import refuse_any_removal
from .removal_steps import Way, join_ways, open_ways, play_along
from .write_turn import turn_text

WHITE_TO_MOVE = "The dots behind the number say that Black is to move, but it is White's turn."
_RULE = {
    Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2", Reason.REPETITION: "R6.3", Reason.TIME: "R6.4", Reason.RESIGN: "R6.5"
}  # fmt: skip


class ReachedTurn(NamedTuple):
    """How far a text decides a turn.

    `way` is the decided beginning of the turn. `ways` holds every way that the written removals can mean. There is one,
    unless the text is ambiguous. The open choice comes after these ways.
    """

    way: Way
    ways: tuple[Way, ...]


class TurnReading(NamedTuple):
    """A text read in one notation. If `keep` is true, GIPF-pieces that the text does not name are kept.

    Error messages write turns in the notation `shown`, or in `notation` if `shown` is None.
    """

    notation: Notation
    text: str
    keep: bool = False
    shown: Notation | None = None

    # ── The remaining part ──

    def remaining_part(self, start: Position, done: tuple[Action, ...], written: WrittenTurn) -> WrittenTurn:
        """Return the part of a written turn that is not played yet.

        The actions `done` were played from `start`. Raises IllegalTurn if the text contradicts them. Also raises it if
        a push is written, but the turn's push was played before `start`.
        """
        said = IllegalTurn("done", "R3.5", self._already(start, done), self.text)
        push = next((action for action in done if isinstance(action, Push | Use)), None)
        cut = done.index(push) if push else 0
        ready = play_along(start, done[:cut]).end
        if push and written.push:
            if self._beyond(start, written.before, done[:cut], said) or not self._same_push(ready, push, written.push):
                raise said
            after = self._beyond(play_along(ready, [push]).end, written.after, done[cut + 1 :], said)
            return written._replace(before=after, push=None, after=())
        if written.push and start.pushed:
            raise said
        begun = play_along(ready, [push]).end if push else start
        step = done[cut + 1 :] if push else done
        return written._replace(before=self._beyond(begun, written.before, step, said))

    def _beyond(
        self, begun: Position, lists: RemovalLists, step: tuple[Action, ...], said: IllegalTurn
    ) -> RemovalLists:
        """Return the part of one written step that is not played yet. Raises `said` if the text contradicts the rest.

        `begun` is the position before the step. The actions `step` were played from there.
        """
        left = self.notation.remaining_lists(begun, lists, step)
        if left is None:
            raise said
        return left

    def _same_push(self, position: Position, push: Act, act: WrittenAct) -> bool:
        found, spell = self.notation.find_act(position, act), self.notation.act_text
        return found is not None and spell(position, found) == spell(position, push)

    def _already(self, start: Position, done: tuple[Action, ...]) -> str:
        if not done:
            return "The push is already made: write what comes after it."
        played = turn_text(start, done, self.shown or self.notation)
        return f"{played} is already made: write only what comes after it."

    # ── Playing a written turn ──

    def play_whole(self, position: Position, written: WrittenTurn) -> ReachedTurn:
        """Play a written turn from `position`. Return how far the text decides it.

        Raises IllegalTurn as `play_written` does, and if a push is written although the turn's push has been played.
        """
        return self.play_written(Way((), position), self.remaining_part(position, (), written))

    def play_written(self, way: Way, written: WrittenTurn) -> ReachedTurn:
        """Play a written turn after the actions in `way`. Return how far the text decides it.

        Raises IllegalTurn if the turn is illegal. Does not check the written reserve.
        """
        mover = way.end.mover
        if written.black and mover is Colour.WHITE:
            raise IllegalTurn("side", "R3.4", WHITE_TO_MOVE, self.text)
        if way.end.result:
            raise IllegalTurn("over", _ending_rule(way.end), "The game is over: nothing more can be played.", self.text)
        if way.end.pushed:
            return self._rest(way, written.before)
        reached, decided = self._step(way, written.before, pushes=written.push is not None)
        if not written.push or not decided:
            return reached
        if reached.way.end.mover is not mover:
            raise self.ended_error(reached.way.end)
        return self._pushed(reached.way, written.push, written.after)

    def _pushed(self, way: Way, act: WrittenAct, lists: RemovalLists) -> ReachedTurn:
        """Play a push and the step after it. Return how far the text decides them."""
        mover, push = way.end.mover, self.notation.find_act(way.end, act)
        if push is None:
            raise self.notation.refuse_act(way.end, act, self.shown or self.notation, self.text)
        way = way.then(push)
        if way.end.mover is mover:
            return self._rest(way, lists)
        if not self.notation.allows_no_row(way.end, lists):
            sentence = f"{mover} has no row after this push."
            raise IllegalTurn("no_row", "R3.4", sentence, self.text, lists[0].place)
        return ReachedTurn(way, (way,))

    def _rest(self, way: Way, lists: RemovalLists) -> ReachedTurn:
        """Play the step after the push. Return how far the text decides it.

        Rows that may stay and are not written are kept (R4.7).
        """
        mover, (reached, decided) = way.end.mover, self._step(way, lists)
        if not decided or reached.way.end.mover is not mover:
            return reached
        way = reached.way.then(PASS)
        return ReachedTurn(way, (way,))

    def _step(self, way: Way, lists: RemovalLists, *, pushes: bool = False) -> tuple[ReachedTurn, bool]:
        """Play one step. Return how far the text decides it, and whether it decides all of it.

        `pushes` says that a push is written after the step.
        """
        if lists and not open_rows(way.end):
            raise refuse_any_removal(way.end, lists, self.text)
        said = self.notation.ways_to_clear(way.end, lists, self.text, pushes=pushes)
        ends: dict[Position, Way] = {}
        for one in said:
            for whole in self._ways_on(one, way.end):
                ends.setdefault(whole.end._replace(dealt=0), whole)
                if len(ends) > 1:
                    ways = tuple(join_ways(way, other) for other in said)
                    return ReachedTurn(ways[0] if len(ways) == 1 else way, ways), False
        whole = join_ways(way, next(iter(ends.values())))
        return ReachedTurn(whole, (whole,)), True

    def _ways_on(self, way: Way, begun: Position) -> Iterable[Way]:
        """Extend `way` until all due rows are removed. Return one extended way for each board that can result.

        If `way` ends the turn, return it alone. `begun` is the position at the start of `way`.
        """
        if way.end.mover is not begun.mover:
            return [way]
        return (join_ways(way, rest) for rest in open_ways(way.end, keep=self.keep))

    def ended_error(self, position: Position) -> IllegalTurn:
        """Return the error for a push written after a removal that ends the game."""
        sentence = "The removal before the push ends the game: leave the push out."
        return IllegalTurn("ended", _ending_rule(position), sentence, self.text)


def reserve_sentence(mover: Colour, left: int, written: WrittenTurn) -> str:
    """Return the sentence that a written reserve is wrong: `left` pieces are in the reserve of `mover` instead."""
    return f"{mover} has {left} in reserve after this turn, not {written.reserve}."


def _ending_rule(position: Position) -> str:
    """Return the number of the rule by which the game ended. R6 if no single rule is known."""
    return _RULE.get(position.result.by, "R6") if position.result else "R6"
