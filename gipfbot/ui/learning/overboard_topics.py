"""The pages about Overboard, the house rule set."""

from .topics import Topic, shown

OVERBOARD_TOPICS = {
    "overboard": Topic(
        "Overboard: pushes",
        "A house rule set, which contradicts the designer's rules. A push moves every piece of its line, gaps and all. "
        "A basic piece pushed over the far end goes home to its owner. A GIPF-piece cannot be pushed off, so it "
        "closes the line.",
        "overboard w W=Gb5,d4,Ge2,Gh5 B=Gb2,d7,Ge8,Gh2 reserve=17-17 captured=0-0",
        (shown("d1-d2", "Both pieces of the line move. Black's d7 goes over the end, and home to Black's reserve."),),
        ("R8", "R8.1", "R8.2", "R8.6"),
        refused="e1-e2",
    ),
    "overboard-rows": Topic(
        "Overboard: rows",
        "All rows that stand after a push come off, the mover's first. Their basic pieces go home. At each end, the "
        "mover decides whether the other colour's basic pieces next to the row go home, too.",
        "overboard w W=Gb5,d4,e3,e5,e6,Gh5 B=Gb2,e2,e7,e8,Gh2 reserve=14-15 captured=0-0",
        (
            shown(
                "a4-b4;xe3,e4,e5,e6,e7*,e8*",
                "The push moves White's d4 to e4: four in a row.",
                "They go home.",
                "At the upper end, White sends Black's two pieces home. The one at the lower end may stay.",
            ),
        ),
        ("R8.3",),
    ),
    "overboard-gipf": Topic(
        "Overboard: GIPF-pieces",
        "A GIPF-piece in a row stays, unless its owner gives it up. Only the owner is asked, even in the other "
        "player's turn. What is given up is out of the game.",
        "overboard w W=Gb2,Gc2,e2 B=d4,Ge3,e5,Ge6,Gh5 reserve=17-16 captured=0-0",
        (
            shown(
                "a4-b4;xe4*,e5*",
                "White's push completes a black row with two GIPF-pieces in it.",
                "Its basic pieces go home. Black is asked about the GIPF-pieces, and keeps both.",
            ),
        ),
        ("R8.4",),
    ),
    "overboard-end": Topic(
        "Overboard: the end",
        "You lose only with your last GIPF-piece, by resigning, or on time. Players may agree on a draw. With an empty "
        "reserve you pass.",
        "overboard w W=b2,b3,b4,b5,c2,c3,c6,d2,d3,e2,e3,e6,f2,f3,g2,g3,h2,h3,Gh5 B=Gd7,Ge8 reserve=0-18 captured=0-0",
        (shown("pass", "White has no piece in reserve, so White passes. The game goes on."),),
        ("R8.5",),
    ),
}
