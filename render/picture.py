"""Descriptions of pictures and cards: a position, its players, and the marks on it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple, Self

from gipfbot.rules import Act, ByColour, Colour, Kind, Piece, Position, Reason
from gipfbot.rules.changes import Event, Freed, Pushed, Removed, Used


@dataclass(frozen=True)
class Ghost:
    """A piece that the last turn removed from a spot, without what lay under it.

    It returned to its owner's reserve, unless it was `captured` or is a used potential.
    """

    spot: str
    piece: Piece
    captured: bool = False


@dataclass(frozen=True)
class Marks:
    """The marks on a board besides the pieces. Does not check the names of points; drawing raises KeyError."""

    act: Act | None = None  # the last push or use: an arrow from its dot, or from the loaded piece
    moved: tuple[str, ...] = ()  # the spots that its pieces moved to, including the new piece or the potential
    choices: tuple[Act, ...] = ()  # pushes from one dot, with the piece on it, or uses: an arrow for each
    ghosts: tuple[Ghost, ...] = ()  # removed pieces; in a stack, the upper ones first
    rows: tuple[tuple[str, tuple[str, ...]], ...] = ()  # rows: a letter or none, and the spots along the line
    numbers: tuple[tuple[str, int], ...] = ()  # numbered pieces: the spot, and the number
    decisive: tuple[str, ...] = ()  # the spots of the removed or covered pieces whose loss ended the game
    freed: tuple[tuple[str, Piece], ...] = ()  # pieces that lay under removed ones

    @classmethod
    def of_turn(cls, events: Iterable[Event]) -> Self:
        """Return the marks for the act and the removed pieces of a turn. `events` must be in order."""
        marks, lost = cls(), list[tuple[str, Piece]]()
        for event in events:
            if isinstance(event, Pushed):
                marks = replace(marks, act=event.push, moved=tuple(spot for _, spot in event.moved))
            elif isinstance(event, Used):
                marks = replace(marks, act=event.use, moved=(event.use.target,))
                lost += [(event.use.target, event.covered)] if event.covered else []
            elif isinstance(event, Removed):
                marks = replace(marks, ghosts=(*marks.ghosts, *_ghosts(event)))
                lost += [*event.returned, *event.captured]
            elif isinstance(event, Freed):
                marks = replace(marks, freed=(*marks.freed, *event.pieces))
            elif event.result.by is Reason.GIPF and event.result.winner is not None:
                last = Piece(event.result.winner.other, Kind.GIPF)
                marks = replace(marks, decisive=tuple(spot for spot, piece in lost if piece == last))
        return marks


def _ghosts(removed: Removed) -> Iterator[Ghost]:
    yield from (Ghost(spot, piece) for spot, piece in removed.returned)
    yield from (Ghost(spot, piece, captured=True) for spot, piece in removed.captured)


@dataclass(frozen=True)
class Picture:
    """A picture of a board with its players. A name that the font cannot draw is replaced by White or Black.

    >>> from gipfbot.rules import BASIC, start
    >>> Picture(start(BASIC), ("Ann", "Bob"), caption="#a7").flipped
    False
    """

    position: Position
    players: ByColour[str]
    caption: str = ""
    marks: Marks = Marks()
    cancelled: bool = False  # the game was cancelled, so nobody is to move and nobody won
    flipped: bool = False  # seen from Black's side


RatingChange = tuple[int, int]  # a rating before and after a game


@dataclass(frozen=True)
class ResultCard:
    """A card that shows the result of a game, and below it the last board. `turns` is the number of turns played.

    `ratings` has no change of a player whose rating stays, or is not shown.
    """

    picture: Picture
    turns: int
    ratings: ByColour[RatingChange | None] = (None, None)


@dataclass(frozen=True)
class ChallengeCard:
    """A card for a challenge or a seek. Names that the font cannot draw are left out, since the message has them."""

    title: str
    by: str
    to: str  # the person who is challenged, or "anybody"
    side: Colour | None  # the colour of the challenger; None if it is random
    position: Position  # the start of the game
    terms: tuple[tuple[str, str], ...]  # the terms of the game: names and values


@dataclass(frozen=True)
class SmallBoards:
    """Several boards in one picture: each has a label, such as the game's name. Their captions are not drawn."""

    boards: tuple[tuple[str, Picture], ...]


@dataclass(frozen=True)
class LeaderboardRow:
    """A player in a leaderboard. `own` marks the row of the person who looks at it."""

    place: int
    name: str
    rating: int
    deviation: int
    games: int
    wins: int
    provisional: bool = False
    own: bool = False


@dataclass(frozen=True)
class LeaderboardCard:
    """A page of a leaderboard. Its provisional rows come last."""

    title: str
    note: str
    rows: tuple[LeaderboardRow, ...]


class Moves(Enum):
    """Where the place of a player in a league leads: to the division above or to that below."""

    UP = auto()
    DOWN = auto()


@dataclass(frozen=True)
class TournamentRow:
    """A player in the table of a tournament. `points` are in halves, the tie-break is in quarters of a point.

    `has_left` says that the player has left the tournament. `own` marks the row of the person who looks at it.
    """

    place: int
    name: str
    played: int
    won: int
    halves: int
    lost: int
    points: int
    tie_break: int
    moves: Moves | None = None
    has_left: bool = False
    own: bool = False


@dataclass(frozen=True)
class TournamentCard:
    """A page of the table of a tournament. `tie_break` is what the column of tie-breaks is called."""

    title: str
    note: str
    tie_break: str
    rows: tuple[TournamentRow, ...]


@dataclass(frozen=True)
class WinnerCard:
    """A card for the end of a tournament. Its rows are the first places, the winner's first; at least one."""

    title: str
    note: str
    rows: tuple[TournamentRow, ...]


@dataclass(frozen=True)
class RatingLine:
    """A player's ratings in one pool. `points` are numbers of months and ratings, in order, at least one."""

    title: str
    note: str  # the rating now
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RatingPlot:
    """A player's ratings by month, a line for each pool. `months` are the first and the last, by number."""

    name: str
    note: str
    months: tuple[int, int]
    month_names: tuple[str, str]
    lines: tuple[RatingLine, ...]


@dataclass(frozen=True)
class DayPlot:
    """A number for each of several days in a row. `days` are their names and numbers, at least two."""

    title: str
    note: str
    days: tuple[tuple[str, int], ...]


class PlotMark(NamedTuple):
    """A mark such as `??` in the plot of a balance, at the place after its turn."""

    place: int
    sign: str


@dataclass(frozen=True)
class BalancePlot:
    """The balance of a game at each place, in hundredths of a piece: above 0 where White stands better.

    A place is the number of turns before it. `names` are those of White and Black.
    """

    title: str
    names: tuple[str, str]
    balance: tuple[int, ...]
    marks: tuple[PlotMark, ...] = ()


Described = (
    Picture | ResultCard | ChallengeCard | LeaderboardCard | TournamentCard | WinnerCard | RatingPlot | DayPlot
    | BalancePlot | SmallBoards
)  # fmt: skip
