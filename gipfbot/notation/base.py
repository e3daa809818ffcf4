"""What every notation must offer: how actions are spelt, and what its texts mean in a position."""

from abc import ABC, abstractmethod
from typing import TypeAlias

from gipfbot.rules import PUSHES, Action, Position, Push, Remove, legal
from gipfbot.rules.changes import moves
from gipfbot.rules.geometry import Entry

from .errors import IllegalTurn
from .normalise import WrittenPush, WrittenRemoval, WrittenTurn
from .refusals import refuse_push
from .removal_steps import Way

RemovalLists: TypeAlias = tuple[WrittenRemoval, ...]  # the removals of one step, as written


class Notation(ABC):
    """A way to write turns.

    Spelling does not check that actions are legal.
    """

    name: str  # for programs
    title: str  # for people
    keeps_unwritten: bool  # in a record GIPF-pieces that are not named are kept; in play that is asked
    separator: str  # stands between two removals of a step, and between a push and the removals after it

    @abstractmethod
    def read(self, text: str) -> WrittenTurn:
        """Return what a text says. Raises ParseError with the place of the first fault.

        Forgives blanks and the case of letters. Does not check legality, since it does not know the position.
        """

    @abstractmethod
    def push_text(self, position: Position, push: Push) -> str:
        """Return how a push is written: the spot alone if it is vacant."""

    @abstractmethod
    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return how the removal of one row is written. Empty if it need not be written."""

    @abstractmethod
    def empty_step_text(self, position: Position) -> str:
        """Return the text of a step from `here` in which no removal need be written."""

    @abstractmethod
    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the entries that a written push may mean."""

    @abstractmethod
    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return the ways through a step that fit the lists: several if the lists leave a choice.

        With `pushes` a push follows. Raises IllegalTurn with `text` if there is none.
        """

    @abstractmethod
    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return the lists without what was done in a step that began here. None if they contradict it."""

    @abstractmethod
    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether these lists may follow a push after which no row of its player stands."""

    def find_push(self, position: Position, act: WrittenPush) -> Push | None:
        """Return the legal push that is meant, None if there is none."""
        for entry in self.possible_entries(act):
            push = PUSHES[entry.dot, entry.spot, act.kind]
            if push in legal(position) and act.spot in (None, moves(position, push)[0][1]):
                return push
        return None

    def refuse_push(self, position: Position, act: WrittenPush, shown: "Notation", text: str) -> IllegalTurn:
        """Return why this push is not legal. Does not check that it is illegal, nor that no row is due.

        Names possible pushes in the notation `shown`.
        """
        return refuse_push(position, act, self.possible_entries(act), shown.push_text, text)
