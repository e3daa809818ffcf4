"""Two puzzles, proven when they are asked for."""

from gipfbot.match.puzzle import Puzzle, prove_puzzle
from gipfbot.notation import parse_position

# White wins in two by b1-b4 alone; in three by b2 alone, one turn of each earlier.
TWO = "standard w W=b3,c2,c3,c4,d4,d5,d7,e2,Gf6,g2,h2 B=b2,d3,d6,e3,e4,Ge5,f2,g4,g5,g6 reserve=4-1 captured=2-6"
THREE = "standard w W=b3,c3,c4,d4,d5,d7,e2,Gf6,g2,h2 B=d3,d6,e3,e4,Ge5,f2,g4,g5,g6 reserve=5-2 captured=2-6"


def proven(line: str, own_turns: int) -> Puzzle:
    """Return the puzzle of a position."""
    found = prove_puzzle(parse_position(line), own_turns)
    assert found
    return found
