"""Position lines that tests of both notations share. White is to move."""

# The setup of a Standard game, and a Tournament game before its first turn.
SETUP = "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2"
EMPTY = "tournament w W= B= opening=wb"
# Three in a column, to which e2 adds the fourth; the row that stands then; a column with a GIPF-piece to keep.
COLUMN = "basic w W=e3,e4,e5 B=b2"
STANDING = "basic w W=e2,e3,e4,e5 B=h2"
KEEPER = "standard w W=Ge3,e4,e5,Gb5 B=Gh2"
# A row of Black's, who is not to move.
THEIRS = "standard w W=Gb5,d2 B=Ge3,e4,e5,e6,Gh2"
# Two rows that share e5; that share d2; that share a GIPF-piece on d2; that share nothing.
CROSSING = "basic w W=b5,c5,d5,e2,e3,e4,e5 B=h2"
TWO = "basic w W=d2,d3,d4,d5,d6,e3,f3,g3,h3 B=b2"
SHARED = "standard w W=Gd2,d3,d4,d5,e3,f3,g3,Gh5 B=Gb2"
APART = "standard w W=b2,b3,Gb4,b5,g2,g3,Gg4,g5,Gh5 B=Ge8"
# An offer; the same with nothing in reserve.
OFFER = "tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2"
NO_RESERVE = "tournament w W=Ge2,Ge3,Ge4,Ge5,b2 B=Gh2 captured=9-0"
# The row's removal takes Black's last GIPF-piece.
LAST_GIPF = "standard w W=e2,e3,e4,e5,Gb5 B=Ge6,h2"
# Every line through e2 is closed.
FULL = "basic w W=e2,e4,e6,e8,d2,c2,g2,h2 B=e3,e5,e7,b2,f2"
# The ninth question of the FAQ: each of two rows holds one of White's last two GIPF-pieces.
FAQ_9 = "standard w W=b2,b3,b4,Gb5,g2,g3,g4,Gg5 B=Ge8"
