"""From what a text in one notation says to the actions it means in a position.

`parse_turn` is strict: a whole turn or an error, for records and tools. `Reading.part` is for play: it returns as much
as the text decides, and what is left is asked. How a notation spells a turn is no matter here: it comes as `Written`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from gipfbot.rules import PASS, Action, Position, Push, Reason, Remove, open_rows

from . import choices
from .errors import IllegalTurn
from .notations import OFFICIAL, Lists, Notation
from .refusals import refuse_removal
from .steps import Way, along, joined, left_open
from .writing import turn_text
from .written import Act, Written

_RULE = {
    Reason.RESERVE: "R6.1", Reason.GIPF: "R6.2", Reason.REPETITION: "R6.3", Reason.TIME: "R6.4", Reason.RESIGN: "R6.5"
}  # fmt: skip


def parse_turn(position: Position, text: str, notation: Notation = OFFICIAL) -> tuple[Action, ...]:
    """Return the actions of a whole turn played from `position`.

    Inside a turn that is the remaining part. The twin of `turn_text`. Raises ParseError, IllegalTurn, or OpenTurn with
    the choices where the text leaves one.
    """
    written = notation.read(text)
    reading = Reading(notation, text, keep=notation.keeps)
    rest = reading.remaining(position, (), written)
    reached = reading.played(Way((), position), rest)
    if reached.way.end.mover is position.mover:
        raise choices.left_by(reading, position, reached.ways, rest)
    reading.check_reserve(position, reached.way, written)
    return reached.way.actions


class Reached(NamedTuple):
    """How far a text decides a turn; and the ways from which its choices go on, several where it has two meanings."""

    way: Way
    ways: tuple[Way, ...]


class Reading(NamedTuple):
    """A text that is read in one notation; with `keep` the GIPF-pieces that it does not mention are kept.

    Whoever reads why it is refused is shown turns in the notation `shown`, else in the same.
    """

    notation: Notation
    text: str
    keep: bool = False
    shown: Notation | None = None

    def part(self, start: Position, done: Iterable[Action], written: Written) -> tuple[Action, ...]:
        """Return the actions that the text adds to a turn of which `done` has been played, as far as it decides.

        Where nothing is left to choose, they go on. Raises IllegalTurn, also for a push that no choice before it
        allows.
        """
        way = along(start, done)
        rest = self.remaining(start, way.actions, written)
        added = self.played(Way((), way.end), rest).way
        if rest.act and not any(isinstance(action, Push) for action in added.actions):
            choices.check_rest(self, added.end, rest)
        self.check_reserve(start, added, written)
        return added.actions

    # ── What is still to be played ──

    def remaining(self, start: Position, done: tuple[Action, ...], written: Written) -> Written:
        """Return what a text says beyond what is done. Raises IllegalTurn where it says something else."""
        said = IllegalTurn("done", "R3.5", self._already(start, done), self.text)
        push = next((action for action in done if isinstance(action, Push)), None)
        cut = done.index(push) if push else 0
        ready = along(start, done[:cut]).end
        if push and written.act:
            if self._beyond(start, written.before, done[:cut], said) or not self._same_push(ready, push, written.act):
                raise said
            after = self._beyond(along(ready, [push]).end, written.after, done[cut + 1 :], said)
            return written._replace(before=after, act=None, after=())
        if written.act and start.pushed:
            raise said
        begun = along(ready, [push]).end if push else start
        step = done[cut + 1 :] if push else done
        return written._replace(before=self._beyond(begun, written.before, step, said))

    def _beyond(self, begun: Position, lists: Lists, step: tuple[Action, ...], said: IllegalTurn) -> Lists:
        """Return the lists without what has been removed since the step has begun."""
        left = self.notation.beyond(begun, lists, step)
        if left is None:
            raise said
        return left

    def _same_push(self, position: Position, push: Push, act: Act) -> bool:
        found, spell = self.notation.find_push(position, act), self.notation.push_text
        return found is not None and spell(position, found) == spell(position, push)

    def _already(self, start: Position, done: tuple[Action, ...]) -> str:
        if not done:
            return "The push of this turn is done: write what comes after it."
        return (
            f"You have already played {turn_text(start, done, self.shown or self.notation)}: write what comes after it."
        )

    # ── Playing what is written ──

    def played(self, way: Way, written: Written) -> Reached:
        """Return how far the text decides it: to the end of the turn, or to a choice that it leaves open."""
        mover = way.end.mover
        if way.end.result:
            raise IllegalTurn("over", _over_by(way.end), "The game is over: nothing more can be played.", self.text)
        if way.end.pushed:
            return self._rest(way, written.before)
        reached, decided = self._step(way, written.before, pushes=written.act is not None)
        if not written.act or not decided:
            return reached
        if reached.way.end.mover is not mover:
            raise self.ended(reached.way.end)
        return self._pushed(reached.way, written.act, written.after)

    def _pushed(self, way: Way, act: Act, lists: Lists) -> Reached:
        """Return the way with the push, and what is removed after it."""
        mover, push = way.end.mover, self.notation.find_push(way.end, act)
        if push is None:
            raise self.notation.refuse_push(way.end, act, self.shown or self.notation, self.text)
        way = way.then(push)
        if way.end.mover is mover:
            return self._rest(way, lists)
        if not self.notation.idle(way.end, lists):
            raise IllegalTurn("no_row", "R3.4", f"No row of {mover}'s stands after this push.", self.text, lists[0].at)
        return Reached(way, (way,))

    def _rest(self, way: Way, lists: Lists) -> Reached:
        """Return the way after the push; the turn is passed on if all is decided, offers not named are kept (R4.7)."""
        mover, (reached, decided) = way.end.mover, self._step(way, lists)
        if not decided or reached.way.end.mover is not mover:
            return reached
        way = reached.way.then(PASS)
        return Reached(way, (way,))

    def _step(self, way: Way, lists: Lists, *, pushes: bool = False) -> tuple[Reached, bool]:
        """Return how far this removal step is decided, and whether all of it is; with `pushes` a push follows."""
        if lists and not open_rows(way.end):
            named = tuple(piece for removal in lists for piece in removal.pieces)
            raise refuse_removal(way.end, named, lists[0].at, self.text)
        said = self.notation.cleared(way.end, lists, pushes, self.text)
        ends: dict[Position, Way] = {}
        for one in said:
            for whole in self._ways_on(one, way.end):
                ends.setdefault(whole.end._replace(dealt=0), whole)
                if len(ends) > 1:
                    ways = tuple(joined(way, other) for other in said)
                    return Reached(ways[0] if len(ways) == 1 else way, ways), False
        whole = joined(way, next(iter(ends.values())))
        return Reached(whole, (whole,)), True

    def _ways_on(self, way: Way, begun: Position) -> Iterable[Way]:
        """Return the way with what is due after it, in each way to do that; as it is where it ends the turn."""
        if way.end.mover is not begun.mover:
            return [way]
        return (joined(way, rest) for rest in left_open(way.end, keep=self.keep))

    def ended(self, position: Position) -> IllegalTurn:
        """Return the error of a push written behind a removal that ends the game in this position."""
        sentence = "The removal before the push ends the game: leave the push out."
        return IllegalTurn("ended", _over_by(position), sentence, self.text)

    def check_reserve(self, start: Position, way: Way, written: Written) -> None:
        """Raise IllegalTurn for a reserve that is not the mover's after the turn; an unfinished one is not checked."""
        left = way.end.reserve[start.mover]
        if written.reserve not in (None, left) and way.end.mover is not start.mover:
            sentence = f"{start.mover} has {left} in reserve after this turn, not {written.reserve}."
            rule = "R4.3" if any(isinstance(action, Remove) for action in way.actions) else "R3.2"
            raise IllegalTurn("reserve_after", rule, sentence, self.text)


def _over_by(position: Position) -> str:
    """Return the number of the rule that has ended the game."""
    return _RULE.get(position.result.by, "R6") if position.result else "R6"
