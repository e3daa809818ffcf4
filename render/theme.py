"""Themes: the colours of a picture, as values."""

from dataclasses import dataclass

from gipfbot.rules.pieces import ByColor


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each as `#rrggbb`."""

    card: str  # around the board
    band: str  # behind the caption
    board: str
    line: str
    label: str  # the names of the dots
    text: str
    faint: str  # text of less weight
    piece: ByColor[str]
    edge: ByColor[str]  # the outline of a piece
    shade: ByColor[str]  # the lower half of a GIPF-piece
    sign: ByColor[str]  # the ring and the dot of a GIPF-piece
    accent: str  # the last push, and whose turn it is
    captured: str  # the cross on a captured piece
    rows: tuple[str, ...]  # the outlines of lettered rows, in turn
    badge: str  # behind the number of a GIPF-piece
    on_badge: str  # letters and numbers on badges and on the accent

    def meetings(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of colours (below, above) whose soft edges the palette must hold exactly."""
        grounds = (self.card, self.board)
        marks = (self.accent, self.badge, *self.rows)
        return (
            *((self.card, over) for over in (self.band, self.label, self.text, self.faint)),
            (self.band, self.text),
            *((self.board, over) for over in (self.line, self.captured)),
            *((below, over) for below in grounds for over in (*self.edge, *self.piece, *marks)),
            *((self.line, over) for over in (*self.edge, self.accent)),
            *((below, self.accent) for below in self.piece),
            *zip(self.edge, self.piece, strict=True),
            *zip(self.edge, self.shade, strict=True),
            *zip(self.piece, self.sign, strict=True),
            *((below, self.on_badge) for below in marks),
        )


CLASSIC = Theme(
    card="#e9e0cf",
    band="#ddd1ba",
    board="#d3b98b",
    line="#8d7147",
    label="#5d4a30",
    text="#33291c",
    faint="#7b6a50",
    piece=("#fffaf0", "#2c2a29"),
    edge=("#5a4a35", "#0f0e0d"),
    shade=("#ded3bf", "#4b4845"),
    sign=("#3d3020", "#f3e7cf"),
    accent="#c8401f",
    captured="#d92b1c",
    rows=("#1f5fa8", "#7a2f8f", "#0f766e"),
    badge="#1f5fa8",
    on_badge="#ffffff",
)
