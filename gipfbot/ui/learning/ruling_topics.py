"""A page for each ruling of the designer's FAQ."""

from gipfbot.languages import mark

from .topics import Topic, shown

RULING_TOPICS = {
    "ruling-1": Topic(
        mark("Who decides about a GIPF-piece?"),
        mark("The player who removes the row decides. It makes no difference whose push made the row."),
        "standard w W=b2,Gh5 B=b3,c4,Gd4,e4 reserve=15-13 captured=0-0",
        (
            shown(
                "b1-b4", mark("White's push moves a black piece to b4. That is a black row, with a GIPF-piece in it.")
            ),
            shown(
                "xb4,c4,e4;e8",
                mark("Black removes the row, so Black decides. The GIPF-piece on d4 stays."),
                mark("Then Black pushes."),
            ),
        ),
        ruling=1,
    ),
    "ruling-2": Topic(
        mark("Must a row come off?"),
        mark(
            "Yes. You cannot leave a row standing on purpose. The bot removes it, and asks you only where you "
            "have a choice."
        ),
        "standard w W=e2,e3,e4,e5,Gh5 B=Gb2,d6 reserve=12-15 captured=0-0",
        (
            shown(
                "xe2,e3,e4,e5;d2",
                mark("White's row stands when the turn begins. It comes off first."),
                mark("Then White pushes."),
            ),
        ),
        ("R4.8",),
        ruling=2,
    ),
    "ruling-3": Topic(
        mark("Tournament: more GIPF-pieces later?"),
        mark(
            "Yes. In Tournament you bring in GIPF-pieces yourself, until you push your first basic piece. That a "
            "GIPF-piece came off changes nothing."
        ),
        "tournament w W=Ge2,Ge3,Ge4,Ge5 B=Gb2,Gb3 reserve=10-14 captured=0-0 opening=wb",
        (
            shown(
                "xGe3;Gb5",
                mark("White takes one GIPF-piece of the row off the board. It comes back as two pieces."),
                mark("White has pushed no basic piece yet, and brings in a GIPF-piece again."),
            ),
        ),
        ruling=3,
    ),
    "ruling-4": Topic(
        mark("Both have a row. Who goes first?"),
        mark(
            "The player whose push made the rows. They cannot let the other go first. The player who removes a row may "
            "capture the GIPF-pieces in it, whatever their colour."
        ),
        "standard w W=b2,c2,d2,Gf2 B=b3,c3,d3,e2,Gh2 reserve=13-12 captured=0-0",
        (
            shown(
                "e1-e3;xb2,c2,d2,e2",
                mark("One push makes a white row and a black one."),
                mark("White made the push and removes the white row first."),
            ),
            shown(
                "xb3,c3,d3,e3,Gf2*",
                mark("Black removes the black row, and captures the GIPF-piece that touches it. It was White's last."),
            ),
        ),
        ruling=4,
    ),
    "ruling-5": Topic(
        mark("When does a push count?"),
        mark(
            "On the dot, a piece can be taken back: choose another dot. Once pushed, it stays. Here your opponent sees "
            "a turn when it is complete. Until then, **Start this turn over** takes it back. After that, only your "
            "opponent can allow a takeback."
        ),
        "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0",
        (
            shown("c2", mark("White has pushed, so the turn stands.")),
            shown("f7", mark("Black answers.")),
        ),
        ("R3.5",),
        ruling=5,
    ),
    "ruling-6": Topic(
        mark("How many GIPF-pieces in Tournament?"),
        mark(
            "There is no limit but your reserve. 18 pieces make nine GIPF-pieces. If one comes back, it can come in "
            "again."
        ),
        "tournament w W=Gb2,Gb3,Gb4,Gb5,Gc6,Gd7,Ge2,Gf7,Gh3 B=c2,Ge8 reserve=0-15 captured=0-0 opening=w",
        (
            shown(
                "xGb2;Gh2",
                mark("White has nine GIPF-pieces, four of them in a row. One comes off: two pieces are back."),
                mark("White has never pushed a basic piece, so a tenth GIPF-piece may come in."),
            ),
        ),
        ruling=6,
    ),
    "ruling-7": Topic(
        mark("Can a game be a draw?"),
        mark(
            "No. If the same position stands for the third time, the game is void. A new one starts by itself, with "
            "colours swapped and the time that each player has left. Pieces, reserves and the player to move must all "
            "be the same."
        ),
        "basic w W=b5,e2,e3,e4 B=b2,c2,d2,h2 reserve=11-11 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5",
                mark("Players who make the same rows again and again…"),
                mark("…can reach the same position again. The third time ends the game."),
            ),
        ),
        ("R6.3",),
        ruling=7,
    ),
    "ruling-8": Topic(
        mark("A row of GIPF-pieces only"),
        mark(
            "It may stay. As long as it stands, its owner may take some or all of it, in any turn, before or after the "
            "push."
        ),
        "tournament w W=Ge2,Ge3,Ge4 B=Gb2,Gh2 reserve=12-14 captured=0-0 opening=w",
        (
            shown("Ge1-e5", mark("White has four GIPF-pieces in a row, and leaves them all.")),
            shown("h3", mark("Black pushes elsewhere. The row still stands.")),
            shown(
                "xGe3;b5",
                mark("Now White takes one of the four."),
                mark("Then White pushes."),
            ),
        ),
        ("R4.7",),
        ruling=8,
    ),
    "ruling-9": Topic(
        mark("May I change my mind about a row?"),
        mark(
            "No. Rows are dealt with one at a time. A GIPF-piece that you left in one row stays while you remove the "
            "next."
        ),
        "standard w W=b2,b3,b4,Gb5,g2,g3,g4,Gg5 B=e5,Ge8 reserve=8-15 captured=0-0",
        (
            shown(
                "xb2,b3,b4;xg2,g3,g4,Gg5;d2",
                mark("White deals with the left row first, and leaves the GIPF-piece on b5."),
                mark("Then the right row: White takes its GIPF-piece. It is too late for b5."),
                mark("Then White pushes."),
            ),
        ),
        ("R4.6",),
        ruling=9,
    ),
    "ruling-10": Topic(
        mark("Both last GIPF-pieces at once"),
        mark("The player who takes them off wins. It is no draw."),
        "standard w W=e2,e3,e4,Ge5 B=c3,Ge6 reserve=13-15 captured=0-0",
        (
            shown(
                "xe2,e3,e4,Ge5,Ge6*",
                mark("White's row takes the last GIPF-pieces of both players off. White removed them, so White wins."),
            ),
        ),
        ruling=10,
    ),
    "ruling-11": Topic(
        mark("My time is over in the last turn"),
        mark(
            "You may still finish that turn, within the grace period. If it wins, you have won. If not, you have lost "
            "on time."
        ),
        "standard b W=Ge5,h5 B=e2,e3,Ge4 reserve=15-14 captured=0-0",
        (
            shown(
                "e1-e6;xe2,e3,e4,Ge6*",
                mark("Black's time is over, but Black may finish the turn. The push makes a row."),
                mark("It captures White's last GIPF-piece. Black wins."),
            ),
        ),
        ("R6.4",),
        ruling=11,
    ),
    "ruling-12": Topic(
        mark("The first piece in Tournament"),
        mark(
            "It must be a GIPF-piece. A basic piece is refused, and you play again; nothing is lost. If you lose it "
            "before your first basic piece, your next piece must be a GIPF-piece, too."
        ),
        "tournament w W= B= reserve=18-18 captured=0-0 opening=wb",
        (shown("Ge2", mark("White brings in a GIPF-piece.")),),
        ("R5.1",),
        refused="e2",
        why_refused=mark("Not allowed here: d1 → e2 with a basic piece: the first piece must be a GIPF-piece."),
        ruling=12,
    ),
}
