"""Images of positions and turns under a symmetry of the board and an exchange of the colours, made of their texts."""

import re

from gipfbot.notation import parse_position, position_text
from gipfbot.rules import Position
from gipfbot.rules.symmetries import Symmetry


def turn_image(text: str, symmetry: Symmetry) -> str:
    """Return the image of a turn's text, or of any other text with points."""
    return re.sub(r"[a-i][1-9]", lambda point: symmetry[point[0]], text)


def image(position: Position, symmetry: Symmetry, *, swapped: bool = False) -> Position:
    """Return an image of a position at the start of a turn in a game that goes on."""
    line = turn_image(position_text(position), symmetry)
    if swapped:
        line = re.sub(r" ([wb]) ", lambda mover: f" {'wb'[mover[1] == 'w']} ", line, count=1)
        line = re.sub(r"W=(\S*) B=(\S*)", r"W=\2 B=\1", line)
        line = re.sub(r"(reserve|captured|left)=(\w+)-(\w+)", r"\1=\3-\2", line)
        line = re.sub(r"opening=([wb])\b", lambda side: f"opening={'wb'[side[1] == 'w']}", line)
    return parse_position(line, {position.rules.name: position.rules})
