"""The pages of the rules: for every game, for potentials and for Overboard, and the list of all pages."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gipfbot.languages import mark, say
from gipfbot.rules.powers import POWERS

from .ruling_topics import RULING_TOPICS
from .topics import ShownTurn, Topic, shown

RULE_TOPICS = {
    "board": Topic(
        mark("The board"),
        mark(
            "Pieces stand on the 37 spots, where lines cross. The 24 dots around them are entrances: no piece stays "
            "there. A column has a letter, and numbers count upwards: e1 is the dot at the bottom."
        ),
        "basic w W=b5,e2,h5 B=b2,e8,h2 reserve=12-12 captured=0-0",
        (
            shown("d2", mark("White pushes a piece from a dot at the edge to the spot d2.")),
            shown("f7", mark("Black pushes one to f7.")),
        ),
        ("R1", "R1.4"),
    ),
    "push": Topic(
        mark("Push a piece in"),
        mark(
            "Each turn you bring in one piece. Put it on a dot, then push it one step along a line. If a piece is in "
            "the way, it moves one step, too, and so does the next one, up to the first vacant spot. You can't skip "
            "your turn."
        ),
        "basic w W=b5,e2,h5 B=b2,e3,h2 reserve=12-12 captured=0-0",
        (
            shown(
                "e1-e4", mark("White pushes in at e1. The pieces on e2 and e3 move one step. A push takes nothing off.")
            ),
        ),
        ("R3", "R3.2"),
    ),
    "row": Topic(
        mark("Four in a row"),
        mark(
            "Four or more pieces of your colour side by side on one line are a row. Your row leaves the board, and you "
            "get its pieces back. Pieces that come back can be pushed in again."
        ),
        "basic w W=b5,e2,e3,e4 B=b2,d6,h2 reserve=11-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5",
                mark("White's push makes four in a row."),
                mark("All four come back to White's reserve."),
            ),
        ),
        ("R4", "R4.1"),
    ),
    "along": Topic(
        mark("What goes with a row: captures"),
        mark(
            "Your row leaves the board. So do the pieces right before and after it on the same line, up to the first "
            "vacant spot on each side. Pieces of your colour come back to you. Your opponent's pieces are captured: "
            "they are out of the game."
        ),
        "basic w W=b5,e2,e3,e4 B=b2,e6,e8 reserve=11-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5,e6*",
                mark("White has four in a row. Black's e6 follows at its end. Black's e8 does not: e7 is vacant."),
                mark("Four come back to White, and e6 is captured."),
            ),
        ),
        ("R4.2", "R4.3"),
    ),
    "order": Topic(
        mark("The order of a turn"),
        mark(
            "If rows of yours stand when your turn begins, remove them first: your opponent's push may have made them. "
            "Then push. Then remove your rows again. Rows of your opponent's colour stay until their turn begins."
        ),
        "basic w W=b2,f3,h5 B=b3,c4,d4,e4 reserve=12-11 captured=0-0",
        (
            shown(
                "b1-b4",
                mark("White's push moves a black piece to b4. Black has four in a row now, so White takes nothing."),
            ),
            shown(
                "xb4,c4,d4,e4,f3*;e8",
                mark("Black's turn begins with the removal. White's f3 touched the row and is captured."),
                mark("Only then does Black push."),
            ),
        ),
        ("R3.1", "R3.4"),
    ),
    "reserve": Topic(
        mark("No piece left to push"),
        mark(
            "Your reserve is the pieces that you can still bring in. You lose if you have to push and your reserve is "
            "empty. But if you have a row, it comes off first, and that may bring you pieces."
        ),
        "basic w W=b5,e2,h5 B=b2,c3,e6,g2 reserve=12-0 captured=0-11",
        (shown("d2", mark("Black has no piece left to push, and no row that brings pieces back. White wins.")),),
        ("R6.1",),
    ),
    "gipf-pieces": Topic(
        mark("GIPF-pieces in a row"),
        mark(
            "A GIPF-piece is two pieces, one on the other. Among the four of a row it counts as one. When your row "
            "comes off, you choose for each of its GIPF-pieces: leave it on the board, or take it off. Your own "
            "GIPF-piece then comes back to you as two pieces. Your opponent's is captured."
        ),
        "standard w W=e2,Ge3,e4,Gh5 B=Gb2,d6,Gh2 reserve=12-13 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e5",
                mark("White has four in a row. One of them, e4, is a GIPF-piece."),
                mark("White leaves it on the board. The other three come back."),
            ),
        ),
        ("R4.4",),
    ),
    "last-gipf": Topic(
        mark("The last GIPF-piece"),
        mark(
            "In Standard and Tournament you need a GIPF-piece on the board. If your last one comes off, you lose, "
            "however many other pieces you have."
        ),
        "standard w W=b5,c5,d5,e6,e7,Gh5 B=e8,Gf4,g3 reserve=11-14 captured=0-0",
        (
            shown(
                "e9-e5;xb5,c5,d5,e5,Gf4*,g3*",
                mark("White's e6 moves to e5 and completes a row. Black's last GIPF-piece touches it."),
                mark("White captures it. Black has none left, so White wins."),
            ),
        ),
        ("R6.2",),
    ),
    "crossing": Topic(
        mark("Rows that cross"),
        mark(
            "If two of your rows share a spot, you choose which one leaves first. Then look again: without the shared "
            "piece, the other may be no row any more. Rows that share nothing all leave."
        ),
        "basic w W=b5,c5,d5,e2,e3,e4 B=b2,d6,h2 reserve=9-12 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5",
                mark("The piece that moved to e5 completes two rows at once."),
                mark("White removes the upright one first. Three pieces of the other are left: no row, so they stay."),
            ),
        ),
        ("R4.5",),
    ),
    "full-line": Topic(
        mark("A full line is closed"),
        mark(
            "No piece is ever pushed off the board. If every spot of a line is occupied, nobody can push into that "
            "line from either end."
        ),
        "basic w W=b3,b4,b5,h5 B=b2,e8,h2 reserve=11-12 captured=0-0",
        (
            shown(
                "a1-c3;xb2,b3,b4,b5",
                mark(
                    "The line from b2 to b5 is full. But another line leads through b2, and White pushes along that "
                    "one."
                ),
                mark("That makes a row, which leaves. Now pieces can come into the line again."),
            ),
        ),
        ("R3.3",),
        refused="b1-b5",
        why_refused=mark("Not allowed here: b1 → b2: every spot of that line is occupied."),
    ),
    "goal": Topic(
        mark("How you win"),
        mark(
            "You win when your opponent has to push and has no piece left. In Standard and Tournament you also win "
            "when their last GIPF-piece is off the board. A player may resign at any time."
        ),
        "standard w W=Gb5,e2,e3,e4,Gh5 B=c3,Ge6,g5 reserve=11-14 captured=0-0",
        (
            shown(
                "e1-e5;xe2,e3,e4,e5,Ge6*",
                mark("White pushes in at e1 and has four in a row. Black's last GIPF-piece stands at its end."),
                mark("White takes it along with the row. Black has no GIPF-piece left, so White wins."),
            ),
        ),
        ("R6", "R6.5"),
    ),
    "versions": Topic(
        mark("Basic, Standard, Tournament"),
        mark(
            "**Basic** is the version without GIPF-pieces: 15 pieces each. **Standard** has 18, and each player starts "
            "with three GIPF-pieces. **Tournament** has 18, starts with an empty board, and you bring in GIPF-pieces "
            "yourself. White always begins."
        ),
        "standard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0",
        (
            shown(
                "e1-e3",
                mark(
                    "In Standard no GIPF-pieces are pushed in, only single pieces. "
                    "White's GIPF-piece makes room and is on e3 now."
                ),
            ),
            shown("e9-e7", mark("Black pushes in at e9, and Black's GIPF-piece makes room, too.")),
        ),
        ("R2",),
    ),
    "opening": Topic(
        mark("The start of Tournament"),
        mark(
            "Begin with a GIPF-piece; it costs two pieces of your reserve. You may bring in more, until you push a "
            "basic piece. With only one piece in reserve you cannot bring in a GIPF-piece."
        ),
        "tournament w W= B= reserve=18-18 captured=0-0 opening=wb",
        (
            shown("Ge2", mark("White begins with a GIPF-piece.")),
            shown("Ge8", mark("So does Black.")),
            shown("d2", mark("White pushes a basic piece. From now on White has no more GIPF-pieces to bring in.")),
        ),
        ("R5", "R5.2", "R5.3"),
    ),
}

LOADED_TOPICS = {
    "loaded": Topic(
        mark("Loaded pieces"),
        mark(
            "A potential lies on a basic piece: together they are a loaded piece. You push it in like any other. "
            "Bring in GIPF-pieces first, then loaded pieces, then plain ones. After your first plain piece, potentials "
            "that you have not brought in are out of the game. Both players have equally many."
        ),
        "standard+Z3 w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0 left=Z3-Z3",
        (
            shown("Zd2", mark("White brings in a ZÈRTZ-potential on a basic piece.")),
            shown("Zf7", mark("So does Black.")),
            shown("f2", mark("White pushes a plain piece. White's other two potentials are out of the game.")),
        ),
        ("R7", "R7.1", "R7.2"),
    ),
    "use": Topic(
        mark("Using a potential"),
        mark(
            "Instead of a push you may use a potential that came in in an earlier turn. It works only once. The basic "
            "piece below it stays where it was. The used potential then counts as one more piece of your colour. If it "
            "comes off with a row, it is out of the game."
        ),
        "standard+Z3 w W=Gb5,Zd4,e2,e3,f5 B=d5,Ge8,Gh2 reserve=12-13 captured=0-0 left=Z0-Z0",
        (
            shown("Zd4>d6", mark("White uses the ZÈRTZ on d4. It jumps over d5 to d6, and a plain piece stays on d4.")),
            shown("h3", mark("Black pushes.")),
        ),
        ("R7.3", "R7.5"),
    ),
    "loaded-rows": Topic(
        mark("Loaded pieces in a row"),
        mark(
            "The player who removes a row may leave a loaded piece, like a GIPF-piece. But if the row has only "
            "GIPF-pieces and loaded "
            "pieces, at least one of them must go."
        ),
        "standard+Z3 w W=Ge2,Ze3,Ge4,Gh5 B=Ge8,Gh2 reserve=11-14 captured=0-0 left=Z2-Z3",
        (
            shown(
                "Ze1-e5;xZe2",
                mark("White's row has no plain piece: two GIPF-pieces and two loaded ones."),
                mark(
                    "One must go. White takes the loaded piece on e2: its basic piece comes back, its potential is "
                    "gone."
                ),
            ),
        ),
        ("R7.4",),
    ),
    "stuck": Topic(
        mark("An empty reserve with potentials"),
        mark(
            "You lose when you can neither push nor use a potential. With an empty reserve, a potential that can be "
            "used keeps you in the game."
        ),
        "standard+Z3 w W=Ge2,Gh5 B=Zc3,c4,Ge8 reserve=14-0 captured=0-14 left=Z0-Z0",
        (
            shown("b3", mark("White pushes. Black has no piece in reserve, and so nothing to push.")),
            shown("Zc3>c5", mark("But Black can use a potential, and plays on.")),
        ),
        ("R7.6",),
    ),
}

# What a removal frees from below a piece: point 7 of the designer's page about PÜNCT.
FREED_TOPICS = {
    "freed": Topic(
        mark("A row that comes free"),
        mark(
            "Only the top of a stack goes with a row. What was below is free, and counts again. If that makes a row of "
            "yours, this row must go, too. You may leave a GIPF-piece or a loaded piece in it, as always."
        ),
        "standard+P3 w W=Gb5,e2,e3,e4,e5,f5,g4,h3 B=e6[G],Gh2 reserve=7-15 captured=0-0 left=P0-P0",
        (
            shown(
                "xe2,e3,e4,e5,e6*;xf5,g4,h3;d2",
                mark("White's row captures the black piece on e6. The white GIPF-piece below it is free."),
                mark("It makes a white row with f5, g4 and h3. That row goes, too. White leaves the GIPF-piece."),
                mark("Then White pushes."),
            ),
        ),
    ),
    "freed-other": Topic(
        mark("A row freed for your opponent"),
        mark(
            "If your removal frees a piece that makes a row of your opponent's, this row stays until their turn. Your "
            "push comes first, and may break it."
        ),
        "standard+P3 w W=Gb5,Ge3,e4,pe5[P],e6 B=d5,Ge8,f4,g3 reserve=12-12 captured=0-0 left=P0-P0",
        (
            shown(
                "xe4,pe5,e6;b2",
                mark("White's row takes the PÜNCT on e5 off. Black's PÜNCT below it is free, in a black row."),
                mark("That row stays, because it is White's turn. White pushes elsewhere."),
            ),
            shown(
                "xd5,f4,g3;d2",
                mark("Black's turn begins with the row. The loaded piece stays."),
                mark("Then Black pushes."),
            ),
        ),
    ),
    "covered-freed": Topic(
        mark("Covered and freed is not won"),
        mark(
            "You win by covering your opponent's last GIPF-piece with a PÜNCT. But this counts at the end of the turn. "
            "If the piece on top goes with a row in the same turn, the GIPF-piece is free, and the game goes on."
        ),
        "standard+P3 w W=Gb5,Pd5,e2,e3,e4 B=Ge5,h2 reserve=12-15 captured=0-0 left=P0-P0",
        (
            shown(
                "Pd5>e5+1;xe2,e3,e4,e5",
                mark("White covers Black's last GIPF-piece with one piece. This makes a white row."),
                mark("The piece on top goes with the row. The GIPF-piece is free, so White has not won."),
            ),
            shown("h3", mark("Black plays on.")),
        ),
    ),
}

OVERBOARD_TOPICS = {
    "overboard": Topic(
        mark("Overboard: whose rules these are"),
        mark(
            "Overboard contradicts the rules of GIPF's designer. **From a German web page:** the pieces, pushes, rows, "
            "giving up GIPF-pieces, and losing with the last one. **Made for this bot, where that page says nothing:** "
            "the corners, White first, the mover's rows first, each end of a row by itself, passing, draws."
        ),
        "overboard w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=18-18 captured=0-0",
        (
            shown(
                "d1-d2", mark("The lines through the corners are closed at both ends, so White begins on another line.")
            ),
        ),
        ("R8", "R8.1", "R8.6"),
    ),
    "overboard-pushes": Topic(
        mark("Overboard: pushes"),
        mark(
            "A push moves every piece of its line, gaps and all. A basic piece pushed over the far end goes home to "
            "its owner. A GIPF-piece cannot be pushed off, so it closes the line."
        ),
        "overboard w W=Gb5,d4,Ge2,Gh5 B=Gb2,d7,Ge8,Gh2 reserve=17-17 captured=0-0",
        (
            shown(
                "d1-d2",
                mark("Both pieces of the line move. Black's d7 goes over the end, and home to Black's reserve."),
            ),
        ),
        ("R8.2",),
        refused="e1-e2",
        why_refused=mark("Not allowed here: e1 → e2: it would push the GIPF-piece on e8 off the board."),
    ),
    "overboard-rows": Topic(
        mark("Overboard: rows"),
        mark(
            "All rows that stand after a push come off, the mover's first. Their basic pieces go home. At each end, "
            "the mover decides whether the other colour's basic pieces next to the row go home, too."
        ),
        "overboard w W=Gb5,d4,e3,e5,e6,Gh5 B=Gb2,e2,e7,e8,Gh2 reserve=14-15 captured=0-0",
        (
            shown(
                "a4-b4;xe3,e4,e5,e6,e7*,e8*",
                mark("The push moves White's d4 to e4: four in a row."),
                mark("They go home."),
                mark("At the upper end, White sends Black's two pieces home. The one at the lower end may stay."),
            ),
        ),
        ("R8.3",),
    ),
    "overboard-gipf": Topic(
        mark("Overboard: GIPF-pieces"),
        mark(
            "A GIPF-piece in a row stays, unless its owner gives it up. Only the owner is asked, even in the other "
            "player's turn. What is given up is out of the game."
        ),
        "overboard w W=Gb2,Gc2,e2 B=d4,Ge3,e5,Ge6,Gh5 reserve=17-16 captured=0-0",
        (
            shown(
                "a4-b4;xe4*,e5*",
                mark("White's push completes a black row with two GIPF-pieces in it."),
                mark("Its basic pieces go home. Black is asked about the GIPF-pieces, and keeps both."),
            ),
        ),
        ("R8.4",),
    ),
    "overboard-end": Topic(
        mark("Overboard: the end"),
        mark(
            "You lose only with your last GIPF-piece, by resigning, or on time. Players may agree on a draw. With an "
            "empty reserve you pass."
        ),
        "overboard w W=b2,b3,b4,b5,c2,c3,c6,d2,d3,e2,e3,e6,f2,f3,g2,g3,h2,h3,Gh5 B=Gd7,Ge8 reserve=0-18 captured=0-0",
        (shown("pass", mark("White has no piece in reserve, so White passes. The game goes on.")),),
        ("R8.5",),
    ),
}

FIRST_TOPIC, *_ = RULE_TOPICS


class PowerExample(NamedTuple):
    """The text, board and turns of a potential's page. The text begins with what its row of `POWERS` says."""

    text: str
    line: str
    turns: tuple[ShownTurn, ...]
    rules: tuple[str, ...]


POWER_EXAMPLES = {
    "Z": PowerExample(
        mark(
            "The ZÈRTZ-potential jumps in a straight line over pieces to the first vacant spot. It jumps over one "
            "piece or several, of either colour. They stay. It never jumps over a vacant spot, and never onto a dot."
        ),
        "standard+Z3 w W=Gb5,Zc3,c4,Gh5 B=c5,Ge8,Gh2 reserve=12-13 captured=0-0 left=Z0-Z0",
        (shown("Zc3>c6", mark("The ZÈRTZ jumps over c4 and c5 to c6. Its basic piece stays on c3.")),),
        ("R7.7",),
    ),
    "P": PowerExample(
        mark(
            "The PÜNCT-potential jumps onto an adjacent PÜNCT or GIPF-piece of the opponent. On a PÜNCT it stays and "
            "holds the spot. On a GIPF-piece you put one basic piece of your reserve instead, or two as a GIPF-piece "
            "of yours. What is covered counts for nobody, until the piece on top is removed."
        ),
        "standard+P3 w W=Gb5,Pd4,Pf4,Gh5 B=Gd5,Ge8,Pf5,h2 reserve=12-12 captured=0-0 left=P0-P0",
        (
            shown(
                "Pd4>d5+2",
                mark("White uses the PÜNCT on d4 and puts two pieces on Black's GIPF-piece: it is White's now."),
            ),
            shown("c2", mark("Black pushes.")),
            shown("Pf4>f5", mark("White's other PÜNCT jumps onto Black's. It covers it, and White holds the spot.")),
        ),
        ("R7.8",),
    ),
}


def topics_of_potentials() -> dict[str, Topic]:
    """Return the pages about potentials: the general ones, one for each row of `POWERS`, and those on stacks."""
    powers = {f"potential-{letter.lower()}": _power_topic(letter) for letter in POWERS}
    return {**LOADED_TOPICS, **powers, **FREED_TOPICS}


def _power_topic(letter: str) -> Topic:
    return Topic(POWERS[letter].name, *(POWER_EXAMPLES.get(letter) or _entering_example(letter)))


def _entering_example(letter: str) -> PowerExample:
    """Return the example for a potential that has none of its own: it shows how it comes in. It is English only."""
    power = POWERS[letter]
    line = f"standard+{letter}3 w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0 left={letter}3-{letter}3"
    entering = shown(f"{letter}d2", f"White brings in a {power.name}-potential on a basic piece.")
    text = f"The {power.name}-potential {power.jump}. You can use it once."
    return PowerExample(text, line, (entering,), ())


def topic_groups() -> dict[str, Mapping[str, Topic]]:
    """Return the groups of pages by title. Each maps the names of its pages to the pages."""
    return {
        mark("The rules"): RULE_TOPICS,
        mark("Questions and answers"): RULING_TOPICS,
        mark("Potentials and Overboard"): {**topics_of_potentials(), **OVERBOARD_TOPICS},
    }


def all_topics() -> dict[str, Topic]:
    """Return all pages by name."""
    return {name: topic for group in topic_groups().values() for name, topic in group.items()}


def explained_rules() -> dict[str, str]:
    """Return the name of the page for each rule number, such as `R4.4`."""
    return {rule: name for name, topic in all_topics().items() for rule in topic.rules}


def topic_of_rule(rule: str) -> str:
    """Return the name of the page that explains a rule.

    For a rule without a page, return the page of its section: `R4` for `R4.9`. If there is none, return the first page.
    """
    known = explained_rules()
    return known.get(rule) or known.get(rule.partition(".")[0], FIRST_TOPIC)


def find_topics(text: str) -> Sequence[str]:
    """Return the names of the pages that a typed text may mean, the best first.

    A name, a title or the number of a rule names one page. Other texts name all pages that contain them, in the
    language that is spoken now.
    """
    wanted, topics = " ".join(text.split()).casefold(), all_topics()
    rules = {rule.casefold(): name for rule, name in explained_rules().items()}
    titles = {name: say(topic.title).casefold() for name, topic in topics.items()}
    for name, title in titles.items():
        if wanted in (name, title):
            return [name]
    if named := rules.get(wanted) or rules.get(f"r{wanted}"):
        return [named]
    titled = [name for name, title in titles.items() if wanted in title]
    told = [name for name, topic in topics.items() if wanted in say(topic.text).casefold() and name not in titled]
    return [*titled, *told]
