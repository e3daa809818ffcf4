"""What a picture shows: a position, its players and the marks on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from gipfbot.rules.actions import Push
from gipfbot.rules.changes import Event, Pushed, Removed
from gipfbot.rules.pieces import ByColour, Colour, Kind, Piece, Reason
from gipfbot.rules.position import Position


@dataclass(frozen=True)
class Ghost:
    """A piece that the last turn removed from a spot: it went back to its owner's reserve, or was captured."""

    spot: str
    piece: Piece
    captured: bool = False


@dataclass(frozen=True)
class Marks:
    """What is shown besides the pieces. Does not check the names of points: drawing raises KeyError."""

    push: Push | None = None  # the last push: an arrow from its dot
    moved: tuple[str, ...] = ()  # the spots where the pieces it moved stand now, the entered one included
    preview: Push | None = None  # a piece of the player to move that lies on its dot, with an arrow
    entries: tuple[Push, ...] = ()  # the other ways it could be pushed from there
    ghosts: tuple[Ghost, ...] = ()
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a letter and the spots of a row along its line
    numbers: tuple[tuple[str, int], ...] = ()  # a spot and the number of the piece on it
    decisive: tuple[str, ...] = ()  # the spots of removed pieces whose loss has decided the game

    @classmethod
    def of_turn(cls, events: Iterable[Event]) -> Self:
        """Return the marks of a turn, its push and the removed pieces, from its events in order."""
        push: Push | None = None
        moved: tuple[str, ...] = ()
        ghosts: list[Ghost] = []
        decisive: tuple[str, ...] = ()
        for event in events:
            if isinstance(event, Pushed):
                push, moved = event.push, tuple(spot for _, spot in event.moved)
            elif isinstance(event, Removed):
                ghosts += [Ghost(spot, piece) for spot, piece in event.returned]
                ghosts += [Ghost(spot, piece, captured=True) for spot, piece in event.captured]
            elif event.result.by is Reason.GIPF and event.result.winner is not None:
                lost = Piece(event.result.winner.other, Kind.GIPF)
                decisive = tuple(gone.spot for gone in ghosts if gone.piece == lost)
        return cls(push=push, moved=moved, ghosts=tuple(ghosts), decisive=decisive)


@dataclass(frozen=True)
class Picture:
    """A whole picture. A name that the font cannot draw becomes White or Black."""

    position: Position
    players: ByColour[str]
    caption: str = ""
    marks: Marks = Marks()
    cancelled: bool = False  # the game was cancelled: nobody moves, nobody has won
    flipped: bool = False  # seen from Black's side


@dataclass(frozen=True)
class ResultCard:
    """The last board of a game, under who won and how."""

    picture: Picture
    turns: int


@dataclass(frozen=True)
class Invitation:
    """An invitation to a game. Names that the font cannot draw are left out: the message has them."""

    title: str
    by: str
    to: str  # "anybody" where nobody is asked by name
    side: Colour | None  # of whoever asks; None where a lot decides
    position: Position  # the game begins with
    terms: tuple[tuple[str, str], ...]  # what is agreed on by accepting: names and values


Described = Picture | ResultCard | Invitation
