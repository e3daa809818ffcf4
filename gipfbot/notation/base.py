"""What a notation has to know: how what is played is spelt, and what its texts mean in a position."""

from abc import ABC, abstractmethod
from typing import TypeAlias

from gipfbot.rules import PUSHES, Action, Position, Push, Remove, legal
from gipfbot.rules.changes import moves
from gipfbot.rules.geometry import Entry

from .errors import IllegalTurn
from .normalise import WrittenPush, WrittenRemoval, WrittenTurn
from .refusals import refuse_push
from .removal_steps import Way

RemovalLists: TypeAlias = tuple[WrittenRemoval, ...]  # what is written of the removals of one step


class Notation(ABC):
    """A way to write turns.

    Of the actions that are to be spelt it is not checked that they are legal.
    """

    name: str  # for programs
    title: str  # for people
    keeps_unwritten: bool  # in a record what is not written is kept; else, as everywhere in play, it is left open
    separator: str  # between two removals of a step, and between a push and what is removed after it

    @abstractmethod
    def read(self, text: str) -> WrittenTurn:
        """Return what a text says. Raises ParseError, with the place of the first fault.

        Blanks and the case of letters are forgiven. Does not know the position: whether it is legal is not checked.
        """

    @abstractmethod
    def push_text(self, position: Position, push: Push) -> str:
        """Return how a push is written; the spot alone where that is vacant."""

    @abstractmethod
    def removal_text(self, position: Position, remove: Remove) -> str:
        """Return how the removal of one row is written; nothing where nothing has to be said."""

    @abstractmethod
    def empty_step_text(self, position: Position) -> str:
        """Return what stands for a step that begins here and of which nothing has to be said."""

    @abstractmethod
    def possible_entries(self, act: WrittenPush) -> tuple[Entry, ...]:
        """Return the ways on to the board that a push may mean."""

    @abstractmethod
    def ways_to_clear(self, position: Position, lists: RemovalLists, text: str, *, pushes: bool) -> list[Way]:
        """Return the ways through a step, as far as the lists name it: several where they do not say which.

        With `pushes` a push follows. Raises IllegalTurn, with `text`, where there is none.
        """

    @abstractmethod
    def remaining_lists(self, begun: Position, lists: RemovalLists, done: tuple[Action, ...]) -> RemovalLists | None:
        """Return what the lists say beyond what is done in a step that has begun here; None where they deny it."""

    @abstractmethod
    def allows_no_row(self, position: Position, lists: RemovalLists) -> bool:
        """Return whether these lists may follow a push that leads here and leaves its player no row."""

    def find_push(self, position: Position, act: WrittenPush) -> Push | None:
        """Return the legal push that is meant, None where none is."""
        for entry in self.possible_entries(act):
            push = PUSHES[entry.dot, entry.spot, act.kind]
            if push in legal(position) and act.spot in (None, moves(position, push)[0][1]):
                return push
        return None

    def refuse_push(self, position: Position, act: WrittenPush, shown: "Notation", text: str) -> IllegalTurn:
        """Return why this push is not legal in a position in which no row is due; that it is not is not checked.

        Pushes that can be made instead are written in the notation `shown`.
        """
        return refuse_push(position, act, self.possible_entries(act), shown.push_text, text)
