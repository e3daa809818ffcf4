"""A position as plain text for screen readers and terminals: sentences first, then a board of letters."""

from unicodedata import category, east_asian_width

from gipfbot.rules.actions import Act, Push
from gipfbot.rules.geometry import DOTS, POINTS, axial
from gipfbot.rules.pieces import Colour, Kind, Piece

from .picture import Picture, ResultCard
from .words import lost_verb, picture_sentences

WIDE = 42  # most columns of a line; a phone would wrap longer ones
CELL = 4  # the width of a point's cell; makes all sides of the board about equally long
VACANT, RETURNED, CAPTURED = ".", "x", "*"


def text_board(shown: Picture | ResultCard) -> str:
    """Return a picture as lines of at most 42 columns: its sentences, a board of letters, and a legend.

    W and B are basic pieces, GW and GB are GIPF-pieces, ZW is loaded and zW is used, +1 lies on one piece, and a dot
    is shown by its name. Brackets mark the last push: its dot, and the spots of the pieces that it moved; or the last
    use: its basic piece and its target. Does not check that the marks fit the position.
    """
    picture = shown.picture if isinstance(shown, ResultCard) else shown
    words = [line for said in picture_sentences(shown) for line in _wrap_columns(_terminal_safe(said))]
    return "\n".join([*words, "", *_board_lines(picture), *_legend_lines(picture)])


def _terminal_safe(text: str) -> str:
    """Return a text without characters that end a code block or control a terminal."""
    return "".join(sign for sign in text.replace("`", "'") if category(sign)[0] != "C")


def _wrap_columns(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and _count_columns(f"{lines[-1]} {word}") > WIDE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
        while _count_columns(lines[-1]) > WIDE:
            lines[-1:] = _break_line(lines[-1])
    return lines


def _break_line(line: str) -> tuple[str, str]:
    end = next(n for n in range(len(line), 0, -1) if _count_columns(line[:n]) <= WIDE)
    return line[:end], line[end:]


def _count_columns(text: str) -> int:
    return sum(1 + (east_asian_width(sign) in "WF") for sign in text)


def _board_lines(picture: Picture) -> list[str]:
    """Return the lines of the board. Each point is in the middle of its cell.

    Neighbouring columns are shifted by one line.
    """
    shown = _point_signs(picture)
    lines = [[" "] * (9 * CELL) for _ in range(17)]
    for point in POINTS:
        down, across = _cell_place(point, picture.flipped)
        text = shown.get(point, VACANT)
        start = across + (CELL - len(text)) // 2
        lines[down][start : start + len(text)] = text
    return ["".join(line).rstrip() for line in lines]


def _cell_place(point: str, flipped: bool) -> tuple[int, int]:
    """Return the text line and the first column of a point's cell."""
    x, y = axial(point)
    up = 2 * y - x + 4
    x, up = (8 - x, 16 - up) if flipped else (x, up)
    return 16 - up, CELL * x


def _point_signs(picture: Picture) -> dict[str, str]:
    marks = picture.marks
    signs = {dot: dot for dot in DOTS}
    signs |= {ghost.spot: CAPTURED if ghost.captured else RETURNED for ghost in marks.ghosts}
    signs |= {spot: _piece_sign(piece) for spot, piece in picture.position.pieces().items()}
    touched = (_act_start(marks.act), *marks.moved) if marks.act else ()
    return signs | {point: f"[{signs[point]}]" for point in touched}


def _piece_sign(piece: Piece) -> str:
    """Return a piece as letters: `GW`, `pB+1` for a used potential on one piece."""
    return f"{piece.kind}{_colour_letter(piece.owner)}" + f"+{len(piece.under)}" * bool(piece.under)


def _act_start(act: Act) -> str:
    return act.dot if isinstance(act, Push) else act.spot


def _colour_letter(colour: Colour) -> str:
    return colour.letter.upper()


def _legend_lines(picture: Picture) -> list[str]:
    marks, standing = picture.marks, picture.position.pieces().values()
    told = {
        f"[ ] the last {'push' if isinstance(marks.act, Push) else 'use'}": marks.act is not None,
        f"{RETURNED} returned": any(not ghost.captured for ghost in marks.ghosts),
        f"{CAPTURED} {lost_verb(picture.position)}": any(ghost.captured for ghost in marks.ghosts),
        **{_kind_legend(piece.kind): True for piece in standing if piece.kind.loaded or piece.kind.used},
        "+1 on one piece": any(piece.under for piece in standing),
    }
    said = _wrap_columns(", ".join(sign for sign, seen in told.items() if seen))
    return ["", *said] if said != [""] else []


def _kind_legend(kind: Kind) -> str:
    return f"{kind} {'loaded' if kind.loaded else 'used'}"
