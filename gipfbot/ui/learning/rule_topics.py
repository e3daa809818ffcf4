"""The pages of the rules that every game has."""

from .topics import Topic, shown

RULE_TOPICS = {
    "board": Topic(
        "The board",
        "Pieces stand on the 37 spots, where lines cross. The 24 dots around them are entrances: no piece stays there. "
        "A column has a letter, and numbers count upwards: e1 is the dot at the bottom.",
        "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0",
        (
            shown("d2", "White pushes a piece from a dot at the edge to the spot d2."),
            shown("f7", "Black pushes one to f7."),
        ),
        ("R1", "R1.4"),
    ),
    "push": Topic(
        "Push a piece in",
        "Each turn you bring in one piece. Put it on a dot, then push it one step along a line. Pieces in its way move "
        "one step, too, up to the first vacant spot. You may not pass.",
        "basic w W=b5,e2,h5 B=b2,e3,h2 reserve=12-12 captured=0-0",
        (shown("e1-e4", "White pushes in at e1. The pieces on e2 and e3 move one step. A push takes nothing off."),),
        ("R3", "R3.2"),
    ),
    "row": Topic(
        "Four in a row",
        "Four or more pieces of your colour side by side on one line are a row. Your row leaves the board, and you "
        "get its pieces back. Pieces that come back can be pushed in again.",
        "basic w W=b5,e2,e3,e4 B=b2,d6,h2 reserve=11-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5",
                "White's push makes four in a row.",
                "All four come back to White's reserve.",
            ),
        ),
        ("R4", "R4.1"),
    ),
    "along": Topic(
        "What goes with a row: captures",
        "A row of four or more leaves the board. Pieces that touch an end of it go with it, up to the first vacant "
        "spot. Those of your colour come back to you. Your opponent's are captured: they are out of the game.",
        "basic w W=b5,e2,e3,e4 B=b2,e6,e8 reserve=11-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5,e6*",
                "White has four in a row. Black's e6 touches it. Black's e8 does not: e7 is vacant.",
                "Four come back to White, and e6 is captured.",
            ),
        ),
        ("R4.2", "R4.3"),
    ),
    "order": Topic(
        "The order of a turn",
        "First remove your rows that already stand. Then push. Then remove your rows again. Rows of your opponent's "
        "colour stay until their turn begins.",
        "basic w W=b2,f3,h5 B=b3,c4,d4,e4 reserve=12-11 captured=0-0",
        (
            shown(
                "b1-b4", "White's push moves a black piece to b4. Black has four in a row now, so White takes nothing."
            ),
            shown(
                "xb4,c4,d4,e4,f3*;e8",
                "Black's turn begins with the removal. White's f3 touched the row and is captured.",
                "Only then does Black push.",
            ),
        ),
        ("R3.1", "R3.4"),
    ),
    "reserve": Topic(
        "No piece left to push",
        "Your reserve is the pieces that you can still bring in. If you have to push and it is empty, you lose. A row "
        "of yours comes off first, and may bring you new pieces.",
        "basic w W=b5,e2,h5 B=b2,c3,e6,g2 reserve=12-0 captured=0-11",
        (shown("d2", "Black has no piece left to push, and no row that brings pieces back. White wins."),),
        ("R6.1",),
    ),
    "gipf-pieces": Topic(
        "GIPF-pieces in a row",
        "A GIPF-piece is two pieces, one on the other. In a row it counts as one. If it goes with your row, you "
        "choose: leave it on the board, or take it. Taken, your own comes back as two pieces, and your opponent's is "
        "captured as two.",
        "standard w W=e2,Ge3,e4,Gh5 B=Gb2,d6,Gh2 reserve=12-13 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e5",
                "White has four in a row. One of them, e4, is a GIPF-piece.",
                "White leaves it on the board. The other three come back.",
            ),
        ),
        ("R4.4",),
    ),
    "last-gipf": Topic(
        "The last GIPF-piece",
        "In Standard and Tournament you need a GIPF-piece on the board. If your last one leaves it, you have lost, "
        "however many other pieces you have.",
        "standard w W=b5,c5,d5,e6,e7,Gh5 B=e8,Gf4,g3 reserve=11-14 captured=0-0",
        (
            shown(
                "e9-e5;xb5,c5,d5,e5,Gf4*,g3*",
                "White's e6 moves to e5 and completes a row. Black's last GIPF-piece touches it.",
                "White captures it. Black has none left, so White wins.",
            ),
        ),
        ("R6.2",),
    ),
    "crossing": Topic(
        "Rows that cross",
        "If two of your rows share a spot, you choose which one leaves first. Then look again: without the shared "
        "piece, the other may be no row any more. Rows that share nothing all leave.",
        "basic w W=b5,c5,d5,e2,e3,e4 B=b2,d6,h2 reserve=9-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5",
                "The piece that moved to e5 completes two rows at once.",
                "White removes the upright one first. Three pieces of the other are left: no row, so they stay.",
            ),
        ),
        ("R4.5",),
    ),
    "full-line": Topic(
        "A full line is closed",
        "No piece is ever pushed off the board. If every spot of a line is occupied, nobody can push into that line "
        "from either end.",
        "basic w W=b3,b4,b5,h5 B=b2,e8,h2 reserve=11-12 captured=0-0",
        (
            shown(
                "a1-c3;xb2,b3,b4,b5",
                "The line from b2 to b5 is full. But another line leads through b2, and White pushes along that one.",
                "That makes a row, which leaves. Now pieces can come into the line again.",
            ),
        ),
        ("R3.3",),
        refused="b1-b5",
    ),
    "goal": Topic(
        "How you win",
        "You win when your opponent has to push and has no piece left. In Standard and Tournament you also win when "
        "their last GIPF-piece is off the board. A player may resign at any time.",
        "standard w W=Gb5,e2,e3,e4,Gh5 B=c3,Ge6,g5 reserve=11-14 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5,Ge6*",
                "White pushes in at e1 and has four in a row. Black's last GIPF-piece stands at its end.",
                "White takes it along with the row. Black has no GIPF-piece left, so White wins.",
            ),
        ),
        ("R6", "R6.5"),
    ),
    "versions": Topic(
        "Basic, Standard, Tournament",
        "**Basic** has single pieces only: 15 each. **Standard** has 18, and each player starts with three "
        "GIPF-pieces. **Tournament** has 18, starts with an empty board, and you bring in GIPF-pieces yourself. "
        "White always begins.",
        "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0",
        (
            shown("e1-e3", "In Standard you push basic pieces only. White's GIPF-piece makes room and is on e3 now."),
            shown("e9-e7", "So does Black's."),
        ),
        ("R2",),
    ),
    "opening": Topic(
        "The start of Tournament",
        "Begin with a GIPF-piece; it costs two pieces of your reserve. You may bring in more, until you push a basic "
        "piece. With only one piece in reserve you cannot bring in a GIPF-piece.",
        "tournament w W= B= reserve=18-18 captured=0-0 opening=wb",
        (
            shown("Ge2", "White begins with a GIPF-piece."),
            shown("Ge8", "So does Black."),
            shown("d2", "White pushes a basic piece. From now on White has no more GIPF-pieces to bring in."),
        ),
        ("R5", "R5.2", "R5.3"),
    ),
}
