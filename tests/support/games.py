"""Turns of games that several rooms play, and positions on the way."""

import re

from gipfbot.notation import parse_position
from gipfbot.rules import PUSHES, Kind

# The beginning of a Standard game. The fifth turn, White's third, leaves a choice: the GIPF-piece b4 stands in the row.
QUIET_TURNS = "c2", "g2", "b4", "b3"  # the first of a game, which make no row
OPENING = ("a2-c2", "f1-d2", "b1-b3", "i5-g5", "b6-b4;xb2,b3,Gb4,b5", "e1-e3", "f2", "i4-g6", "i2-g2")
PLAYED = OPENING[:6]
# Turns of a Basic game, White's and Black's, that take nothing.
TURNS = ("c2", "g2", "d2", "f2", "b3")
CIRCLE = ("c2", "g2", "c1-c3", "g1-g3", "c1-c4", "g1-g4", "c1-c5", "g1-g5")  # eight more, which lead back to the start
# A Basic game: White captures with the turns 6 and 8.
TWO_CAPTURES = (
    *("f7", "b4", "i5-g5", "a5-c5", "a4-c6", "f2", "g2", "h3", "g1-g3", "g1-g4", "i4-g6;xg2*,g3,g4,g5,g6", "g6"),
    *("g7-e7", "c2", "g7-d6;xb4*,c5,d6,e7,f7"),
)
E1 = PUSHES["e1", "e2", Kind.BASIC]
# White wins with the row on line d, which takes Black's last GIPF-piece.
WINS = parse_position("standard w W=Gb3,d2,d3,d4,d5 B=Gd6,h3 reserve=12-15 captured=0-0")


def turn_counted(line: str) -> int:
    """Return which turn of both players a line such as `**2. Black:** e1 → e2` names; 0 if it names none."""
    found = re.match(r"\*\*(\d+)\. (White|Black):\*\* ", line)
    return 2 * int(found[1]) - (found[2] == "White") if found else 0


# White begins a turn with three crossing rows of seven pieces, full of GIPF-pieces of both colours.
CROSSING = (
    "tournament w W=Gb5,Gc5,Gd5,Ge2,Ge3,Ge4,e5,Gb2,c3,d4 B=Gf4,Gg3,Gh2,Ge6,Ge7,Ge8,Gf5,Gg5,Gh5 reserve=1-0 captured=0-0"
)
