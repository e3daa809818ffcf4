"""The pages about potentials: what is the same for all, and one page for each row of `POWERS`."""

from typing import NamedTuple

from gipfbot.rules.powers import POWERS

from .topics import ShownTurn, Topic, shown

LOADED_TOPICS = {
    "loaded": Topic(
        "Loaded pieces",
        "A potential comes in on a basic piece, by a normal push. Bring in GIPF-pieces first, then loaded pieces, then "
        "plain ones. After your first plain piece, potentials that you have not brought in are out of the game. Both "
        "players have equally many.",
        "standard+Z3 w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0 left=Z3-Z3",
        (
            shown("Zd2", "White brings in a ZÈRTZ-potential on a basic piece."),
            shown("Zf7", "So does Black."),
            shown("f2", "White pushes a plain piece. White's other two potentials are out of the game."),
        ),
        ("R7", "R7.1", "R7.2"),
    ),
    "use": Topic(
        "Using a potential",
        "You may use a potential instead of a push, from your next turn on, and only once. Its basic piece stays where "
        "it was. The used potential is one more piece of your colour. If a row takes it off, it is out of the game.",
        "standard+Z3 w W=Gb5,Zd4,e2,e3,f5 B=d5,Ge8,Gh2 reserve=12-13 captured=0-0 left=Z0-Z0",
        (
            shown("Zd4>d6", "White uses the ZÈRTZ on d4. It jumps over d5 to d6, and a plain piece stays on d4."),
            shown("h3", "Black pushes."),
        ),
        ("R7.3", "R7.5"),
    ),
    "loaded-rows": Topic(
        "Loaded pieces in a row",
        "The player who removes a row may leave a loaded piece, like a GIPF-piece. But if the row has only "
        "GIPF-pieces and loaded "
        "pieces, at least one of them must go.",
        "standard+Z3 w W=Ge2,Ze3,Ge4,Gh5 B=Ge8,Gh2 reserve=11-14 captured=0-0 left=Z2-Z3",
        (
            shown(
                "Ze1-e5;xZe2",
                "White's row has no plain piece: two GIPF-pieces and two loaded ones.",
                "One must go. White takes the loaded piece on e2: its basic piece comes back, its potential is gone.",
            ),
        ),
        ("R7.4",),
    ),
    "stuck": Topic(
        "An empty reserve with potentials",
        "You lose when you can neither push nor use a potential. With an empty reserve, a potential that can be used "
        "keeps you in the game.",
        "standard+Z3 w W=Ge2,Gh5 B=Zc3,c4,Ge8 reserve=14-0 captured=0-14 left=Z0-Z0",
        (
            shown("b3", "White pushes. Black has no piece in reserve, and so nothing to push."),
            shown("Zc3>c5", "But Black can use a potential, and plays on."),
        ),
        ("R7.6",),
    ),
}


class PowerExample(NamedTuple):
    """What the page of one potential says and shows beyond its row of `POWERS`."""

    text: str
    line: str
    turns: tuple[ShownTurn, ...]
    rules: tuple[str, ...]


POWER_EXAMPLES = {
    "Z": PowerExample(
        "It jumps over one piece or several, of either colour. They stay. It never jumps over a vacant spot, and never "
        "onto a dot.",
        "standard+Z3 w W=Gb5,Zc3,c4,Gh5 B=c5,Ge8,Gh2 reserve=12-13 captured=0-0 left=Z0-Z0",
        (shown("Zc3>c6", "The ZÈRTZ jumps over c4 and c5 to c6. Its basic piece stays on c3."),),
        ("R7.7",),
    ),
    "P": PowerExample(
        "On a PÜNCT it stays and holds the spot. On a GIPF-piece you put one basic piece of your reserve instead, or "
        "two as a GIPF-piece of yours. What is covered counts for nobody, until the piece on top is removed.",
        "standard+P3 w W=Gb5,Pd4,Pf4,Gh5 B=Gd5,Ge8,Pf5,h2 reserve=12-12 captured=0-0 left=P0-P0",
        (
            shown(
                "Pd4>d5+2", "White uses the PÜNCT on d4 and puts two pieces on Black's GIPF-piece: it is White's now."
            ),
            shown("c2", "Black pushes."),
            shown("Pf4>f5", "White's other PÜNCT jumps onto Black's. It covers it, and White holds the spot."),
        ),
        ("R7.8",),
    ),
}


def topics_of_potentials() -> dict[str, Topic]:
    """Return the pages about potentials: the general ones, and one for each row of `POWERS`."""
    return {**LOADED_TOPICS, **{f"potential-{letter.lower()}": _power_topic(letter) for letter in POWERS}}


def _power_topic(letter: str) -> Topic:
    power, example = POWERS[letter], POWER_EXAMPLES.get(letter) or _entering_example(letter)
    text = f"The {power.name}-potential {power.jump}. {example.text}"
    return Topic(f"{power.name}", text, example.line, example.turns, example.rules)


def _entering_example(letter: str) -> PowerExample:
    """Return the example of a potential that has none of its own: how it comes in."""
    line = f"standard+{letter}3 w W=Gb5,Ge2,Gh5 B=Gb2,Ge8,Gh2 reserve=12-12 captured=0-0 left={letter}3-{letter}3"
    entering = shown(f"{letter}d2", f"White brings in a {POWERS[letter].name}-potential on a basic piece.")
    return PowerExample("You can use it once.", line, (entering,), ())
