"""Themes: the colours of pictures as values, and palettes with tables for drawing one colour over another."""

from dataclasses import dataclass
from functools import cache

from gipfbot.rules import ByColour

STEPS = 2  # steps from no cover to full cover
FADES = 3  # steps from invisible to fully visible, for pieces that fade
Rgb = tuple[int, int, int]


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


def parse_rgb(colour: str) -> Rgb:
    """Return a colour `#rrggbb` as three numbers from 0 to 255. Raises ValueError for other texts."""
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def mix_colours(below: Rgb, above: Rgb, step: int, steps: int = STEPS) -> Rgb:
    """Return a blend of two colours: `below` at step 0, `above` at `step` = `steps`."""
    red, green, blue = (
        (b * (steps - step) + a * step + steps // 2) // steps for b, a in zip(below, above, strict=True)
    )
    return red, green, blue


class Palette:
    """The colours of a theme, and the blends of all pairs that touch in a picture: at most 256 colours."""

    def __init__(self, theme: Theme) -> None:
        meetings = [(parse_rgb(below), parse_rgb(above)) for below, above in theme.meetings()]
        plain = [colour for pair in meetings for colour in pair]
        mixed = [mix_colours(below, above, step) for below, above in meetings for step in range(1, STEPS)]
        self._over: dict[tuple[str, int], bytes] = {}
        self._take(plain + mixed)

    def _take(self, colours: list[Rgb]) -> None:
        self.colours = tuple(dict.fromkeys(colours))
        self._index = {colour: index for index, colour in enumerate(self.colours)}
        self.flat = bytes(value for colour in self.colours for value in colour)  # red green blue, red green blue, …

    def index(self, colour: str) -> int:
        """Return the palette entry of a colour `#rrggbb` of the theme."""
        return self._index[parse_rgb(colour)]

    def over(self, colour: str, step: int) -> bytes:
        """Return a table that maps each palette entry to its entry after `colour` is drawn over it.

        `step` is the degree of cover; at STEPS nothing below is visible. The table has 256 bytes; unused ones are 0.
        """
        if (colour, step) not in self._over:
            above = parse_rgb(colour)
            table = bytes(self._nearest(mix_colours(below, above, step)) for below in self.colours)
            self._over[colour, step] = table.ljust(256, b"\0")
        return self._over[colour, step]

    def _nearest(self, colour: Rgb) -> int:
        if colour in self._index:
            return self._index[colour]
        red, green, blue = colour
        return min(
            range(len(self.colours)),
            key=lambda entry: (
                3 * (self.colours[entry][0] - red) ** 2
                + 4 * (self.colours[entry][1] - green) ** 2
                + 2 * (self.colours[entry][2] - blue) ** 2
            ),
        )


class FadingPalette(Palette):
    """The palette of a theme, followed by the blends of fading pieces with the board and its lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        above = (*theme.piece, *theme.edge, *theme.shade, *theme.sign)
        pairs = [(parse_rgb(below), parse_rgb(over)) for below in (theme.board, theme.line) for over in above]
        self._take([*self.colours, *(mix_colours(*pair, step, FADES) for pair in pairs for step in range(1, FADES))])
        self._through: dict[tuple[int, int], list[int]] = {}

    def through(self, below: int, step: int) -> list[int]:
        """Return a table that maps each palette entry to its entry after it is drawn over the entry `below`.

        `step` is the degree of cover; at FADES nothing below is visible. The table has 256 numbers; unused ones are 0.
        """
        if (below, step) not in self._through:
            mixed = (mix_colours(self.colours[below], above, step, FADES) for above in self.colours)
            table = [self._nearest(colour) for colour in mixed]
            self._through[below, step] = table + [0] * (256 - len(table))
        return self._through[below, step]


@cache
def fading_palette(theme: Theme) -> FadingPalette:
    """Return the palette for the animated pictures of a theme."""
    return FadingPalette(theme)


@cache
def theme_palette(theme: Theme) -> Palette:
    """Return the palette of a theme."""
    return Palette(theme)
