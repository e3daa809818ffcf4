"""Two puzzles, proven when they are asked for."""

from gipfbot.match.puzzle import Puzzle, prove_puzzle
from gipfbot.notation import parse_position

# White wins in two by b1-b4 alone; in three by b2 alone, one turn of each earlier.
TWO = "standard w W=b3,c2,c3,c4,d4,d5,d7,e2,Gf6,g2,h2 B=b2,d3,d6,e3,e4,Ge5,f2,g4,g5,g6 reserve=4-1 captured=2-6"
THREE = "standard w W=b3,c3,c4,d4,d5,d7,e2,Gf6,g2,h2 B=d3,d6,e3,e4,Ge5,f2,g4,g5,g6 reserve=5-2 captured=2-6"
# A Standard game that White wins. It has a win in three, and two turns later a win in two.
WITH_BOTH = (
    "i5-g5 i4-g6 f2 b6-b4 a4-c4 h6-f6 b6-b3 h1-h3 a2-d5 f7;xf7,g6,h5 h1-h4 d2 d7 f8-c6 i4-g4 c7-e7 d8-f7 h1-h5 e9-e6 "
    "e9-e5 xb3,c4,Gd5,e6,f6;i5-f5 i3-f6 i5-d4 i4-f4 g6 i1-g3 i5-c3 xe5,Gf4,g3,h2;i2-e6 i5-e5 g7-d6 "
    "xc6,d6,e6,f5,g4,h3*;a1-f5 h6-h3 h6-h2 e9-e6 f8-f4;xb2,Gc3*,Gd4*,Ge5,f5,g5,h5"
).split()


def proven(line: str, own_turns: int) -> Puzzle:
    """Return the puzzle of a position."""
    found = prove_puzzle(parse_position(line), own_turns)
    assert found
    return found
