"""Themes: the colours of pictures, as values."""

from dataclasses import dataclass

from gipfbot.rules.pieces import ByColour


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each as `#rrggbb`. `name` is shown to people."""

    name: str
    card: str  # around the board
    band: str  # behind the caption
    board: str
    line: str
    label: str  # the names of the dots
    text: str
    faint: str  # less important text
    piece: ByColour[str]
    edge: ByColour[str]  # the outline of a piece
    shade: ByColour[str]  # the lower half of a GIPF-piece
    sign: ByColour[str]  # the ring and the dot of a GIPF-piece
    accent: str  # the last push, and the status of the player to move or the winner
    captured: str  # the cross on a captured piece
    rows: tuple[str, ...]  # the outlines of lettered rows, used in rotation
    badge: str  # behind the number of a numbered piece
    on_badge: str  # letters and numbers on badges and on the accent

    def meetings(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of colours (below, above) that touch in a picture.

        The palette holds the exact blend of each pair.
        """
        grounds = (self.card, self.board)
        marks = (self.accent, self.badge, *self.rows)
        return (
            *((self.card, over) for over in (self.band, self.label, self.text, self.faint)),
            *((self.band, over) for over in (self.text, self.faint, *self.edge)),
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
    name="Wood",
    card="#efe6d6",
    band="#e2d5be",
    board="#e4b57d",
    line="#8f6331",
    label="#5d4a30",
    text="#33291c",
    faint="#6b5a40",
    piece=("#fffaf0", "#171412"),
    edge=("#5a4a35", "#000000"),
    shade=("#d9cdb6", "#454140"),
    sign=("#69390d", "#757aa8"),
    accent="#bd3516",
    captured="#c9201a",
    rows=("#1f5fa8", "#7a2f8f", "#0b6b64"),
    badge="#1f5fa8",
    on_badge="#ffffff",
)
NIGHT = Theme(
    name="Night",
    card="#17191e",
    band="#22252c",
    board="#144373",
    line="#5f8fc4",
    label="#b9c4d4",
    text="#f2f4f8",
    faint="#a3acba",
    piece=("#fbf9f5", "#0c0e12"),
    edge=("#0b1a2c", "#9db4d0"),
    shade=("#c3c8d0", "#3a414c"),
    sign=("#0485cb", "#e4b856"),
    accent="#ff9a5c",
    captured="#ff5a4d",
    rows=("#7cc4ff", "#e59bff", "#5fe0c0"),
    badge="#7cc4ff",
    on_badge="#0e1116",
)
FELT = Theme(
    name="Felt",
    card="#e8eee6",
    band="#d5dfd3",
    board="#5e8b6b",
    line="#2b5239",
    label="#2c4534",
    text="#17261c",
    faint="#4a5f51",
    piece=("#fffdf5", "#0c110e"),
    edge=("#3d3a2c", "#000000"),
    shade=("#d3cdb6", "#3d4640"),
    sign=("#743810", "#e7b64f"),
    accent="#a3201a",
    captured="#a3150f",
    rows=("#123f8c", "#5e1f78", "#6b3a00"),
    badge="#123f8c",
    on_badge="#ffffff",
)
CONTRAST = Theme(
    name="High contrast",
    card="#ffffff",
    band="#e4e4e4",
    board="#7a7f83",
    line="#000000",
    label="#000000",
    text="#000000",
    faint="#333333",
    piece=("#ffffff", "#000000"),
    edge=("#000000", "#ffffff"),
    shade=("#cfcfcf", "#454545"),
    sign=("#004080", "#e3be32"),
    accent="#8a0000",
    captured="#8a0000",
    rows=("#00337a", "#5a006e", "#004d40"),
    badge="#00337a",
    on_badge="#ffffff",
)
CLEAR = Theme(
    name="Clear for colour-blind eyes",
    card="#f4f6f9",
    band="#e1e7ee",
    board="#76c8f6",
    line="#2b6793",
    label="#27455c",
    text="#101a24",
    faint="#48606f",
    piece=("#ffffff", "#0b0f1c"),
    edge=("#20304a", "#000000"),
    shade=("#cbd5e0", "#3d4559"),
    sign=("#3543a3", "#c36e35"),
    accent="#8f3800",
    captured="#8f3800",
    rows=("#3b2a7d", "#7a3300", "#004f3d"),
    badge="#3b2a7d",
    on_badge="#ffffff",
)
THEMES = {"wood": CLASSIC, "night": NIGHT, "felt": FELT, "contrast": CONTRAST, "clear": CLEAR}
