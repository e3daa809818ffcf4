"""An example for each kind of fact about a turn: the position, the turn, and the fact."""

from gipfbot.rules import Reason
from gipfbot.rules.turn_facts import FactKind, TurnFact
from tests.rules.helpers import BLACK, WHITE

# Where the forced win is. Its turn is `h6-h4`.
FORCED = "standard w W=b2,b4,Gd3,Gd5,Ge5,f3,f7,g2 B=Gc3,d2,e8,f2,f5,g6,h5 reserve=7-1 captured=0-9"
CENTRE = "tournament b W=Gb3,Gg2,h2,Gh3 B=Gf5,Gg5,Gh5 reserve=11-12 captured=0-0 opening=b"
SAVING = "tournament b W=Gb3,Gf2,g2,g3,Gg4,h3 B=Ge5,Gf5,Gg5,h2 reserve=9-11 captured=0-0"
PRESSED = "tournament b W=b2,b3,c2,c3,Gc5,d4,e2,f3,f5,Gf6,h2 B=c4,Ge5,f2,f4 reserve=1-13 captured=4-0"
LOADED = (
    "standard+Z3P3 w W=Gb5,c4,Pc5,d3,d7,e7,Pf5,Gh5 B=b3,b4,Gc3,d4,d6,e4,e5,e8,f6,f7,Gg3,g5,g6,h2 "
    "reserve=8-2 captured=0-0 left=Z0P0-Z0P0"
)
EXAMPLES = (
    (
        "tournament w W=b2,b4,c5,d6,Gg5 B=b3,c4,d5,e2,Ge7,f2 reserve=12-7 captured=0-4",
        "a3-f7;xb4,c5,d6,e7,Gf7*",
        TurnFact(FactKind.WINS, WHITE, reason=Reason.GIPF),
    ),
    (FORCED, "h6-h4", TurnFact(FactKind.FORCES_WIN, WHITE)),
    (PRESSED, "b1-b4", TurnFact(FactKind.STOPS_WIN, BLACK)),
    (
        "tournament w W=b2,b4,c5,Gg5 B=b3,c4,d5,Gd6,f2 reserve=13-8 captured=0-4",
        "a3-e7",
        TurnFact(FactKind.THREATENS_WIN, WHITE),
    ),
    (
        "tournament w W=b2,b4,c5,d6,Gg5 B=b3,c4,d5,e2,Ge7,f2 reserve=12-7 captured=0-4",
        "a3-f7;xb4,c5,d6,e7,Gf7*",
        TurnFact(FactKind.REMOVES, WHITE, ("b4", "c5", "d6", "e7"), 0, ("f7",), 4),
    ),
    (SAVING, "i2-e2", TurnFact(FactKind.SAVES_GIPF, BLACK, ("g2", "g3", "g4", "g5"), gipf=("g5",))),
    (
        "tournament b W=Gb3,Gh2,Gh3 B=Gg5,Gh5 reserve=12-14 captured=0-0 opening=wb",
        "Gi5-f5",
        TurnFact(FactKind.THREATENS_ROW, BLACK, ("e5", "f5", "g5", "h5")),
    ),
    (
        "tournament w W=b2,b4,c5,Gg5 B=b3,c4,d5,Gd6,f2 reserve=13-8 captured=0-4",
        "a3-e7",
        TurnFact(FactKind.THREATENS_ROW, WHITE, ("b4", "c5", "d6", "e7"), 0, ("e7",)),
    ),
    (SAVING, "i2-e2", TurnFact(FactKind.STOPS_ROW, BLACK, ("g2", "g3", "g4", "g5"), gipf=("g5",))),
    (SAVING, "i2-e2", TurnFact(FactKind.SHRINKS_PREY, BLACK, was=(1, 0), now=(0, 0))),
    # A loaded piece may stay in a row, but can be captured as well (R7.4).
    (LOADED, "i5-b2", TurnFact(FactKind.SHRINKS_PREY, WHITE, was=(2, 0), now=(0, 0))),
    (
        "tournament w W= B= reserve=18-18 captured=0-0 opening=wb",
        "Gf7",
        TurnFact(FactKind.ENTERS_GIPF, WHITE, gipf=("f7",), now=(1, 0)),
    ),
    (CENTRE, "i5-e5;xh5", TurnFact(FactKind.TAKES_CENTRE, BLACK, was=(0, 0), now=(1, 0))),
    (CENTRE, "i5-e5;xh5", TurnFact(FactKind.HOLDS_MIDDLE, BLACK, was=(1, 0), now=(2, 0))),
    (
        "tournament w W=Gf7 B=Gd7 reserve=16-16 captured=0-0 opening=wb",
        "Gf8-f6",
        TurnFact(FactKind.LEADS_GIPF_IN, WHITE, moved=("f7", "f6")),
    ),
    (
        "standard+Z3P3 w W=b2,b4,c3,Gc5,d4,e7 B=b3,Pc2,d2,Gd6,Ge5,f3,h4 reserve=10-7 captured=1-2 left=Z0P0-Z0P0",
        "a1-f5;xb2,c3,d4,e5",
        TurnFact(FactKind.DRIVES_GIPF_OUT, WHITE, moved=("e5", "f5")),
    ),
    (
        "overboard w W=Gb5,Ge2,f2,Gh5 B=Gb2,Ge8,Gh2,h3,h4 reserve=17-16 captured=0-0",
        "c1-d2",
        TurnFact(FactKind.PUSHES_OFF, WHITE, moved=("h3", "i3")),
    ),
)
