"""The palette of a theme, with tables for drawing one colour over another."""

from functools import cache

from .theme import Theme

STEPS = 2  # steps from no cover to full cover
FADES = 3  # steps from invisible to fully visible, for pieces that fade
Rgb = tuple[int, int, int]


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
