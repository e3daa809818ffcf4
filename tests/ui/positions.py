"""Built positions for every kind of question, and turns that answer them. Ann, White, is to move."""

from typing import NamedTuple

from gipfbot.rules import Position
from tests.rules.helpers import board

# Two rows that share d4, with nothing to decide but which one comes first.
CROSSING = board("basic w", "W=b2,c3,d2,d3,d4,d5,e5", "B=g2,h3")
# A row that leaves no choice.
FORCED = board("basic w", "W=d2,d3,d4,d5", "B=d6,g2,h3")
# A row with an own GIPF-piece and one of the opponent's in its extension.
GIPF_ROW = board("standard w", "W=Gd2,d3,d4,d5,Gg4", "B=Gd6,Ge8,h3")
# Rows that share a GIPF-piece. If it stays, the second row stays a row.
GIPF_CROSSING = board("standard w", "W=b2,c3,d2,d3,Gd4,d5,e5,Gh4", "B=Ge8,g2")
# Two rows that share nothing, one of them with a choice.
APART = board("standard w", "W=b2,b3,b4,b5,Gd7,Gf2,f3,f4,f5", "B=Ge8,h3")
# A stretch of GIPF-pieces only, which may stay (R4.7).
OFFER = board("tournament w", "W=Gd2,Gd3,Gd4,Gd5,g2", "B=Ge8,h3")
# The same, and the push can make it longer, or make another row.
OFFER_AND_THREE = board("tournament w", "W=Gd2,Gd3,Gd4,Gd5,g2,g3,g4", "B=Ge8,h3")
# Nothing in reserve and only an offer: the player can only remove.
ONLY_AN_OFFER = board("tournament w", "W=Gd2,Gd3,Gd4,Gd5,Gd6", "B=Ge8,h3", captured="8-0")
# The last GIPF-piece of the opponent stands in a row's extension (R6.2).
LAST_GIPF = board("standard w", "W=Gb3,d2,d3,d4,d5", "B=Gd6,h3")


class Case(NamedTuple):
    """A position, and a turn in it that is to be played."""

    position: Position
    turn: str


CASES = {
    "one of two rows that cross": Case(CROSSING, "xd2,d3,d4,d5;c2"),
    "the other row first": Case(CROSSING, "xb2,c3,d4,e5;c2"),
    "a row without a choice": Case(FORCED, "xd2,d3,d4,d5,d6*;c2"),
    "GIPF-pieces kept": Case(GIPF_ROW, "xd3,d4,d5;c2"),
    "the own GIPF-piece taken": Case(GIPF_ROW, "xGd2,d3,d4,d5;c2"),
    "the opponent's GIPF-piece captured": Case(GIPF_ROW, "xd3,d4,d5,Gd6*;c2"),
    "both GIPF-pieces taken": Case(GIPF_ROW, "xGd2,d3,d4,d5,Gd6*;c2"),
    "a shared GIPF-piece kept, both rows go": Case(GIPF_CROSSING, "xb2,c3,e5;xd2,d3,d5;c2"),
    "a shared GIPF-piece taken with the first row": Case(GIPF_CROSSING, "xb2,c3,Gd4,e5;c2"),
    "two rows apart": Case(APART, "xb2,b3,b4,b5;xGf2,f3,f4,f5;h2"),
    "an offer kept": Case(OFFER, "c2"),
    "an offer taken before the push": Case(OFFER, "xGd3;c2"),
    "an offer taken whole": Case(OFFER, "xGd3,Gd4,Gd5;c2"),
    "an offer taken after the push": Case(OFFER, "c2;xGd2"),
    "an offer made by the push": Case(OFFER_AND_THREE, "g1-g5;xg2,g3,g4,g5"),
    "an offer taken after a row that was due": Case(OFFER_AND_THREE, "g1-g5;xg2,g3,g4,g5;xGd4"),
    "an offer although there is no reserve": Case(ONLY_AN_OFFER, "xGd2;c2"),
    "a removal that ends the game": Case(LAST_GIPF, "xd2,d3,d4,d5,Gd6*"),
}
