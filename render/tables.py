"""Draw tables of players in the style of the board: leaderboards, and the tables and winners of tournaments."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gipfbot.rules import Colour, Kind

from .cards import EDGE, GAP, TITLE, Head, draw_card_frame, fit_title
from .layout import SMALLEST_TEXT, Layout, check_size, layout_for
from .picture import LeaderboardCard, Moves, TournamentCard, TournamentRow, WinnerCard
from .piece_sprites import RADIUS, piece_layers
from .sprites import Canvas, Pen, Shape
from .text import NAMES, PLAIN, STRONG, Face, clean_text, draw_text, fit_name, shorten_to_width, text_width
from .theme import Theme
from .wording import Words, mark
from .words import quarters_text

ROW, HEADINGS, DIVIDER, FOOT = 0.56, 0.58, 0.44, 0.14  # heights, in units
LEGEND = 0.52  # the height of the line that says what marks mean
PLACE_RIGHT, MOVES_LEFT, NAMES_END = 0.7, 0.18, 4.2  # units from the left edge; long places need more
WIDER_GAP = 0.22  # units between columns whose numbers have one digit
SIZE = SMALLEST_TEXT  # font size, in units
NAMELESS = mark("Player {place}")  # stands for a name that no font can draw
PROVISIONAL, RATING = mark("Provisional"), mark("Rating")
MINUS = "\u2212"
TOURNAMENT = mark("A tournament")  # stands for the name of a tournament that no font can draw
MOVES = {Moves.UP: mark("goes up"), Moves.DOWN: mark("goes down")}
HAS_LEFT = mark("has left")
PODIUM = 1.06, 0.78, 0.78  # the heights of the first three places, in units
PODIUM_SIZE = TITLE, 0.4, 0.4  # their font sizes
PODIUM_NAME = 1.4  # units from the left edge


class Column(NamedTuple):
    """A column of numbers. Its right end is so many units from the left edge, unless those at its right are wide.

    Then `gap` is what is left free at its left.
    """

    heading: str
    right: float
    is_main: bool = False
    gap: float = 0.1


class Line(NamedTuple):
    """A line of a table: a player's place, and the numbers below the headings."""

    place: int
    name: str
    numbers: Sequence[str]
    own: bool = False
    moves: Moves | None = None
    has_left: bool = False


class Table(NamedTuple):
    """A table that is drawn: its columns with their right ends, and those of the places and the names, in pixels."""

    canvas: Canvas
    place: Layout
    theme: Theme
    words: Words
    columns: Sequence[tuple[Column, int]]
    places_end: int
    names_end: int

    @property
    def names_start(self) -> int:
        """Where names begin."""
        return self.places_end + self.place.px(GAP)

    def draw_headings(self, top: int) -> None:
        """Draw the names of the columns."""
        size, middle = self.place.px(SIZE), top + self.place.px(HEADINGS / 2)
        draw_text(self.canvas, self.words.say(mark("Player")), PLAIN, size, self.theme.faint, self.names_start, middle)
        for column, right in self.columns:
            _draw_right(self.canvas, column.heading, PLAIN, size, self.theme.faint, (right, middle))

    def draw_divider(self, title: str, top: int) -> None:
        """Draw a line with a title, above the players to whom it applies."""
        canvas, place, size = self.canvas, self.place, self.place.px(SIZE)
        left, middle = place.px(EDGE), top + place.px(DIVIDER / 2)
        draw_text(canvas, title, PLAIN, size, self.theme.faint, left, middle)
        _draw_rule(canvas, place, self.theme, left + text_width(title, PLAIN, size) + place.px(0.14), middle)

    def draw_line(self, line: Line, top: int) -> None:
        """Draw a player's line. The name of a player who has left is struck out."""
        canvas, place, theme, size = self.canvas, self.place, self.theme, self.place.px(SIZE)
        middle = top + place.px(ROW / 2)
        if line.own:
            canvas.image.paste(canvas.palette.index(theme.band), (0, top, place.width, top + place.px(ROW)))
        if line.moves:
            canvas.stamp(_triangle(line.moves, place.unit), theme.text, (place.px(MOVES_LEFT), middle))
        _draw_right(canvas, str(line.place), PLAIN, size, theme.faint, (self.places_end, middle))
        name = clean_text(line.name) or self.words.say(NAMELESS, place=str(line.place))
        name = shorten_to_width(name, NAMES, size, self.names_end - self.names_start)
        _draw_name(canvas, place, theme, name, self.names_start, middle, has_left=line.has_left)
        for number, (column, right) in zip(line.numbers, self.columns, strict=True):
            face, colour = (STRONG, theme.text) if column.is_main else (PLAIN, theme.faint)
            _draw_right(canvas, number, face, size, colour, (right, middle))


def _draw_right(canvas: Canvas, text: str, face: Face, size: int, colour: str, end: tuple[int, int]) -> None:
    """Draw a line of text that ends at a place."""
    draw_text(canvas, text, face, size, colour, end[0] - text_width(text, face, size), end[1])


def _draw_rule(canvas: Canvas, place: Layout, theme: Theme, start: int, middle: int) -> None:
    box = start, middle, place.width - place.px(EDGE), middle + place.px(0.02)
    canvas.image.paste(canvas.palette.index(theme.faint), box)


def _draw_name(
    canvas: Canvas, place: Layout, theme: Theme, name: str, left: int, middle: int, *, has_left: bool = False
) -> int:
    """Draw a name, struck out if its player has left. Return the x coordinate of its end."""
    right = left + text_width(name, NAMES, place.px(SIZE))
    draw_text(canvas, name, NAMES, place.px(SIZE), theme.faint if has_left else theme.text, left, middle)
    if has_left:
        box = left, middle, right, middle + place.px(0.04)
        canvas.image.paste(canvas.palette.index(theme.faint), box)
    return right


@lru_cache(maxsize=64)
def _triangle(moves: Moves, unit: int) -> Shape:
    """Return a triangle that points up or down. The origin is the middle of its left side."""
    width, high = 0.21 * unit, 0.1 * unit * (-1 if moves is Moves.UP else 1)
    return Pen(width, abs(high)).polygon([(0, -high), (width, -high), (width / 2, high)]).shape()


def _lay_out(
    canvas: Canvas, theme: Theme, words: Words, columns: Sequence[Column], names_end: float, lines: Sequence[Line]
) -> Table:
    """Return a table with room for its numbers. A column, and that of the names, gives way to a wide one."""
    place = layout_for(canvas.image.width)
    size, ends, free = place.px(SIZE), list[tuple[Column, int]](), place.width
    for at, column in reversed([*enumerate(columns)]):
        texts = column.heading, *(line.numbers[at] for line in lines)
        ends.insert(0, (column, min(place.px(column.right), free)))
        free = ends[0][1] - max(text_width(text, STRONG, size) for text in texts) - place.px(column.gap)
    places = [text_width(str(line.place), PLAIN, size) for line in lines]
    places_end = max(place.px(PLACE_RIGHT), place.px(EDGE) + max(places, default=0))
    return Table(canvas, place, theme, words, ends, places_end, min(place.px(names_end), free))


def draw_leaderboard(card: LeaderboardCard, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of a leaderboard. Provisional players stand below a line. Raises as `png` does."""
    check_size(size)
    place = layout_for(size)
    divided = any(row.provisional for row in card.rows)
    height = HEADINGS + ROW * len(card.rows) + DIVIDER * divided + FOOT
    canvas, top = draw_card_frame(size, place.px(height), theme, Head(card.title, card.note))
    columns = (
        Column(words.say(RATING), 5.38, is_main=True),
        Column("±", 6.1),
        Column(words.say(mark("Games")), 7.32),
        Column(words.say(mark("Won")), 8.32),
    )
    lines = [
        Line(row.place, row.name, [*map(str, (row.rating, row.deviation, row.games, row.wins))], row.own)
        for row in card.rows
    ]
    table = _lay_out(canvas, theme, words, columns, NAMES_END, lines)
    table.draw_headings(top)
    down = HEADINGS
    for row, line in zip(card.rows, lines, strict=True):
        if divided and row.provisional:
            table.draw_divider(words.say(PROVISIONAL), top + place.px(down))
            down, divided = down + DIVIDER, False
        table.draw_line(line, top + place.px(down))
        down += ROW
    return canvas


def draw_table(card: TournamentCard, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of the table of a tournament. Raises as `png` does."""
    check_size(size)
    place, lines = layout_for(size), [*map(_table_line, card.rows)]
    meanings = [*_meanings(card.rows, words)]
    height = HEADINGS + ROW * len(lines) + LEGEND * bool(meanings) + FOOT
    head = Head(fit_title(card.title, words.say(TOURNAMENT), place), card.note)
    canvas, top = draw_card_frame(size, place.px(height), theme, head)
    columns = (
        Column(words.say(mark("Games")), 4.96),
        Column("+", 5.42, gap=WIDER_GAP),
        Column("½", 5.88, gap=WIDER_GAP),
        Column(MINUS, 6.34, gap=WIDER_GAP),
        Column(words.say(mark("Points")), 7.62, is_main=True),
        Column(card.tie_break, 8.32),
    )
    table = _lay_out(canvas, theme, words, columns, NAMES_END, lines)
    table.draw_headings(top)
    for number, line in enumerate(lines):
        table.draw_line(line, top + place.px(HEADINGS + ROW * number))
    _draw_legend(canvas, place, theme, meanings, top + place.px(HEADINGS + ROW * len(lines) + LEGEND / 2))
    return canvas


def _table_line(row: TournamentRow) -> Line:
    counts = map(str, (row.played, row.won, row.halves, row.lost))
    numbers = *counts, quarters_text(2 * row.points), quarters_text(row.tie_break)
    return Line(row.place, row.name, numbers, row.own, row.moves, row.has_left)


def _meanings(rows: Iterable[TournamentRow], words: Words) -> Iterator[tuple[Moves | None, str]]:
    """Yield the marks that stand in these rows, with what they mean. None is the line through a name."""
    seen = {row.moves for row in rows}
    yield from ((moves, words.say(meaning)) for moves, meaning in MOVES.items() if moves in seen)
    if any(row.has_left for row in rows):
        yield None, words.say(HAS_LEFT)


def _draw_legend(
    canvas: Canvas, place: Layout, theme: Theme, meanings: Iterable[tuple[Moves | None, str]], middle: int
) -> None:
    left = place.px(EDGE)
    for moves, meaning in meanings:
        if moves:
            canvas.stamp(_triangle(moves, place.unit), theme.text, (left, middle))
            left += place.px(0.34)
            draw_text(canvas, meaning, PLAIN, place.px(SIZE), theme.faint, left, middle)
            left += text_width(meaning, PLAIN, place.px(SIZE))
        else:
            left = _draw_name(canvas, place, theme, meaning, left, middle, has_left=True)
        left += place.px(0.4)


def draw_winner(card: WinnerCard, size: int, theme: Theme, words: Words) -> Canvas:
    """Return the canvas of the winner of a tournament, above those behind them. Raises as `png` does."""
    check_size(size)
    place, top = layout_for(size), 0.12
    head = Head(fit_title(card.title, words.say(TOURNAMENT), place), card.note)
    canvas, start = draw_card_frame(size, place.px(sum(PODIUM[: len(card.rows)]) + 2 * top), theme, head)
    for at, row in enumerate(card.rows):
        _draw_podium(canvas, place, theme, words, at, row, start + place.px(top + PODIUM[at] / 2))
        top += PODIUM[at]
    return canvas


def _draw_podium(
    canvas: Canvas, place: Layout, theme: Theme, words: Words, at: int, row: TournamentRow, middle: int
) -> None:
    """Draw one of the first places beside a piece: a GIPF-piece for the winner."""
    kind, owner = (Kind.GIPF, Colour.WHITE) if at == 0 else (Kind.BASIC, Colour.BLACK)
    for form, ink in piece_layers(kind, owner, theme, place.unit, 1 if at == 0 else 0.72):
        canvas.stamp(form, ink, (place.px(EDGE + RADIUS), middle))
    letters, points = place.px(PODIUM_SIZE[at]), quarters_text(2 * row.points)
    right = place.width - place.px(EDGE)
    _draw_right(canvas, points, STRONG, letters, theme.text, (right, middle))
    name = clean_text(row.name) or words.say(NAMELESS, place=str(row.place))
    room = right - text_width(points, STRONG, letters) - place.px(GAP) - place.px(PODIUM_NAME)
    name, letters = fit_name(f"{row.place}  {name}", letters, place.px(SIZE), room)
    draw_text(canvas, name, NAMES, letters, theme.text, place.px(PODIUM_NAME), middle)
