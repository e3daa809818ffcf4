"""Define what every notation can do: write actions as text, and find what a text means in a position."""

from abc import ABC, abstractmethod
from typing import TypeAlias

from gipfbot.rules import Act, Action, Position, Push, Remove, Use, legal
from gipfbot.rules.changes import furthest_spot
from gipfbot.rules.geometry import BIT, Entry

from .action_codes import use_code
from .errors import IllegalTurn, OpenTurn
from .normalise import WrittenAct, WrittenPush, WrittenRemoval, WrittenTurn, WrittenUse
from .refusals import refuse_push, refuse_use
from .removal_steps import Way

RemovalLists: TypeAlias = tuple[WrittenRemoval, ...]  # the removals before or after a push, as a text writes them


class Notation(ABC):
    """A system of writing turns. The methods that write actions do not check that the actions are legal."""

    name: str  # the key in `NOTATIONS`
    title: str  # what people read
    keeps_unwritten: bool  # whether records keep GIPF-pieces that a text does not name; in play the player is asked
    separator: str  # between two removals, and between a push and the removals after it

    @abstractmethod
    def read(self, text: str) -> WrittenTurn:
        """Split the text of a turn into its push and removals. Raises ParseError with the offset of the first fault.

        Ignores blanks and the case of letters. Does not check legality, since the position is not known.
        """

    @abstractmethod
    def push_text(self, position: Position, push: Push) -> str:
        """Return a push as text. If the first spot of the push is vacant, the dot is left out."""

    @abstractmethod
    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return the removal of one row as text. Empty if it need not be written."""

    @abstractmethod
    def empty_step_text(self, position: Position) -> str:
        """Return what is written for a step whose removals need not be written: nothing, or a bare `X`.

        `position` is the position before the step.
        """

    @abstractmethod
    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the entries (dot and direction) that a written push can mean."""

    @abstractmethod
    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return the ways to carry out one step as written. There are several if the text is ambiguous.

        `position` is the position before the step. `pushes` says that a push is written after it. Rows that are not
        named may remain. Raises IllegalTurn, which quotes `text`, if there is no way.
        """

    @abstractmethod
    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return the part of one written step that is not played yet. None if the text contradicts what was played.

        `begun` is the position before the step. The actions `done` were played from there.
        """

    @abstractmethod
    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether a text may write these removals after a push that makes no row.

        `position` is the position after the push.
        """

    def act_text(self, position: Position, act: Act) -> str:
        """Return a push or the use of a potential as text."""
        return use_code(act) if isinstance(act, Use) else self.push_text(position, act)

    def find_act(self, position: Position, act: WrittenAct) -> Act | None:
        """Return the legal push or use that a written one means. None if there is none.

        Raises OpenTurn if a use does not say whether 1 or 2 pieces are put down, and both are legal.
        """
        return _find_use(position, act) if isinstance(act, WrittenUse) else self._find_push(position, act)

    def _find_push(self, position: Position, act: WrittenPush) -> Push | None:
        for entry in self.possible_entries(act):
            push = Push(entry, act.kind)
            if push in legal(position) and act.spot in (None, furthest_spot(position, push)):
                return push
        return None

    def refuse_act(self, position: Position, act: WrittenAct, shown: "Notation", text: str) -> IllegalTurn:
        """Return the error for an illegal push or use. The error names possible pushes in the notation `shown`.

        Assumes that it is illegal and that no row is due.
        """
        if isinstance(act, WrittenUse):
            return refuse_use(position, act, text)
        return refuse_push(position, act, self.possible_entries(act), shown.push_text, text)


def _find_use(position: Position, act: WrittenUse) -> Use | None:
    meant = Use(act.kind, BIT[act.spot], BIT[act.target])
    ways = [one for one in legal(position) if isinstance(one, Use) and one._replace(put=0) == meant]
    if act.put is not None:
        ways = [one for one in ways if one.put == act.put]
    if len(ways) > 1:
        choices = [use_code(one) for one in ways]
        raise OpenTurn(choices, choices[0].partition("+")[0], whole=False)
    return next(iter(ways), None)
